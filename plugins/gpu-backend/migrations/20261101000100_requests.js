// @ts-check

/**
 * Requests and what was learned of them from the Scaffolder, the forge, GitOps
 * and the clusters. Stamps are RFC 3339 text in UTC and JSON is text, so that
 * both engines hand out the same.
 *
 * @param {import('knex').Knex} knex
 */
exports.up = async function up(knex) {
  await knex.schema.createTable('scaffolder_tasks', table => {
    table.comment('Tasks that use our actions, as the Scaffolder reports them');
    table.string('id', 128).primary();
    table.string('created_by');
    table.string('created_at', 32).comment('Stamp of the Scaffolder');
    table.string('status', 32).notNullable();
    table.index(['status']);
  });

  await knex.schema.createTable('requests', table => {
    table.comment('One row per registered request; id is the Scaffolder task');
    table.string('id', 128).primary();
    table.string('name', 63).notNullable().comment('Job');
    table.text('purpose');
    table.string('requester').notNullable();
    table.string('entity').notNullable();
    table.string('team').comment('Group that owned the queue when asked');
    table.string('cluster').notNullable();
    table.string('namespace').notNullable();
    table.string('queue').notNullable();
    table.string('kind', 32).notNullable();
    table.string('device_class').notNullable();
    table.string('flavor').notNullable();
    table.integer('units').notNullable();
    table.string('priority_class');
    table.integer('max_duration_seconds');
    table.string('repo_url', 1024).notNullable();
    table.string('branch').notNullable();
    table.string('path', 1024).notNullable();
    table.string('digest', 80).notNullable();
    table.string('state', 32).notNullable().comment('Derived, for filters');
    table.string('task_status', 32);
    table.string('pr_url', 2048);
    table.integer('pr_number');
    table.string('pr_provider', 64);
    table.string('pr_state', 16);
    table.string('pr_merged_by');
    table.string('pr_merged_at', 32);
    table.string('pr_merge_commit', 128);
    table
      .string('file_check', 16)
      .comment('same | changed: merged file against the registered digest');
    table.string('forge_failing_since', 32);
    table.text('forge_error');
    table.text('delivery').comment('JSON; null before GitOps was heard of');
    table
      .string('file_gone_at', 32)
      .comment('When the file was seen gone from Git');
    table
      .string('tidy_branch')
      .comment('Of the pull request that takes the file out of Git');
    table.string('created_at', 32).notNullable();
    table.string('updated_at', 32).notNullable();
    table.unique(['cluster', 'namespace', 'name']);
    table.index(['created_at', 'id']);
    table.index(['requester', 'created_at', 'id']);
    table.index(['team', 'created_at', 'id']);
    table.index(['entity', 'created_at', 'id']);
    table.index(['state', 'created_at', 'id']);
    table.index(['pr_state']);
  });

  await knex.schema.createTable('request_runs', table => {
    table.comment(
      'Workloads of a request: one per uid, a Job can have several',
    );
    table.string('request_id', 128).notNullable();
    table.string('workload_uid', 128).notNullable();
    table.string('name').notNullable();
    table.string('phase', 32).notNullable();
    table.string('outcome', 16).comment('succeeded | failed');
    table.string('cluster_queue');
    table.text('flavors').comment('Comma-separated');
    table.integer('pods').notNullable().comment('Pods that must be bound');
    table.text('waiting').comment('JSON');
    table.string('created_at', 32).notNullable();
    table.string('placed_at', 32).comment('First admission');
    table.string('released_at', 32);
    table.string('metered_at', 32);
    table.primary(['request_id', 'workload_uid']);
    table.index(['workload_uid']);
    // What is not metered yet is looked for every second.
    table.index(['request_id'], 'request_runs_unmetered', {
      predicate: knex.whereNull('metered_at').whereNotNull('placed_at'),
    });
  });

  await knex.schema.createTable('request_pods', table => {
    table.comment('Pods of requests');
    table.string('pod_uid', 128).primary();
    table.string('request_id', 128).notNullable();
    table.string('cluster').notNullable();
    table.string('namespace').notNullable();
    table.string('name').notNullable();
    table.string('workload').comment('Name');
    table.string('node');
    table.string('scheduled_at', 32);
    table.string('ready_at', 32);
    table.string('finished_at', 32);
    table.string('first_sample_at', 32);
    table.string('first_sample_source', 64);
    table.index(['request_id']);
    table.index(['cluster', 'first_sample_at', 'ready_at']);
  });
};

/**
 * @param {import('knex').Knex} knex
 */
exports.down = async function down(knex) {
  await knex.schema.dropTable('request_pods');
  await knex.schema.dropTable('request_runs');
  await knex.schema.dropTable('requests');
  await knex.schema.dropTable('scaffolder_tasks');
};
