import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyPorts, portsFrom } from './ports';
import { Sandbox, startSandbox } from './sandbox';
import { clusterTokens } from './sandboxAccounts';

jest.setTimeout(60_000);

const gpuJob = (name: string, seconds: number) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: {
    name,
    namespace: 'team-07',
    labels: { 'kueue.x-k8s.io/queue-name': 'gpu' },
  },
  spec: {
    backoffLimit: 0,
    template: {
      spec: {
        restartPolicy: 'Never',
        nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' },
        containers: [
          {
            name: 'main',
            image: 'registry.example.com/train:1',
            command: ['sleep', String(seconds)],
            resources: {
              requests: { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': '2' },
              limits: { cpu: '4', memory: '16Gi', 'nvidia.com/gpu': '2' },
            },
          },
        ],
      },
    },
  },
});

describe('the whole sandbox', () => {
  let folder: string;
  let sandbox: Sandbox;
  const start = () =>
    startSandbox({
      dataDir: folder,
      ports: anyPorts,
      backgroundLoad: false,
      timeScale: 10,
    });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-test-'));
    sandbox = await start();
  });
  afterEach(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true, force: true });
  });

  const forge = async (
    method: string,
    path: string,
    login: string,
    body?: object,
  ) => {
    const response = await fetch(
      `${sandbox.forge.url}/api/v1/repos/platform/gpu-fleet/${path}`,
      {
        method,
        headers: { authorization: `token sandbox-${login}` },
        body: body && JSON.stringify(body),
      },
    );
    const text = await response.text();
    return text ? JSON.parse(text) : undefined;
  };

  const request = async (name: string, manifest: object) => {
    await forge('POST', 'contents', 'developer-hub', {
      branch: 'main',
      new_branch: `request/${name}`,
      files: [
        {
          operation: 'create',
          path: `clusters/spoke-a/team-07/${name}.yaml`,
          content: Buffer.from(JSON.stringify(manifest)).toString('base64'),
        },
      ],
    });
    const pull = await forge('POST', 'pulls', 'developer-hub', {
      head: `request/${name}`,
      base: 'main',
      title: `Run ${name}`,
    });
    await forge('POST', `pulls/${pull.number}/merge`, 'pavel', { Do: 'merge' });
    return forge('GET', `pulls/${pull.number}`, 'developer-hub');
  };

  /** Waits until an object of a store is as wanted. */
  const objectWhere = (
    cluster: 'hub' | 'spoke-a',
    kind: string,
    holds: (object: any) => unknown,
  ) =>
    new Promise<any>(resolve => {
      const { store } = sandbox.clusters[cluster];
      let stop = () => {};
      let found = false;
      stop = store.watch(
        kind,
        ({ object }) => {
          if (!found && holds(object)) {
            found = true;
            resolve(object);
            setImmediate(() => stop());
          }
        },
        { replay: true },
      );
    });

  const conditionOf = (object: any, type: string) =>
    object.status?.conditions?.find(
      (condition: any) =>
        condition.type === type && condition.status === 'True',
    );

  it('brings a merged request to a GPU and to its end', async () => {
    const pull = await request('train-1', gpuJob('train-1', 5));
    const job = await objectWhere(
      'spoke-a',
      'Job',
      object =>
        object.metadata.name === 'train-1' && conditionOf(object, 'Complete'),
    );
    const workload = await objectWhere(
      'spoke-a',
      'Workload',
      object =>
        object.metadata.namespace === 'team-07' &&
        conditionOf(object, 'Finished'),
    );
    const pod = sandbox.clusters['spoke-a'].store
      .list('Pod', { namespace: 'team-07' })
      .at(-1)!;
    expect(pod.spec.nodeName).toMatch(/^spoke-a-h100-\d\d$/);
    const app = await objectWhere(
      'hub',
      'Application',
      ({ metadata, status }) =>
        metadata.name === 'spoke-a-team-07' &&
        status?.operationState?.phase === 'Succeeded' &&
        status.health.status === 'Healthy',
    );
    expect(app.status.sync).toMatchObject({
      status: 'Synced',
      revision: pull.merge_commit_sha,
    });
    const stamps = [
      pull.merged_at,
      app.status.history[0].deployStartedAt,
      workload.metadata.creationTimestamp,
      conditionOf(workload, 'Admitted').lastTransitionTime,
      pod.status.startTime,
      job.status.completionTime,
      conditionOf(workload, 'Finished').lastTransitionTime,
    ];
    expect(stamps).toEqual([...stamps].sort());
  });

  it('gives the portal the rights of deploy/rbac and no more', async () => {
    const call = async (token: string, method: string, path: string) =>
      (
        await fetch(`${sandbox.clusters['spoke-a'].url}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}` },
        })
      ).status;
    const { portal, admin } = clusterTokens;
    const jobs = '/apis/batch/v1/namespaces/team-07/jobs';
    expect(await call(portal, 'GET', jobs)).toBe(200);
    expect(await call(portal, 'DELETE', `${jobs}/x`)).toBe(403);
    expect(await call(portal, 'GET', '/api/v1/secrets')).toBe(403);
    expect(await call(admin, 'GET', '/api/v1/secrets')).not.toBe(403);
  });

  it('is the same after a restart, and runs nothing twice', async () => {
    await request('once', gpuJob('once', 1));
    const done = await objectWhere(
      'spoke-a',
      'Job',
      object =>
        object.metadata.name === 'once' && conditionOf(object, 'Complete'),
    );
    await sandbox.close();
    sandbox = await start();
    await request('next', gpuJob('next', 1));
    await objectWhere(
      'spoke-a',
      'Job',
      object =>
        object.metadata.name === 'next' && conditionOf(object, 'Complete'),
    );
    const again = sandbox.clusters['spoke-a'].store.get(
      'Job',
      'once',
      'team-07',
    )!;
    expect(again.metadata.uid).toBe(done.metadata.uid);
    expect(again.status).toEqual(done.status);
    const pulls = await forge('GET', 'pulls?state=closed', 'developer-hub');
    expect(pulls).toHaveLength(2);
  });

  it('says which port is taken, and leaves nothing running', async () => {
    const taken = Number(new URL(sandbox.forge.url).port);
    await expect(
      startSandbox({ ports: { ...anyPorts, forge: taken } }),
    ).rejects.toThrow(
      `Port ${taken} (forge) is in use: stop what listens there, perhaps another sandbox, or choose another block with --port-base, for instance --port-base 8400.`,
    );
    expect(portsFrom(7400)).toMatchObject({ hub: 7410, forge: 7420 });
  });
});
