import { ConfigReader } from '@backstage/config';
import { JsonObject } from '@backstage/types';
import { readDurations } from './durations';

const read = (gpu: JsonObject) => readDurations(new ConfigReader({ gpu }));

const DAY = 24 * 3_600_000;

describe('readDurations', () => {
  it('has an answer where nothing is configured', () => {
    expect(read({})).toEqual({
      retention: 30 * DAY,
      tidyUpGrace: 900_000,
      tidyUpFrequency: 300_000,
    });
  });

  it('reads objects, short and ISO text', () => {
    expect(
      read({
        retention: { workloads: 'P90D' },
        tidyUp: { grace: { seconds: 0 }, frequency: '5s' },
      }),
    ).toEqual({ retention: 90 * DAY, tidyUpGrace: 0, tidyUpFrequency: 5_000 });
  });

  it.each<[JsonObject, string]>([
    [{ retention: { workloads: 'soon' } }, 'gpu.retention.workloads: "soon"'],
    [
      { retention: { workloads: { hours: 1 } } },
      'gpu.retention.workloads: {"hours":1} is not accepted; accepted: a duration of at least {"days":1}, such as {"days":30}',
    ],
    [
      { retention: { workload: '9d' } },
      'gpu.retention.workload is not a known',
    ],
    [{ tidyUp: { grace: { dayz: 3 } } }, 'gpu.tidyUp.grace: {"dayz":3}'],
    [{ tidyUp: { frequency: 0 } }, 'gpu.tidyUp.frequency: 0'],
    [{ tidyUp: { frequency: { seconds: 0 } } }, 'gpu.tidyUp.frequency: {'],
    [{ tidyUp: { every: '5m' } }, 'gpu.tidyUp.every is not a known key'],
  ])('refuses %j', (gpu, message) => {
    expect(() => read(gpu)).toThrow(message);
  });
});
