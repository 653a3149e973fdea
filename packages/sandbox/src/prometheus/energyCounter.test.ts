import fc from 'fast-check';
import { EnergyCounter } from './energyCounter';

const START = Date.UTC(2026, 10, 30, 12);

describe('EnergyCounter', () => {
  it('grows by the power of each minute', () => {
    const counter = new EnergyCounter(() => 700, 70, START);
    const begin = counter.at(START);
    // 700 W for 90 s are 63 kJ.
    expect(counter.at(START + 90_000) - begin).toBe(63_000_000);
  });

  it('never falls, and is the same whenever it is asked for', () => {
    const power = (at: number) => 100 + (at % 7) * 50;
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 7_200_000 }), { minLength: 2, maxLength: 20 }),
        moments => {
          const asked = new EnergyCounter(power, 70, START);
          const values = new Map(
            moments.map(moment => [moment, asked.at(START + moment)]),
          );
          const ordered = [...values].sort((a, b) => a[0] - b[0]);
          const fresh = new EnergyCounter(power, 70, START);
          ordered.forEach(([moment, value], index) => {
            expect(fresh.at(START + moment)).toBe(value);
            expect(value).toBeGreaterThanOrEqual(
              ordered[Math.max(0, index - 1)][1],
            );
          });
        },
      ),
    );
  });

  it('forgets what is older than it must keep', () => {
    const counter = new EnergyCounter(() => 700, 70, START);
    const late = counter.at(START + 24 * 3_600_000);
    expect(counter.at(START)).toBeLessThan(late);
    expect(counter.at(START)).toBeGreaterThan(0);
  });
});
