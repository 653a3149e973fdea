import { BackOff } from './backOff';
import { ClusterApiError } from './clusterApi';
import { KubernetesObject } from './kubernetesObject';
import { Reflector, ReflectorOptions, ReflectorSink } from './reflector';
import { FakeCluster } from './__testUtils__/FakeCluster';
import { workload } from './__testUtils__/objects';
import { until } from './__testUtils__/until';

const PATH = '/apis/kueue.x-k8s.io/v1beta2/workloads';

/** Keeps what a reflector tells, as a mirror of the resource and as a log. */
class Mirror implements ReflectorSink {
  objects = new Map<string, KubernetesObject>();
  log: string[] = [];
  errors: ClusterApiError[] = [];
  version = '';
  isFull = false;
  pages: number[] = [];
  private seen = new Set<string>();

  async listStarted() {
    this.log.push('list');
    this.seen = new Set();
    this.pages = [];
  }

  async listPage(objects: KubernetesObject[]) {
    this.pages.push(objects.length);
    for (const object of objects) {
      this.seen.add(object.metadata.uid);
      this.objects.set(object.metadata.uid, object);
    }
  }

  async listEnded(resourceVersion: string) {
    for (const uid of this.objects.keys()) {
      if (!this.seen.has(uid)) {
        this.objects.delete(uid);
      }
    }
    this.version = resourceVersion;
  }

  event(
    { type, object }: Parameters<ReflectorSink['event']>[0],
    version: string,
  ) {
    this.log.push(`${type} ${object.metadata.uid}`);
    if (type === 'deleted') {
      this.objects.delete(object.metadata.uid);
    } else {
      this.objects.set(object.metadata.uid, object);
    }
    this.version = version;
  }

  bookmark(version: string) {
    this.log.push('bookmark');
    this.version = version;
  }

  async ready() {
    await until(() => !this.isFull);
  }

  full() {
    return this.isFull;
  }

  live() {
    this.log.push('live');
  }

  down(error: ClusterApiError) {
    this.log.push(`down ${error.statusCode ?? ''}`.trim());
    this.errors.push(error);
  }
}

describe('Reflector', () => {
  const ends: Array<() => Promise<void>> = [];

  afterEach(async () => {
    await Promise.all(ends.splice(0).map(end => end()));
  });

  function reflect(options: Partial<ReflectorOptions> = {}) {
    const fake = new FakeCluster();
    const mirror = new Mirror();
    const end = new AbortController();
    const reflector = new Reflector({
      api: fake,
      path: PATH,
      sink: mirror,
      backOff: new BackOff(1, 2),
      relistBackOff: new BackOff(1, 2),
      ...options,
    });
    const start = () => {
      const done = reflector.run(end.signal);
      ends.push(async () => {
        end.abort();
        await done.catch(() => undefined);
      });
      return done;
    };
    return { fake, mirror, end, start, reflector };
  }

  it('lists page by page and watches from the version of the list', async () => {
    const { fake, mirror, start } = reflect({ pageSize: 2 });
    for (const id of ['1', '2', '3', '4', '5']) {
      fake.put('workloads', workload(id));
    }
    start();
    await until(() => mirror.log.includes('live'));
    expect(mirror.pages).toEqual([2, 2, 1]);
    expect(fake.opened).toEqual([{ path: PATH, resourceVersion: 105 }]);
    fake.put('workloads', workload('6'));
    fake.remove('workloads', 'wl-1');
    fake.bookmark('workloads');
    expect(mirror.log).toEqual([
      'list',
      'live',
      'added wl-6',
      'deleted wl-1',
      'bookmark',
    ]);
    expect(mirror.version).toBe('107');
    expect([...mirror.objects.keys()]).toEqual([
      'wl-2',
      'wl-3',
      'wl-4',
      'wl-5',
      'wl-6',
    ]);
  });

  it('starts from a version it is given, without a list', async () => {
    const { fake, mirror, start } = reflect({ resourceVersion: '100' });
    fake.put('workloads', workload('1'));
    start();
    await until(() => mirror.objects.size === 1);
    expect(fake.listed).toEqual([]);
  });

  it('goes on from the last version when a connection ends, in order or not', async () => {
    const { fake, mirror, start } = reflect();
    start();
    await until(() => mirror.log.includes('live'));
    fake.put('workloads', workload('1'));
    fake.cut();
    fake.put('workloads', workload('2'));
    await until(() => mirror.objects.size === 2);
    fake.cut(new Error('socket hang up'));
    fake.put('workloads', workload('3'));
    await until(() => mirror.objects.size === 3);
    expect(fake.listed).toHaveLength(1);
    expect(fake.opened.map(({ resourceVersion }) => resourceVersion)).toEqual([
      100, 101, 102,
    ]);
    expect(mirror.log.filter(line => line.startsWith('added'))).toHaveLength(3);
  });

  it('lists anew when its version is gone, and finds what was deleted meanwhile', async () => {
    const { fake, mirror, start } = reflect();
    fake.put('workloads', workload('1'));
    start();
    await until(() => mirror.log.includes('live'));
    fake.cut();
    fake.remove('workloads', 'wl-1');
    fake.put('workloads', workload('2'));
    fake.forget();
    await until(() => fake.listed.length === 2);
    await until(() => mirror.objects.has('wl-2'));
    await until(() => !mirror.objects.has('wl-1'));
    expect(mirror.errors[0].statusCode).toBe(410);
  });

  it('backs off in a storm of 410 and recovers', async () => {
    const waits: number[] = [];
    const relistBackOff = new BackOff(1, 8, () => 1);
    const next = relistBackOff.next.bind(relistBackOff);
    relistBackOff.next = () => {
      waits.push(next());
      return 0;
    };
    const { fake, mirror, start } = reflect({ relistBackOff });
    fake.forgotten = 1_000_000;
    start();
    await until(() => fake.listed.length >= 6);
    expect(waits.slice(0, 5)).toEqual([1, 2, 4, 8, 8]);
    fake.forgotten = 0;
    fake.put('workloads', workload('1'));
    await until(() => mirror.objects.size === 1);
  });

  it('takes a refused list as a state and asks again', async () => {
    const { fake, mirror, start } = reflect();
    fake.down = new ClusterApiError('401 Unauthorized', 401);
    start();
    await until(() => mirror.errors.length >= 2);
    expect(mirror.errors[0].statusCode).toBe(401);
    fake.down = undefined;
    await until(() => mirror.log.includes('live'));
  });

  it('takes a refused watch as a state and asks again', async () => {
    const { fake, mirror, start } = reflect({ resourceVersion: '100' });
    fake.down = new ClusterApiError('Forbidden', 403);
    start();
    await until(() => mirror.errors.length >= 2);
    expect(mirror.errors[0]).toMatchObject({
      statusCode: 403,
      message: `403 Forbidden (watch ${PATH})`,
    });
    fake.down = undefined;
    await until(() => mirror.log.includes('live'));
  });

  it.each<[string, string, unknown]>([
    ['an event without an object', 'MODIFIED', undefined],
    ['an object without a version', 'MODIFIED', { metadata: { name: 'x' } }],
    [
      'an object without a uid',
      'ADDED',
      { metadata: { name: 'x', resourceVersion: '500' } },
    ],
    ['an unknown type', 'CHANGED', { metadata: { resourceVersion: '500' } }],
    ['an error', 'ERROR', { code: 500, message: 'etcd is away' }],
  ])('does not move past %s', async (_, type, object) => {
    const { fake, mirror, start } = reflect();
    start();
    await until(() => mirror.log.includes('live'));
    fake.put('workloads', workload('1'));
    fake.send('workloads', type, object);
    await until(() => fake.opened.length === 2);
    expect(mirror.errors).toHaveLength(1);
    expect(fake.opened[1].resourceVersion).toBe(101);
  });

  it('ends a watch that is silent for too long', async () => {
    const { fake, mirror, start } = reflect({ idleMillis: 30 });
    start();
    await until(() => fake.opened.length >= 2);
    expect(mirror.errors[0].message).toContain('was silent for 0.03 s');
  });

  it('ends a watch the server does not accept in time', async () => {
    const { fake, mirror, start } = reflect({
      resourceVersion: '100',
      openMillis: 20,
    });
    let open = 0;
    fake.watch = () => {
      open += 1;
      return new Promise(() => {});
    };
    start();
    await until(() => open >= 2);
    expect(mirror.errors[0].message).toContain('was silent for 0.02 s');
  });

  it('holds a watch up while its sink is full, and loses nothing', async () => {
    const { fake, mirror, start } = reflect();
    start();
    await until(() => mirror.log.includes('live'));
    mirror.isFull = true;
    fake.put('workloads', workload('1'));
    fake.put('workloads', workload('2'));
    expect(mirror.objects.size).toBe(1);
    mirror.isFull = false;
    await until(() => mirror.objects.size === 2);
    expect(fake.listed).toHaveLength(1);
  });

  it('starts a list over whose continuation has expired', async () => {
    const { fake, mirror, start } = reflect({ pageSize: 1 });
    fake.put('workloads', workload('1'));
    fake.put('workloads', workload('2'));
    const get = fake.get.bind(fake);
    let expired = 0;
    fake.get = async (path, options) => {
      if (options?.query?.continue && expired === 0) {
        expired += 1;
        throw new ClusterApiError('410 continue token expired', 410);
      }
      return get(path, options) as any;
    };
    start();
    await until(() => mirror.log.includes('live'));
    expect(fake.listed).toHaveLength(2);
    expect(mirror.objects.size).toBe(2);
  });

  it('never runs twice at once', async () => {
    const { mirror, start, reflector } = reflect();
    start();
    await until(() => mirror.log.includes('live'));
    await expect(reflector.run(new AbortController().signal)).rejects.toThrow(
      'is running already',
    );
  });

  it('ends with the error of its sink', async () => {
    const { fake, mirror, start } = reflect();
    mirror.listPage = async () => {
      throw new Error('no database');
    };
    fake.put('workloads', workload('1'));
    await expect(start()).rejects.toThrow('no database');
  });

  it('ends when it is told to, also in the middle of a wait', async () => {
    const { fake, mirror, end, start } = reflect({
      backOff: new BackOff(60_000, 60_000),
    });
    fake.down = new ClusterApiError('away');
    const done = start();
    await until(() => mirror.errors.length === 1);
    end.abort();
    await done;
    expect(fake.opened).toEqual([]);
  });
});

describe('BackOff', () => {
  it('doubles up to its maximum, and half of it is chance', () => {
    const full = new BackOff(100, 1_000, () => 1);
    expect([1, 2, 3, 4, 5].map(() => full.next())).toEqual([
      100, 200, 400, 800, 1000,
    ]);
    full.reset();
    expect(full.next()).toBe(100);
    expect(new BackOff(100, 1_000, () => 0).next()).toBe(50);
  });
});
