/**
 * The plugin's translations for an app of the new frontend system.
 *
 * @packageDocumentation
 */

import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { TranslationBlueprint } from '@backstage/plugin-app-react';
import { gpuTranslations } from './translations/resource';

/**
 * Installs the shipped languages. Translations attach to the app, so they
 * cannot come with our own plugin.
 *
 * @public
 */
export default createFrontendModule({
  pluginId: 'app',
  extensions: [
    TranslationBlueprint.make({
      name: 'gpu',
      params: { resource: gpuTranslations },
    }),
  ],
});
