import { spokeNames, teams } from './fleet/fleet';
import { SeedRepository } from './forge/startForge';

const readme = `# GPU fleet

What runs on the GPU clusters, and nothing else. A file is one job:

    clusters/<cluster>/<namespace>/<name>.yaml

Open a pull request, do not push: \`main\` is protected, the platform team
reviews and merges. What is merged reaches its cluster within seconds; each
namespace is synced on its own, so a job that one cluster refuses stops nobody
else. A name that has been merged is never used again.
`;

const codeowners = `# Who reviews what asks for GPUs.
*                     @platform
${teams
  .map(({ name }) => `${`/clusters/*/${name}/`.padEnd(22)}@platform @${name}`)
  .join('\n')}
`;

/** The GitOps repository as it is before the first request. */
export const gitOpsRepository: SeedRepository = {
  owner: 'platform',
  name: 'gpu-fleet',
  defaultBranch: 'main',
  requiredApprovals: 0,
  files: {
    'README.md': readme,
    CODEOWNERS: codeowners,
    // Argo CD reports a folder that does not exist as an error.
    ...Object.fromEntries(
      spokeNames.flatMap(cluster =>
        teams.map(({ name }) => [`clusters/${cluster}/${name}/.gitkeep`, '']),
      ),
    ),
  },
};
