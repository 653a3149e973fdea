import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import fc from 'fast-check';
import { migrate } from '../database/migrate';
import { Change, ClusterObserver, ObservedWorkload } from './clusterObserver';
import { ClusterService } from './clusterService';
import { FakeCluster } from './__testUtils__/FakeCluster';
import {
  admitted,
  clusterQueue,
  finished,
  flavor,
  localQueue,
  namespace,
  node,
  workload,
} from './__testUtils__/objects';
import { until } from './__testUtils__/until';

jest.setTimeout(180_000);

const databases = TestDatabases.create({
  ids: ['SQLITE_3'],
  disableDocker: true,
});

type Step =
  | { do: 'pending' | 'admit' | 'finish' | 'remove'; id: number }
  | { do: 'cut' | 'forget' | 'restart' | 'fail' | 'break' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'pending' as const,
        'admit' as const,
        'finish' as const,
        'remove' as const,
      ),
      id: fc.integer({ min: 0, max: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'cut' as const,
        'forget' as const,
        'restart' as const,
        'fail' as const,
        'break' as const,
      ),
    }),
  },
);

/**
 * Whatever breaks and whenever: in the end the store holds what the cluster
 * holds, and each Workload's changes, as committed, tell one story without a
 * gap in it: each begins where the one before ended.
 */
it('ends where the cluster ends, with one unbroken story of each Workload', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      async steps => {
        const knex = await databases.init('SQLITE_3');
        await migrate(knex);
        await knex.schema.createTable('story', table => {
          table.increments('id');
          table.text('change');
        });
        const fake = new FakeCluster();
        fake.put('namespaces', namespace('team-07'));
        fake.put('nodes', node('node-1'));
        fake.put('resourceflavors', flavor());
        fake.put('clusterqueues', clusterQueue());
        fake.put('localqueues', localQueue());
        let failing = 0;
        const observer: ClusterObserver = {
          name: 'story',
          onWorkloads: async (changes, trx) => {
            for (const change of changes) {
              await trx('story').insert({ change: JSON.stringify(change) });
            }
            if (failing > 0) {
              failing -= 1;
              throw new Error('the database went away');
            }
          },
        };
        const start = () => {
          const service = new ClusterService({
            knex,
            clusters: [
              {
                name: 'spoke-a',
                title: 'Spoke A',
                role: 'spoke',
                connection: { url: 'http://a', skipTlsVerify: true },
              },
            ],
            logger: mockServices.logger.mock(),
            observers: [observer],
            apiOf: () => fake,
            timings: {
              heartbeat: 20,
              contact: 20,
              batchWindow: 1,
              readModel: 2,
              backOffFirst: 1,
              backOffMax: 4,
            },
          });
          service.start();
          return service;
        };

        let service = start();
        const present = new Map<string, string>();
        try {
          for (const action of steps) {
            switch (action.do) {
              case 'pending':
              case 'admit':
              case 'finish': {
                const id = String(action.id);
                const make = {
                  pending: workload,
                  admit: admitted,
                  finish: finished,
                }[action.do];
                const uid = `wl-${id}`;
                // Nothing follows an end; a name that comes again has another uid.
                if (present.get(uid) !== 'finish') {
                  fake.put('workloads', make(id));
                  present.set(uid, action.do);
                }
                break;
              }
              case 'remove':
                fake.remove('workloads', `wl-${action.id}`);
                present.delete(`wl-${action.id}`);
                break;
              case 'cut':
                fake.cut(new Error('socket hang up'));
                break;
              case 'forget':
                fake.cut();
                fake.forget();
                break;
              case 'break':
                fake.send('workloads', 'MODIFIED', undefined);
                break;
              case 'fail':
                failing = 1;
                break;
              default:
                await service.stop();
                service = start();
            }
            await new Promise(resolve => setImmediate(resolve));
          }
          failing = 0;
          const phases = {
            pending: 'pending',
            admit: 'admitted',
            finish: 'succeeded',
          };
          const expected = [...present]
            .map(([uid, what]) => `${uid} ${phases[what as 'pending']}`)
            .sort()
            .join();
          await until(async () => {
            const rows: Array<{ uid: string; phase: string }> = await knex(
              'workloads',
            )
              .whereNull('deleted_at')
              .select('uid', 'phase');
            return (
              rows
                .map(({ uid, phase }) => `${uid} ${phase}`)
                .sort()
                .join() === expected
            );
          }, expected);
        } finally {
          await service.stop();
        }

        const last = new Map<string, string>();
        const told: Array<{ change: string }> = await knex('story').orderBy(
          'id',
        );
        for (const { change } of told) {
          const { before, now, type }: Change<ObservedWorkload> =
            JSON.parse(change);
          const { uid } = now.workload;
          const seen = last.get(uid);
          expect(before && story(before)).toBe(seen);
          expect(type === 'added').toBe(seen === undefined);
          last.set(uid, story(now));
        }
        await knex.destroy();
      },
    ),
    { numRuns: 25 },
  );
});

/** What must not differ between the end of one change and the beginning of the next. */
function story({ workload: { phase, team, deviceClass } }: ObservedWorkload) {
  return [phase, team, deviceClass].join();
}
