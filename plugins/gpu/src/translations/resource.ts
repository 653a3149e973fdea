import { createTranslationResource } from '@backstage/frontend-plugin-api';
import { gpuTranslationRef } from './ref';

/**
 * The languages shipped. English is part of the reference itself; naming it
 * here lets an app list the plugin among those it translates.
 *
 * @public
 */
export const gpuTranslations = createTranslationResource({
  ref: gpuTranslationRef,
  translations: { en: () => import('./en') },
});
