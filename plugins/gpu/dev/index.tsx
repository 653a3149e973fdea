import { createDevApp } from '@backstage/frontend-dev-utils';
import {
  ApiBlueprint,
  createFrontendModule,
} from '@backstage/frontend-plugin-api';
import gpuPlugin, { gpuApiRef } from '../src';
import { FixtureGpuApi, fullFixture } from './fixtures';

/** The pages alone, on a backend answered from memory. */
const fixtures = createFrontendModule({
  pluginId: 'gpu',
  extensions: [
    ApiBlueprint.make({
      params: define =>
        define({
          api: gpuApiRef,
          deps: {},
          factory: () => new FixtureGpuApi(fullFixture(new Date())),
        }),
    }),
  ],
});

createDevApp({ features: [gpuPlugin, fixtures] });
