import { ClusterPicture, LiveWorkload } from './clusterPicture';
import { conditionOf } from './kubernetesObject';
import { StandIn } from './workloadDerivation';

/**
 * Who speaks for pending Workloads whose status is empty (seen on a running
 * Kueue): a pending one of the same shape in the same ClusterQueue, or where
 * the queue is strict the one at its head.
 */
export function findStandIns(
  picture: ClusterPicture,
): (uid: string) => StandIn | undefined {
  const byQueue = new Map<string, LiveWorkload[]>();
  for (const live of picture.workloads.values()) {
    const { phase, cluster_queue: queue } = live.row;
    if (phase === 'pending' && queue) {
      const waiting = byQueue.get(queue);
      if (waiting) {
        waiting.push(live);
      } else {
        byQueue.set(queue, [live]);
      }
    }
  }
  const found = new Map<string, StandIn>();
  for (const [queue, waiting] of byQueue) {
    const silent = waiting.filter(live => !messageOf(live));
    const spoken = waiting.filter(messageOf);
    if (silent.length > 0 && spoken.length > 0) {
      const byShape = new Map(spoken.map(live => [shapeOf(live), live]));
      const head = isStrict(picture, queue) ? headOf(spoken) : undefined;
      for (const live of silent) {
        const twin = byShape.get(shapeOf(live));
        if (twin) {
          found.set(live.row.uid, standIn(twin, 'identical'));
        } else if (head) {
          found.set(live.row.uid, standIn(head, 'head'));
        }
      }
    }
  }
  return uid => found.get(uid);
}

function messageOf({ object }: LiveWorkload): string | undefined {
  return conditionOf(object, 'QuotaReserved')?.message;
}

function standIn(
  { object }: LiveWorkload,
  relation: StandIn['relation'],
): StandIn {
  const condition = conditionOf(object, 'QuotaReserved')!;
  return { message: condition.message!, reason: condition.reason, relation };
}

function shapeOf({ object }: LiveWorkload): string {
  return JSON.stringify([object.spec?.priority, object.spec?.podSets]);
}

function isStrict(picture: ClusterPicture, queue: string): boolean {
  return picture.clusterQueue(queue)?.spec?.queueingStrategy === 'StrictFIFO';
}

/** Highest priority first, then the oldest. */
function headOf(waiting: LiveWorkload[]): LiveWorkload | undefined {
  return [...waiting].sort(
    (a, b) =>
      b.row.priority - a.row.priority ||
      a.row.created_at.localeCompare(b.row.created_at) ||
      a.row.uid.localeCompare(b.row.uid),
  )[0];
}
