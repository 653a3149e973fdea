/** The Software Template of the main job. */
export const BATCH_JOB_TEMPLATE = 'template:default/gpu-batch-job';

/**
 * The answers an ML engineer of team-07 gives to the form: one whole GPU for
 * a job of `seconds`.
 */
export function batchJobValues({
  deviceClass,
  name = 'fine-tune',
  seconds = 20,
}: {
  deviceClass: string;
  name?: string;
  seconds?: number;
}): Record<string, unknown> {
  return {
    name,
    purpose: 'Fine-tune the assistant on last week’s conversations',
    entity: 'component:default/llm-finetune',
    queue: {
      namespace: 'team-07',
      queue: 'gpu',
      team: 'group:default/team-07',
    },
    cluster: 'spoke-a',
    device: { deviceClass },
    count: 1,
    pods: 1,
    priority: 'normal',
    maxDuration: { minutes: 10 },
    image: 'quay.io/example/train:1.4',
    command: ['sh', '-c'],
    args: [`echo training; sleep ${seconds}`],
  };
}
