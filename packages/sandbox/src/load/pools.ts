import {
  NodeLayout,
  poolUnits,
  serversOf,
  spokeNames,
  SpokeName,
} from '../fleet/fleet';

/** What a piece of work is for. */
export type LoadKind = 'batch' | 'interactive' | 'serving';

/** A kind of work on one resource of one cluster, and how much of it the fleet sees. */
export interface WorkStream {
  cluster: SpokeName;
  kind: LoadKind;
  /** First part of its Jobs' names. */
  names: readonly string[];
  resource: string;
  /** Flavors that have the resource, by units: one is drawn for each piece. */
  layouts: ReadonlyArray<readonly [NodeLayout, number]>;
  /** Units of a piece and how likely. */
  sizes: ReadonlyArray<readonly [number, number]>;
  /** Units a pod takes at most; a larger piece has several pods. */
  unitsPerPod: number;
  /** Run time: median and cap in seconds, deviation of the logarithm. */
  medianSeconds: number;
  sigma: number;
  maxSeconds: number;
  failures: number;
  /** Units in use on average over a working day. */
  meanUnits: number;
  /** Follows working hours; otherwise round the clock, teams at hours of their own. */
  byDay: boolean;
}

/** Share of each pool's units that its work keeps busy on average. */
const TRAIN_BUSY = 0.78;
const SERVICES_BUSY = 0.4;
const EVALUATION_BUSY = 0.15;
const NOTEBOOKS_BUSY = 0.25;

const MINUTE = 60;
const HOUR = 3600;

/** The streams of a fleet: training on whole GPUs, services and evaluation on slices, notebooks on replicas. */
export function workStreams(layouts: readonly NodeLayout[]): WorkStream[] {
  return spokeNames.flatMap(cluster => {
    const here = layouts.filter(layout => serversOf(layout, cluster) > 0);
    return (['train', 'serve', 'dev'] as const).flatMap(pool =>
      resourcesOf(
        here.filter(layout => layout.pool === pool),
        cluster,
      ).flatMap(offer => streamsOf(pool, cluster, offer)),
    );
  });
}

interface Offer {
  resource: string;
  layouts: Array<readonly [NodeLayout, number]>;
  units: number;
}

function resourcesOf(layouts: NodeLayout[], cluster: SpokeName): Offer[] {
  const offers = new Map<string, Offer>();
  for (const layout of layouts) {
    for (const [resource, units] of Object.entries(
      poolUnits(layout, cluster),
    )) {
      const offer = offers.get(resource) ?? { resource, layouts: [], units: 0 };
      offer.layouts.push([layout, units]);
      offer.units += units;
      offers.set(resource, offer);
    }
  }
  return [...offers.values()];
}

function streamsOf(
  pool: NodeLayout['pool'],
  cluster: SpokeName,
  { resource, layouts, units }: Offer,
): WorkStream[] {
  const place = { cluster, resource, layouts };
  switch (pool) {
    case 'train':
      return [
        {
          ...place,
          kind: 'batch',
          names: ['train', 'finetune', 'pretrain', 'sweep'],
          // Heavy tail: a quarter of the pieces take two thirds of the GPUs.
          sizes: [
            [1, 0.45],
            [2, 0.25],
            [3, 0.03],
            [4, 0.15],
            [6, 0.02],
            [8, 0.1],
          ],
          unitsPerPod: 8,
          medianSeconds: 25 * MINUTE,
          sigma: 1.1,
          maxSeconds: 8 * HOUR,
          failures: 0.08,
          meanUnits: TRAIN_BUSY * units,
          byDay: false,
        },
      ];
    case 'serve':
      return [
        {
          ...place,
          kind: 'serving',
          names: ['chat', 'embed', 'rerank', 'transcribe'],
          sizes: [
            [1, 0.5],
            [2, 0.3],
            [4, 0.2],
          ],
          unitsPerPod: 1,
          medianSeconds: 9 * HOUR,
          sigma: 0.5,
          maxSeconds: 24 * HOUR,
          failures: 0.01,
          meanUnits: SERVICES_BUSY * units,
          byDay: true,
        },
        {
          ...place,
          kind: 'batch',
          names: ['eval', 'score', 'label'],
          sizes: [
            [1, 0.7],
            [2, 0.2],
            [4, 0.1],
          ],
          unitsPerPod: 1,
          medianSeconds: 20 * MINUTE,
          sigma: 0.9,
          maxSeconds: 4 * HOUR,
          failures: 0.06,
          meanUnits: EVALUATION_BUSY * units,
          byDay: false,
        },
      ];
    default:
      return [
        {
          ...place,
          kind: 'interactive',
          names: ['notebook', 'workbench'],
          // A pod that asks for more than one replica gets no more of the GPU.
          sizes: [[1, 1]],
          unitsPerPod: 1,
          medianSeconds: 5 * HOUR,
          sigma: 0.7,
          maxSeconds: 24 * HOUR,
          failures: 0,
          meanUnits: NOTEBOOKS_BUSY * units,
          byDay: true,
        },
      ];
  }
}
