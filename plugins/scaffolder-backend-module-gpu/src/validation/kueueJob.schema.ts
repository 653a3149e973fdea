import {
  isDnsLabel,
  MAX_JOB_NAME_LENGTH,
} from '@gpuaas/backstage-plugin-gpu-common';

/** What Kueue reads as the name of one of its objects; at most a label value's 63 characters. */
const objectName = {
  type: 'string',
  maxLength: 63,
  pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
};

/** An int32 above zero, as text. */
const positiveInt32 = {
  type: 'string',
  pattern: '^[1-9][0-9]{0,9}$',
  format: 'int32-text',
};

/**
 * What Kueue asks of a Job, and what a Job of ours must not hold: labels and
 * annotations of kueue.x-k8s.io (`pkg/controller/constants`, `labels-and-annotations`
 * of its site), no `suspend` (Kueue's), no `generateName` and no
 * `ttlSecondsAfterFinished` (Git would create the Job again), a node selector, one
 * GPU container that is never restarted.
 */
export const kueueJobSchema = {
  $comment: 'Kueue 0.16 to 0.19, and the rules for a Job that lives in Git',
  type: 'object',
  properties: {
    metadata: {
      type: 'object',
      required: ['name', 'namespace', 'labels', 'annotations'],
      properties: {
        name: { type: 'string', format: 'job-name' },
        generateName: false,
        namespace: { type: 'string', format: 'dns-label' },
        labels: {
          type: 'object',
          required: ['kueue.x-k8s.io/queue-name'],
          properties: {
            'kueue.x-k8s.io/queue-name': objectName,
            'kueue.x-k8s.io/priority-class': objectName,
            'kueue.x-k8s.io/max-exec-time-seconds': positiveInt32,
          },
          propertyNames: {
            if: { pattern: 'kueue\\.x-k8s\\.io/' },
            then: {
              enum: [
                'kueue.x-k8s.io/queue-name',
                'kueue.x-k8s.io/priority-class',
                'kueue.x-k8s.io/max-exec-time-seconds',
              ],
            },
          },
        },
        annotations: {
          type: 'object',
          required: [
            'gpuaas.io/request-id',
            'gpuaas.io/entity',
            'gpuaas.io/requester',
            'gpuaas.io/kind',
          ],
          propertyNames: { not: { pattern: 'kueue\\.x-k8s\\.io/' } },
        },
      },
    },
    spec: {
      type: 'object',
      properties: {
        suspend: false,
        ttlSecondsAfterFinished: false,
        parallelism: { type: 'integer', minimum: 1 },
        completions: { type: 'integer', minimum: 1 },
        template: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              required: ['nodeSelector', 'restartPolicy', 'containers'],
              properties: {
                nodeSelector: { type: 'object', minProperties: 1 },
                restartPolicy: { const: 'Never' },
                priorityClassName: false,
                containers: {
                  type: 'array',
                  minItems: 1,
                  items: {
                    type: 'object',
                    required: ['image', 'resources'],
                    properties: {
                      resources: {
                        type: 'object',
                        required: ['requests', 'limits'],
                        properties: {
                          limits: { type: 'object', minProperties: 1 },
                        },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

/** Formats named above. */
export const kueueJobFormats = {
  'job-name': (text: string) => isDnsLabel(text, MAX_JOB_NAME_LENGTH),
  'dns-label': (text: string) => isDnsLabel(text),
  'int32-text': (text: string) => Number(text) <= 2 ** 31 - 1,
};
