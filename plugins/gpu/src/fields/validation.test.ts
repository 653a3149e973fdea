import { mockApis } from '@backstage/frontend-test-utils';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { gpuApiRef } from '../api/gpuApiRef';
import {
  validateCluster,
  validateDevice,
  validateDuration,
  validatePriority,
  validateQueue,
} from './validation';
import { translationApiRef } from '@backstage/frontend-plugin-api';

function run(
  validate: any,
  value: unknown,
  formData = {},
  api = new FixtureGpuApi(fullFixture(new Date())),
) {
  const errors: string[] = [];
  const known = new Map<string, unknown>([
    [gpuApiRef.id, api],
    [translationApiRef.id, mockApis.translation()],
  ]);
  const done = validate(
    value,
    { addError: (error: string) => errors.push(error) },
    {
      apiHolder: { get: (ref: { id: string }) => known.get(ref.id) },
      formData,
      schema: {},
    },
  );
  return Promise.resolve(done).then(() => errors);
}

describe('validation', () => {
  it('names a queue that is not understood', async () => {
    expect(await run(validateQueue, 'team 07')).toEqual([
      'Queue team 07 is not understood: write namespace/queue, for example team-07/gpu.',
    ]);
    expect(
      await run(validateQueue, { namespace: 'team-07', queue: 'gpu' }),
    ).toEqual([]);
    expect(await run(validateQueue, undefined)).toEqual([]);
  });

  it('names a device that is not understood', async () => {
    expect(
      await run(validateDevice, {
        fraction: { corePercent: 0, vramMiB: 1_024 },
      }),
    ).toEqual([
      'Device {"fraction":{"corePercent":0,"vramMiB":1024}} is not understood: choose a device class, or a fraction with 1 to 100 % of the cores and at least 1 MiB of VRAM.',
    ]);
    expect(
      await run(validateDevice, { deviceClass: 'nvidia-l40s.shared-4' }),
    ).toEqual([]);
  });

  it('names a priority the queue may not use', async () => {
    const queue = { namespace: 'team-07', queue: 'gpu' };
    expect(await run(validatePriority, 'high', { queue })).toEqual([
      'Priority high is not allowed in this queue. It may use: normal, low.',
    ]);
    expect(await run(validatePriority, 'low', { queue })).toEqual([]);
    expect(await run(validatePriority, 'high', {})).toEqual([]);
  });

  it('names a cluster that has not the queue', async () => {
    const queue = { namespace: 'team-07', queue: 'gpu' };
    expect(await run(validateCluster, 'spoke-z', { queue })).toEqual([
      'Cluster spoke-z has not this queue. It may go to: best-fit, spoke-a, spoke-b.',
    ]);
    expect(await run(validateCluster, 'spoke-b', { queue })).toEqual([]);
    expect(await run(validateCluster, 'best-fit', { queue })).toEqual([]);
    expect(await run(validateCluster, 'spoke-z', {})).toEqual([]);
  });

  it('names a duration that is not understood', async () => {
    expect(await run(validateDuration, { hours: -1 })).toEqual([
      'Duration {"hours":-1} is not understood: give whole numbers from 0.',
    ]);
    expect(await run(validateDuration, { hours: 1 })).toEqual([]);
    expect(await run(validateDuration, undefined)).toEqual([]);
  });

  it('lets the server decide where queues cannot be read', async () => {
    const api = new FixtureGpuApi(fullFixture(new Date()));
    api.failure = new Error('503');
    expect(
      await run(
        validatePriority,
        'high',
        { queue: { namespace: 'team-07', queue: 'gpu' } },
        api,
      ),
    ).toEqual([]);
  });
});
