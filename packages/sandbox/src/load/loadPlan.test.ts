import { teams } from '../fleet/fleet';
import { LoadItem, loadPlan, referenceFleet } from './loadPlan';

/** A Monday, 00:00 UTC. */
const MONDAY = Date.UTC(2026, 10, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const week = loadPlan(7, referenceFleet, MONDAY, MONDAY + 7 * DAY, ['team-07']);
const isTraining = (item: LoadItem) => item.resource === 'nvidia.com/gpu';
const units = (item: LoadItem) => item.units * item.pods;

/** Units in use if everything ran at once, at a moment. */
function inUse(items: LoadItem[], at: number): number {
  return items
    .filter(item => item.at <= at && at < item.at + item.seconds * 1000)
    .reduce((sum, item) => sum + units(item), 0);
}
const mean = (values: number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

describe('loadPlan', () => {
  it('gives one history for one seed, another for another', () => {
    const day = (seed: number) =>
      loadPlan(seed, referenceFleet, MONDAY, MONDAY + 3 * HOUR);
    expect(day(7)).toEqual(day(7));
    expect(day(7)).not.toEqual(day(8));
  });

  it('is the same whether asked for at once or piece by piece', () => {
    const cuts = [0, 17 * 60_000, HOUR, 5.5 * HOUR, 12 * HOUR];
    const pieces = cuts
      .slice(1)
      .flatMap((cut, index) =>
        loadPlan(7, referenceFleet, MONDAY + cuts[index], MONDAY + cut),
      );
    expect(pieces).toEqual(
      loadPlan(7, referenceFleet, MONDAY, MONDAY + 12 * HOUR),
    );
  });

  it('is in order, in its span, with names of their own', () => {
    const at = week.map(item => item.at);
    expect([...at].sort((a, b) => a - b)).toEqual(at);
    expect(Math.min(...at)).toBeGreaterThanOrEqual(MONDAY);
    expect(Math.max(...at)).toBeLessThan(MONDAY + 7 * DAY);
    const names = week.map(
      item => `${item.cluster}/${item.namespace}/${item.name}`,
    );
    expect(new Set(names).size).toBe(names.length);
  });

  it('leaves quiet teams alone and knows all others', () => {
    const seen = new Set(week.map(item => item.namespace));
    expect(seen.has('team-07')).toBe(false);
    expect(seen.size).toBe(teams.length - 1);
  });

  it('keeps the train pool of 128 GPUs about 70 to 85 % busy', () => {
    const training = week.filter(isTraining);
    const hours = Array.from(
      { length: 6 * 24 },
      (_, i) => MONDAY + DAY + i * HOUR,
    );
    const busy = mean(hours.map(at => inUse(training, at))) / 128;
    expect(busy).toBeGreaterThan(0.7);
    expect(busy).toBeLessThan(0.85);
  });

  it('has sizes of one to eight with a heavy tail', () => {
    const training = week.filter(isTraining);
    const sizes = training.map(units);
    expect(Math.min(...sizes)).toBe(1);
    expect(Math.max(...sizes)).toBe(8);
    const large = training.filter(item => units(item) >= 4);
    const part = large.length / training.length;
    const taken =
      large.reduce((sum, item) => sum + units(item), 0) /
      sizes.reduce((a, b) => a + b, 0);
    expect(part).toBeLessThan(0.35);
    expect(taken).toBeGreaterThan(0.5);
  });

  it('has log-normal run times: the mean lies well above the median', () => {
    const seconds = week
      .filter(item => isTraining(item) && !item.fails)
      .map(item => item.seconds)
      .sort((a, b) => a - b);
    const median = seconds[Math.floor(seconds.length / 2)];
    expect(median / 60).toBeGreaterThan(20);
    expect(median / 60).toBeLessThan(31);
    expect(mean(seconds) / median).toBeGreaterThan(1.4);
  });

  it('has uneven teams, and hours of a team far above its mean', () => {
    const training = week.filter(isTraining);
    const counts = teams
      .filter(({ name }) => name !== 'team-07')
      .map(({ name }) => training.filter(item => item.namespace === name));
    const totals = counts.map(list => list.length).sort((a, b) => a - b);
    expect(totals[totals.length - 1]).toBeGreaterThan(
      8 * Math.max(1, totals[0]),
    );
    const busiest = counts.sort((a, b) => b.length - a.length)[0];
    const byHour = new Map<number, number>();
    for (const { at } of busiest) {
      const hour = Math.floor(at / HOUR);
      byHour.set(hour, (byHour.get(hour) ?? 0) + 1);
    }
    expect(Math.max(...byHour.values())).toBeGreaterThan(
      3 * (busiest.length / (7 * 24)),
    );
  });

  it('starts notebooks by day and less at the weekend', () => {
    const notebooks = week.filter(item => item.kind === 'interactive');
    expect(notebooks.length).toBeGreaterThan(100);
    expect(notebooks.every(item => units(item) === 1)).toBe(true);
    const on = (day: number, from: number, to: number) =>
      notebooks.filter(
        ({ at }) =>
          at >= MONDAY + day * DAY + from * HOUR &&
          at < MONDAY + day * DAY + to * HOUR,
      ).length;
    expect(on(1, 7, 18)).toBeGreaterThan(2 * on(1, 18, 24));
    expect(on(1, 0, 24)).toBeGreaterThan(1.4 * on(5, 0, 24));
  });

  it('fails now and then, and lets about 3 % bypass the queue', () => {
    const training = week.filter(isTraining);
    const failing =
      training.filter(item => item.fails).length / training.length;
    expect(failing).toBeGreaterThan(0.05);
    expect(failing).toBeLessThan(0.11);
    const unmanaged = week.filter(item => !item.managed);
    expect(unmanaged.length / week.length).toBeGreaterThan(0.02);
    expect(unmanaged.length / week.length).toBeLessThan(0.04);
    expect(unmanaged.every(item => item.pods === 1)).toBe(true);
  });

  it('uses only classes a team may use, and pins a flavor the cluster has', () => {
    const classes = new Map(
      teams.map(team => [team.name, team.priorityClasses]),
    );
    const wrong = week.filter(
      item =>
        !classes.get(item.namespace)!.includes(item.priorityClass) ||
        !item.nodeSelector['nvidia.com/gpu.product'],
    );
    expect(wrong).toEqual([]);
    expect(week.some(item => item.priorityClass === 'high')).toBe(true);
    const places = new Set(
      week.map(item => `${item.cluster} ${item.resource}`),
    );
    expect([...places].sort()).toEqual([
      'spoke-a nvidia.com/gpu',
      'spoke-a nvidia.com/mig-1g.10gb',
      'spoke-a nvidia.com/mig-2g.20gb',
      'spoke-a nvidia.com/mig-3g.40gb',
      'spoke-b nvidia.com/gpu.shared',
      'spoke-b nvidia.com/mig-1g.10gb',
      'spoke-b nvidia.com/mig-2g.20gb',
      'spoke-b nvidia.com/mig-3g.40gb',
    ]);
  });
});
