import type { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import type { Clock } from '../clock';
import { conditionOf } from './podState';
import { WorkQueue } from './workQueue';

const user = 'system:serviceaccount:kube-system:ttl-after-finished-controller';

/** When a Job's time to live is over, in milliseconds since 1970; undefined: it has not ended, or lives on. */
function expiryOf(job: KubernetesObject): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  const end = ['Complete', 'Failed']
    .map(type => conditionOf(job, type))
    .find(condition => condition?.status === 'True');
  return ttlSecondsAfterFinished === undefined || !end
    ? undefined
    : Date.parse(end.lastTransitionTime) + ttlSecondsAfterFinished * 1000;
}

/** Deletes Jobs `ttlSecondsAfterFinished` after their end, in the foreground as upstream does. */
export function startTtlController(
  store: ObjectStore,
  clock: Clock,
): { stop: () => void } {
  const queue = new WorkQueue('TTL controller', clock, sync);
  const stopJobs = store.watch(
    'Job',
    ({ type, object }) => {
      const key = `${object.metadata.namespace}/${object.metadata.name}`;
      if (type === 'DELETED') queue.cancelDelay(key);
      else if (expiryOf(object) !== undefined) queue.add(key);
    },
    { replay: true },
  );

  function sync(key: string): void {
    const [namespace, name] = key.split('/');
    const job = store.get('Job', name, namespace);
    const expiry = job && expiryOf(job);
    if (!job || expiry === undefined || job.metadata.deletionTimestamp) return;
    const left = expiry - clock.now().getTime();
    if (left > 0) {
      queue.addAfter(key, left);
      return;
    }
    store.delete('Job', name, namespace, {
      user,
      propagationPolicy: 'Foreground',
      preconditions: { uid: job.metadata.uid },
    });
  }

  return {
    stop() {
      stopJobs();
      queue.stop();
    },
  };
}
