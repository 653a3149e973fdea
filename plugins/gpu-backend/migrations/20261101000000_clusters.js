// @ts-check

/**
 * The read model of the followed clusters. Stamps are RFC 3339 text in UTC and
 * JSON is text, so that both engines hand out the same.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('gpu_leases', table => {
    table.comment('Who may do the one thing a name stands for');
    table.string('name').primary();
    table.string('holder').notNullable();
    table
      .bigInteger('token')
      .notNullable()
      .comment('Grows with each change of holder: fences late writers');
    table
      .bigInteger('expires_at')
      .notNullable()
      .comment('Milliseconds since the epoch, clock of the database');
  });

  await knex.schema.createTable('clusters', table => {
    table.comment('State of each followed cluster');
    table.string('name').primary();
    table.string('state', 32).notNullable();
    table.string('since', 32).notNullable().comment('When state last changed');
    table.string('fresh_at', 32).comment('Last moment everything was current');
    table.text('message');
    table.string('kubernetes_version');
    table.string('kueue_api_version', 64);
    table.integer('physical_gpus').notNullable().defaultTo(0);
    table
      .string('used_nano', 32)
      .notNullable()
      .defaultTo('0')
      .comment('Physical GPUs held by pods, nano-GPU, decimal');
  });

  await knex.schema.createTable('cluster_streams', table => {
    table.comment('How far each watch has been committed');
    table.string('cluster').notNullable();
    table.string('resource', 64).notNullable();
    table.string('api_version', 64).notNullable();
    table.string('resource_version').notNullable();
    table
      .string('current_at', 32)
      .notNullable()
      .comment('Last moment the stored picture was current');
    table.primary(['cluster', 'resource']);
  });

  await knex.schema.createTable('cluster_objects', table => {
    table.comment('Trimmed Kubernetes objects of the small kinds, and Jobs');
    table.string('cluster').notNullable();
    table.string('resource', 64).notNullable();
    table.string('uid', 128).notNullable();
    table.string('namespace');
    table.string('name').notNullable();
    table.text('object').notNullable().comment('JSON');
    table.primary(['cluster', 'resource', 'uid']);
    table.index(['cluster', 'resource', 'namespace', 'name']);
  });

  await knex.schema.createTable('workloads', table => {
    table.comment('Kueue Workloads, one row per uid, with what is derived');
    table.string('uid', 128).primary();
    table.string('cluster').notNullable();
    table.string('namespace').notNullable();
    table.string('name').notNullable();
    table.string('queue');
    table.string('cluster_queue');
    table.string('team').comment('Group that owns the queue');
    table.string('phase', 32).notNullable();
    table.integer('priority').notNullable();
    table.string('priority_class');
    table.string('request_id');
    table.string('entity');
    table.string('requester');
    table.string('job_name');
    table.string('job_uid', 128);
    table.string('device_class');
    table.integer('units');
    table.string('created_at', 32).notNullable();
    table.string('quota_reserved_at', 32);
    table.string('admitted_at', 32);
    table.string('finished_at', 32);
    table.string('deleted_at', 32).comment('When we learned of it');
    table.integer('evictions').notNullable();
    table.text('waiting').comment('JSON; null unless it waits');
    table.text('object').notNullable().comment('JSON: the trimmed Workload');
    table.index(['created_at', 'uid']);
    table.index(['team', 'created_at', 'uid']);
    table.index(['phase', 'created_at', 'uid']);
    table.index(['entity', 'created_at', 'uid']);
    table.index(['cluster', 'namespace', 'queue', 'created_at', 'uid']);
    table.index(['cluster', 'phase']);
    table.index(['request_id']);
    table.index(['job_uid']);
    table.index(['finished_at']);
    table.index(['deleted_at']);
  });

  await knex.schema.createTable('gpu_pods', table => {
    table.comment('Pods that hold or ask for GPUs');
    table.string('uid', 128).primary();
    table.string('cluster').notNullable();
    table.string('namespace').notNullable();
    table.string('name').notNullable();
    table.string('node');
    table.string('workload');
    table.string('created_at', 32).notNullable();
    table.text('pod').notNullable().comment('JSON');
    table.index(['cluster', 'namespace', 'workload']);
    table.index(['cluster', 'node']);
  });

  await knex.schema.createTable('local_queues', table => {
    table.comment('LocalQueues with the quota behind them');
    table.string('cluster').notNullable();
    table.string('namespace').notNullable();
    table.string('queue').notNullable();
    table.string('team');
    table.text('data').notNullable().comment('JSON');
    table.primary(['cluster', 'namespace', 'queue']);
    table.index(['team', 'cluster', 'namespace', 'queue']);
  });

  await knex.schema.createTable('device_offers', table => {
    table.comment('Device classes as the flavors of a cluster offer them');
    table.string('cluster').notNullable();
    table.string('device_class').notNullable();
    table.string('flavor').notNullable();
    table.text('data').notNullable().comment('JSON');
    table.primary(['cluster', 'device_class', 'flavor']);
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  for (const table of [
    'device_offers',
    'local_queues',
    'gpu_pods',
    'workloads',
    'cluster_objects',
    'cluster_streams',
    'clusters',
    'gpu_leases',
  ]) {
    await knex.schema.dropTable(table);
  }
};
