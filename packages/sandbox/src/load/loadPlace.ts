import { ObjectStore, WatchEvent } from '../apiserver/objectStore';
import { Clock } from '../clock';
import { loadLabel, loadObject } from './loadObjects';
import { LoadItem } from './loadPlan';

/** The load's objects on one cluster, by `kind/namespace/name`. */
export class LoadPlace {
  readonly live = new Set<string>();
  /** When each finished, milliseconds since the epoch. */
  readonly finished = new Map<string, number>();
  leftOut = 0;
  private readonly stops: Array<() => void>;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
    private readonly limits: {
      maxLive: number;
      maxFinished: number;
      keepFinishedMs: number;
      onRefused: (item: LoadItem, error: unknown) => void;
    },
  ) {
    this.stops = ['Job', 'Pod'].map(kind =>
      store.watch(kind, event => this.observe(kind, event), { replay: true }),
    );
  }

  submit(item: LoadItem, seconds: number): void {
    if (this.live.size >= this.limits.maxLive) {
      this.leftOut += 1;
      return;
    }
    try {
      this.store.create(loadObject(item, seconds), {
        user: `system:serviceaccount:${item.namespace}:default`,
      });
    } catch (error) {
      // A restart finds what it made before; that is no refusal.
      if ((error as { reason?: string }).reason === 'AlreadyExists') return;
      this.leftOut += 1;
      this.limits.onRefused(item, error);
    }
  }

  /** Deletes what finished long enough ago, and the oldest beyond the ceiling. */
  tidy(): void {
    const horizon = this.clock.now().getTime() - this.limits.keepFinishedMs;
    for (const [key, at] of this.finished) {
      // In the order of finishing: what follows is younger.
      if (at > horizon && this.finished.size <= this.limits.maxFinished) break;
      const [kind, namespace, name] = key.split('/');
      this.finished.delete(key);
      if (this.store.get(kind, name, namespace)) {
        this.store.delete(kind, name, namespace, {
          propagationPolicy: 'Background',
        });
      }
    }
  }

  close(): void {
    this.stops.forEach(stop => stop());
  }

  private observe(kind: string, { type, object }: WatchEvent): void {
    const { labels, namespace, name, ownerReferences } = object.metadata;
    // Pods of Jobs carry the label too; their Job is what counts.
    if (labels?.[loadLabel] !== 'true' || ownerReferences?.length) return;
    const key = `${kind}/${namespace}/${name}`;
    if (type === 'DELETED') {
      this.live.delete(key);
      this.finished.delete(key);
    } else if (isFinished(object)) {
      this.live.delete(key);
      if (!this.finished.has(key)) {
        this.finished.set(key, this.clock.now().getTime());
      }
    } else {
      this.live.add(key);
    }
  }
}

function isFinished({ kind, status }: WatchEvent['object']): boolean {
  if (kind === 'Pod') {
    return status?.phase === 'Succeeded' || status?.phase === 'Failed';
  }
  const conditions: Array<{ type: string; status: string }> =
    status?.conditions ?? [];
  return conditions.some(
    condition =>
      ['Complete', 'Failed'].includes(condition.type) &&
      condition.status === 'True',
  );
}
