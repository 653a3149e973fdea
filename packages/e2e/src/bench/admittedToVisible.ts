import { Watch } from '@kubernetes/client-node';
import { Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { adminOf, createJobs, plainJob } from '../portal/cluster';
import { offerFor } from '../portal/offers';
import { PortalClient } from '../portal/portalClient';
import { until } from '../portal/until';
import { Bench, p95Figure } from './figure';

const JOBS = 40;
const CLUSTER = 'spoke-a';
const NAMESPACE = 'team-07';

/**
 * From the moment the API server sent the admitted Workload (as a watcher of
 * our own receives it) to the moment the portal's API shows it admitted.
 */
export const admittedToVisible: Bench = {
  figures: [{ name: 'request.admitted_to_visible.p95', unit: 's' }],
  portal: true,
  async run(portal) {
    const { addresses } = portal!;
    const pavel = await PortalClient.signIn(addresses.portal, 'pavel');
    const offer = await offerFor(pavel, CLUSTER, NAMESPACE);
    const config = adminOf(addresses[CLUSTER]);

    const sent = new Map<string, number>();
    const watching = await new Watch(config).watch(
      `/apis/kueue.x-k8s.io/v1beta2/namespaces/${NAMESPACE}/workloads`,
      {},
      (_type, object) => {
        if (!sent.has(object.metadata.uid) && isAdmitted(object)) {
          sent.set(object.metadata.uid, performance.now());
        }
      },
      () => {},
    );
    try {
      const seconds: number[] = [];
      for (let i = 0; i < JOBS; i += 1) {
        const [job] = await createJobs(config, [
          plainJob({
            name: `visible-${i}`,
            namespace: NAMESPACE,
            seconds: 2,
            resource: offer.deviceClass.resourceName,
            nodeSelector: offer.nodeLabels,
          }),
        ]);
        const shown = await until(
          `Workload of ${job.metadata!.name} is shown as admitted`,
          async () => {
            const { items } = await pavel.gpu.getWorkloads({
              cluster: CLUSTER,
              namespace: NAMESPACE,
              limit: 200,
            });
            const workload = items.find(
              item => item.job?.uid === job.metadata!.uid && item.admittedAt,
            );
            return workload && { workload, at: performance.now() };
          },
          { everyMs: 10 },
        );
        const at = await until('The watch has seen it too', async () =>
          sent.get((shown.workload as Workload).uid),
        );
        seconds.push(Math.max(0, shown.at - at) / 1000);
      }
      return [p95Figure('request.admitted_to_visible.p95', 's', seconds)];
    } finally {
      watching.abort();
    }
  },
};

function isAdmitted(workload: {
  status?: { conditions?: Array<{ type: string; status: string }> };
}): boolean {
  return Boolean(
    workload.status?.conditions?.some(
      ({ type, status }) => type === 'Admitted' && status === 'True',
    ),
  );
}
