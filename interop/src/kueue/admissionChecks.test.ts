import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, admission checks', world => {
  let running: RunningWorld;
  let bed: Testbed;

  beforeAll(async () => {
    running = await world.start();
  });

  afterAll(() => running.close());

  beforeEach(async () => {
    bed = new Testbed(running.clusters[0]);
    await bed.start();
    await bed.flavor('f');
    await bed.admissionCheck('check');
    await bed.queue(
      'q',
      { f: 1 },
      {
        admissionChecksStrategy: {
          admissionChecks: [{ name: bed.name('check') }],
        },
      },
    );
    await bed.job('checked');
    await bed.untilCondition('checked', 'QuotaReserved', 'True');
  });

  afterEach(() => bed.remove());

  const answer = (state: object) =>
    bed.patchWorkloadStatus('checked', {
      admissionChecks: [
        {
          name: bed.name('check'),
          message: 'by the contract',
          lastTransitionTime: new Date().toISOString(),
          ...state,
        },
      ],
    });

  it('hold quota without admitting, until they are ready', async () => {
    const waiting = await bed.untilWorkload(
      'checked',
      'has its checks',
      ({ status }) => status.admissionChecks?.length,
    );
    expect(waiting.status.admissionChecks).toMatchObject([
      { name: bed.name('check'), state: 'Pending' },
    ]);
    expect(conditionOf(waiting, 'Admitted')).toBeUndefined();
    expect((await bed.getJob('checked')).spec?.suspend).toBe(true);
    const status = await until('quota is reserved', async () => {
      const found = await bed.clusterQueueStatus('q');
      return found.reservingWorkloads === 1 ? found : undefined;
    });
    expect(status).toMatchObject({
      admittedWorkloads: 0,
      flavorsReservation: [{ resources: [{ total: '1' }] }],
      flavorsUsage: [{ resources: [{ total: '0' }] }],
    });
    await answer({ state: 'Ready' });
    await bed.untilCondition('checked', 'Admitted', 'True');
    await bed.untilRunning('checked');
  });

  it('hold quota until a retry is due, then go back to the queue', async () => {
    await answer({ state: 'Retry', requeueAfterSeconds: 2 });
    const retrying = await bed.untilWorkload(
      'checked',
      'says when it may be tried again',
      ({ status }) => status.requeueState?.requeueAt,
    );
    expect(retrying.status.admission).toBeDefined();
    await bed.untilCondition('checked', 'Requeued', 'True', 'BackoffFinished');
    const again = await bed.untilWorkload(
      'checked',
      'holds quota again',
      found =>
        conditionOf(found, 'QuotaReserved')?.status === 'True' &&
        conditionOf(found, 'Evicted')?.status === 'False',
    );
    expect(again.status.admissionChecks).toMatchObject([
      { state: 'Pending', retryCount: 1 },
    ]);
  });

  it('end a Workload for good when they reject it', async () => {
    await answer({ state: 'Rejected' });
    await bed.untilCondition(
      'checked',
      'Evicted',
      'True',
      'DeactivatedDueToAdmissionCheck',
    );
    const ended = await bed.untilWorkload(
      'checked',
      'has given its quota back',
      ({ status }) => !status.admission,
    );
    expect(conditionOf(ended, 'Requeued')).toMatchObject({
      status: 'False',
      reason: 'DeactivatedDueToAdmissionCheck',
    });
  });
});
