import { WorkloadObservation } from '@gpuaas/backstage-plugin-gpu-node';

/** Unix seconds of the tests' zero. */
export const T0 = 1_780_000_000;

export function at(second: number): string {
  return new Date((T0 + second) * 1000).toISOString().replace('.000Z', 'Z');
}

/** Conditions as `[status, second, reason]`. */
export interface Look {
  rv?: number;
  type?: WorkloadObservation['type'];
  /** Second we learned of it. */
  seen?: number;
  reserved?: [boolean, number];
  admitted?: [boolean, number];
  evicted?: string;
  finished?: number;
  /** Second of its deletionTimestamp. */
  deleting?: number;
  gpus?: number;
  gap?: [number, number];
  uid?: string;
}

/** An observation of a Workload with one pod set on flavor `train`. */
export function look(what: Look): WorkloadObservation {
  const holds = what.reserved?.[0] || what.admitted?.[0];
  const condition = (
    type: string,
    status: boolean,
    second: number,
    reason: string,
  ) => ({
    type,
    status: status ? 'True' : 'False',
    lastTransitionTime: at(second),
    reason,
  });
  return {
    type: what.type ?? 'modified',
    workload: {
      cluster: 'spoke-a',
      uid: what.uid ?? 'uid-1',
      name: 'job-tune-12345',
      namespace: 'team-07',
      job: 'tune',
      queue: 'gpu',
      clusterQueue: 'team-07',
      team: 'group:default/team-07',
    },
    resourceVersion: what.rv === undefined ? undefined : String(what.rv),
    observedAt: T0 + (what.seen ?? 0),
    gap: what.gap && { from: T0 + what.gap[0], to: T0 + what.gap[1] },
    object: {
      metadata: {
        deletionTimestamp:
          what.deleting === undefined ? undefined : at(what.deleting),
      },
      status: {
        conditions: [
          ...(what.reserved
            ? [condition('QuotaReserved', ...what.reserved, 'QuotaReserved')]
            : []),
          ...(what.admitted
            ? [condition('Admitted', ...what.admitted, 'Admitted')]
            : []),
          ...(what.evicted
            ? [condition('Evicted', true, 0, what.evicted)]
            : []),
          ...(what.finished === undefined
            ? []
            : [condition('Finished', true, what.finished, 'Succeeded')]),
        ],
        ...(holds
          ? {
              admission: {
                podSetAssignments: [
                  {
                    name: 'main',
                    flavors: { cpu: 'default', 'nvidia.com/gpu': 'train' },
                    resourceUsage: {
                      cpu: '8',
                      'nvidia.com/gpu': String(what.gpus ?? 2),
                    },
                    count: 1,
                  },
                ],
              },
            }
          : {}),
      },
    },
  };
}
