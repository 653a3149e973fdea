import { QueueingEngine } from '@gpuaas/backstage-plugin-gpu-common';
import { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { Clock, stamp } from '../clock';
import { EventRecorder } from './eventRecorder';
import { kueueUser } from './names';
import { WorkloadBook } from './workloadBook';

/** What Kueue's controllers share. */
export class KueueContext {
  readonly engine = new QueueingEngine();
  readonly book = new WorkloadBook();
  readonly events: EventRecorder;
  /** `namespace/name` by uid, of Jobs that exist. */
  readonly jobs = new Map<string, string>();
  /** Set when the controllers are wired; says that there may be something to admit. */
  schedule: () => void = () => {};

  constructor(readonly store: ObjectStore, readonly clock: Clock) {
    this.events = new EventRecorder(store, clock);
  }

  now(): string {
    return stamp(this.clock.now());
  }

  workload(key: string): KubernetesObject | undefined {
    const [namespace, name] = key.split('/');
    return this.store.get('Workload', name, namespace);
  }

  /** Writes a Workload's status; undefined: it is gone. */
  writeStatus(
    { metadata }: KubernetesObject,
    change: (workload: KubernetesObject) => void | false,
  ): KubernetesObject | undefined {
    return this.modify('Workload', metadata, change, 'status');
  }

  /** Writes an object, unless it is another of the same name by now. */
  modify(
    kind: string,
    metadata: KubernetesObject['metadata'],
    change: (object: KubernetesObject) => void | false,
    subresource?: 'status',
  ): KubernetesObject | undefined {
    return this.store.modify(
      kind,
      metadata.name,
      metadata.namespace,
      object => (object.metadata.uid === metadata.uid ? change(object) : false),
      { user: kueueUser, ...(subresource && { subresource }) },
    );
  }

  /** Takes a finalizer off; what was only waiting for that goes. */
  removeFinalizer(object: KubernetesObject, finalizer: string): void {
    if (!object.metadata.finalizers?.includes(finalizer)) return;
    this.modify(object.kind, object.metadata, each => {
      each.metadata.finalizers = each.metadata.finalizers?.filter(
        name => name !== finalizer,
      );
      if (each.metadata.finalizers?.length === 0) {
        delete each.metadata.finalizers;
      }
    });
  }
}

export function keyOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
