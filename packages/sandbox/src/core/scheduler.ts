import type { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { keyOf } from '../apiserver/collection';
import { type Clock, stamp } from '../clock';
import { devicesAnnotation, type HeldDevice } from './devices';
import { refusalOf } from './nodeFilter';
import { NodeUsage } from './nodeUsage';
import { type Amounts, requestsOf } from './podRequests';
import { hasEnded, setCondition } from './podState';
import { WorkQueue } from './workQueue';

const user = 'system:kube-scheduler';

interface Placed {
  node: string;
  requests: Amounts;
}

function isWaiting(pod: KubernetesObject): boolean {
  return (
    !pod.spec.nodeName &&
    !hasEnded(pod) &&
    !pod.metadata.deletionTimestamp &&
    !pod.spec.schedulingGates?.length
  );
}

function heldBy(pod: KubernetesObject): HeldDevice[] {
  const annotation = pod.metadata.annotations?.[devicesAnnotation];
  return annotation ? JSON.parse(annotation) : [];
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) …. preemption: …` */
function unschedulableMessage(
  nodes: number,
  reasons: ReadonlyMap<string, number>,
  solvable: number,
): string {
  const listed = (counts: Iterable<[string, number]>) =>
    [...counts]
      .map(([reason, count]) => `${count} ${reason}`)
      .sort()
      .join(', ');
  if (nodes === 0) {
    return 'no nodes available to schedule pods';
  }
  const available = `0/${nodes} nodes are available`;
  const preemption: Array<[string, number]> = [
    ['No preemption victims found for incoming pod', solvable],
    ['Preemption is not helpful for scheduling', nodes - solvable],
  ];
  return `${available}: ${listed(reasons)}. preemption: ${available}: ${listed(
    preemption.filter(([, count]) => count > 0),
  )}.`;
}

/**
 * Puts waiting pods on nodes: kube-scheduler's filters for drained nodes,
 * taints, selectors, affinity and resources, then the node with the least left
 * of what the pod asks, so that large gaps stay. With the binding it notes
 * which devices the pod holds (annotation `sandbox.gpuaas.io/devices`), in the
 * kubelet's stead.
 */
export function startScheduler(
  store: ObjectStore,
  clock: Clock,
): { stop: () => void } {
  const usage = new Map<string, NodeUsage>();
  const placed = new Map<string, Placed>();
  const waiting = new Set<string>();
  const pass = new WorkQueue('scheduler', clock, schedule);
  const again = () => {
    if (waiting.size > 0) {
      pass.add('pass');
    }
  };

  const forget = (key: string) => {
    waiting.delete(key);
    const old = placed.get(key);
    if (old) {
      usage.get(old.node)?.remove(key, old.requests);
      placed.delete(key);
      again();
    }
  };

  const stopNodes = store.watch(
    'Node',
    ({ type, object }) => {
      const { name } = object.metadata;
      const known = usage.get(name);
      if (type === 'DELETED') {
        usage.delete(name);
      } else if (known) {
        known.refresh(object);
      } else {
        const fresh = new NodeUsage(object);
        usage.set(name, fresh);
        for (const pod of store.list('Pod')) {
          const key = keyOf(pod);
          const old = placed.get(key);
          if (old?.node === name) {
            fresh.add(key, old.requests, heldBy(pod));
          }
        }
      }
      again();
    },
    { replay: true },
  );

  const stopPods = store.watch(
    'Pod',
    ({ type, object: pod }) => {
      const key = keyOf(pod);
      if (type === 'DELETED' || hasEnded(pod)) {
        forget(key);
      } else if (isWaiting(pod)) {
        waiting.add(key);
        again();
      } else {
        waiting.delete(key);
        if (pod.spec.nodeName && !placed.has(key)) {
          const requests = requestsOf(pod);
          placed.set(key, { node: pod.spec.nodeName, requests });
          usage.get(pod.spec.nodeName)?.add(key, requests, heldBy(pod));
        }
      }
    },
    { replay: true },
  );

  function schedule(): void {
    const pods = [...waiting]
      .map(key => {
        const slash = key.indexOf('/');
        return store.get('Pod', key.slice(slash + 1), key.slice(0, slash));
      })
      .filter((pod): pod is KubernetesObject => !!pod && isWaiting(pod))
      .sort(
        (a, b) =>
          (b.spec.priority ?? 0) - (a.spec.priority ?? 0) ||
          a.metadata.creationTimestamp!.localeCompare(
            b.metadata.creationTimestamp!,
          ),
      );
    // Pods of one shape fail alike; nothing becomes free during a pass.
    const failed = new Map<string, string>();
    for (const pod of pods) {
      const shape = JSON.stringify([
        requestsOf(pod),
        pod.spec.nodeSelector,
        pod.spec.tolerations,
        pod.spec.affinity,
        pod.spec.volumes,
        pod.metadata.namespace,
      ]);
      const message = failed.get(shape) ?? place(pod);
      if (message) {
        failed.set(shape, message);
        reportUnschedulable(pod, message);
      }
    }
  }

  /** Binds the pod, or says why it cannot be. */
  function place(pod: KubernetesObject): string | undefined {
    const missing = missingClaim(pod);
    if (missing) {
      return `0/${usage.size} nodes are available: persistentvolumeclaim "${missing}" not found. preemption: 0/${usage.size} nodes are available: ${usage.size} Preemption is not helpful for scheduling.`;
    }
    const requests = requestsOf(pod);
    const gpus = Object.keys(requests).filter(
      resource => resource.includes('/') && requests[resource] > 0,
    );
    const reasons = new Map<string, number>();
    const count = (reason: string) =>
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    let solvable = 0;
    let best: { node: NodeUsage; left: number; cpu: number } | undefined;
    for (const node of usage.values()) {
      const refusal = refusalOf(pod, node.node);
      const lacking = refusal ? [] : node.insufficient(requests);
      if (refusal) {
        count(refusal);
      } else if (lacking.length > 0) {
        lacking.forEach(count);
        solvable += 1;
      } else {
        const left = gpus.reduce((sum, one) => sum + node.free(one), 0);
        const cpu = node.free('cpu');
        if (
          !best ||
          left < best.left ||
          (left === best.left && cpu < best.cpu)
        ) {
          best = { node, left, cpu };
        }
      }
    }
    const held = best?.node.pickDevices(requests);
    if (!best || !held) {
      return unschedulableMessage(usage.size, reasons, solvable);
    }
    bind(pod, best.node.node.metadata.name, held);
    return undefined;
  }

  function missingClaim(pod: KubernetesObject): string | undefined {
    const claims: string[] = (pod.spec.volumes ?? [])
      .map(
        (volume: { persistentVolumeClaim?: { claimName: string } }) =>
          volume.persistentVolumeClaim?.claimName,
      )
      .filter(Boolean);
    return claims.find(
      name => !store.get('PersistentVolumeClaim', name, pod.metadata.namespace),
    );
  }

  function bind(pod: KubernetesObject, node: string, held: HeldDevice[]): void {
    const { name, namespace } = pod.metadata;
    const key = keyOf(pod);
    // Counted here and now: the event comes after the next pod is placed when a watcher wrote.
    waiting.delete(key);
    placed.set(key, { node, requests: requestsOf(pod) });
    usage.get(node)!.add(key, requestsOf(pod), held);
    store.modify(
      'Pod',
      name,
      namespace,
      object => {
        object.spec.nodeName = node;
        if (held.length > 0) {
          object.metadata.annotations = {
            ...object.metadata.annotations,
            [devicesAnnotation]: JSON.stringify(held),
          };
        }
      },
      { user },
    );
    store.modify(
      'Pod',
      name,
      namespace,
      object => {
        setCondition(
          object,
          { type: 'PodScheduled', status: 'True' },
          stamp(clock.now()),
          { lastProbeTime: null },
        );
      },
      { user, subresource: 'status' },
    );
  }

  function reportUnschedulable(pod: KubernetesObject, message: string): void {
    store.modify(
      'Pod',
      pod.metadata.name,
      pod.metadata.namespace,
      object =>
        setCondition(
          object,
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'Unschedulable',
            message,
          },
          stamp(clock.now()),
          { lastProbeTime: null },
        )
          ? undefined
          : false,
      { user, subresource: 'status' },
    );
  }

  return {
    stop() {
      stopNodes();
      stopPods();
      pass.stop();
    },
  };
}
