import { QueueingEngine } from './queueingEngine';
import { runInVirtualTime, VirtualJob } from './virtualTime';

function job(
  uid: string,
  gpus: number,
  arrives: number,
  runs: number,
  priority = 0,
): VirtualJob {
  return {
    arrives,
    runs,
    workload: {
      uid,
      clusterQueue: 'q',
      priority,
      timestamp: arrives,
      podSets: [{ name: 'main', count: 1, requests: { gpu: gpus } }],
    },
  };
}

describe('virtual time', () => {
  it('lets jobs arrive, wait, run and end', () => {
    const engine = new QueueingEngine({
      resourceFlavors: [{ name: 'f' }],
      cohorts: [],
      clusterQueues: [
        {
          name: 'q',
          resourceGroups: [
            {
              coveredResources: ['gpu'],
              flavors: [
                { name: 'f', resources: [{ name: 'gpu', nominal: 4 }] },
              ],
            },
          ],
        },
      ],
    });
    const outcomes = runInVirtualTime(engine, [
      job('first', 3, 0, 10),
      job('second', 2, 1, 5),
      job('small', 1, 2, 3),
      job('urgent', 2, 3, 5, 10),
      job('never', 5, 4, 1),
    ]);
    expect(
      outcomes.map(({ workload, admitted, finished }) => [
        workload.uid,
        admitted,
        finished,
      ]),
    ).toEqual([
      ['first', 0, 10],
      ['second', 10, 15],
      ['small', 2, 5],
      ['urgent', 10, 15],
      ['never', undefined, undefined],
    ]);
  });
});
