import { KueueContainer, KueuePodSpec } from './kueueObjects';
import { toEngineUnits } from './resourceUnits';

/** Resources a pod can ask for as a whole (KEP-2837). */
const POD_LEVEL = /^(cpu|memory|hugepages-.+)$/;

/**
 * What one pod asks for: the sum of its containers and sidecars or the
 * largest of its init steps, whichever is more, unless the pod itself says
 * how much; and overhead. Limits stand in for requests that are not set.
 *
 * @public
 */
export function podRequests(pod: KueuePodSpec): Record<string, number> {
  const total: Record<string, number> = {};
  (pod.containers ?? []).forEach(each => add(total, containerRequests(each)));
  const sidecars: Record<string, number> = {};
  const initial: Record<string, number> = {};
  for (const each of pod.initContainers ?? []) {
    const requests = containerRequests(each);
    if (each.restartPolicy === 'Always') {
      add(total, requests);
      add(sidecars, requests);
      raise(initial, sidecars);
    } else {
      const step = { ...sidecars };
      add(step, requests);
      raise(initial, step);
    }
  }
  raise(total, initial);
  Object.assign(total, podLevelRequests(pod));
  add(total, units(pod.overhead ?? {}));
  return total;
}

/** What is asked for the pod as a whole takes the place of what its containers ask for. */
function podLevelRequests({ resources }: KueuePodSpec): Record<string, number> {
  const all = units({ ...resources?.limits, ...resources?.requests });
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => POD_LEVEL.test(name)),
  );
}

function containerRequests({
  resources,
}: KueueContainer): Record<string, number> {
  return units({ ...resources?.limits, ...resources?.requests });
}

function units(
  quantities: Record<string, string | number>,
): Record<string, number> {
  return Object.fromEntries(
    Object.entries(quantities).map(([resource, quantity]) => [
      resource,
      toEngineUnits(resource, quantity),
    ]),
  );
}

function add(into: Record<string, number>, more: Record<string, number>) {
  for (const [key, value] of Object.entries(more)) {
    into[key] = (into[key] ?? 0) + value;
  }
}

function raise(into: Record<string, number>, other: Record<string, number>) {
  for (const [key, value] of Object.entries(other)) {
    into[key] = Math.max(into[key] ?? 0, value);
  }
}
