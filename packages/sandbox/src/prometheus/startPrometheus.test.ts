import { MemoryStore } from '../apiserver/memoryStore';
import { KubernetesObject } from '../apiserver/objectStore';
import { servedTypes } from '../apiserver/types/servedTypes';
import { devicesAnnotation } from '../fleet/fleet';
import { ManualClock } from '../manualClock';
import { RunningPrometheus, startPrometheus } from './startPrometheus';

const START = Date.UTC(2026, 10, 30, 12);
const UTIL = 'DCGM_FI_DEV_GPU_UTIL';
const ACTIVE = 'DCGM_FI_PROF_GR_ENGINE_ACTIVE';

let clock: ManualClock;
let store: MemoryStore;
let prometheus: RunningPrometheus;

function put(object: KubernetesObject) {
  store.create(object);
  store.modify(
    object.kind,
    object.metadata.name,
    object.metadata.namespace,
    stored => {
      stored.status = object.status;
    },
    { subresource: 'status' },
  );
}

function node(name: string, product: string, devices: unknown[]) {
  put({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        'nvidia.com/gpu.product': product,
        'nvidia.com/gpu.memory': '80000',
        'nvidia.com/mig-1g.10gb.memory': '9728',
        'nvidia.com/cuda.driver-version.full': '580.1',
      },
      annotations: { [devicesAnnotation]: JSON.stringify(devices) },
    },
    spec: {},
    status: {
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [{ type: 'InternalIP', address: '10.1.0.1' }],
    },
  });
}

function pod(name: string, devices: unknown[], kind = 'batch') {
  put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'team-01',
      annotations: {
        [devicesAnnotation]: JSON.stringify(devices),
        'gpuaas.io/kind': kind,
      },
    },
    spec: {
      nodeName: 'n1',
      containers: [
        {
          name: 'main',
          image: 'registry.example.com/train:1',
          resources: { limits: { 'nvidia.com/gpu': '1' } },
        },
      ],
    },
    status: { phase: 'Running' },
  });
}

function phase(name: string, value: string) {
  store.modify(
    'Pod',
    name,
    'team-01',
    object => {
      object.status = { phase: value };
    },
    { subresource: 'status' },
  );
}

async function get(path: string, parameters: Record<string, string> = {}) {
  const response = await fetch(
    `${prometheus.url}${path}?${new URLSearchParams(parameters)}`,
  );
  return { status: response.status, body: await response.json() };
}
const instant = async (query: string, time?: number) => {
  const { body } = await get('/api/v1/query', {
    query,
    ...(time !== undefined && { time: String(time / 1000) }),
  });
  return body.data.result as Array<{
    metric: Record<string, string>;
    value: [number, string];
  }>;
};
const range = async (
  query: string,
  start: number,
  end: number,
  step: string,
) => {
  const { body } = await get('/api/v1/query_range', {
    query,
    start: String(start / 1000),
    end: String(end / 1000),
    step,
  });
  return body.data.result as Array<{
    metric: Record<string, string>;
    values: Array<[number, string]>;
  }>;
};

beforeEach(async () => {
  clock = new ManualClock(START);
  store = new MemoryStore({ types: servedTypes, clock });
  put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'team-01' },
    status: { phase: 'Active' },
  });
  node('n1', 'NVIDIA-H100-80GB-HBM3', [
    { uuid: 'GPU-a', index: 0, partitions: [], replicas: 1 },
    { uuid: 'GPU-b', index: 1, partitions: [], replicas: 4 },
  ]);
  node('n2', 'NVIDIA-A100-SXM4-80GB', [
    {
      uuid: 'GPU-m',
      index: 0,
      partitions: [
        { profile: '1g.10gb', id: 7 },
        { profile: '3g.40gb', id: 1 },
      ],
      replicas: 1,
    },
  ]);
  prometheus = await startPrometheus({ store, port: 0, clock, seed: 3 });
});
afterEach(() => prometheus.close());

describe('series', () => {
  it('carry dcgm-exporter’s labels, with pod, namespace and container while held', async () => {
    pod('train', [{ uuid: 'GPU-a', gpuIndex: 0 }]);
    clock.advance(300_000);
    const [held] = await instant(`${UTIL}{UUID="GPU-a"}`);
    expect(held.metric).toEqual({
      __name__: UTIL,
      gpu: '0',
      UUID: 'GPU-a',
      device: 'nvidia0',
      modelName: 'NVIDIA H100 80GB HBM3',
      hostname: 'n1',
      DCGM_FI_DRIVER_VERSION: '580.1',
      instance: '10.1.0.1:9400',
      job: 'nvidia-dcgm-exporter',
      pod: 'train',
      namespace: 'team-01',
      container: 'main',
    });
    expect(Number(held.value[1])).toBeGreaterThan(15);
    const [free] = await instant(`${UTIL}{UUID="GPU-b"}`);
    expect(free.metric).not.toHaveProperty('pod');
    expect(free.value[1]).toBe('0');
  });

  it('of MIG instances: profile and id, no GPU_UTIL, memory of the slice', async () => {
    expect(await instant(`${UTIL}{UUID="GPU-m"}`)).toEqual([]);
    pod(
      'infer',
      [{ uuid: 'GPU-m', gpuIndex: 0, migProfile: '1g.10gb', migId: 7 }],
      'serving',
    );
    clock.advance(60_000);
    const active = await instant(`${ACTIVE}{UUID="GPU-m"}`);
    expect(
      active.map(({ metric }) => [
        metric.GPU_I_PROFILE,
        metric.GPU_I_ID,
        metric.pod,
      ]),
    ).toEqual([
      ['1g.10gb', '7', 'infer'],
      ['3g.40gb', '1', undefined],
    ]);
    const [used] = await instant(`DCGM_FI_DEV_FB_USED{pod="infer"}`);
    const [free] = await instant(`DCGM_FI_DEV_FB_FREE{pod="infer"}`);
    expect(Number(used.value[1]) + Number(free.value[1])).toBe(9728);
    expect(active[0].metric.modelName).toBe('NVIDIA A100-SXM4-80GB');
  });

  it('of a time-sliced device: one, with only the last pod labelled', async () => {
    pod('first', [{ uuid: 'GPU-b', gpuIndex: 1, replica: 0 }]);
    clock.advance(10_000);
    pod('second', [{ uuid: 'GPU-b', gpuIndex: 1, replica: 1 }]);
    clock.advance(10_000);
    const series = await instant(`${ACTIVE}{UUID="GPU-b"}`);
    expect(series).toHaveLength(1);
    expect(series[0].metric.pod).toBe('second');
    expect(await instant(`${ACTIVE}{pod="first"}`)).toEqual([]);
  });

  it('are the same for the same seed', async () => {
    pod('train', [{ uuid: 'GPU-a' }]);
    const twin = await startPrometheus({ store, port: 0, clock, seed: 3 });
    clock.advance(120_000);
    const mine = await get('/api/v1/query', { query: ACTIVE });
    const response = await fetch(`${twin.url}/api/v1/query?query=${ACTIVE}`);
    await twin.close();
    expect(await response.json()).toEqual(mine.body);
  });

  it('power follows the work of all slices, energy only grows', async () => {
    const power = async () =>
      Number(
        (await instant('DCGM_FI_DEV_POWER_USAGE{UUID="GPU-a"}'))[0].value[1],
      );
    const idle = await power();
    pod('train', [{ uuid: 'GPU-a' }]);
    clock.advance(400_000);
    expect(idle).toBe(70);
    expect(await power()).toBeGreaterThan(150);
    const [energy] = await range(
      'DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{UUID="GPU-a",pod="train"}',
      START,
      START + 400_000,
      '10',
    );
    const values = energy.values.map(([, value]) => Number(value));
    expect([...values].sort((a, b) => a - b)).toEqual(values);
    expect(values[values.length - 1]).toBeGreaterThan(values[0]);
  });
});

describe('time', () => {
  it('a series ends with the scrape that no longer shows its pod', async () => {
    pod('train', [{ uuid: 'GPU-a' }]);
    clock.advance(7_000);
    expect(await instant(`${ACTIVE}{pod="train"}`)).toHaveLength(1);
    phase('train', 'Succeeded');
    // The pod ended at 7 s; the next scrape, at 10 s, is the first without it.
    clock.advance(2_000);
    expect(await instant(`${ACTIVE}{pod="train"}`)).toHaveLength(1);
    clock.advance(1_000);
    expect(await instant(`${ACTIVE}{pod="train"}`)).toEqual([]);
    const [past] = await range(
      `${ACTIVE}{pod="train"}`,
      START,
      START + 10_000,
      '1',
    );
    expect(past.values.map(([at]) => at - START / 1000)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  it('samples exist at scrape instants only, the present is the last of five minutes', async () => {
    clock.advance(62_000);
    const { body } = await get('/api/v1/query', {
      query: `${UTIL}{UUID="GPU-a"}[20s]`,
    });
    expect(body.data.resultType).toBe('matrix');
    expect(
      body.data.result[0].values.map(([at]: [number]) => at - START / 1000),
    ).toEqual([45, 50, 55, 60]);
    const now = START + 62_000;
    expect(await instant(`${UTIL}{UUID="GPU-a"}`, now + 297_000)).toHaveLength(
      1,
    );
    expect(await instant(`${UTIL}{UUID="GPU-a"}`, now + 299_000)).toEqual([]);
    expect(await instant(`${UTIL}{UUID="GPU-a"}`, START - 1000)).toEqual([]);
  });

  it('offset looks back', async () => {
    clock.advance(60_000);
    pod('train', [{ uuid: 'GPU-a' }]);
    clock.advance(60_000);
    expect(await instant(`${ACTIVE}{pod="train"} offset 90s`)).toEqual([]);
    const [then] = await instant(`${ACTIVE}{pod="train"} offset 30s`);
    expect(then.value[0]).toBe((START + 120_000) / 1000);
  });

  it('a node that is not ready is not scraped', async () => {
    clock.advance(10_000);
    store.modify(
      'Node',
      'n1',
      undefined,
      object => {
        object.status.conditions = [{ type: 'Ready', status: 'Unknown' }];
      },
      { subresource: 'status' },
    );
    clock.advance(5_000);
    expect(await instant(`${ACTIVE}{hostname="n1"}`)).toEqual([]);
    expect(await instant(`${ACTIVE}{hostname="n2"}`)).toHaveLength(2);
  });

  it('keeps six hours and no more', async () => {
    pod('train', [{ uuid: 'GPU-a' }]);
    clock.advance(60_000);
    store.delete('Pod', 'train', 'team-01', { gracePeriodSeconds: 0 });
    clock.advance(5 * 3_600_000);
    const query = `${ACTIVE}{pod="train"}`;
    expect(await range(query, START, START + 60_000, '5')).toHaveLength(1);
    clock.advance(2 * 3_600_000);
    expect(await range(query, START, START + 60_000, '5')).toEqual([]);
  });
});

describe('the HTTP API', () => {
  it('answers ready, build information, labels, values and series', async () => {
    const ready = await fetch(`${prometheus.url}/-/ready`);
    expect(await ready.text()).toBe('Prometheus Server is Ready.\n');
    expect((await get('/api/v1/status/buildinfo')).body.data.version).toMatch(
      /^3\./,
    );
    const labels = await get('/api/v1/labels');
    expect(labels.body.data).toContain('UUID');
    expect(labels.body.data).toContain('GPU_I_ID');
    const values = await get('/api/v1/label/hostname/values');
    expect(values.body.data).toEqual(['n1', 'n2']);
    const series = await get('/api/v1/series', {
      'match[]': `${UTIL}{hostname="n1"}`,
    });
    expect(series.body.data.map(({ UUID }: any) => UUID)).toEqual([
      'GPU-a',
      'GPU-b',
    ]);
  });

  it('takes a POST form as well', async () => {
    const response = await fetch(`${prometheus.url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: `${UTIL}{UUID="GPU-a"}` }),
    });
    const { status, data } = await response.json();
    expect([status, data.resultType, data.result.length]).toEqual([
      'success',
      'vector',
      1,
    ]);
  });

  it.each([
    ['/api/v1/query', { query: `sum(${UTIL})` }, 400, 'only plain selectors'],
    ['/api/v1/query', {}, 400, 'only plain selectors'],
    ['/api/v1/query', { query: UTIL, time: 'noon' }, 400, '"time"'],
    [
      '/api/v1/query_range',
      { query: UTIL, start: '1', end: '2', step: '0' },
      400,
      '"step"',
    ],
    [
      '/api/v1/query_range',
      { query: UTIL, end: '2', step: '1' },
      400,
      '"start"',
    ],
    [
      '/api/v1/query_range',
      { query: UTIL, start: '2', end: '1', step: '1' },
      400,
      'must not be before',
    ],
    [
      '/api/v1/query_range',
      { query: UTIL, start: '0', end: '20000', step: '1s' },
      400,
      '11,000 points',
    ],
    [
      '/api/v1/query_range',
      { query: `${UTIL}[5m]`, start: '0', end: '1', step: '1' },
      400,
      'range vector',
    ],
    ['/api/v1/series', {}, 400, 'no match[]'],
    ['/api/v1/rules', {}, 404, 'is not served'],
  ])('%s %p: %i', async (path, parameters, status, message) => {
    const answer = await get(path, parameters as Record<string, string>);
    expect(answer.status).toBe(status);
    expect(answer.body.status).toBe('error');
    expect(answer.body.error).toContain(message);
  });
});
