import { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const examples: TemplateExample[] = [
  {
    description:
      'The pull request of a rendered Job, registered as a GPU request',
    example: `steps:
  - id: pullRequest
    name: Open pull request
    action: gitops:pullRequest:create
    input:
      repoUrl: \${{ steps.render.output.repoUrl }}
      targetBranch: \${{ steps.render.output.targetBranch }}
      branch: \${{ steps.render.output.branch }}
      files: \${{ steps.render.output.files }}
      title: \${{ steps.render.output.title }}
      body: \${{ steps.render.output.body }}
      request: \${{ steps.render.output.request }}
`,
  },
  {
    description: 'A file with given content, another one removed',
    example: stringify({
      steps: [
        {
          id: 'pullRequest',
          name: 'Open pull request',
          action: 'gitops:pullRequest:create',
          input: {
            repoUrl: 'github.com?owner=platform&repo=gpu-fleet',
            branch: 'quota/team-07',
            files: [
              { path: 'clusters/spoke-a/quota.yaml', content: 'gpus: 8\n' },
            ],
            delete: ['clusters/spoke-a/old-quota.yaml'],
            title: 'Give team-07 eight GPUs',
            body: 'As agreed in the capacity meeting.',
          },
        },
      ],
    }),
  },
];
