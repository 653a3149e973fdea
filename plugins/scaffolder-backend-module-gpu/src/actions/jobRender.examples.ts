import { TemplateExample } from '@backstage/plugin-scaffolder-node';
import { stringify } from 'yaml';

export const examples: TemplateExample[] = [
  {
    description: 'A training run on two H100, four hours at most',
    example: stringify({
      steps: [
        {
          id: 'render',
          name: 'Render Job',
          action: 'gpu:job:render',
          input: {
            name: 'finetune',
            purpose: 'Fine-tune the assistant on the support cases of May',
            entity: 'component:default/llm-finetune',
            cluster: 'spoke-a',
            queue: { namespace: 'team-07', queue: 'gpu' },
            deviceClass: 'nvidia-h100-80gb-hbm3',
            count: 2,
            priorityClass: 'normal',
            maxDuration: { hours: 4 },
            image: 'registry.example.com/ml/train:1.4',
            command: ['python', 'train.py'],
            args: ['--epochs', '3'],
          },
        },
      ],
    }),
  },
  {
    description:
      'Two pods side by side, with a data set and a token from a Secret',
    example: stringify({
      steps: [
        {
          id: 'render',
          name: 'Render Job',
          action: 'gpu:job:render',
          input: {
            name: 'evaluate',
            entity: 'component:default/llm-finetune',
            cluster: 'spoke-a',
            queue: { namespace: 'team-07', queue: 'gpu' },
            deviceClass: 'nvidia-h100-80gb-hbm3',
            count: 1,
            pods: 2,
            image: 'registry.example.com/ml/evaluate:1.4',
            env: [
              { name: 'BATCH_SIZE', value: '32' },
              {
                name: 'HF_TOKEN',
                secretKeyRef: { name: 'hugging-face', key: 'token' },
              },
            ],
            claim: { name: 'datasets', mountPath: '/data', readOnly: true },
            cpu: '4',
            memory: '16Gi',
          },
        },
      ],
    }),
  },
];
