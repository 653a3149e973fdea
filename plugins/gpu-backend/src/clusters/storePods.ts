import { Knex } from 'knex';
import { rowOfPod } from '../database/podRows';
import { Change, GpuPod } from './clusterObserver';
import { ClusterPicture } from './clusterPicture';
import { KubernetesObject } from './kubernetesObject';
import { gpuPodOf } from './podFacts';
import { RawChange } from './rawChange';

const CHUNK = 100;

/** Stores pods that ask for GPUs in `gpu_pods`; returns what really changed. */
export async function storePods(
  trx: Knex.Transaction,
  picture: ClusterPicture,
  changes: RawChange[],
): Promise<Change<GpuPod>[]> {
  const real: Change<GpuPod>[] = [];
  const upserts = new Map<string, GpuPod>();
  const deletes = new Set<string>();
  for (const { type, object, gap } of changes) {
    const { uid } = object.metadata;
    const before = picture.pods.get(uid);
    const now = readPod(picture.cluster, object, before) ?? before;
    if (!now) {
      continue;
    }
    if (type === 'deleted') {
      if (before) {
        real.push({ type, now, before, gap });
        picture.pods.delete(uid);
        upserts.delete(uid);
        deletes.add(uid);
      }
    } else if (!before || JSON.stringify(before) !== JSON.stringify(now)) {
      real.push({ type: before ? 'modified' : 'added', now, before, gap });
      picture.pods.set(uid, now);
      deletes.delete(uid);
      upserts.set(uid, now);
    }
  }
  const rows = [...upserts.values()].map(rowOfPod);
  for (let i = 0; i < rows.length; i += CHUNK) {
    await trx('gpu_pods')
      .insert(rows.slice(i, i + CHUNK))
      .onConflict('uid')
      .merge()
      // A cluster that names another's uid does not get its row.
      .whereRaw('gpu_pods.cluster = excluded.cluster');
  }
  const gone = [...deletes];
  for (let i = 0; i < gone.length; i += CHUNK) {
    await trx('gpu_pods')
      .where({ cluster: picture.cluster })
      .whereIn('uid', gone.slice(i, i + CHUNK))
      .delete();
  }
  return real;
}

/** A pod of another component with a quantity nobody can read is no GPU pod of ours. */
function readPod(
  cluster: string,
  object: KubernetesObject,
  before: GpuPod | undefined,
): GpuPod | undefined {
  try {
    return gpuPodOf(cluster, object, before);
  } catch {
    return undefined;
  }
}
