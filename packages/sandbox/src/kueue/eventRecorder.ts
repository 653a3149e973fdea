import { createHash } from 'node:crypto';
import { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { Clock, stamp } from '../clock';
import { kueueUser } from './names';

const MAX_EVENTS = 2000;
const MAX_NAME = 253;

/** Writes core Events as Kueue's recorders do, and forgets the oldest beyond a bound. */
export class EventRecorder {
  private readonly written: Array<{ name: string; namespace: string }> = [];
  private count = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {
    // After a restart the old ones are still ours to forget.
    store
      .list('Event')
      .filter(event => event.source?.component === 'kueue')
      .forEach(({ metadata }) =>
        this.written.push({
          name: metadata.name,
          namespace: metadata.namespace ?? '',
        }),
      );
  }

  /** Repeats of the same event raise its count. */
  record(
    about: KubernetesObject,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
  ): void {
    const { name, namespace = 'default', uid = '' } = about.metadata;
    const now = stamp(this.clock.now());
    const hash = createHash('sha1')
      .update([uid, type, reason, message].join('\n'))
      .digest('hex')
      .slice(0, 16);
    const eventName = `${name.slice(0, MAX_NAME - hash.length - 1)}.${hash}`;
    const repeated = this.store.modify('Event', eventName, namespace, event => {
      event.count += 1;
      event.lastTimestamp = now;
    });
    if (repeated) return;
    try {
      this.store.create(
        {
          apiVersion: 'v1',
          kind: 'Event',
          metadata: { name: eventName, namespace },
          involvedObject: {
            apiVersion: about.apiVersion,
            kind: about.kind,
            name,
            namespace,
            uid,
            resourceVersion: about.metadata.resourceVersion,
          },
          type,
          reason,
          message,
          source: { component: 'kueue' },
          reportingComponent: 'kueue',
          reportingInstance: 'kueue',
          count: 1,
          firstTimestamp: now,
          lastTimestamp: now,
        },
        { user: kueueUser },
      );
    } catch {
      // An event that cannot be written (its namespace is going) is no reason to stop working.
      return;
    }
    this.written.push({ name: eventName, namespace });
    if (this.written.length - this.count > MAX_EVENTS) this.forgetOldest();
  }

  private forgetOldest(): void {
    const { name, namespace } = this.written[this.count++];
    if (this.store.get('Event', name, namespace)) {
      this.store.delete('Event', name, namespace);
    }
    if (this.count > MAX_EVENTS) {
      this.written.splice(0, this.count);
      this.count = 0;
    }
  }
}
