import { SchedulingV1Api } from '@kubernetes/client-node';
import { refusal } from '../apiMachinery/testNamespace';
import { type RunningWorld, worlds } from '../world';
import { label } from './contractJob';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, priority', world => {
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
    await bed.create('WorkloadPriorityClass', 'low', { value: 100 });
    await bed.create('WorkloadPriorityClass', 'high', { value: 1000 });
    await bed.queue('q', { f: 1 });
    await bed.job('runs');
    await bed.untilCondition('runs', 'Admitted', 'True');
  });

  afterEach(() => bed.remove());

  const ofClass = (short: string) => ({
    labels: { [label('priority-class')]: bed.name(short) },
  });
  const relabel = (job: string, short: string | null) =>
    bed.patchJob(job, {
      metadata: {
        labels: { [label('priority-class')]: short && bed.name(short) },
      },
    });
  const untilPriority = (job: string, value: number) =>
    bed.untilWorkload(
      job,
      `has priority ${value}`,
      ({ spec }) => spec.priority === value,
    );

  it('admits the higher class first', async () => {
    await bed.job('low', ofClass('low'));
    await untilPriority('low', 100);
    await bed.job('high', ofClass('high'));
    const { spec } = await untilPriority('high', 1000);
    expect(spec.priorityClassRef).toEqual({
      group: 'kueue.x-k8s.io',
      kind: 'WorkloadPriorityClass',
      name: bed.name('high'),
    });
    await bed.deleteJob('runs', 'Background');
    await bed.untilCondition('high', 'Admitted', 'True');
    expect((await bed.getJob('low')).spec?.suspend).toBe(true);
  });

  it('orders anew when a label is changed while pending', async () => {
    await bed.job('first', ofClass('low'));
    await untilPriority('first', 100);
    await bed.nextSecond();
    await bed.job('second');
    await untilPriority('second', 0);
    await relabel('second', 'high');
    await untilPriority('second', 1000);
    await bed.deleteJob('runs', 'Background');
    await bed.untilCondition('second', 'Admitted', 'True');
  });

  it('follows and keeps a priority patched on the Workload, and reverts a class that is not the label', async () => {
    await bed.job('first', ofClass('low'));
    await bed.job('second', ofClass('low'));
    await untilPriority('first', 100);
    await untilPriority('second', 100);
    await bed.patchWorkload('first', {
      spec: { priorityClassRef: { name: bed.name('high') } },
    });
    await bed.untilWorkload(
      'first',
      'has its class back',
      ({ spec }) => spec.priorityClassRef.name === bed.name('low'),
    );
    await bed.patchWorkload('second', { spec: { priority: 5000 } });
    await bed.deleteJob('runs', 'Background');
    await bed.untilCondition('second', 'Admitted', 'True');
    expect((await bed.workload('second')).spec.priority).toBe(5000);
  });

  it('makes no Workload while the class does not exist, and goes on when it does', async () => {
    await bed.job('waits', ofClass('urgent'));
    await bed.job('other');
    await untilPriority('other', 0);
    expect(await bed.workload('waits')).toBeUndefined();
    expect((await bed.getJob('waits')).spec?.suspend).toBe(true);
    await bed.create('WorkloadPriorityClass', 'urgent', { value: 2000 });
    await untilPriority('waits', 2000);
  });

  it('reprices what waits when its class changes its value', async () => {
    await bed.job('waits', ofClass('low'));
    await untilPriority('waits', 100);
    await bed.patch('WorkloadPriorityClass', 'low', { value: 300 });
    await untilPriority('waits', 300);
  });

  it('refuses to take a class off, or to add one to what runs', async () => {
    await bed.job('waits', ofClass('low'));
    expect(await refusal(relabel('waits', null))).toMatchObject({
      code: 403,
      message: expect.stringContaining('admission webhook "vjob.kb.io" denied'),
    });
    await bed.untilRunning('runs');
    expect(await refusal(relabel('runs', 'low'))).toMatchObject({ code: 403 });
  });

  it('changes with the label of what runs, and evicts nobody', async () => {
    await bed.job('runs-too', ofClass('low'));
    await bed.deleteJob('runs', 'Background');
    await bed.untilCondition('runs-too', 'Admitted', 'True');
    await relabel('runs-too', 'high');
    const { status } = await untilPriority('runs-too', 1000);
    expect(conditionOf({ status }, 'Evicted')).toBeUndefined();
    expect(conditionOf({ status }, 'Admitted').status).toBe('True');
  });

  it('takes no notice of a class that does not exist on a Job that waits already', async () => {
    await bed.job('waits', ofClass('low'));
    await untilPriority('waits', 100);
    await relabel('waits', 'unknown');
    await bed.job('behind');
    await untilPriority('behind', 0);
    const { spec } = await bed.workload('waits');
    expect(spec.priority).toBe(100);
    expect(spec.priorityClassRef.name).toBe(bed.name('low'));
  });

  it('is that of the pods where no label says another', async () => {
    const scheduling = running.clusters[0].admin.makeApiClient(SchedulingV1Api);
    const name = bed.name('pods');
    await scheduling.createPriorityClass({
      body: { metadata: { name }, value: 70 },
    });
    const pod = { priorityClassName: name };
    await bed.job('by-pod', { pod });
    const { spec } = await untilPriority('by-pod', 70);
    expect(spec.priorityClassRef).toEqual({
      group: 'scheduling.k8s.io',
      kind: 'PriorityClass',
      name,
    });
    await bed.job('by-label', { pod, ...ofClass('low') });
    await untilPriority('by-label', 100);
    await scheduling.deletePriorityClass({ name });
  });

  it('cannot be referred to anew on a Workload that runs', async () => {
    const refused = await refusal(
      bed.patchWorkload('runs', {
        spec: {
          priorityClassRef: {
            group: 'kueue.x-k8s.io',
            kind: 'WorkloadPriorityClass',
            name: bed.name('high'),
          },
        },
      }),
    );
    expect(refused.code).toBe(422);
  });
});
