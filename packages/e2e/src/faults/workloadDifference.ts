import { GpuApi, Workload } from '@gpuaas/backstage-plugin-gpu-common';

interface KueueWorkload {
  metadata: { uid: string; namespace: string; name: string };
  status?: { conditions?: Array<{ type: string; status: string }> };
}

const ENDED = ['succeeded', 'failed', 'deleted'];

/**
 * What differs between the Workloads of a cluster and those the portal shows,
 * one sentence each; both are read once, so a busy cluster may need several looks.
 */
export async function workloadDifference(
  gpu: GpuApi,
  address: string,
  cluster: string,
): Promise<string[]> {
  const [real, shown] = await Promise.all([
    realWorkloads(address),
    shownWorkloads(gpu, cluster),
  ]);
  const differences: string[] = [];
  for (const [uid, workload] of real) {
    const ours = shown.get(uid);
    const name = `${workload.metadata.namespace}/${workload.metadata.name}`;
    if (!ours) {
      differences.push(`${name} (${uid}) is not shown`);
    } else if (standing(workload) !== standingShown(ours)) {
      differences.push(
        `${name} is ${standing(workload)}, shown as ${ours.phase}`,
      );
    }
  }
  for (const [uid, ours] of shown) {
    // What has ended stays in the portal's history when its object is gone.
    if (!real.has(uid) && !ENDED.includes(ours.phase)) {
      differences.push(
        `${ours.namespace}/${ours.name} is shown as ${ours.phase} and is not there`,
      );
    }
  }
  return differences;
}

async function realWorkloads(
  address: string,
): Promise<Map<string, KueueWorkload>> {
  const response = await fetch(
    `${address}/apis/kueue.x-k8s.io/v1beta2/workloads`,
    { headers: { authorization: 'Bearer sandbox-admin' } },
  );
  if (!response.ok) throw new Error(`Workloads: ${response.status}`);
  const { items } = (await response.json()) as { items: KueueWorkload[] };
  return new Map(items.map(item => [item.metadata.uid, item]));
}

async function shownWorkloads(
  gpu: GpuApi,
  cluster: string,
): Promise<Map<string, Workload>> {
  const all = new Map<string, Workload>();
  let cursor: string | undefined;
  do {
    const page = await gpu.getWorkloads({ cluster, limit: 500, cursor });
    page.items.forEach(item => all.set(item.uid, item));
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}

/** Finished, admitted or waiting: what a Workload's conditions say without interpretation. */
function standing({ status }: KueueWorkload): string {
  const isTrue = (type: string) =>
    status?.conditions?.some(
      condition => condition.type === type && condition.status === 'True',
    );
  if (isTrue('Finished')) return 'finished';
  return isTrue('Admitted') ? 'admitted' : 'waiting';
}

function standingShown({ phase }: Workload): string {
  if (phase === 'succeeded' || phase === 'failed') return 'finished';
  return phase === 'admitted' || phase === 'deleted' ? phase : 'waiting';
}
