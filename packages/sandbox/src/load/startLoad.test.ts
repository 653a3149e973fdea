import { builtinRules } from '../apiserver/rules/builtinRules';
import { MemoryStore } from '../apiserver/memoryStore';
import { servedTypes } from '../apiserver/types/servedTypes';
import { teams } from '../fleet/fleet';
import { ManualClock } from '../manualClock';
import { loadLabel } from './loadObjects';
import { RunningLoad, startLoad } from './startLoad';

const MONDAY_NOON = Date.UTC(2026, 10, 30, 12);
let clock: ManualClock;
let load: RunningLoad | undefined;

function cluster(name: string) {
  const store = new MemoryStore({
    types: servedTypes,
    rules: builtinRules,
    clock,
  });
  for (const { name: namespace } of teams) {
    store.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    });
  }
  return { name, store };
}
function end(store: MemoryStore, name: string, namespace?: string) {
  store.modify(
    'Job',
    name,
    namespace,
    job => {
      job.status = {
        ...job.status,
        startTime: '2026-11-30T12:00:00Z',
        completionTime: '2026-11-30T12:10:00Z',
        succeeded: 1,
        conditions: [
          { type: 'SuccessCriteriaMet', status: 'True' },
          { type: 'Complete', status: 'True' },
        ],
      };
    },
    { subresource: 'status' },
  );
}

beforeEach(() => {
  clock = new ManualClock(MONDAY_NOON);
});
afterEach(() => load?.close());

describe('startLoad', () => {
  it('begins in the middle of things, with Jobs in the teams’ queues', () => {
    const [a, b] = [cluster('spoke-a'), cluster('spoke-b')];
    const refused = jest.fn();
    load = startLoad({
      clusters: [a, b],
      seed: 7,
      clock,
      quiet: ['team-07'],
      onRefused: refused,
    });
    expect(refused).not.toHaveBeenCalled();
    const jobs = a.store.list('Job');
    expect(jobs.length).toBeGreaterThan(30);
    const [job] = jobs.filter(
      ({ spec }) =>
        spec.template.spec.containers[0].resources.limits['nvidia.com/gpu'],
    );
    expect(job).toMatchObject({
      metadata: {
        labels: {
          'kueue.x-k8s.io/queue-name': 'gpu',
          'kueue.x-k8s.io/priority-class':
            expect.stringMatching(/^(low|normal|high)$/),
        },
        annotations: { 'gpuaas.io/kind': 'batch' },
      },
      spec: {
        backoffLimit: 0,
        template: {
          spec: {
            restartPolicy: 'Never',
            nodeSelector: { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3' },
            containers: [
              {
                command: [
                  'sh',
                  '-c',
                  expect.stringMatching(/^sleep \d+(; exit 1)?$/),
                ],
              },
            ],
          },
        },
      },
    });
    expect(a.store.list('Job', { namespace: 'team-07' })).toEqual([]);
    expect(b.store.list('Job').length).toBeGreaterThan(30);
    const bare = [...a.store.list('Pod'), ...b.store.list('Pod')];
    expect(bare.length).toBeGreaterThan(0);
    expect(load.stats().live).toBe(
      jobs.length + b.store.list('Job').length + bare.length,
    );
  });

  it('goes on as time passes, faster when scaled', () => {
    const names = (timeScale: number, milliseconds: number) => {
      const place = cluster('spoke-a');
      clock = new ManualClock(MONDAY_NOON);
      const running = startLoad({
        clusters: [place],
        seed: 7,
        clock,
        timeScale,
        maxLive: 10_000,
      });
      clock.advance(milliseconds);
      running.close();
      return place.store
        .list('Job')
        .map(job => `${job.metadata.namespace}/${job.metadata.name}`)
        .sort();
    };
    const slow = names(1, 3_600_000);
    expect(names(60, 60_000)).toEqual(slow);
    expect(slow.length).toBeGreaterThan(names(1, 0).length + 20);
  });

  it('removes what has finished, after a while', () => {
    const place = cluster('spoke-a');
    load = startLoad({
      clusters: [place],
      clock,
      seed: 7,
      keepFinishedSeconds: 60,
    });
    const before = load.stats();
    const [{ metadata }] = place.store.list('Job');
    end(place.store, metadata.name, metadata.namespace);
    expect(load.stats()).toMatchObject({ live: before.live - 1, finished: 1 });
    clock.advance(59_000);
    expect(
      place.store.get('Job', metadata.name, metadata.namespace),
    ).toBeDefined();
    clock.advance(2_000);
    expect(
      place.store.get('Job', metadata.name, metadata.namespace),
    ).toBeUndefined();
    expect(load.stats().finished).toBe(0);
  });

  it('removes the oldest sooner when many have finished', () => {
    const place = cluster('spoke-a');
    load = startLoad({ clusters: [place], clock, seed: 7, maxFinished: 2 });
    const ended = place.store.list('Job').slice(0, 5);
    for (const { metadata } of ended) {
      end(place.store, metadata.name, metadata.namespace);
    }
    clock.advance(1000);
    expect(load.stats().finished).toBe(2);
    const left = ended.map(({ metadata }) =>
      Boolean(place.store.get('Job', metadata.name, metadata.namespace)),
    );
    expect(left).toEqual([false, false, false, true, true]);
  });

  it('keeps to its ceiling, and leaves alone what is not its own', () => {
    const place = cluster('spoke-a');
    load = startLoad({ clusters: [place], clock, seed: 7, maxLive: 20 });
    clock.advance(600_000);
    expect(load.stats().live).toBe(20);
    expect(load.stats().leftOut).toBeGreaterThan(0);
    place.store.create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'mine', namespace: 'team-01' },
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', image: 'example.com/a:1' }],
          },
        },
      },
    });
    end(place.store, 'mine', 'team-01');
    clock.advance(3_600_000);
    expect(place.store.get('Job', 'mine', 'team-01')).toBeDefined();
    expect(
      place.store.list('Job', { labels: { [loadLabel]: 'true' } }).length,
    ).toBeLessThanOrEqual(20);
  });

  it('finds what it made before a restart', () => {
    const place = cluster('spoke-a');
    const refused = jest.fn();
    const options = { clusters: [place], clock, seed: 7, onRefused: refused };
    startLoad(options).close();
    const count = place.store.list('Job').length;
    load = startLoad(options);
    expect(place.store.list('Job')).toHaveLength(count);
    expect(refused).not.toHaveBeenCalled();
  });
});
