import { createBackendModule } from '@backstage/backend-plugin-api';
import { AuthenticationError } from '@backstage/errors';
import {
  authProvidersExtensionPoint,
  createProxyAuthenticator,
  createProxyAuthProviderFactory,
} from '@backstage/plugin-auth-node';

/** The person asking names themselves in this header; there is no password. */
const PERSON_HEADER = 'x-sandbox-user';

const authenticator = createProxyAuthenticator({
  defaultProfileTransform: async (result: { name: string }) => ({
    profile: { displayName: result.name },
  }),
  initialize({ config }) {
    return { people: config.getStringArray('people') };
  },
  async authenticate({ req }, { people }) {
    if (process.env.NODE_ENV !== 'development') {
      throw new AuthenticationError(
        'Signing in without a password is for development only; set NODE_ENV=development or configure a real auth provider',
      );
    }
    const name = req.header(PERSON_HEADER);
    if (!name || !people.includes(name)) {
      throw new AuthenticationError(
        `Header ${PERSON_HEADER} is '${name ?? ''}'; accepted: ${people.join(
          ', ',
        )}`,
      );
    }
    return { result: { name } };
  },
});

/**
 * Sign-in for the people of `auth.providers.sandbox.people`, who must be
 * Users of the catalog. Not for production: it refuses outside development.
 */
export default createBackendModule({
  pluginId: 'auth',
  moduleId: 'sandbox-provider',
  register(registration) {
    registration.registerInit({
      deps: { providers: authProvidersExtensionPoint },
      async init({ providers }) {
        providers.registerProvider({
          providerId: 'sandbox',
          factory: createProxyAuthProviderFactory({
            authenticator,
            signInResolver: ({ result }, context) =>
              context.signInWithCatalogUser({
                entityRef: { name: result.name },
              }),
          }),
        });
      },
    });
  },
});
