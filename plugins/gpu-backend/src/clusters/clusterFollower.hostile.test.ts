import { TestDatabases } from '@backstage/backend-test-utils';
import { migrate } from '../database/migrate';
import {
  admitted,
  gpuPod,
  job,
  localQueue,
  workload,
} from './__testUtils__/objects';
import { cluster, connected, Replicas, SPOKE } from './__testUtils__/replicas';
import { until } from './__testUtils__/until';
import { KubernetesObject } from './kubernetesObject';

jest.setTimeout(60_000);

const databases = TestDatabases.create({
  ids: ['POSTGRES_15', 'SQLITE_3'],
  disableDocker: true,
});

/** Longer than any column takes. */
const LONG = 'x'.repeat(300);
/** PostgreSQL takes no NUL in text; Kubernetes takes one in an annotation. */
const NUL = 'a\u0000b';

function annotated(
  object: KubernetesObject,
  annotations: Record<string, string>,
): KubernetesObject {
  return { ...object, metadata: { ...object.metadata, annotations } };
}

describe.each(databases.eachSupportedId())(
  'what a user can write does not stop the cluster, %s',
  id => {
    const replicas = new Replicas();

    afterEach(() => replicas.stop());

    async function followed(resource: string, hostile: KubernetesObject[]) {
      const knex = await databases.init(id);
      await migrate(knex);
      const fake = cluster();
      const service = replicas.start({ knex, fake });
      await connected(service);
      hostile.forEach(object => fake.put(resource, object));
      fake.put('workloads', workload('bad'));
      fake.put('workloads', admitted('good'));
      await until(async () => service.store.getWorkload('wl-good'));
      return { knex, service };
    }

    it.each([
      ['long', LONG],
      ['with a NUL', NUL],
      ['empty', ''],
    ])('annotations of a Job that are %s', async (_, value) => {
      const { service } = await followed('jobs', [
        annotated(job('bad'), {
          'gpuaas.io/request-id': value,
          'gpuaas.io/entity': value,
          'gpuaas.io/requester': value,
        }),
      ]);
      const found = await service.store.getWorkload('wl-bad');
      expect(found?.workload.requestId).toBeUndefined();
      expect(found?.workload.entity).toBeUndefined();
      expect(found?.workload.requester).toBeUndefined();
    });

    it.each([
      ['long', LONG],
      ['with a NUL', NUL],
    ])("the Workload's name on a pod, %s", async (_, value) => {
      const { service } = await followed('pods', [
        annotated(gpuPod('bad', 'node-1'), {
          'kueue.x-k8s.io/workload': value,
        }),
      ]);
      const [pod] = await until(async () => {
        const pods = await service.store.listPods({ cluster: 'spoke-a' });
        return pods.length > 0 && pods;
      });
      expect(pod.workload).toBeUndefined();
    });

    it("another cluster's uids", async () => {
      const knex = await databases.init(id);
      await migrate(knex);
      const fake = cluster();
      fake.put('workloads', admitted('1'));
      fake.put('pods', gpuPod('1', 'node-1'));
      const service = replicas.start({ knex, fake });
      await until(async () => service.store.getWorkload('wl-1'));

      const liar = cluster();
      liar.put('workloads', workload('1'));
      liar.put('pods', gpuPod('1'));
      liar.put('workloads', workload('2'));
      const twin = replicas.start({
        knex,
        fake: liar,
        clusters: [{ ...SPOKE, name: 'spoke-b' }],
      });
      await until(async () => twin.store.getWorkload('wl-2'));
      liar.remove('workloads', 'wl-1');
      liar.remove('pods', 'pod-1');
      liar.put('workloads', workload('3'));
      await until(async () => twin.store.getWorkload('wl-3'));
      expect((await service.store.getWorkload('wl-1'))?.workload).toMatchObject(
        { cluster: 'spoke-a', phase: 'admitted' },
      );
      expect(
        await service.store.listPods({ cluster: 'spoke-a' }),
      ).toMatchObject([{ uid: 'pod-1', node: 'node-1' }]);
    });

    it('more GPUs than there are numbers for', async () => {
      const { service } = await followed('workloads', [
        workload('many', { gpus: 3_000_000_000 }),
        workload('more', { gpus: Number.MAX_SAFE_INTEGER }),
      ]);
      expect(
        (await service.store.getWorkload('wl-many'))?.workload,
      ).toMatchObject({ phase: 'pending', units: undefined });
    });

    it.each([
      ['long', LONG],
      ['with a NUL', `group:default/${NUL}`],
    ])('an owner nobody can be, %s', async (_, value) => {
      const { service } = await followed('localqueues', [
        localQueue({ 'gpuaas.io/owner': value }),
      ]);
      const queue = await until(async () => {
        const found = await service.store.getQueue('spoke-a', 'team-07', 'gpu');
        return found && !found.owner && found;
      });
      expect(queue.owner).toBeUndefined();
    });
  },
);
