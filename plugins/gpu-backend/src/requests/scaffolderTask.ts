import { TaskFacts } from './taskStore';

/** What of a Scaffolder task is read; events carry a part of it. */
export interface ScaffolderTaskLike {
  id: string;
  status: string;
  createdAt?: unknown;
  createdBy?: string | null;
  spec?: {
    user?: { ref?: string };
    steps?: Array<{ action?: string }>;
  };
}

/** True for a task whose template asks for GPUs. */
export function asksForGpus(task: ScaffolderTaskLike): boolean {
  return (
    task.spec?.steps?.some(step => step.action?.startsWith('gpu:')) ?? false
  );
}

export function taskFacts(task: ScaffolderTaskLike): TaskFacts {
  return {
    id: task.id,
    status: task.status,
    createdBy: task.spec?.user?.ref ?? task.createdBy ?? undefined,
    createdAt: stamp(task.createdAt),
  };
}

/** The Scaffolder's stamp: ISO text through its API; on PostgreSQL a Date in events, on SQLite UTC without a zone. */
function stamp(value: unknown): string | undefined {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  const utc = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/.test(value)
    ? `${value.replace(' ', 'T').slice(0, 19)}Z`
    : value;
  const millis = Date.parse(utc);
  return Number.isNaN(millis) ? undefined : new Date(millis).toISOString();
}
