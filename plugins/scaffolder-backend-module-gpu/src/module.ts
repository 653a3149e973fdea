import {
  coreServices,
  createBackendModule,
} from '@backstage/backend-plugin-api';
import { ScmIntegrations } from '@backstage/integration';
import { scaffolderActionsExtensionPoint } from '@backstage/plugin-scaffolder-node';
import { createJobRenderAction } from './actions/jobRender';
import { createPullRequestAction } from './actions/pullRequestCreate';
import { createQuotaCheckAction } from './actions/quotaCheck';
import { GpuBackend } from './gpuBackend';

/**
 * Adds `gpu:quota:check`, `gpu:job:render` and `gitops:pullRequest:create` to the Scaffolder.
 *
 * @public
 */
export const scaffolderModuleGpu = createBackendModule({
  pluginId: 'scaffolder',
  moduleId: 'gpu',
  register(env) {
    env.registerInit({
      deps: {
        scaffolder: scaffolderActionsExtensionPoint,
        config: coreServices.rootConfig,
        auth: coreServices.auth,
        discovery: coreServices.discovery,
      },
      async init({ scaffolder, config, auth, discovery }) {
        const gpu = new GpuBackend({ auth, discovery });
        const integrations = ScmIntegrations.fromConfig(config);
        scaffolder.addActions(
          createQuotaCheckAction({ gpu }),
          createJobRenderAction({ gpu, config }),
          createPullRequestAction({ gpu, config, integrations }),
        );
      },
    });
  },
});
