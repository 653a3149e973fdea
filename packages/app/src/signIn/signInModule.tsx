import { createFrontendModule } from '@backstage/frontend-plugin-api';
import { SignInPageBlueprint } from '@backstage/plugin-app-react';

const signInPage = SignInPageBlueprint.make({
  params: {
    loader: async () => (await import('./SignInPage')).SignInPage,
  },
});

/** Sign-in as one of the people of the development hub. */
export const signInModule = createFrontendModule({
  pluginId: 'app',
  extensions: [signInPage],
});
