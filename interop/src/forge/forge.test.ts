/* eslint-disable @backstage/no-forbidden-package-imports -- the suite and the sandbox are parts of this repository, not of a package's interface */
import { describeForgeContract } from '@gpuaas/backstage-plugin-gpu-node/src/forge/contract/forgeContract';
import { giteaUnderTest } from '@gpuaas/backstage-plugin-gpu-node/src/forge/contract/giteaUnderTest';
import { TestForge } from 'sandbox/src/forge/testForge';

/*
 * A real Gitea is put under the same contract with GITEA_URL, GITEA_TOKEN and
 * GITEA_REVIEWER_TOKEN: it needs repository platform/gpu-fleet with a commit on
 * main, and an account pavel that may merge.
 */
const { GITEA_URL, GITEA_TOKEN, GITEA_REVIEWER_TOKEN } = process.env;

describeForgeContract(GITEA_URL ? 'Gitea' : 'The sandbox', async () => {
  if (GITEA_URL) {
    return giteaUnderTest({
      url: GITEA_URL,
      portalToken: GITEA_TOKEN!,
      reviewerToken: GITEA_REVIEWER_TOKEN!,
      stop: async () => {},
    });
  }
  const sandbox = await TestForge.start();
  return giteaUnderTest({
    url: sandbox.forge.url,
    portalToken: 't-developer-hub',
    reviewerToken: 't-pavel',
    stop: () => sandbox.stop(),
  });
});
