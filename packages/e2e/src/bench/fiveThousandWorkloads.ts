import { execFileSync } from 'node:child_process';
import { adminOf, createJobs, plainJob } from '../portal/cluster';
import { offerFor } from '../portal/offers';
import { PortalClient } from '../portal/portalClient';
import { until } from '../portal/until';
import { Bench, Figure, p95Figure } from './figure';

const WORKLOADS = 5_000;
const TEAMS = 40;
const READS = 300;
const CLUSTER = 'spoke-a';

/**
 * Reading the portal's API, and the memory of the sandbox, while 5,000
 * Workloads live: as many as quota allows run, the others wait.
 */
export const fiveThousandWorkloads: Bench = {
  figures: [
    { name: 'api.read.p95', unit: 'ms' },
    { name: 'sandbox.rss', unit: 'MB' },
  ],
  portal: true,
  async run(portal) {
    const { addresses, sandboxPid } = portal!;
    const pavel = await PortalClient.signIn(addresses.portal, 'pavel');
    const mira = await PortalClient.signIn(addresses.portal, 'mira');
    const offer = await offerFor(pavel, CLUSTER, 'team-07');
    const jobs = Array.from({ length: WORKLOADS }, (_, i) => {
      const team = `team-${String((i % TEAMS) + 1).padStart(2, '0')}`;
      return plainJob({
        name: `live-${i}`,
        namespace: team,
        seconds: 7_200,
        resource: offer.deviceClass.resourceName,
        nodeSelector: offer.nodeLabels,
      });
    });
    await createJobs(adminOf(addresses[CLUSTER]), jobs);
    const counted = await until(
      `The portal knows ${WORKLOADS} live Workloads`,
      async () => {
        const { totalItems } = await pavel.gpu.getWorkloads({
          cluster: CLUSTER,
          phase: ['pending', 'reserved', 'admitted'],
          limit: 1,
        });
        return totalItems >= WORKLOADS && totalItems;
      },
      { timeoutMs: 300_000, everyMs: 500 },
    );

    const reads: Array<[string, () => Promise<unknown>]> = [
      ['clusters', () => pavel.gpu.getClusters()],
      ['device classes', () => pavel.gpu.getDeviceClasses()],
      ['queues', () => pavel.gpu.getQueues({ limit: 50 })],
      ['workloads', () => pavel.gpu.getWorkloads({ limit: 50 })],
      [
        'pending workloads of a team',
        () =>
          pavel.gpu.getWorkloads({
            cluster: CLUSTER,
            namespace: 'team-07',
            phase: ['pending'],
            limit: 50,
          }),
      ],
      ['my workloads', () => mira.gpu.getWorkloads({ limit: 50 })],
      ['my requests', () => mira.gpu.getRequests({ mine: true })],
      [
        'entity summary',
        () => mira.gpu.getEntitySummary('component:default/llm-finetune'),
      ],
    ];
    const milliseconds: number[] = [];
    const slowest = new Map<string, number>();
    for (let i = 0; i < READS; i += 1) {
      const [what, read] = reads[i % reads.length];
      const began = performance.now();
      await read();
      const took = performance.now() - began;
      milliseconds.push(took);
      slowest.set(what, Math.max(slowest.get(what) ?? 0, took));
    }
    const api = p95Figure('api.read.p95', 'ms', milliseconds);
    api.note += `; slowest by route: ${[...slowest]
      .map(([what, ms]) => `${what} ${Math.round(ms)}`)
      .join(', ')}`;
    return [api, memoryOf(sandboxPid, counted)];
  },
};

/** Resident memory of a process, in MB of 10^6 bytes. */
function memoryOf(pid: number, workloads: number): Figure {
  const kibibytes = Number(
    execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }),
  );
  return {
    name: 'sandbox.rss',
    value: Math.round((kibibytes * 1024) / 1e6),
    unit: 'MB',
    note: `${workloads} live Workloads`,
  };
}
