import { Knex } from 'knex';

/** What the Scaffolder says of a task. */
export interface TaskFacts {
  id: string;
  /** User reference. */
  createdBy?: string;
  /** RFC 3339, the Scaffolder's own stamp. */
  createdAt?: string;
  status: string;
}

interface TaskRecord {
  id: string;
  created_by: string | null;
  created_at: string | null;
  status: string;
}

/** Scaffolder tasks that use our actions. */
export class TaskStore {
  constructor(private readonly knex: Knex) {}

  /** Merges: what a later event does not say stays. */
  async record(task: TaskFacts): Promise<void> {
    const row: Partial<TaskRecord> & Pick<TaskRecord, 'id' | 'status'> = {
      id: task.id,
      status: task.status,
      ...(task.createdBy ? { created_by: task.createdBy } : {}),
      ...(task.createdAt ? { created_at: task.createdAt } : {}),
    };
    await this.knex('scaffolder_tasks').insert(row).onConflict('id').merge(row);
  }

  async get(id: string): Promise<TaskFacts | undefined> {
    const row = await this.knex<TaskRecord>('scaffolder_tasks')
      .where({ id })
      .first();
    return (
      row && {
        id: row.id,
        status: row.status,
        createdBy: row.created_by ?? undefined,
        createdAt: row.created_at ?? undefined,
      }
    );
  }
}
