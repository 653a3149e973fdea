/* eslint-disable @typescript-eslint/no-explicit-any */
import {
  BatchV1Api,
  CustomObjectsApi,
  PatchStrategy,
  setHeaderOptions,
  type V1Job,
} from '@kubernetes/client-node';
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { refusal, TestNamespace } from './testNamespace';

const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const json = setHeaderOptions('Content-Type', PatchStrategy.JsonPatch);
const strategic = setHeaderOptions(
  'Content-Type',
  PatchStrategy.StrategicMergePatch,
);

function job(name: string, spec: object = {}, resources: object = {}): V1Job {
  return {
    metadata: { name },
    spec: {
      suspend: true,
      ...spec,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            { name: 'main', image: 'busybox:1', command: ['true'], resources },
          ],
        },
      },
    },
  };
}

describe.each(worlds())('$name: writes', world => {
  let running: RunningWorld;
  let namespace: TestNamespace;
  let batch: BatchV1Api;
  let custom: CustomObjectsApi;
  const flavor = {
    group: 'kueue.x-k8s.io',
    version: 'v1beta2',
    plural: 'resourceflavors',
  };

  beforeAll(async () => {
    running = await world.start();
    namespace = new TestNamespace(running.clusters[0]);
    await namespace.create();
    batch = namespace.cluster.admin.makeApiClient(BatchV1Api);
    custom = namespace.cluster.admin.makeApiClient(CustomObjectsApi);
  });

  afterAll(async () => {
    await namespace.remove();
    await running.close();
  });

  const createJob = (body: V1Job) =>
    batch.createNamespacedJob({ namespace: namespace.name, body });
  const at = (name: string) => ({ name, namespace: namespace.name });

  it('stamp uid, generation and time, whole seconds', async () => {
    const { metadata } = await createJob(job('stamped'));
    expect(metadata).toMatchObject({
      uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      generation: 1,
      resourceVersion: expect.stringMatching(/^\d+$/),
    });
    expect(metadata!.creationTimestamp!.getTime() % 1000).toBe(0);
  });

  it('refuse a taken name, a stale version and a wrong object', async () => {
    await namespace.map('taken');
    expect(await refusal(namespace.map('taken'))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "taken" already exists',
    });
    const stale = await namespace.core.readNamespacedConfigMap(at('taken'));
    await namespace.core.replaceNamespacedConfigMap({
      ...at('taken'),
      body: { ...stale, data: { by: 'first' } },
    });
    expect(
      await refusal(
        namespace.core.replaceNamespacedConfigMap({
          ...at('taken'),
          body: { ...stale, data: { by: 'second' } },
        }),
      ),
    ).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "taken": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(await refusal(namespace.map('Not_A_Name'))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'metadata.name' }] },
    });
  });

  it('refuse what goes into a namespace that is not there', async () => {
    expect(
      await refusal(
        batch.createNamespacedJob({ namespace: 'nowhere', body: job('x') }),
      ),
    ).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
  });

  it.each([
    [
      'without a limit',
      { requests: { 'nvidia.com/gpu': '1' } },
      'Limit must be set for non overcommitable resources',
    ],
    [
      'other than its limit',
      {
        requests: { 'nvidia.com/gpu': '1' },
        limits: { 'nvidia.com/gpu': '2' },
      },
      'must be equal to nvidia.com/gpu limit of 2',
    ],
    [
      'for half a GPU',
      { limits: { 'nvidia.com/gpu': '500m' } },
      'must be an integer',
    ],
  ])('refuse a GPU request %s', async (_, resources, words) => {
    expect(await refusal(createJob(job('wrong', {}, resources)))).toMatchObject(
      {
        code: 422,
        reason: 'Invalid',
        message: expect.stringContaining(words),
      },
    );
  });

  it('keep the template of a Job, apart from scheduling while suspended', async () => {
    await createJob(job('fixed'));
    const patchJob = (spec: object) =>
      batch.patchNamespacedJob({ ...at('fixed'), body: { spec } }, strategic);
    await patchJob({ template: { spec: { nodeSelector: { pool: 'a' } } } });
    expect(
      await refusal(
        patchJob({
          template: { spec: { containers: [{ name: 'main', image: 'y:1' }] } },
        }),
      ),
    ).toMatchObject({
      code: 422,
      message: expect.stringMatching(
        /^Job.batch "fixed" is invalid: spec.template: Invalid value: .*: field is immutable$/s,
      ),
    });
    const { spec } = await batch.readNamespacedJob(at('fixed'));
    expect(spec!.template.spec).toMatchObject({
      nodeSelector: { pool: 'a' },
      containers: [{ image: 'busybox:1', command: ['true'] }],
    });
  });

  it('merge, patch and test', async () => {
    await namespace.map('patched', { a: '1', b: '2' }, { k: 'v' });
    const merged = await namespace.core.patchNamespacedConfigMap(
      {
        ...at('patched'),
        body: { metadata: { labels: { a: null } }, data: { l: 'w' } },
      },
      merge,
    );
    expect(merged.metadata!.labels).toEqual({ suite: 'contract', b: '2' });
    expect(merged.data).toEqual({ k: 'v', l: 'w' });
    const tested = await namespace.core.patchNamespacedConfigMap(
      {
        ...at('patched'),
        body: [
          { op: 'test', path: '/data/l', value: 'w' },
          { op: 'replace', path: '/data/l', value: 'x' },
        ],
      },
      json,
    );
    expect(tested.data!.l).toBe('x');
    expect(
      await refusal(
        namespace.core.patchNamespacedConfigMap(
          {
            ...at('patched'),
            body: [{ op: 'test', path: '/data/l', value: 'w' }],
          },
          json,
        ),
      ),
    ).toMatchObject({ code: 422, reason: 'Invalid' });
    expect(
      await refusal(
        namespace.core.patchNamespacedConfigMap(
          {
            ...at('patched'),
            body: {
              metadata: {
                resourceVersion: merged.metadata!.resourceVersion,
              },
              data: { l: 'y' },
            },
          },
          merge,
        ),
      ),
    ).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('refuse a strategic merge of a custom resource', async () => {
    const name = namespace.name;
    await custom.createClusterCustomObject({
      ...flavor,
      body: {
        apiVersion: 'kueue.x-k8s.io/v1beta2',
        kind: 'ResourceFlavor',
        metadata: { name },
        spec: {},
      },
    });
    const patch = {
      ...flavor,
      name,
      body: { metadata: { labels: { a: 'b' } } },
    };
    expect(
      await refusal(custom.patchClusterCustomObject(patch, strategic)),
    ).toMatchObject({ code: 415, reason: 'UnsupportedMediaType' });
    const labelled = (await custom.patchClusterCustomObject(
      patch,
      merge,
    )) as any;
    expect(labelled.metadata).toMatchObject({
      labels: { a: 'b' },
      generation: 1,
    });
    await custom.deleteClusterCustomObject({ ...flavor, name });
  });

  it('keep status and spec apart', async () => {
    await createJob(job('parted'));
    const status = await batch.patchNamespacedJobStatus(
      {
        ...at('parted'),
        body: {
          spec: { parallelism: 7 },
          status: { conditions: [], ready: 0 },
        },
      },
      merge,
    );
    expect(status.spec!.parallelism).toBe(1);
    const spec = await batch.patchNamespacedJob(
      {
        ...at('parted'),
        body: { spec: { parallelism: 2 }, status: { failed: 99 } },
      },
      merge,
    );
    expect(spec.spec!.parallelism).toBe(2);
    expect(spec.status!.failed).toBeUndefined();
    expect(spec.metadata!.generation).toBe(2);
  });

  it('try without doing', async () => {
    const tried = await namespace.core.createNamespacedConfigMap({
      namespace: namespace.name,
      body: { metadata: { name: 'tried' } },
      dryRun: 'All',
    });
    expect(tried.metadata!.uid).toBeDefined();
    expect(
      await refusal(namespace.core.readNamespacedConfigMap(at('tried'))),
    ).toMatchObject({ code: 404 });
    await namespace.map('kept');
    await namespace.core.deleteNamespacedConfigMap({
      ...at('kept'),
      dryRun: 'All',
    });
    await namespace.core.readNamespacedConfigMap(at('kept'));
    expect(
      await refusal(
        namespace.core.createNamespacedConfigMap({
          namespace: namespace.name,
          body: { metadata: { name: 'Wrong' } },
          dryRun: 'All',
        }),
      ),
    ).toMatchObject({ code: 422 });
  });

  it('let finalizers hold an object', async () => {
    await namespace.core.createNamespacedConfigMap({
      namespace: namespace.name,
      body: {
        metadata: { name: 'held', finalizers: ['contract.example.com/hold'] },
      },
    });
    await namespace.core.deleteNamespacedConfigMap(at('held'));
    const held = await namespace.core.readNamespacedConfigMap(at('held'));
    expect(held.metadata!.deletionTimestamp).toBeDefined();
    await namespace.core.patchNamespacedConfigMap(
      { ...at('held'), body: { metadata: { finalizers: null } } },
      merge,
    );
    expect(
      await refusal(namespace.core.readNamespacedConfigMap(at('held'))),
    ).toMatchObject({ code: 404 });
  });

  it('delete what an object owns, in the background', async () => {
    const owner = await namespace.map('owner');
    await namespace.core.createNamespacedConfigMap({
      namespace: namespace.name,
      body: {
        metadata: {
          name: 'owned',
          ownerReferences: [
            {
              apiVersion: 'v1',
              kind: 'ConfigMap',
              name: 'owner',
              uid: owner.metadata!.uid!,
            },
          ],
        },
      },
    });
    await namespace.core.deleteNamespacedConfigMap({
      ...at('owner'),
      propagationPolicy: 'Background',
    });
    const gone = await until('the owned one to go', async () => {
      const { items } = await namespace.core.listNamespacedConfigMap({
        namespace: namespace.name,
        fieldSelector: 'metadata.name=owned',
      });
      return items.length === 0;
    });
    expect(gone).toBe(true);
  });
});
