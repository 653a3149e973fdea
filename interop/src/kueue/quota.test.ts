import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { GPU } from './contractJob';
import { Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())('$name: Kueue, quota and its limits', world => {
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
  });

  afterEach(() => bed.remove());

  it('tries flavors in order', async () => {
    await bed.flavor('g');
    await bed.queue('q', { f: 2, g: 4 });
    await bed.job('one', { gpus: 2 });
    await bed.untilCondition('one', 'Admitted', 'True');
    await bed.job('two', { gpus: 1 });
    await bed.untilCondition('two', 'Admitted', 'True');
    const flavorOf = async (job: string) =>
      (await bed.workload(job)).status.admission.podSetAssignments[0].flavors[
        GPU
      ];
    expect(await flavorOf('one')).toBe(bed.name('f'));
    expect(await flavorOf('two')).toBe(bed.name('g'));
    await bed.job('three', { gpus: 4 });
    const { message } = await bed.untilWaiting('three', /insufficient/);
    expect(message).toContain(`in flavor ${bed.name('f')}`);
    expect(message).toContain(`in flavor ${bed.name('g')}, 1 more needed`);
  });

  it('borrows what the cohort does not use, up to the borrowing limit', async () => {
    await bed.queue(
      'q',
      { f: { nominal: 2, borrowingLimit: 1 } },
      { cohort: 'c' },
    );
    await bed.queue('lender', { f: 4 }, { cohort: 'c' });
    await bed.job('above', { gpus: 4 });
    const { message } = await bed.untilWaiting('above', /maximum capacity/);
    expect(message).toBe(
      `couldn't assign flavors to pod set main: insufficient quota for ${GPU} in flavor ${bed.name(
        'f',
      )}, previously considered podsets requests (0) + current podset request (4) > maximum capacity (3)`,
    );
    await bed.job('within', { gpus: 3 });
    await bed.untilCondition('within', 'Admitted', 'True');
    const status = await until('status shows what is borrowed', async () => {
      const found = await bed.clusterQueueStatus('q');
      return found.admittedWorkloads === 1 ? found : undefined;
    });
    expect(status.flavorsUsage).toEqual([
      {
        name: bed.name('f'),
        resources: [{ name: GPU, total: '3', borrowed: '1' }],
      },
    ]);
    expect(status).toMatchObject({
      pendingWorkloads: 1,
      reservingWorkloads: 1,
    });
  });

  it('lends no more than the lending limit', async () => {
    await bed.queue('q', { f: 2 }, { cohort: 'c' });
    await bed.queue(
      'miser',
      { f: { nominal: 4, lendingLimit: 1 } },
      { cohort: 'c' },
    );
    await bed.job('four', { gpus: 4 });
    await bed.untilWaiting('four', /maximum capacity \(3\)/);
    await bed.job('three', { gpus: 3 });
    await bed.untilCondition('three', 'Admitted', 'True');
    // What it keeps is still its own.
    await bed.job('own', { gpus: 3, queue: 'miser' });
    await bed.untilCondition('own', 'Admitted', 'True');
  });

  it('adds a Cohort’s own quota, and walks cohorts of cohorts', async () => {
    await bed.create('Cohort', 'root', {
      spec: { resourceGroups: [bed.group({ f: 3 })] },
    });
    await bed.create('Cohort', 'department', {
      spec: { parentName: bed.name('root') },
    });
    await bed.queue('q', { f: 1 }, { cohort: 'department' });
    await bed.job('five', { gpus: 5 });
    await bed.untilWaiting('five', /maximum capacity \(4\)/);
    await bed.job('four', { gpus: 4 });
    await bed.untilCondition('four', 'Admitted', 'True');
  });

  it('admits what waits when quota is freed, and when it is raised', async () => {
    await bed.queue('q', { f: 2 });
    await bed.job('first', { gpus: 2 });
    await bed.untilCondition('first', 'Admitted', 'True');
    await bed.job('second', { gpus: 2 });
    const { message } = await bed.untilWaiting('second', /insufficient unused/);
    expect(message).toBe(
      `couldn't assign flavors to pod set main: insufficient unused quota for ${GPU} in flavor ${bed.name(
        'f',
      )}, 2 more needed`,
    );
    await bed.deleteJob('first', 'Background');
    await bed.untilCondition('second', 'Admitted', 'True');
    await bed.job('third', { gpus: 1 });
    await bed.untilWaiting('third', /1 more needed/);
    await bed.patch('ClusterQueue', 'q', {
      spec: { resourceGroups: [bed.group({ f: 3 })] },
    });
    await bed.untilCondition('third', 'Admitted', 'True');
  });

  it('evicts nobody when quota is lowered below what is used', async () => {
    await bed.queue('q', { f: 4 });
    await bed.job('runs', { gpus: 4 });
    await bed.untilRunning('runs');
    await bed.patch('ClusterQueue', 'q', {
      spec: { resourceGroups: [bed.group({ f: 1 })] },
    });
    await bed.job('next', { gpus: 1 });
    // What is used above quota is no part of what the next one lacks.
    await bed.untilWaiting('next', /, 1 more needed/);
    expect((await bed.getJob('runs')).spec?.suspend).toBe(false);
  });

  it('goes on behind a head that does not fit, unless the queue is strict', async () => {
    await bed.queue('q', { f: 2 });
    await bed.queue('strict', { f: 2 }, { queueingStrategy: 'StrictFIFO' });
    for (const queue of ['q', 'strict']) {
      await bed.job(`${queue}-runs`, { queue });
      await bed.untilCondition(`${queue}-runs`, 'Admitted', 'True');
      await bed.job(`${queue}-head`, { queue, gpus: 2 });
      await bed.untilWaiting(`${queue}-head`, /1 more needed/);
    }
    await bed.nextSecond();
    await bed.job('q-small');
    await bed.job('strict-small', { queue: 'strict' });
    await bed.untilCondition('q-small', 'Admitted', 'True');
    await until('both are counted', async () => {
      const { pendingWorkloads } = await bed.clusterQueueStatus('strict');
      return pendingWorkloads === 2;
    });
    // Behind the head of a strict queue nothing is said at all.
    expect((await bed.workload('strict-small')).status?.conditions).toBe(
      undefined,
    );
  });
});
