import { createStore } from '../apiserver/createStore';
import type { MemoryStore } from '../apiserver/memoryStore';
import type { KubernetesObject } from '../apiserver/objectStore';
import { ManualClock } from '../manualClock';
import { devicesAnnotation, startCoreControllers } from '.';

const start = Date.parse('2026-01-01T00:00:00.000Z');

describe('core controllers', () => {
  let clock: ManualClock;
  let store: MemoryStore;
  let controllers: { stop: () => void };

  beforeEach(() => {
    clock = new ManualClock(start);
    store = createStore({ clock });
    controllers = startCoreControllers(store, clock);
  });

  afterEach(() => controllers.stop());

  /** Seconds pass; what is due happens. */
  const pass = (seconds: number) => clock.advance(seconds * 1000);

  function node(name: string, gpus: number, more: object = {}) {
    store.create({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name,
        labels: { pool: 'train' },
        annotations: {
          [devicesAnnotation]: JSON.stringify(
            Array.from({ length: gpus }, (_, index) => ({
              uuid: `GPU-${name}-${index}`,
              index,
              partitions: [],
              replicas: 1,
            })),
          ),
        },
      },
      spec: more,
      status: {
        allocatable: {
          cpu: '8',
          memory: '64Gi',
          pods: '110',
          'nvidia.com/gpu': String(gpus),
        },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    });
  }

  function job(
    command: string,
    spec: object = {},
    pod: object = {},
    gpus = 1,
  ): KubernetesObject {
    return store.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'train', namespace: 'default' },
      spec: {
        ...spec,
        template: {
          spec: {
            restartPolicy: 'Never',
            ...pod,
            containers: [
              {
                name: 'main',
                image: 'x:1',
                command: ['sh', '-c', command],
                resources: { limits: { 'nvidia.com/gpu': gpus } },
              },
            ],
          },
        },
      },
    });
  }

  const theJob = () => store.get('Job', 'train', 'default')!;
  const pods = () => store.list('Pod');
  const phases = () => pods().map(pod => pod.status!.phase);
  const conditions = () =>
    Object.fromEntries(
      (theJob().status!.conditions ?? []).map(
        (one: { type: string; status: string; reason: string }) => [
          one.type,
          `${one.status}/${one.reason}`,
        ],
      ),
    );

  it('deletes a job and its pods when its time to live after the end is over', () => {
    node('n1', 4);
    job('sleep 10', { ttlSecondsAfterFinished: 30 });
    pass(15);
    expect(phases()).toEqual(['Succeeded']);
    pass(20);
    expect(pods()).toHaveLength(1);
    pass(15);
    expect(store.list('Job')).toEqual([]);
    expect(pods()).toEqual([]);
  });

  it('runs a job on a node, with its devices, to its end', () => {
    node('n1', 4);
    job('sleep 60');
    pass(0.5);
    const [bound] = pods();
    expect(bound.spec.nodeName).toBe('n1');
    expect(JSON.parse(bound.metadata.annotations![devicesAnnotation])).toEqual([
      { uuid: 'GPU-n1-0', gpuIndex: 0 },
    ]);
    expect(bound.status!.containerStatuses[0].state.waiting.reason).toBe(
      'ContainerCreating',
    );
    expect(theJob().status).toMatchObject({ active: 1, ready: 0 });
    pass(1);
    expect(phases()).toEqual(['Running']);
    expect(theJob().status).toMatchObject({
      active: 1,
      ready: 1,
      startTime: '2026-01-01T00:00:00Z',
    });
    pass(59);
    expect(phases()).toEqual(['Running']);
    pass(1);
    expect(phases()).toEqual(['Succeeded']);
    expect(pods()[0].metadata.finalizers).toBeUndefined();
    expect(conditions()).toEqual({
      SuccessCriteriaMet: 'True/CompletionsReached',
      Complete: 'True/CompletionsReached',
    });
    expect(theJob().status).toMatchObject({
      succeeded: 1,
      ready: 0,
      terminating: 0,
      completionTime: '2026-01-01T00:01:01Z',
    });
    expect(theJob().status!.active).toBeUndefined();
  });

  it('keeps parallelism, and completes an Indexed job', () => {
    node('n1', 4);
    job('sleep 10', {
      parallelism: 2,
      completions: 4,
      completionMode: 'Indexed',
    });
    pass(5);
    expect(theJob().status!.active).toBe(2);
    pass(8);
    expect(theJob().status!.completedIndexes).toBe('0,1');
    pass(11);
    expect(theJob().status).toMatchObject({
      succeeded: 4,
      completedIndexes: '0-3',
    });
    expect(conditions().Complete).toBeDefined();
  });

  it('stops pods on suspension without counting failures, and resumes', () => {
    node('n1', 4);
    job('sleep 60');
    pass(5);
    store.modify('Job', 'train', 'default', object => {
      object.spec.suspend = true;
    });
    pass(0.1);
    expect(theJob().status!.active).toBeUndefined();
    expect(theJob().status!.startTime).toBeUndefined();
    expect(theJob().status!.terminating).toBe(1);
    expect(conditions()).toEqual({ Suspended: 'True/JobSuspended' });
    pass(2);
    expect(pods()).toEqual([]);
    expect(theJob().status!.failed).toBeUndefined();
    store.modify('Job', 'train', 'default', object => {
      object.spec.suspend = false;
    });
    pass(2);
    expect(conditions()).toEqual({ Suspended: 'False/JobResumed' });
    expect(theJob().status!.startTime).toBe('2026-01-01T00:00:07Z');
    expect(phases()).toEqual(['Running']);
  });

  it('retries with growing delay up to the back-off limit', () => {
    node('n1', 4);
    job('sleep 1; exit 3', { backoffLimit: 1 });
    pass(3);
    expect(theJob().status).toMatchObject({ failed: 1 });
    expect(theJob().status!.active).toBeUndefined();
    pass(10);
    expect(theJob().status!.active).toBe(1);
    pass(5);
    expect(theJob().status!.failed).toBe(2);
    expect(conditions()).toEqual({
      FailureTarget: 'True/BackoffLimitExceeded',
      Failed: 'True/BackoffLimitExceeded',
    });
    expect(
      pods()[0].status!.containerStatuses[0].state.terminated.exitCode,
    ).toBe(3);
  });

  it('ends what runs past its deadline, waiting for the pods', () => {
    node('n1', 4);
    job('sleep infinity', { activeDeadlineSeconds: 30 });
    pass(30.5);
    expect(conditions()).toEqual({ FailureTarget: 'True/DeadlineExceeded' });
    pass(2);
    expect(conditions().Failed).toBe('True/DeadlineExceeded');
    expect(pods()).toEqual([]);
  });

  it('restarts containers in place when told to', () => {
    node('n1', 4);
    job('sleep 5; false', { backoffLimit: 2 }, { restartPolicy: 'OnFailure' });
    pass(7);
    expect(pods()[0].status!.containerStatuses[0]).toMatchObject({
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
    });
    pass(10);
    expect(phases()).toEqual(['Running']);
    pass(20);
    expect(conditions().Failed).toBe('True/BackoffLimitExceeded');
  });

  it('places pods where the least stays free, and says why one cannot be', () => {
    node('big', 8);
    node('small', 2);
    node('drained', 8, { unschedulable: true });
    node('tainted', 8, {
      taints: [{ key: 'reserved', value: 'a', effect: 'NoSchedule' }],
    });
    job('sleep infinity', { parallelism: 3, completions: 3 }, {}, 2);
    pass(1);
    expect(
      pods()
        .map(pod => pod.spec.nodeName)
        .sort(),
    ).toEqual(['big', 'big', 'small']);
    store.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'huge', namespace: 'default' },
      spec: {
        containers: [
          {
            name: 'main',
            image: 'x:1',
            resources: { limits: { 'nvidia.com/gpu': 8 } },
          },
        ],
      },
    });
    pass(1);
    const huge = store.get('Pod', 'huge', 'default')!;
    expect(huge.status!.conditions[0]).toMatchObject({
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/4 nodes are available: 1 node(s) had untolerated taint {reserved: a}, 1 node(s) were unschedulable, 2 Insufficient nvidia.com/gpu. preemption: 0/4 nodes are available: 2 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.',
    });
    store.modify('Node', 'drained', undefined, object => {
      delete object.spec.unschedulable;
    });
    pass(1);
    expect(store.get('Pod', 'huge', 'default')!.spec.nodeName).toBe('drained');
  });

  it('goes on in the middle after a restart', () => {
    node('n1', 4);
    job('sleep 60', { parallelism: 2, completions: 2 });
    pass(31);
    controllers.stop();
    store = createStore({
      clock,
      snapshot: JSON.parse(JSON.stringify(store.snapshot())),
    });
    controllers = startCoreControllers(store, clock);
    pass(10);
    expect(phases()).toEqual(['Running', 'Running']);
    const held = pods().map(pod =>
      JSON.parse(pod.metadata.annotations![devicesAnnotation]),
    );
    expect(new Set(held.flat().map(one => one.uuid)).size).toBe(2);
    pass(21);
    expect(conditions().Complete).toBeDefined();
  });

  it('counts a pod deleted by somebody as failed and replaces it', () => {
    node('n1', 4);
    job('sleep 60');
    pass(5);
    store.delete('Pod', pods()[0].metadata.name, 'default');
    pass(15);
    expect(theJob().status).toMatchObject({ failed: 1, active: 1 });
    expect(phases()).toEqual(['Running']);
  });

  describe('deletion', () => {
    beforeEach(() => {
      node('n1', 4);
      job('sleep 60');
      pass(5);
    });

    it('in the background takes the pods along afterwards', () => {
      store.delete('Job', 'train', 'default', {
        propagationPolicy: 'Background',
      });
      expect(theJob()).toBeUndefined();
      expect(pods()).toHaveLength(1);
      pass(2);
      expect(pods()).toEqual([]);
    });

    it('in the foreground waits for the pods', () => {
      store.delete('Job', 'train', 'default', {
        propagationPolicy: 'Foreground',
      });
      pass(0.5);
      expect(theJob().metadata.deletionTimestamp).toBeDefined();
      pass(2);
      expect(theJob()).toBeUndefined();
      expect(pods()).toEqual([]);
    });

    it('orphans by default: the pods run on', () => {
      store.delete('Job', 'train', 'default');
      pass(2);
      expect(theJob()).toBeUndefined();
      expect(phases()).toEqual(['Running']);
      expect(pods()[0].metadata.ownerReferences).toBeUndefined();
      pass(60);
      expect(phases()).toEqual(['Succeeded']);
    });

    it('of the node takes its pods', () => {
      store.delete('Node', 'n1');
      pass(1);
      expect(pods().every(pod => !pod.spec.nodeName)).toBe(true);
    });

    it('of the namespace empties it', () => {
      store.delete('Namespace', 'default');
      expect(store.get('Namespace', 'default')!.status!.phase).toBe(
        'Terminating',
      );
      pass(5);
      expect(store.get('Namespace', 'default')).toBeUndefined();
      expect(pods()).toEqual([]);
    });
  });
});
