import { SchedulerService } from '@backstage/backend-plugin-api';
import { Knex } from 'knex';

/** Seconds: far longer than an ended Workload stays in its cluster and comes again with a relist. */
const KEPT = 30 * 24 * 3_600;

/** Forgets the meter's notes on Workloads long ended. Their intervals stay. */
export async function scheduleStateRetention(
  scheduler: SchedulerService,
  knex: Knex,
): Promise<void> {
  await scheduler.scheduleTask({
    id: 'gpu-ledger-state-retention',
    frequency: { hours: 1 },
    timeout: { minutes: 5 },
    initialDelay: { minutes: 5 },
    scope: 'global',
    fn: async () => {
      await knex('ledger_states')
        .where('ended', true)
        .where('updated_at', '<', Math.floor(Date.now() / 1000) - KEPT)
        .delete();
    },
  });
}
