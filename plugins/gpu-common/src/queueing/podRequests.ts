import { KueueContainer, KueuePodSpec } from './kueueObjects';
import { toEngineUnits } from './resourceUnits';

/**
 * What one pod asks for: the sum of its containers and sidecars or the
 * largest of its init steps, whichever is more, and overhead. Limits stand in
 * for requests that are not set.
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
  add(total, units(pod.overhead ?? {}));
  return total;
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
