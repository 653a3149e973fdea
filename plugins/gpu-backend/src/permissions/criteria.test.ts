import { TestDatabases } from '@backstage/backend-test-utils';
import { PermissionCriteria } from '@backstage/plugin-permission-common';
import {
  GpuResource,
  GpuResourceFilter,
} from '@gpuaas/backstage-plugin-gpu-node';
import fc from 'fast-check';
import { matchesCriteria, whereCriteria } from './criteria';

const rows: GpuResource[] = ['spoke-a', 'spoke-b'].flatMap(cluster =>
  ['group:default/one', 'group:default/two', undefined].flatMap(team =>
    ['user:default/mira', undefined].map(requester => ({
      cluster,
      namespace: 'n',
      team,
      requester,
    })),
  ),
);

const filter: fc.Arbitrary<GpuResourceFilter> = fc.oneof(
  fc.record({
    column: fc.constant('cluster' as const),
    values: fc.subarray(['spoke-a', 'spoke-b']),
  }),
  fc.record({
    column: fc.constant('team' as const),
    values: fc.subarray(['group:default/one', 'group:default/two']),
  }),
  fc.record({
    column: fc.constant('requester' as const),
    values: fc.subarray(['user:default/mira']),
  }),
  fc.record({
    column: fc.constant('any' as const),
    values: fc.constant<string[]>([]),
  }),
);
const criteria = fc.letrec<{ any: PermissionCriteria<GpuResourceFilter> }>(
  tie => ({
    any: fc.oneof(
      { maxDepth: 3 },
      filter,
      fc.record({ not: tie('any') }),
      fc.record({
        anyOf: fc
          .array(tie('any'), { minLength: 1, maxLength: 3 })
          .map(parts => parts as any),
      }),
      fc.record({
        allOf: fc
          .array(tie('any'), { minLength: 1, maxLength: 3 })
          .map(parts => parts as any),
      }),
    ) as any,
  }),
).any;

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

describe.each(databases.eachSupportedId())('criteria on %s', databaseId => {
  it('selects in SQL exactly what it matches one by one', async () => {
    const knex = await databases.init(databaseId);
    await knex.schema.createTable('things', table => {
      table.integer('n');
      table.string('cluster');
      table.string('namespace');
      table.string('team');
      table.string('requester');
    });
    await knex('things').insert(
      rows.map((row, n) => ({
        n,
        cluster: row.cluster,
        namespace: row.namespace,
        team: row.team ?? null,
        requester: row.requester ?? null,
      })),
    );
    await fc.assert(
      fc.asyncProperty(criteria, async wanted => {
        const found = await knex('things')
          .where('namespace', 'n')
          .andWhere(inner => whereCriteria(inner, wanted))
          .orderBy('n')
          .pluck('n');
        expect(found).toEqual(
          rows.flatMap((row, n) => (matchesCriteria(row, wanted) ? [n] : [])),
        );
      }),
      { numRuns: 100 },
    );
  });
});
