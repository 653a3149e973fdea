import { gpuPodOf } from './podFacts';
import { ADMITTED, CREATED, FINISHED, gpuPod } from './__testUtils__/objects';

describe('gpuPodOf', () => {
  it('takes placement, queue and devices from a pod', () => {
    expect(gpuPodOf('spoke-a', gpuPod('1', 'node-1'))).toEqual({
      cluster: 'spoke-a',
      uid: 'pod-1',
      namespace: 'team-07',
      name: 'job-1-abcde',
      node: 'node-1',
      phase: 'Running',
      workload: 'job-job-1-12345',
      owner: undefined,
      queue: 'gpu',
      clusterQueue: 'team-07',
      gpus: { 'nvidia.com/gpu': 2 },
      createdAt: ADMITTED,
      scheduledAt: ADMITTED,
      readyAt: undefined,
      finishedAt: undefined,
      deletionTimestamp: undefined,
    });
  });

  it('knows a pod outside Kueue', () => {
    const pod = gpuPod('1', 'node-1');
    pod.metadata.annotations = {};
    pod.metadata.labels = {};
    expect(gpuPodOf('spoke-a', pod)).toMatchObject({
      workload: undefined,
      queue: undefined,
    });
  });

  it('ignores pods without a GPU', () => {
    const pod = gpuPod('1');
    pod.spec.containers[0].resources.requests = { cpu: '1' };
    expect(gpuPodOf('spoke-a', pod)).toBeUndefined();
    pod.spec.containers[0].resources.requests = { 'nvidia.com/gpu': '0' };
    expect(gpuPodOf('spoke-a', pod)).toBeUndefined();
  });

  it('keeps the first moment of readiness once it is gone, and the last end of all containers', () => {
    const pod = gpuPod('1', 'node-1');
    pod.status.conditions.push({
      type: 'Ready',
      status: 'True',
      lastTransitionTime: CREATED,
    });
    const ready = gpuPodOf('spoke-a', pod)!;
    expect(ready.readyAt).toBe(CREATED);
    pod.status.conditions.pop();
    pod.status.phase = 'Succeeded';
    pod.status.containerStatuses = [
      { state: { terminated: { finishedAt: ADMITTED } } },
      { state: { terminated: { finishedAt: FINISHED } } },
    ];
    expect(gpuPodOf('spoke-a', pod, ready)).toMatchObject({
      readyAt: CREATED,
      finishedAt: FINISHED,
    });
    pod.status.containerStatuses.push({ state: {} });
    expect(gpuPodOf('spoke-a', pod, ready)?.finishedAt).toBeUndefined();
  });
});
