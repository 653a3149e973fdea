/* eslint-disable @typescript-eslint/no-explicit-any */
import {
  fromKueueObjects,
  willItFit,
} from '@gpuaas/backstage-plugin-gpu-common';
import { type RunningWorld, worlds } from '../world';
import { GPU } from './contractJob';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

/** Requests in the order they are made; the answer is what Kueue then does. */
const requests: Array<[queue: 'q' | 'lender', gpus: number, pods: number]> = [
  ['q', 2, 1],
  ['lender', 1, 2],
  ['q', 9, 1],
  ['q', 4, 1],
  ['lender', 2, 1],
  ['q', 1, 1],
  ['lender', 3, 2],
  ['q', 1, 2],
  ['lender', 1, 1],
];

describe.each(worlds())('$name: Kueue, will it fit', world => {
  let running: RunningWorld;
  let bed: Testbed;

  beforeAll(async () => {
    running = await world.start();
    bed = new Testbed(running.clusters[0]);
    await bed.start();
    await bed.flavor('f');
    await bed.flavor('g');
    await bed.create('Cohort', 'c', {
      spec: { resourceGroups: [bed.group({ f: 1 })] },
    });
    await bed.queue(
      'q',
      { f: { nominal: 3, borrowingLimit: 2 }, g: 2 },
      { cohort: 'c' },
    );
    await bed.queue(
      'lender',
      { f: { nominal: 4, lendingLimit: 2 } },
      { cohort: 'c' },
    );
  });

  afterAll(async () => {
    await bed.remove();
    await running.close();
  });

  const list = async (plural: string): Promise<any[]> => {
    const { items }: any = await bed.custom.listClusterCustomObject({
      group: 'kueue.x-k8s.io',
      version: 'v1beta2',
      plural,
    });
    return items;
  };

  async function ask(queue: string, gpus: number, pods: number) {
    const engine = fromKueueObjects({
      clusterQueues: await list('clusterqueues'),
      cohorts: await list('cohorts'),
      resourceFlavors: await list('resourceflavors'),
      localQueues: await list('localqueues'),
      workloads: await list('workloads'),
    });
    return willItFit(engine, {
      clusterQueue: bed.name(queue),
      priority: 0,
      podSets: [{ name: 'main', count: pods, requests: { [GPU]: gpus } }],
    });
  }

  it('answers as Kueue then decides, request by request', async () => {
    for (const [index, [queue, gpus, pods]] of requests.entries()) {
      const answer = await ask(queue, gpus, pods);
      const job = `job-${index}`;
      await bed.nextSecond();
      await bed.job(job, { queue, gpus, pods });
      const decided = await bed.untilWorkload(job, 'is decided on', found =>
        conditionOf(found, 'QuotaReserved'),
      );
      const { status, message } = conditionOf(decided, 'QuotaReserved');
      const outcome = {
        verdict: status === 'True' ? 'now' : 'waits',
        flavor:
          decided.status.admission?.podSetAssignments[0].flavors[GPU] ?? '',
      };
      expect({ index, ...outcome }).toEqual({
        index,
        verdict: answer.verdict === 'now' ? 'now' : 'waits',
        flavor: answer.verdict === 'now' ? answer.podSets[0].flavors[GPU] : '',
      });
      // Never is what no flavor could hold; what can wait is told how much is missing.
      const canWait = / more needed/.test(message);
      expect({ index, never: answer.verdict === 'never' }).toEqual({
        index,
        never: status === 'False' && !canWait,
      });
    }
  });
});
