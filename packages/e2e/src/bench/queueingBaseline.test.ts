import {
  BASELINE,
  checkLowerBounds,
  LARGE_SCALE,
  queueingBaseline,
  runShape,
} from './queueingBaseline';

describe('queueing benches', () => {
  it('takes the baseline shape through within its lower bounds', async () => {
    const { name, value, unit, note } = await queueingBaseline();
    expect({ name, unit }).toEqual({
      name: 'queueing.baseline.workloads_per_s',
      unit: 'workloads/s',
    });
    expect(value).toBeGreaterThan(42.7);
    expect(note).toContain('15000 workloads on 30 queues');
  });

  it('takes 50,000 workloads on 1,000 queues through', () => {
    const run = runShape(LARGE_SCALE);
    expect(run.workloads).toBe(50_000);
    checkLowerBounds(LARGE_SCALE, run);
  });

  it('names a bound that does not hold', () => {
    expect(() =>
      checkLowerBounds(BASELINE, {
        workloads: 15_000,
        wallMs: 1,
        makespanMs: 65_999,
        occupancy: 1,
        classes: {},
      }),
    ).toThrow('Makespan in ms 65999 is below its lower bound 66000');
  });
});
