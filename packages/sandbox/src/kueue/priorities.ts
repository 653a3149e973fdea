import { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { priorityClassLabel } from './names';
import { Priority } from './workloadOfJob';

/**
 * Priority of a Job: of the WorkloadPriorityClass its label names, else of its
 * pods' PriorityClass, else 0. Undefined: the class it names does not exist.
 */
export function priorityOf(
  store: ObjectStore,
  job: KubernetesObject,
): Priority | undefined {
  const name = job.metadata.labels?.[priorityClassLabel];
  if (name) {
    const found = store.get('WorkloadPriorityClass', name);
    return found && asPriority(found, 'kueue.x-k8s.io');
  }
  const podClass = job.spec.template?.spec?.priorityClassName;
  if (podClass) {
    const found = store.get('PriorityClass', podClass);
    return found && asPriority(found, 'scheduling.k8s.io');
  }
  return { value: 0 };
}

function asPriority(found: KubernetesObject, group: string): Priority {
  return {
    value: found.value ?? 0,
    ref: { group, kind: found.kind, name: found.metadata.name },
  };
}
