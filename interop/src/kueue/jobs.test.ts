import { refusal } from '../apiMachinery/testNamespace';
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { GPU, label } from './contractJob';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, what Jobs may do', world => {
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
    await bed.queue('q', { f: 2 });
  });

  afterEach(() => bed.remove());

  describe('ends', () => {
    it('by too many failures', async () => {
      await bed.job('fails', {
        command: ['sh', '-c', 'exit 3'],
        spec: { backoffLimit: 0 },
      });
      const finished = await bed.untilCondition('fails', 'Finished', 'True');
      expect(finished).toMatchObject({
        reason: 'Failed',
        message: 'Job has reached the specified backoff limit',
      });
    });

    it('by its own deadline', async () => {
      await bed.job('late', { spec: { activeDeadlineSeconds: 1 } });
      const finished = await bed.untilCondition('late', 'Finished', 'True');
      expect(finished).toMatchObject({
        reason: 'Failed',
        message: 'Job was active longer than specified deadline',
      });
    });

    it('and is deleted with its Workload when its time to live is over', async () => {
      await bed.job('short', {
        seconds: 0,
        spec: { ttlSecondsAfterFinished: 1 },
      });
      await bed.untilCondition('short', 'Finished', 'True', 'Succeeded');
      await until('Job and Workload are gone', async () => {
        const isGone = await bed.getJob('short').then(
          () => false,
          ({ code }) => code === 404,
        );
        return isGone && !(await bed.workload('short'));
      });
    });
  });

  describe('what it asks for', () => {
    it('counts limits where there are no requests', async () => {
      await bed.job('limits', { container: { limits: { [GPU]: '2' } } });
      await bed.untilCondition('limits', 'Admitted', 'True');
      const { status } = await bed.workload('limits');
      expect(status.admission.podSetAssignments[0].resourceUsage).toEqual({
        [GPU]: '2',
      });
    });

    it.each([
      ['without a limit', { requests: { [GPU]: '1' } }],
      [
        'unlike the limit',
        { requests: { [GPU]: '1' }, limits: { [GPU]: '2' } },
      ],
      ['in fractions', { limits: { [GPU]: '500m' } }],
    ])('is refused %s', async (_, container) => {
      const refused = await refusal(bed.job('odd', { container }));
      expect(refused.code).toBe(422);
    });

    it('is refused under a name in use', async () => {
      await bed.job('twice');
      expect((await refusal(bed.job('twice'))).code).toBe(409);
    });
  });

  it('cannot be given a queue while it runs without one', async () => {
    await bed.job('free', { queue: '' });
    await bed.untilRunning('free');
    const refused = await refusal(
      bed.patchJob('free', {
        metadata: { labels: { [label('queue-name')]: 'q' } },
      }),
    );
    expect(refused.code).toBe(403);
  });

  it('is started again when somebody suspends it, its Workload untouched', async () => {
    await bed.job('runs');
    await bed.untilRunning('runs');
    const before = await bed.workload('runs');
    const [pod] = await bed.podsOf('runs');
    await bed.patchJob('runs', { spec: { suspend: true } });
    await until('another pod runs', async () => {
      const [other] = await bed.podsOf('runs');
      return (
        other?.metadata?.uid !== pod.metadata?.uid &&
        other?.status?.phase === 'Running'
      );
    });
    const after = await bed.workload('runs');
    expect(after.metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
  });

  it('is suspended again when somebody starts it before its turn', async () => {
    await bed.job('runs', { gpus: 2 });
    await bed.untilCondition('runs', 'Admitted', 'True');
    await bed.job('waits', { gpus: 1 });
    await bed.untilCondition('waits', 'QuotaReserved', 'False');
    await bed.patchJob('waits', { spec: { suspend: false } });
    await bed.untilStopped('waits');
    expect(
      conditionOf(await bed.workload('waits'), 'Admitted'),
    ).toBeUndefined();
  });

  it('tells what it wants while it waits, and keeps the time it began to wait', async () => {
    await bed.job('runs', { gpus: 1 });
    await bed.untilCondition('runs', 'Admitted', 'True');
    await bed.job('waits', { gpus: 2 });
    const first = await bed.untilWaiting('waits', /1 more needed/);
    expect((await bed.workload('waits')).status.resourceRequests).toEqual([
      { name: 'main', resources: { [GPU]: '2' } },
    ]);
    await bed.nextSecond();
    await bed.patch('ClusterQueue', 'q', {
      spec: { resourceGroups: [bed.group({ f: 1 })] },
    });
    const second = await bed.untilWaiting('waits', /maximum capacity \(1\)/);
    expect(second.lastTransitionTime).toEqual(first.lastTransitionTime);
    await bed.patch('ClusterQueue', 'q', {
      spec: { resourceGroups: [bed.group({ f: 3 })] },
    });
    await bed.untilCondition('waits', 'Admitted', 'True');
    expect(
      (await bed.workload('waits')).status.resourceRequests,
    ).toBeUndefined();
  });

  it('gives its quota back when it counts no active pod, though one is still ending', async () => {
    await bed.job('slow', {
      gpus: 2,
      pod: { terminationGracePeriodSeconds: 600 },
      podMetadata: { finalizers: [`contract.gpuaas.io/${bed.id}`] },
    });
    await bed.untilRunning('slow');
    await bed.job('next', { gpus: 2 });
    await bed.patchWorkload('slow', { spec: { active: false } });
    await bed.untilCondition('next', 'Admitted', 'True');
    const [pod] = await bed.podsOf('slow');
    expect(pod.metadata?.deletionTimestamp).toBeDefined();
    await bed.letGo('slow');
  });

  it('goes on counting as admitted on a flavor taken off its queue', async () => {
    await bed.flavor('g');
    await bed.queue('two', { f: 1, g: 1 });
    await bed.job('runs', { queue: 'two' });
    await bed.untilCondition('runs', 'Admitted', 'True');
    await bed.patch('ClusterQueue', 'two', {
      spec: { resourceGroups: [bed.group({ g: 1 })] },
    });
    const status = await until('the flavor is no longer shown', async () => {
      const now = await bed.clusterQueueStatus('two');
      return now.flavorsUsage?.length === 1 && now;
    });
    expect(status.flavorsUsage[0].name).toBe(bed.name('g'));
    expect(status.admittedWorkloads).toBe(1);
  });
});
