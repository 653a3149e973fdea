import { activityOf, Holder, WorkKind } from './workProfile';

const NOON = Date.UTC(2026, 10, 30, 12);
const holder = (pod: string, kind: WorkKind): Holder => ({
  namespace: 'team-01',
  pod,
  container: 'main',
  kind,
  startedAt: NOON,
});
const mean = (values: number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const pods = Array.from({ length: 200 }, (_, i) => `p-${i}`);
const over = (kind: WorkKind, at: number) =>
  pods.map(pod => activityOf(7, holder(pod, kind), at));

describe('activityOf', () => {
  it('is a pure function of seed, pod and time, within 0 and 1', () => {
    for (const kind of ['batch', 'interactive', 'serving'] as const) {
      for (const pod of pods) {
        const at = NOON + pod.length * 61_000;
        const activity = activityOf(7, holder(pod, kind), at);
        expect(activity).toEqual(activityOf(7, holder(pod, kind), at));
        for (const part of [activity.compute, activity.memory]) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(1);
        }
      }
    }
    expect(over('batch', NOON + 600_000)).not.toEqual(
      pods.map(pod => activityOf(8, holder(pod, 'batch'), NOON + 600_000)),
    );
  });

  it('training starts low and ends busy', () => {
    const start = over('batch', NOON).map(({ compute }) => compute);
    const later = over('batch', NOON + 300_000).map(({ compute }) => compute);
    expect(mean(start)).toBeLessThan(0.1);
    expect(mean(later)).toBeGreaterThan(0.75);
  });

  it('most notebooks do nothing, some of them with memory held', () => {
    const all = over('interactive', NOON);
    const idle = all.filter(({ compute }) => compute === 0);
    const parked = idle.filter(({ memory }) => memory > 0.3);
    expect(idle.length / all.length).toBeGreaterThan(0.6);
    expect(parked.length / all.length).toBeGreaterThan(0.1);
  });

  it('services are busier by day than by night, and keep their memory', () => {
    const day = over('serving', Date.UTC(2026, 10, 30, 14));
    const night = over('serving', Date.UTC(2026, 10, 30, 2));
    const compute = (list: typeof day) => mean(list.map(a => a.compute));
    expect(compute(day)).toBeGreaterThan(4 * compute(night));
    expect(Math.min(...night.map(({ memory }) => memory))).toBeGreaterThan(0.8);
  });
});
