import { refusal } from '../apiMachinery/testNamespace';
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { label } from './contractJob';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, holding back and letting go', world => {
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
    await bed.queue('q', { f: 1 });
  });

  afterEach(() => bed.remove());

  const started = async () => {
    await bed.job('runs');
    await bed.untilRunning('runs');
    await bed.job('waits');
    await bed.untilWaiting('waits', /insufficient unused/);
  };
  const stop = (stopPolicy: string) => ({ spec: { stopPolicy } });

  it('holds a LocalQueue', async () => {
    await started();
    await bed.patchLocalQueue('q', stop('Hold'));
    const { reason, message } = await bed.untilWaiting('waits', /LocalQueue/);
    expect(`${reason}: ${message}`).toBe(
      'Inadmissible: LocalQueue q is inactive',
    );
    const status = await until('the queue counts nothing', async () => {
      const found = await bed.localQueueStatus('q');
      return found.pendingWorkloads === 0 ? found : undefined;
    });
    expect(conditionOf({ status }, 'Active')).toMatchObject({
      status: 'False',
      reason: 'Stopped',
      message: 'LocalQueue is stopped',
    });
    expect((await bed.getJob('runs')).spec?.suspend).toBe(false);
    await bed.deleteJob('runs', 'Background');
    await bed.patchLocalQueue('q', stop('None'));
    await bed.untilCondition('waits', 'Admitted', 'True');
  });

  it('drains a LocalQueue, and lets back in', async () => {
    await bed.job('runs');
    await bed.untilRunning('runs');
    await bed.patchLocalQueue('q', stop('HoldAndDrain'));
    await bed.untilStopped('runs');
    const drained = await bed.untilWorkload(
      'runs',
      'has given its quota back',
      found => !found.status.admission,
    );
    expect(conditionOf(drained, 'Evicted')).toMatchObject({
      status: 'True',
      reason: 'LocalQueueStopped',
      message: 'The LocalQueue is stopped',
    });
    expect(conditionOf(drained, 'Requeued')).toMatchObject({
      status: 'False',
      reason: 'LocalQueueStopped',
    });
    expect(conditionOf(drained, 'Admitted')).toMatchObject({
      status: 'False',
      reason: 'NoReservation',
    });
    await bed.patchLocalQueue('q', stop('None'));
    await bed.untilCondition('runs', 'Requeued', 'True', 'LocalQueueRestarted');
    await bed.untilRunning('runs');
    await bed.untilCondition('runs', 'Evicted', 'False', 'QuotaReserved');
  });

  it('holds a ClusterQueue: what waited keeps its words and is counted', async () => {
    await started();
    const before = conditionOf(await bed.workload('waits'), 'QuotaReserved');
    await bed.patch('ClusterQueue', 'q', stop('Hold'));
    await until('the queue is stopped', async () => {
      const status = await bed.clusterQueueStatus('q');
      return conditionOf({ status }, 'Active').reason === 'Stopped';
    });
    // Younger by its stamp, so that "waits" goes first afterwards.
    await bed.nextSecond();
    await bed.job('new');
    await bed.untilWaiting('new', /ClusterQueue .* is inactive/);
    expect(
      conditionOf(await bed.workload('waits'), 'QuotaReserved').message,
    ).toBe(before.message);
    await until('both are counted', async () => {
      const { pendingWorkloads } = await bed.clusterQueueStatus('q');
      return pendingWorkloads === 2;
    });
    await bed.deleteJob('runs', 'Background');
    await bed.patch('ClusterQueue', 'q', stop('None'));
    await bed.untilCondition('waits', 'Admitted', 'True');
  });

  it('names all that keeps a ClusterQueue from admitting, the first as the reason', async () => {
    await bed.queue('broken', { missing: 1 }, { stopPolicy: 'Hold' });
    const active = await until('it is not active', async () => {
      const condition = conditionOf(
        { status: await bed.clusterQueueStatus('broken') },
        'Active',
      );
      return condition?.status === 'False' && condition;
    });
    expect(active).toMatchObject({
      reason: 'Stopped',
      message: `Can't admit new workloads: is stopped, references missing ResourceFlavor(s): ${bed.name(
        'missing',
      )}.`,
    });
  });

  it('drains a ClusterQueue', async () => {
    await bed.job('runs');
    await bed.untilRunning('runs');
    await bed.patch('ClusterQueue', 'q', stop('HoldAndDrain'));
    await bed.untilStopped('runs');
    await bed.untilCondition('runs', 'Evicted', 'True', 'ClusterQueueStopped');
    await bed.patch('ClusterQueue', 'q', stop('None'));
    await bed.untilCondition(
      'runs',
      'Requeued',
      'True',
      'ClusterQueueRestarted',
    );
    await bed.untilRunning('runs');
  });

  it('deactivates what runs, and starts it again', async () => {
    await bed.job('runs');
    await bed.untilRunning('runs');
    await bed.patchWorkload('runs', { spec: { active: false } });
    await bed.untilStopped('runs');
    const stopped = await bed.untilWorkload(
      'runs',
      'has given its quota back',
      found => !found.status.admission,
    );
    expect(conditionOf(stopped, 'Evicted')).toMatchObject({
      status: 'True',
      reason: 'Deactivated',
      message: 'The workload is deactivated',
    });
    expect(conditionOf(stopped, 'Requeued')).toMatchObject({
      status: 'False',
      reason: 'Deactivated',
    });
    expect(stopped.status.schedulingStats.evictions).toMatchObject([
      { reason: 'Deactivated', count: 1 },
    ]);
    await bed.patchWorkload('runs', { spec: { active: true } });
    await bed.untilCondition('runs', 'Requeued', 'True', 'Reactivated');
    await bed.untilRunning('runs');
  });

  it('marks what is deactivated while it waits, and nothing else of it', async () => {
    await started();
    await bed.patchWorkload('waits', { spec: { active: false } });
    await bed.untilCondition('waits', 'Evicted', 'True', 'Deactivated');
    const waits = await bed.workload('waits');
    expect(conditionOf(waits, 'Requeued')).toBeUndefined();
    expect(waits.status.schedulingStats.evictions).toMatchObject([
      { reason: 'Deactivated', count: 1 },
    ]);
    await bed.patchWorkload('waits', { spec: { active: true } });
    await bed.deleteJob('runs', 'Background');
    await bed.untilCondition('waits', 'Admitted', 'True');
  });

  it('ends what runs too long, until its Workload is deleted', async () => {
    await bed.job('slow', {
      labels: { [label('max-exec-time-seconds')]: '1' },
    });
    await bed.untilCondition(
      'slow',
      'Evicted',
      'True',
      'DeactivatedDueToMaximumExecutionTimeExceeded',
    );
    await bed.untilStopped('slow');
    const ended = await bed.workload('slow');
    expect(ended.spec.active).toBe(false);
    expect(conditionOf(ended, 'DeactivationTarget')).toMatchObject({
      status: 'True',
      reason: 'MaximumExecutionTimeExceeded',
    });
    expect(ended.status.schedulingStats.evictions).toMatchObject([
      {
        reason: 'Deactivated',
        underlyingCause: 'MaximumExecutionTimeExceeded',
      },
    ]);
    await bed.patchWorkload('slow', { spec: { active: true } });
    await bed.untilWorkload(
      'slow',
      'is inactive again',
      ({ spec }) => spec.active === false,
    );
    await bed.deleteWorkload('slow');
    const again = await bed.untilWorkload(
      'slow',
      'is a new one',
      ({ metadata }) => metadata.uid !== ended.metadata.uid,
    );
    expect(again.metadata.name).toBe(ended.metadata.name);
    await bed.untilCondition('slow', 'Admitted', 'True');
  });

  it.each(['0', 'abc'])('refuses a time limit of %s', async text => {
    const create = bed.job('bad', {
      labels: { [label('max-exec-time-seconds')]: text },
    });
    expect(await refusal(create)).toMatchObject({ code: 403 });
  });

  it('refuses another time limit while running', async () => {
    await bed.job('runs');
    await bed.untilRunning('runs');
    const patch = bed.patchJob('runs', {
      metadata: { labels: { [label('max-exec-time-seconds')]: '9' } },
    });
    expect(await refusal(patch)).toMatchObject({ code: 403 });
  });

  describe('admission gates', () => {
    const key = label('admission-gated-by');
    const gatedBy = (gates: string) => ({ annotations: { [key]: gates } });
    const setGates = (job: string, gates: string | null) =>
      bed.patchJob(job, { metadata: { annotations: { [key]: gates } } });

    it('hold before everything else, uncounted, and release in the old place', async () => {
      await bed.job('gated', gatedBy('example.com/budget'));
      const { reason, message } = await bed.untilWaiting('gated', /gated/);
      expect(`${reason}: ${message}`).toBe(
        'AdmissionGated: Admission is gated by: example.com/budget',
      );
      await bed.nextSecond();
      await bed.job('runs');
      await bed.untilCondition('runs', 'Admitted', 'True');
      await until('only the other is counted', async () => {
        const status = await bed.localQueueStatus('q');
        return status.admittedWorkloads === 1 && status.pendingWorkloads === 0;
      });
      await bed.job('later');
      await bed.untilWaiting('later', /insufficient/);
      await setGates('gated', null);
      await bed.deleteJob('runs', 'Background');
      await bed.untilCondition('gated', 'Admitted', 'True');
    });

    it('are no gate when empty, and end when emptied', async () => {
      await bed.job('free', gatedBy(''));
      await bed.untilCondition('free', 'Admitted', 'True');
      await bed.deleteJob('free', 'Background');
      await bed.job('gated', gatedBy('example.com/a,example.com/b'));
      await bed.untilWaiting('gated', /example.com\/a,example.com\/b/);
      await setGates('gated', 'example.com/b');
      await setGates('gated', '');
      await bed.untilCondition('gated', 'Admitted', 'True');
    });

    it.each([
      ['no domain', 'budget'],
      ['a duplicate', 'example.com/a,example.com/a'],
      ['an empty name', 'example.com/a,'],
    ])('refuse %s', async (_, gates) => {
      expect(await refusal(bed.job('bad', gatedBy(gates)))).toMatchObject({
        code: 403,
      });
    });

    it('refuse to be added or exchanged later', async () => {
      await bed.job('free');
      expect(await refusal(setGates('free', 'example.com/a'))).toMatchObject({
        code: 403,
        message: expect.stringContaining(
          'cannot add admission gate after creation',
        ),
      });
      await bed.job('gated', gatedBy('example.com/a'));
      expect(await refusal(setGates('gated', 'example.com/b'))).toMatchObject({
        code: 403,
        message: expect.stringContaining(
          'can only remove gates, not add new ones',
        ),
      });
    });
  });
});
