import {
  ApisApi,
  BatchV1Api,
  CoreV1Api,
  CustomObjectsApi,
  VersionApi,
} from '@kubernetes/client-node';
import { type RunningWorld, type WorldCluster, worlds } from '../world';
import { refusal, TestNamespace } from './testNamespace';

describe.each(worlds())('$name: discovery, lists and selectors', world => {
  let running: RunningWorld;
  let cluster: WorldCluster;
  let namespace: TestNamespace;

  beforeAll(async () => {
    running = await world.start();
    cluster = running.clusters[0];
    namespace = new TestNamespace(cluster);
    await namespace.create();
    for (let index = 0; index < 7; index++) {
      await namespace.map(`map-${index}`, {
        parity: index % 2 ? 'odd' : 'even',
        rank: String(index),
        ...(index > 4 && { late: '' }),
      });
    }
  });

  afterAll(async () => {
    await namespace.remove();
    await running.close();
  });

  const maps = (options: object) =>
    namespace.core.listNamespacedConfigMap({
      namespace: namespace.name,
      ...options,
    });

  it('says what it is and what it serves', async () => {
    const { gitVersion } = await cluster.admin
      .makeApiClient(VersionApi)
      .getCode();
    expect(gitVersion).toMatch(/^v1\.\d+\.\d+/);
    const { groups } = await cluster.admin
      .makeApiClient(ApisApi)
      .getAPIVersions();
    expect(groups.map(group => group.name)).toEqual(
      expect.arrayContaining(['batch', 'kueue.x-k8s.io']),
    );
    const { resources } = await cluster.admin
      .makeApiClient(BatchV1Api)
      .getAPIResources();
    expect(resources.map(one => one.name)).toEqual(
      expect.arrayContaining(['jobs', 'jobs/status']),
    );
    const kueue = await cluster.admin
      .makeApiClient(CustomObjectsApi)
      .getAPIResources({ group: 'kueue.x-k8s.io', version: 'v1beta2' });
    expect(kueue.resources).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'workloads',
          kind: 'Workload',
          namespaced: true,
        }),
      ]),
    );
  });

  it('lists in pages of one moment', async () => {
    const names: string[] = [];
    let page = await maps({ limit: 3, labelSelector: 'suite=contract' });
    const { resourceVersion } = page.metadata!;
    await namespace.map('map-0-late');
    for (;;) {
      expect(page.metadata!.resourceVersion).toBe(resourceVersion);
      expect(page.items.length).toBeLessThanOrEqual(3);
      names.push(...page.items.map(item => item.metadata!.name!));
      const token = page.metadata!._continue;
      if (!token) break;
      page = await maps({
        limit: 3,
        labelSelector: 'suite=contract',
        _continue: token,
      });
    }
    await namespace.core.deleteNamespacedConfigMap({
      name: 'map-0-late',
      namespace: namespace.name,
    });
    expect(names).toEqual(
      Array.from({ length: 7 }, (_, index) => `map-${index}`),
    );
  });

  it('refuses a continue token it did not give', async () => {
    expect(
      await refusal(maps({ limit: 3, _continue: 'nonsense' })),
    ).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it.each([
    ['parity=odd', ['1', '3', '5']],
    ['parity==odd,rank!=3', ['1', '5']],
    ['rank in (0,6)', ['0', '6']],
    ['suite=contract,parity notin (odd)', ['0', '2', '4', '6']],
    ['late', ['5', '6']],
    ['suite,!late,parity=even', ['0', '2', '4']],
  ])('selects by label: %s', async (labelSelector, ranks) => {
    const { items } = await maps({ labelSelector });
    expect(items.map(item => item.metadata!.labels!.rank)).toEqual(ranks);
  });

  it('refuses a label selector that cannot be read', async () => {
    expect(await refusal(maps({ labelSelector: 'a=b=c' }))).toMatchObject({
      code: 400,
      reason: 'BadRequest',
    });
  });

  it('selects by field, and knows which fields there are', async () => {
    const one = await maps({ fieldSelector: 'metadata.name=map-3' });
    expect(one.items.map(item => item.metadata!.name)).toEqual(['map-3']);
    const everywhere = await namespace.core.listConfigMapForAllNamespaces({
      fieldSelector: `metadata.namespace=${namespace.name},metadata.name!=map-3`,
      labelSelector: 'suite=contract',
    });
    expect(everywhere.items).toHaveLength(6);
    expect(
      await refusal(maps({ fieldSelector: 'data.colour=red' })),
    ).toMatchObject({ code: 400 });
    const waiting = await namespace.core.listNamespacedPod({
      namespace: namespace.name,
      fieldSelector: 'spec.nodeName=,status.phase!=Succeeded',
    });
    expect(waiting.items).toEqual([]);
  });

  it('answers 404 as the client expects it', async () => {
    expect(
      await refusal(
        namespace.core.readNamespacedConfigMap({
          name: 'absent',
          namespace: namespace.name,
        }),
      ),
    ).toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: 'configmaps "absent" not found',
      details: { name: 'absent', kind: 'configmaps' },
    });
  });

  describe('rights', () => {
    it('let the portal read what it needs', async () => {
      const core = cluster.portal.makeApiClient(CoreV1Api);
      const custom = cluster.portal.makeApiClient(CustomObjectsApi);
      await core.listNode();
      await core.listNamespace();
      await core.listPodForAllNamespaces();
      await cluster.portal.makeApiClient(BatchV1Api).listJobForAllNamespaces();
      for (const plural of [
        'workloads',
        'localqueues',
        'clusterqueues',
        'cohorts',
        'resourceflavors',
        'workloadpriorityclasses',
        'admissionchecks',
        'topologies',
      ]) {
        const list = await custom.listClusterCustomObject({
          group: 'kueue.x-k8s.io',
          version: 'v1beta2',
          plural,
        });
        expect(list.items).toBeInstanceOf(Array);
      }
    });

    it('refuse it everything else, in words that name it', async () => {
      const core = cluster.portal.makeApiClient(CoreV1Api);
      const secrets = await refusal(core.listSecretForAllNamespaces());
      expect(secrets).toMatchObject({
        code: 403,
        reason: 'Forbidden',
        message: expect.stringMatching(
          /^secrets is forbidden: User ".+" cannot list resource "secrets" in API group "" at the cluster scope$/,
        ),
      });
      const job = await refusal(
        cluster.portal.makeApiClient(BatchV1Api).deleteNamespacedJob({
          name: 'any',
          namespace: namespace.name,
        }),
      );
      expect(job).toMatchObject({
        code: 403,
        message: expect.stringMatching(
          new RegExp(
            `^jobs.batch "any" is forbidden: User ".+" cannot delete resource "jobs" in API group "batch" in the namespace "${namespace.name}"$`,
          ),
        ),
      });
    });
  });
});
