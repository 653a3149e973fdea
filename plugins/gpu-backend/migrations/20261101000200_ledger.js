// @ts-check

/**
 * The ledger. Times are Unix seconds, GPU time is nano-GPU-seconds in int64.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('ledger_states', table => {
    table.comment('Notes of the meter on a Workload, between observations');
    table.string('cluster').notNullable();
    table.string('workload_uid', 128).notNullable();
    table.text('state').notNullable().comment('Kept unread');
    table.boolean('ended').notNullable();
    table.bigInteger('updated_at').notNullable();
    table.primary(['cluster', 'workload_uid']);
    table.index(['ended', 'updated_at']);
  });

  await knex.schema.createTable('ledger_intervals', table => {
    table.comment('GPU time held, one row per pod set, resource and admission');
    table.string('cluster').notNullable();
    table.string('workload_uid', 128).notNullable();
    table.string('pod_set', 63).notNullable();
    table.string('flavor').notNullable();
    table.string('resource').notNullable();
    table.string('kind', 16).notNullable();
    table.bigInteger('opened_at').notNullable();
    table.bigInteger('closed_at').comment('Null while open');
    table.text('end_reason').comment("Kueue's reason");
    table.string('confidence', 16).notNullable();
    table.integer('units').notNullable();
    table.string('device_class').comment('Null until the flavor is known');
    table
      .bigInteger('share_nano')
      .comment('nano-GPU held by all units; null: not known, never zero');
    table
      .bigInteger('gpu_nano_seconds')
      .comment(
        'share × seconds; null while open or while the share is not known',
      );
    table.string('workload_name').notNullable();
    table.string('namespace').notNullable();
    table.string('job');
    table.string('queue');
    table.string('cluster_queue');
    table.string('team');
    table.string('request_id', 128).comment('As claimed by the Job');
    table.string('entity').comment('Only of a verified request (rule 3)');
    table.string('requester').comment('Only of a verified request (rule 3)');
    table.primary([
      'cluster',
      'workload_uid',
      'pod_set',
      'flavor',
      'resource',
      'kind',
      'opened_at',
    ]);
    table.index(['opened_at', 'workload_uid']);
    table.index(['closed_at']);
    table.index(['entity', 'opened_at']);
    table.index(['team', 'opened_at']);
    table.index(['request_id', 'opened_at']);
    // What still lacks its share or its owner is looked for every second.
    table.index(
      ['cluster', 'flavor', 'resource'],
      'ledger_intervals_without_share',
      { predicate: knex.whereNull('share_nano') },
    );
    table.index(['request_id'], 'ledger_intervals_without_owner', {
      predicate: knex.whereNull('entity').whereNotNull('request_id'),
    });
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('ledger_intervals');
  await knex.schema.dropTable('ledger_states');
};
