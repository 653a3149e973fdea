import { createApp } from '@backstage/frontend-defaults';
import userSettingsModule from '@backstage/plugin-app-module-user-settings';
import catalogPlugin from '@backstage/plugin-catalog/alpha';
import catalogGraphPlugin from '@backstage/plugin-catalog-graph/alpha';
import notificationsPlugin from '@backstage/plugin-notifications/alpha';
import orgPlugin from '@backstage/plugin-org/alpha';
import scaffolderPlugin from '@backstage/plugin-scaffolder/alpha';
import signalsPlugin from '@backstage/plugin-signals/alpha';
import userSettingsPlugin from '@backstage/plugin-user-settings/alpha';
import gpuPlugin from '@gpuaas/backstage-plugin-gpu';
import gpuScaffolderModule from '@gpuaas/backstage-plugin-gpu/scaffolder';
import gpuTranslationsModule from '@gpuaas/backstage-plugin-gpu/translations';
import { homeModule } from './home/homeModule';
import { navModule } from './nav/navModule';
import { signInModule } from './signIn/signInModule';

/** The Developer Hub used in development: GPU pages and what they need around them. */
export default createApp({
  features: [
    catalogPlugin,
    catalogGraphPlugin,
    scaffolderPlugin,
    orgPlugin,
    userSettingsPlugin,
    userSettingsModule,
    notificationsPlugin,
    signalsPlugin,
    gpuPlugin,
    gpuScaffolderModule,
    gpuTranslationsModule,
    homeModule,
    navModule,
    signInModule,
  ],
});
