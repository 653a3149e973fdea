import { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const examples: TemplateExample[] = [
  {
    description:
      'Two H100 of a team’s queue on the cluster where they fit best',
    example: stringify({
      steps: [
        {
          id: 'check',
          name: 'Check quota',
          action: 'gpu:quota:check',
          input: {
            queue: { namespace: 'team-07', queue: 'gpu' },
            device: { deviceClass: 'nvidia-h100-80gb-hbm3' },
            count: 2,
            priorityClass: 'normal',
          },
        },
      ],
    }),
  },
  {
    description:
      'A fifth of a GPU with 12 GiB, on one cluster, only if it is free now',
    example: stringify({
      steps: [
        {
          id: 'check',
          name: 'Check quota',
          action: 'gpu:quota:check',
          input: {
            cluster: 'spoke-b',
            queue: { namespace: 'team-07', queue: 'gpu' },
            device: { fraction: { corePercent: 20, vramMiB: 12288 } },
            count: 1,
            requireNow: true,
          },
        },
      ],
    }),
  },
];
