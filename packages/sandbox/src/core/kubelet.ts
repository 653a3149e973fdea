/* eslint-disable @typescript-eslint/no-explicit-any */
import type { KubernetesObject, ObjectStore } from '../apiserver/objectStore';
import { keyOf } from '../apiserver/collection';
import { type Clock, stamp } from '../clock';
import { runOf } from './command';
import { hasEnded, setCondition } from './podState';
import { WorkQueue } from './workQueue';

export interface KubeletOptions {
  /** How much faster than real commands run: 60 makes a minute a second. Default 1. */
  timeScale?: number;
  /** From binding to Running, at time scale 1; default 1,000. */
  startMilliseconds?: number;
  /** From deletion to gone, at time scale 1 and within the grace period; default 1,000. */
  stopMilliseconds?: number;
}

const user = 'system:node';
/** Exit code of a process ended by SIGTERM. */
const terminatedCode = 143;
/** Restart delays of a failing container: 10 s doubling to 5 min, as the kubelet has them. */
const crashDelay = (restarts: number) =>
  Math.min(10_000 * 2 ** Math.max(0, restarts - 1), 300_000);

function podIp(pod: KubernetesObject): string {
  const digits = pod.metadata.uid!.replace(/[^0-9a-f]/g, '');
  const octet = (at: number) => parseInt(digits.slice(at, at + 2), 16);
  return `10.${128 + (octet(0) % 4)}.${octet(2)}.${1 + (octet(4) % 254)}`;
}

function containerId(pod: KubernetesObject, name: string, restart: number) {
  return `cri-o://${pod.metadata.uid!.replace(/-/g, '')}${Buffer.from(
    `${name}${restart}`,
  ).toString('hex')}`.slice(0, 72);
}

/**
 * Runs the pods bound to nodes, all nodes at once: Pending with
 * ContainerCreating, then Running and Ready, then what `runOf` says of the
 * command. Where a pod stands is read from its status, so that a restart goes
 * on in the middle.
 */
export function startKubelet(
  store: ObjectStore,
  clock: Clock,
  options: KubeletOptions = {},
): { stop: () => void } {
  const scale = options.timeScale ?? 1;
  const startDelay = (options.startMilliseconds ?? 1000) / scale;
  const stopDelay = (options.stopMilliseconds ?? 1000) / scale;
  const alarmed = new Set<string>();
  const changes = new WorkQueue('kubelet', clock, key => {
    const pod = podOf(key);
    if (pod?.spec.nodeName) {
      sync(pod, key);
    }
  });
  // What is to happen next to a pod happens when its alarm goes off, not when
  // the clock says so: a clock that is set must not end or prolong runs.
  const alarms = new WorkQueue('kubelet', clock, key => {
    alarmed.delete(key);
    const pod = podOf(key);
    if (pod) {
      step(pod, key);
    }
  });
  const started = new Map<string, number>();
  const stopping = new Set<string>();

  const stopPods = store.watch(
    'Pod',
    ({ type, object }) => {
      const key = keyOf(object);
      if (type === 'DELETED') {
        alarms.cancelDelay(key);
        alarmed.delete(key);
        started.delete(key);
        stopping.delete(key);
      } else if (object.spec.nodeName) {
        changes.add(key);
      }
    },
    { replay: true },
  );
  const stopNodes = store.watch('Node', ({ type, object }) => {
    if (type === 'DELETED') {
      // Nobody is left to end these pods in order.
      store
        .list('Pod')
        .filter(pod => pod.spec.nodeName === object.metadata.name)
        .forEach(({ metadata }) =>
          store.delete('Pod', metadata.name, metadata.namespace, {
            gracePeriodSeconds: 0,
          }),
        );
    }
  });

  const now = () => clock.now().getTime();

  function write(
    pod: KubernetesObject,
    change: (object: KubernetesObject) => void,
  ): void {
    const { name, namespace } = pod.metadata;
    store.modify('Pod', name, namespace, change, {
      user,
      subresource: 'status',
    });
  }

  function podOf(key: string): KubernetesObject | undefined {
    const slash = key.indexOf('/');
    return store.get('Pod', key.slice(slash + 1), key.slice(0, slash));
  }

  function wake(key: string, milliseconds: number): void {
    alarmed.add(key);
    alarms.addAfter(key, milliseconds);
  }

  function sync(pod: KubernetesObject, key: string): void {
    const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
    if (deletionTimestamp && deletionGracePeriodSeconds === 0) {
      terminate(pod);
    } else if (deletionTimestamp) {
      if (!stopping.has(key)) {
        stopping.add(key);
        const grace = ((deletionGracePeriodSeconds ?? 0) * 1000) / scale;
        wake(key, Math.min(stopDelay, grace));
      }
    } else if (!hasEnded(pod)) {
      if (!pod.status?.containerStatuses) {
        prepare(pod);
      } else if (!alarmed.has(key)) {
        const wait = untilNext(pod, key);
        if (wait !== Infinity) {
          wake(key, wait);
        }
      }
    }
  }

  function step(pod: KubernetesObject, key: string): void {
    if (pod.metadata.deletionTimestamp) {
      terminate(pod);
    } else if (!hasEnded(pod)) {
      const statuses: any[] = pod.status!.containerStatuses;
      if (statuses.some(one => one.state.waiting)) {
        started.set(key, now());
        run(pod);
      } else {
        finish(pod);
      }
    }
  }

  function prepare(pod: KubernetesObject): void {
    const at = stamp(clock.now());
    write(pod, object => {
      object.status.startTime = at;
      object.status.hostIP = hostIp(pod);
      setCondition(object, { type: 'Initialized', status: 'True' }, at);
      for (const type of ['Ready', 'ContainersReady'] as const) {
        setCondition(
          object,
          {
            type,
            status: 'False',
            reason: 'ContainersNotReady',
            message: `containers with unready status: [${pod.spec.containers
              .map((one: any) => one.name)
              .join(' ')}]`,
          },
          at,
        );
      }
      object.status.containerStatuses = pod.spec.containers.map((one: any) => ({
        name: one.name,
        image: one.image,
        imageID: '',
        ready: false,
        started: false,
        restartCount: 0,
        state: { waiting: { reason: 'ContainerCreating' } },
        lastState: {},
      }));
    });
  }

  function hostIp(pod: KubernetesObject): string | undefined {
    return store
      .get('Node', pod.spec.nodeName)
      ?.status?.addresses?.find((one: any) => one.type === 'InternalIP')
      ?.address;
  }

  /** Milliseconds until the next thing happens to a pod; Infinity when nothing will. */
  function untilNext(pod: KubernetesObject, key: string): number {
    const statuses: any[] = pod.status!.containerStatuses;
    const waiting = statuses.find(one => one.state.waiting);
    if (waiting) {
      return waiting.restartCount
        ? crashDelay(waiting.restartCount) / scale
        : startDelay;
    }
    const ends = statuses.map((one, index) => {
      const { seconds } = runOf(pod.spec.containers[index]);
      // The stamp is rounded down; it serves when we did not start the pod.
      const start =
        started.get(key) ?? Date.parse(one.state.running?.startedAt);
      return start + (seconds * 1000) / scale;
    });
    return Math.max(...ends) - now();
  }

  function run(pod: KubernetesObject): void {
    const at = stamp(clock.now());
    write(pod, object => {
      const ip = podIp(pod);
      object.status.phase = 'Running';
      object.status.podIP = ip;
      object.status.podIPs = [{ ip }];
      for (const type of [
        'PodReadyToStartContainers',
        'Ready',
        'ContainersReady',
      ]) {
        setCondition(object, { type, status: 'True' }, at);
      }
      for (const status of object.status.containerStatuses) {
        if (status.state.waiting) {
          Object.assign(status, {
            ready: true,
            started: true,
            imageID: status.image,
            containerID: containerId(pod, status.name, status.restartCount),
            state: { running: { startedAt: at } },
          });
        }
      }
    });
  }

  function finish(pod: KubernetesObject): void {
    const codes: number[] = pod.spec.containers.map(
      (one: any) => runOf(one).exitCode,
    );
    const failed = codes.some(code => code !== 0);
    const policy = pod.spec.restartPolicy;
    const restarts = policy === 'Always' || (policy === 'OnFailure' && failed);
    if (restarts) {
      restart(pod, codes);
    } else {
      end(pod, codes, failed ? 'Failed' : 'Succeeded');
    }
  }

  function terminated(status: any, exitCode: number, at: string) {
    return {
      containerID: status.containerID,
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: status.state.running?.startedAt ?? at,
      finishedAt: at,
    };
  }

  function restart(pod: KubernetesObject, codes: number[]): void {
    const at = stamp(clock.now());
    write(pod, object => {
      object.status.containerStatuses.forEach((status: any, index: number) => {
        status.lastState = { terminated: terminated(status, codes[index], at) };
        status.restartCount += 1;
        status.ready = false;
        status.started = false;
        status.state = { waiting: { reason: 'CrashLoopBackOff' } };
      });
      notReady(object, 'ContainersNotReady', at);
    });
  }

  function end(
    pod: KubernetesObject,
    codes: number[],
    phase: 'Succeeded' | 'Failed',
  ): void {
    const at = stamp(clock.now());
    write(pod, object => {
      object.status.phase = phase;
      (object.status.containerStatuses ?? []).forEach(
        (status: any, index: number) => {
          status.state = {
            terminated: terminated(status, codes[index], at),
          };
          status.ready = false;
          status.started = false;
        },
      );
      notReady(
        object,
        phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed',
        at,
      );
    });
  }

  function notReady(object: KubernetesObject, reason: string, at: string) {
    for (const type of ['Ready', 'ContainersReady']) {
      setCondition(object, { type, status: 'False', reason }, at);
    }
  }

  function terminate(pod: KubernetesObject): void {
    const { name, namespace, deletionGracePeriodSeconds } = pod.metadata;
    if (!hasEnded(pod)) {
      end(
        pod,
        pod.spec.containers.map(() => terminatedCode),
        'Failed',
      );
    }
    if (deletionGracePeriodSeconds) {
      store.delete('Pod', name, namespace, { user, gracePeriodSeconds: 0 });
    }
  }

  return {
    stop() {
      stopPods();
      stopNodes();
      changes.stop();
      alarms.stop();
    },
  };
}
