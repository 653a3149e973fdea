import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { Cluster } from '@gpuaas/backstage-plugin-gpu-common';
import { until } from '../portal/until';
import { Journey, PATIENCE } from './journey';
import { control } from '../portal/portalControl';
import { breakPart, healPart } from './switches';

/** A cluster that is away, refuses or forgets costs its own data only (rule 14). */
export const clusterFaults = () =>
  describe('the API server of a spoke', () => {
    let journey: Journey;

    before(async () => {
      journey = await Journey.start();
    });
    afterEach(async () => {
      await healPart(journey.addresses, 'spoke-a');
      await healPart(journey.addresses, 'spoke-b');
    });

    async function cluster(name: string): Promise<Cluster> {
      const { items } = await journey.mira.gpu.getClusters();
      return items.find(one => one.name === name)!;
    }

    function clusterOnce(
      name: string,
      what: string,
      holds: (cluster: Cluster) => boolean,
    ): Promise<Cluster> {
      return until(
        `${name} ${what}`,
        async () => {
          const found = await cluster(name);
          return found && holds(found) && found;
        },
        PATIENCE,
      );
    }

    const isConnected = (name: string) =>
      clusterOnce(name, 'is connected', ({ state }) => state === 'connected');

    /** The last picture of the broken cluster is kept, and the other is live. */
    async function othersGoOn(brokenAt: number) {
      const { items } = await journey.mira.gpu.getDeviceClasses({
        cluster: 'spoke-b',
      });
      assert.ok(items.length > 0, 'the last picture of spoke-b is kept');
      await clusterOnce(
        'spoke-a',
        'is read meanwhile',
        ({ state, freshAt }) =>
          state === 'connected' && Date.parse(freshAt!) > brokenAt,
      );
      await journey.wentOnce(await journey.merged({ name: 'elsewhere' }));
    }

    it('refuses connections: unreachable since, with why; the rest goes on; it recovers', async () => {
      const brokenAt = Date.now();
      await breakPart(journey.addresses, 'spoke-b', { refuse: true });
      const broken = await clusterOnce(
        'spoke-b',
        'is unreachable',
        ({ state }) => state === 'unreachable',
      );
      assert.ok(Date.parse(broken.since) >= brokenAt - 1000);
      assert.ok(Date.parse(broken.freshAt!) <= Date.parse(broken.since) + 1000);
      assert.match(broken.message ?? '', /./);
      await othersGoOn(brokenAt);
      assert.equal((await cluster('spoke-b')).since, broken.since);
      await healPart(journey.addresses, 'spoke-b');
      const healed = await isConnected('spoke-b');
      assert.equal(healed.message, undefined);
    });

    it('does not accept the token any more: says so, and recovers', async () => {
      await breakPart(journey.addresses, 'spoke-b', {
        unauthorized: true,
        cutWatches: true,
      });
      const broken = await clusterOnce(
        'spoke-b',
        'is unreachable',
        ({ state }) => state === 'unreachable',
      );
      assert.match(broken.message ?? '', /401|Unauthorized/);
      assert.doesNotMatch(broken.message ?? '', /sandbox-portal/);
      await healPart(journey.addresses, 'spoke-b');
      await isConnected('spoke-b');
    });

    it('forgets its history again and again while watches break: nothing is lost', async () => {
      const asked = await journey.askForPullRequest({
        name: 'storm',
        args: ['sleep 15'],
      });
      await journey.merge(asked);
      let storms = 0;
      await until(
        `Request ${asked.id} ends in the storm`,
        async () => {
          storms += 1;
          await breakPart(journey.addresses, 'spoke-a', {
            compact: true,
            cutWatches: true,
          });
          const { steps } = await journey.mira.gpu.getRequest(asked.id);
          return steps.every(({ at }) => at);
        },
        { ...PATIENCE, everyMs: 500 },
      );
      assert.ok(storms > 5);
      await journey.wentOnce(asked.id);
      await isConnected('spoke-a');
      await journey.sameWorkloads('spoke-a');
    });

    it('breaks watches in the middle of an event: nothing is lost', async () => {
      const asked = await journey.askForPullRequest({
        name: 'halved',
        args: ['sleep 10'],
      });
      await journey.merge(asked);
      await until(
        `Request ${asked.id} ends between cuts`,
        async () => {
          await breakPart(journey.addresses, 'spoke-a', { cutWatches: true });
          const { steps } = await journey.mira.gpu.getRequest(asked.id);
          return steps.every(({ at }) => at);
        },
        PATIENCE,
      );
      await journey.wentOnce(asked.id);
      await journey.sameWorkloads('spoke-a');
    });

    it('answers slowly: late, but all of it', async () => {
      await breakPart(journey.addresses, 'spoke-a', {
        delayMilliseconds: 2000,
      });
      await journey.wentOnce(await journey.merged({ name: 'slow' }));
      assert.equal((await cluster('spoke-a')).state, 'connected');
    });

    it('is away when the portal starts: the portal comes up, the other spoke is live', async () => {
      await breakPart(journey.addresses, 'spoke-b', { refuse: true });
      const brokenAt = Date.now();
      await control('kill backend');
      await control('start backend');
      await journey.portalAnswers();
      await clusterOnce(
        'spoke-b',
        'is unreachable',
        ({ state, since }) =>
          state === 'unreachable' && Date.parse(since) >= brokenAt - 1000,
      );
      await othersGoOn(brokenAt);
      await healPart(journey.addresses, 'spoke-b');
      await isConnected('spoke-b');
      await journey.sameWorkloads('spoke-b');
    });
  });
