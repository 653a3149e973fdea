import { KueueObjects } from './kueueObjects';
import { QueueingEngine } from './queueingEngine';
import {
  isStopped,
  readClusterQueue,
  readCohort,
  readResourceFlavor,
} from './readQueues';
import { canBeAdmitted, heldAdmission, readWorkload } from './readWorkloads';

/**
 * An engine that stands where a cluster stands: its quota, what holds it, and
 * what waits. Left out are Workloads that cannot be admitted for reasons of
 * their own: finished, deactivated, gated, evicted and backing off, or with a
 * LocalQueue that is missing or stopped.
 *
 * @throws InputError when a quantity cannot be read.
 * @public
 */
export function fromKueueObjects(objects: KueueObjects): QueueingEngine {
  const engine = new QueueingEngine({
    resourceFlavors: objects.resourceFlavors.map(readResourceFlavor),
    cohorts: (objects.cohorts ?? []).map(readCohort),
    clusterQueues: objects.clusterQueues.map(readClusterQueue),
  });
  const localQueues = new Map(
    (objects.localQueues ?? []).map(queue => [
      `${queue.metadata.namespace}/${queue.metadata.name}`,
      queue,
    ]),
  );
  for (const workload of objects.workloads ?? []) {
    const { namespace = '' } = workload.metadata;
    const admission = heldAdmission(workload);
    if (admission) {
      engine.addAdmitted(
        readWorkload(workload, workload.status?.admission?.clusterQueue ?? ''),
        admission,
      );
      continue;
    }
    const queue = localQueues.get(`${namespace}/${workload.spec.queueName}`);
    if (
      !queue ||
      isStopped(queue.spec.stopPolicy) ||
      !canBeAdmitted(workload)
    ) {
      continue;
    }
    engine.add(
      readWorkload(
        workload,
        queue.spec.clusterQueue,
        objects.namespaceLabels?.[namespace],
      ),
    );
  }
  return engine;
}
