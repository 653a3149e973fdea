import { IndexedHeap } from './indexedHeap';
import { QueueingEngine } from './queueingEngine';
import { WorkloadSpec } from './workloadSpec';

/**
 * A Workload with the time it arrives and how long it runs once admitted, both
 * in the unit of the Workloads' timestamps.
 *
 * @public
 */
export interface VirtualJob {
  arrives: number;
  runs: number;
  workload: WorkloadSpec;
}

/** @public */
export interface VirtualOutcome {
  workload: WorkloadSpec;
  arrived: number;
  /** Absent: never admitted. */
  admitted?: number;
  finished?: number;
}

interface Running {
  heapIndex: number;
  ends: number;
  uid: string;
}

/**
 * Lets jobs arrive, be admitted, run and finish in virtual time: no waiting,
 * no clock, same input, same outcome. Everything due at one instant happens
 * before the cycles of that instant.
 *
 * @returns one outcome per job, in the order given.
 * @public
 */
export function runInVirtualTime(
  engine: QueueingEngine,
  jobs: VirtualJob[],
): VirtualOutcome[] {
  const outcomes = jobs.map(({ workload, arrives }): VirtualOutcome => {
    return { workload, arrived: arrives };
  });
  const byUid = new Map(jobs.map(({ workload }, i) => [workload.uid, i]));
  const arrivals = [...jobs].sort((a, b) => a.arrives - b.arrives);
  const running = new IndexedHeap<Running>((a, b) => a.ends - b.ends);
  let next = 0;
  while (next < arrivals.length || running.size > 0) {
    const now = Math.min(
      arrivals[next]?.arrives ?? Infinity,
      running.peek()?.ends ?? Infinity,
    );
    for (let done = running.peek(); done?.ends === now; done = running.peek()) {
      running.remove(done);
      engine.remove(done.uid);
    }
    while (arrivals[next]?.arrives === now) {
      engine.add(arrivals[next].workload);
      next += 1;
    }
    for (let result = engine.cycle(); result; result = engine.cycle()) {
      for (const { uid } of result.admitted) {
        const index = byUid.get(uid) as number;
        outcomes[index].admitted = now;
        outcomes[index].finished = now + jobs[index].runs;
        running.push({ uid, ends: now + jobs[index].runs, heapIndex: -1 });
      }
    }
  }
  return outcomes;
}
