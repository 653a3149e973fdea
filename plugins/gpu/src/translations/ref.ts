import { createTranslationRef } from '@backstage/frontend-plugin-api';
import { gpuMessages } from './messages';

/**
 * Every string of the plugin; an app replaces them with a translation resource.
 *
 * @public
 */
export const gpuTranslationRef = createTranslationRef({
  id: 'plugin.gpu',
  messages: gpuMessages,
});
