import { TestDatabases } from '@backstage/backend-test-utils';
import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import fc from 'fast-check';
import { Knex } from 'knex';
import { migrate } from '../database/migrate';
import {
  application,
  at,
  configs,
  gpuPod,
  MERGE_COMMIT,
  observedWorkload,
  origin,
  registration,
} from './__testUtils__/requestFixtures';
import { DatabaseRequestStore } from './databaseRequestStore';
import { deliveryOf } from './deliveryMatch';
import { RequestObserver } from './requestObserver';

const merged = {
  url: 'http://forge.example/platform/gpu-fleet/pulls/7',
  number: 7,
  provider: 'gitea',
  state: 'merged' as const,
  mergedBy: 'pavel',
  mergedAt: at(20),
  mergeCommit: MERGE_COMMIT,
  fileCheck: 'same' as const,
};

// The properties tell hundreds of stories; on a busy machine PostgreSQL takes its time.
jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

describe.each(databases.eachSupportedId())(
  'DatabaseRequestStore on %s',
  databaseId => {
    let knex: Knex;
    let store: DatabaseRequestStore;
    let observer: RequestObserver;

    beforeAll(async () => {
      knex = await databases.init(databaseId);
      await migrate(knex);
      store = new DatabaseRequestStore(knex);
      observer = new RequestObserver(store, configs, () => new Date(at(99)));
    });

    beforeEach(async () => {
      await knex('request_pods').delete();
      await knex('request_runs').delete();
      await knex('requests').delete();
    });

    const observe = (what: (trx: Knex.Transaction) => Promise<void>) =>
      knex.transaction(what);

    it('registers once, and keeps what names the Job', async () => {
      await store.register('r1', registration(), origin);
      const first = await store.get('r1');
      await store.register('r1', registration(), origin);
      expect(await store.get('r1')).toEqual(first);

      await expect(
        store.register('r1', registration('other-1a2b3c4d'), origin),
      ).rejects.toThrow(/name is "other-1a2b3c4d", but request r1/);
      await expect(
        store.register('r2', registration(), origin),
      ).rejects.toThrow(/which another request has on spoke-a/);
      await expect(
        store.register('r1', registration(), {
          ...origin,
          requester: 'user:default/eve',
        }),
      ).rejects.toThrow(/requester/);
    });

    it('lets two replicas register the same request at once', async () => {
      await Promise.all([
        store.register('r1', registration(), origin),
        store.register('r1', registration(), origin),
      ]);
      expect((await store.list()).totalItems).toBe(1);
    });

    it('does not let a merged request point elsewhere', async () => {
      await store.register('r1', registration(), origin);
      await store.recordForge('r1', merged);
      await store.register(
        'r1',
        {
          ...registration(),
          pullRequest: { ...registration().pullRequest!, number: 8 },
        },
        origin,
      );
      expect((await store.get('r1'))?.pullRequest).toMatchObject({
        number: 7,
        state: 'merged',
        mergedBy: 'pavel',
      });
    });

    it('pages without skipping or repeating, newest first', async () => {
      for (let n = 0; n < 7; n += 1) {
        await store.register(`r${n}`, registration(`job-${n}`), {
          ...origin,
          // Three of one stamp: the id decides.
          createdAt: n < 3 ? origin.createdAt : at(n),
        });
      }
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.list({}, { limit: 2, cursor });
        expect(page.totalItems).toBe(7);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0']);
      expect(
        (await store.list({ states: ['in-review'], team: 'group:default/x' }))
          .totalItems,
      ).toBe(0);
      expect(await store.countStates('component:default/llm-finetune')).toEqual(
        new Map([['in-review', 7]]),
      );
    });

    it('shows since when the forge cannot be asked, and forgets it after', async () => {
      await store.register('r1', registration(), origin);
      await store.recordForgeFailure(['r1'], 'connection refused');
      const since = (await store.get('r1'))?.staleReason;
      expect(since).toMatch(/cannot be asked since .*: connection refused/);
      await store.recordForgeFailure(['r1'], 'connection refused');
      expect((await store.get('r1'))?.staleReason).toBe(since);
      await store.recordForge('r1', { ...merged, state: 'open' });
      expect(await store.get('r1')).toMatchObject({ fresh: true });
    });

    it('asks the forge only while something can change', async () => {
      await store.register('r1', registration(), origin);
      const undecided = async () =>
        (await store.listUndecided()).map(({ id }) => id);
      expect(await undecided()).toEqual(['r1']);
      await store.recordForge('r1', { ...merged, fileCheck: undefined });
      expect(await undecided()).toEqual(['r1']);
      await store.recordForge('r1', merged);
      expect(await undecided()).toEqual([]);
    });

    it('ignores a Job that bears the name but not the id', async () => {
      await store.register('r1', registration(), origin);
      await observe(trx =>
        observer.onWorkloads(
          [{ type: 'added', now: observedWorkload('forged', 'admitted') }],
          trx,
        ),
      );
      expect((await store.get('r1'))?.workload).toBeUndefined();
    });

    it('was delivered once, whatever later syncs bring', async () => {
      await store.register('r1', registration(), origin);
      await store.recordForge('r1', merged);
      const row = (await store.row('r1'))!;
      const tell = (more: Parameters<typeof application>[0]) =>
        store.recordDelivery(
          'r1',
          deliveryOf(row, application(more), configs)!,
        );
      const delivery = async () => (await store.get('r1'))?.delivery;
      // A newer commit landed before Argo CD looked: its revision is not ours.
      await tell({
        revision: 'later',
        history: [{ revision: 'later', deployedAt: at(31) }],
        operationFinishedAt: at(31),
      });
      expect(await delivery()).toMatchObject({
        state: 'delivered',
        at: at(31),
        revision: MERGE_COMMIT,
      });
      const { updatedAt } = (await store.get('r1'))!;
      await tell({ revision: 'latest', operationFinishedAt: at(80) });
      expect(await delivery()).toMatchObject({ at: at(31) });
      expect((await store.get('r1'))?.updatedAt).toBe(updatedAt);
    });

    it('does not come back to life by a late event', async () => {
      await store.register('r1', registration(), origin);
      const tell = (phase: 'succeeded' | 'admitted') =>
        observe(trx =>
          observer.onWorkloads(
            [{ type: 'modified', now: observedWorkload('r1', phase) }],
            trx,
          ),
        );
      await tell('succeeded');
      await tell('admitted');
      expect(await store.get('r1')).toMatchObject({ state: 'succeeded' });
      expect((await store.get('r1'))?.steps[7].at).toBe(at(92));
    });

    it('holds quota again when it is reactivated', async () => {
      await store.register('r1', registration(), origin);
      const stopped = observedWorkload('r1', 'deactivated');
      stopped.object.status = {
        conditions: [
          { type: 'Admitted', status: 'False', lastTransitionTime: at(60) },
        ],
      };
      const tell = (now: typeof stopped) =>
        observe(trx => observer.onWorkloads([{ type: 'modified', now }], trx));
      await tell(stopped);
      expect(await store.get('r1')).toMatchObject({ state: 'stopped' });
      expect((await store.get('r1'))?.steps[7].at).toBe(at(60));
      await tell(observedWorkload('r1', 'admitted'));
      expect((await store.get('r1'))?.steps[7].at).toBeUndefined();
    });

    it('leaves Git when a Job has ended for long enough', async () => {
      await store.register('r1', registration(), origin);
      await store.recordForge('r1', merged);
      const tidiable = async (before: string) =>
        (await store.listTidiable(before)).map(({ id }) => id);
      expect(await tidiable(at(3600))).toEqual([]);
      await observe(trx =>
        observer.onWorkloads(
          [{ type: 'modified', now: observedWorkload('r1', 'succeeded') }],
          trx,
        ),
      );
      expect(await tidiable(at(90))).toEqual([]);
      expect(await tidiable(at(3600))).toEqual(['r1']);
      await store.recordFileGone(['r1']);
      expect(await tidiable(at(3600))).toEqual([]);
    });

    /** Everything that happens to one request, each told in a transaction of its own. */
    const story: Array<(trx: Knex.Transaction) => Promise<void>> = [
      trx =>
        observer.onDeliveries([{ type: 'modified', now: application() }], trx),
      trx =>
        observer.onWorkloads(
          [{ type: 'added', now: observedWorkload('r1', 'pending') }],
          trx,
        ),
      trx =>
        observer.onWorkloads(
          [{ type: 'modified', now: observedWorkload('r1', 'admitted') }],
          trx,
        ),
      trx =>
        observer.onPods(
          [{ type: 'added', now: gpuPod({ readyAt: undefined }) }],
          trx,
        ),
      trx => observer.onPods([{ type: 'modified', now: gpuPod() }], trx),
      trx =>
        observer.onWorkloads(
          [{ type: 'modified', now: observedWorkload('r1', 'succeeded') }],
          trx,
        ),
      trx =>
        observer.onWorkloads(
          [
            {
              type: 'deleted',
              now: observedWorkload('r1', 'succeeded'),
            },
          ],
          trx,
        ),
    ];

    const told = async () => {
      const { updatedAt, ...request } = (await store.get('r1')) as GpuRequest;
      return request;
    };

    const begin = async () => {
      await knex('request_pods').delete();
      await knex('request_runs').delete();
      await knex('requests').delete();
      await store.register('r1', registration(), origin);
      await store.recordForge('r1', merged);
    };

    it('ends the same however often it is killed and told again', async () => {
      await begin();
      for (const part of story) {
        await observe(part);
      }
      const expected = await told();
      expect(expected).toMatchObject({
        state: 'succeeded',
        delivery: { state: 'delivered', at: at(29) },
      });
      expect(
        expected.steps.filter(step => step.at).map(({ name }) => name),
      ).toEqual([
        'Requested',
        'Authorised',
        'Placed',
        'Partitioned',
        'Running',
        'Released',
      ]);

      await fc.assert(
        fc.asyncProperty(
          // For each part: killed before the commit so often, told again after it so often.
          fc.array(fc.tuple(fc.nat(2), fc.nat(2)), {
            minLength: story.length,
            maxLength: story.length,
          }),
          async accidents => {
            await begin();
            for (const [index, part] of story.entries()) {
              const [kills, repeats] = accidents[index];
              for (let n = 0; n < kills; n += 1) {
                await expect(
                  observe(async trx => {
                    await part(trx);
                    throw new Error('killed');
                  }),
                ).rejects.toThrow('killed');
              }
              for (let n = 0; n <= repeats; n += 1) {
                await observe(part);
              }
            }
            expect(await told()).toEqual(expected);
          },
        ),
        { numRuns: 15 },
      );
    });

    it('has the same steps in whatever order it is told', async () => {
      await begin();
      for (const part of story) {
        await observe(part);
      }
      const { steps } = await told();
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(story, { minLength: story.length }),
          async shuffled => {
            await begin();
            for (const part of shuffled) {
              await observe(part);
            }
            expect((await told()).steps).toEqual(steps);
          },
        ),
        { numRuns: 15 },
      );
    });
  },
);
