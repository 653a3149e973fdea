import { refusal } from '../apiMachinery/testNamespace';
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { label } from './contractJob';
import { conditionOf, Testbed } from './testbed';

jest.setTimeout(60_000);

describe.each(worlds())(
  '$name: Kueue, what is never or not yet admitted',
  world => {
    let running: RunningWorld;
    let bed: Testbed;

    beforeAll(async () => {
      running = await world.start();
      bed = new Testbed(running.clusters[0]);
      await bed.start();
      await bed.flavor('f');
      await bed.queue('q', { f: 8 });
    });

    afterAll(async () => {
      await bed.remove();
      await running.close();
    });

    it('a request above what could ever be', async () => {
      await bed.job('huge', { gpus: 9 });
      const { reason, message } = await bed.untilWaiting('huge', /maximum/);
      expect(`${reason}: ${message}`).toBe(
        `Pending: couldn't assign flavors to pod set main: insufficient quota for example.com/accelerator in flavor ${bed.name(
          'f',
        )}, previously considered podsets requests (0) + current podset request (9) > maximum capacity (8)`,
      );
    });

    it('quantities in thousands', async () => {
      await bed.job('thousands', { gpus: 2000 });
      await bed.untilWaiting('thousands', /current podset request \(2k\)/);
    });

    it('a resource the queue does not declare', async () => {
      await bed.job('foo', { resources: { 'example.com/foo': '1' } });
      const { message } = await bed.untilWaiting('foo', /unavailable/);
      expect(message).toBe(
        "couldn't assign flavors to pod set main: resource example.com/foo unavailable in ClusterQueue",
      );
    });

    it('a flavor that does not match; keys it does not define are ignored', async () => {
      await bed.flavor('g');
      await bed.job('other', { nodeSelectorOfFlavor: 'g' });
      const { message } = await bed.untilWaiting('other', /affinity/);
      expect(message).toBe(
        `couldn't assign flavors to pod set main: flavor ${bed.name(
          'f',
        )} doesn't match node affinity`,
      );
      await bed.job('anywhere', { nodeSelector: { 'example.com/zone': 'x' } });
      await bed.untilCondition('anywhere', 'Admitted', 'True');
      await bed.deleteJob('anywhere', 'Background');
    });

    it('a tainted flavor', async () => {
      await bed.create('ResourceFlavor', 'tainted', {
        spec: {
          nodeTaints: [{ key: 'kf', value: 'x', effect: 'NoSchedule' }],
        },
      });
      await bed.queue('tainted', { tainted: 4 });
      await bed.job('untolerating', { queue: 'tainted' });
      const { message } = await bed.untilWaiting('untolerating', /taint/);
      expect(message).toBe(
        `couldn't assign flavors to pod set main: untolerated taint {kf x NoSchedule <nil>} in flavor ${bed.name(
          'tainted',
        )}`,
      );
    });

    it('a namespace the queue does not serve', async () => {
      await bed.queue(
        'closed',
        { f: 1 },
        { namespaceSelector: { matchLabels: { bed: 'another' } } },
      );
      await bed.job('outside', { queue: 'closed' });
      const { reason, message } = await bed.untilWaiting(
        'outside',
        /namespace/,
      );
      expect(`${reason}: ${message}`).toBe(
        "Pending: workload namespace doesn't match ClusterQueue selector",
      );
    });

    it('queues that do not exist, until they do', async () => {
      await bed.job('early', { queue: 'late' });
      const first = await bed.untilWaiting('early', /LocalQueue/);
      expect(`${first.reason}: ${first.message}`).toBe(
        "Inadmissible: LocalQueue late doesn't exist",
      );
      await bed.localQueue('late');
      const second = await bed.untilWaiting('early', /ClusterQueue/);
      expect(second.message).toBe(
        `ClusterQueue ${bed.name('late')} doesn't exist`,
      );
      const status = await until('the LocalQueue says so', async () => {
        const found = await bed.localQueueStatus('late');
        return conditionOf({ status: found }, 'Active') && found;
      });
      expect(conditionOf({ status }, 'Active')).toMatchObject({
        status: 'False',
        reason: 'ClusterQueueDoesNotExist',
        message: "Can't submit new workloads to clusterQueue",
      });
      await bed.create('ClusterQueue', 'late', {
        spec: {
          namespaceSelector: {},
          resourceGroups: [bed.group({ f: 1 })],
        },
      });
      await bed.untilCondition('early', 'Admitted', 'True');
    });

    it('a queue whose flavor is missing, until it is there', async () => {
      await bed.queue('flavorless', { missing: 1 });
      const status = await until('the ClusterQueue says so', async () => {
        const found = await bed.clusterQueueStatus('flavorless');
        return conditionOf({ status: found }, 'Active') && found;
      });
      expect(conditionOf({ status }, 'Active')).toMatchObject({
        status: 'False',
        reason: 'FlavorNotFound',
        message: `Can't admit new workloads: references missing ResourceFlavor(s): ${bed.name(
          'missing',
        )}.`,
      });
      await bed.job('unflavored', { queue: 'flavorless' });
      await bed.untilWaiting('unflavored', /ClusterQueue .* is inactive/);
      await bed.flavor('missing');
      await bed.untilCondition('unflavored', 'Admitted', 'True');
    });

    it('equals of the first that does not fit say nothing at all', async () => {
      await bed.queue('equals', { f: 1 });
      await bed.job('runs', { queue: 'equals' });
      await bed.untilCondition('runs', 'Admitted', 'True');
      await bed.job('first', { queue: 'equals' });
      await bed.untilWaiting('first', /1 more needed/);
      await bed.job('second', { queue: 'equals' });
      await until('both are counted', async () => {
        const { pendingWorkloads } = await bed.clusterQueueStatus('equals');
        return pendingWorkloads === 2;
      });
      expect((await bed.workload('second')).status?.conditions).toBe(undefined);
    });

    it('moves to another queue while waiting, not while running', async () => {
      await bed.queue('other', { f: 1 });
      await bed.job('mover', { gpus: 1, queue: 'nowhere' });
      await bed.untilWaiting('mover', /doesn't exist/);
      const move = (queue: string) =>
        bed.patchJob('mover', {
          metadata: { labels: { [label('queue-name')]: queue } },
        });
      await move('other');
      await bed.untilRunning('mover');
      expect(await refusal(move('q'))).toMatchObject({ code: 403 });
    });

    it('refuses a LocalQueue another ClusterQueue', async () => {
      const patch = bed.patchLocalQueue('q', {
        spec: { clusterQueue: bed.name('other') },
      });
      expect(await refusal(patch)).toMatchObject({ code: 422 });
    });
  },
);
