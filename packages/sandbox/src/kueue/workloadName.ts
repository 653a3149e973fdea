import { createHash } from 'node:crypto';
import { KubernetesObject } from '../apiserver/objectStore';

const MAX_LENGTH = 253;
const HASH_LENGTH = 5;

/** `job-<job>-<5 hex>`: the same for the same Job, also after its Workload was deleted. */
export function workloadName(job: KubernetesObject): string {
  const { name, uid } = job.metadata;
  const hash = createHash('sha1')
    .update(['Job', 'batch', name, uid].join('\n'))
    .digest('hex')
    .slice(0, HASH_LENGTH);
  const stem = `job-${name}`.slice(0, MAX_LENGTH - HASH_LENGTH - 1);
  return `${stem}-${hash}`;
}
