import { PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { until } from '../until';
import { type RunningWorld, worlds } from '../world';
import { TestNamespace } from './testNamespace';
import { record, type RecordedWatch } from './watching';

describe.each(worlds())('$name: watches', world => {
  let running: RunningWorld;
  let namespace: TestNamespace;
  const open: RecordedWatch[] = [];

  beforeAll(async () => {
    running = await world.start();
    namespace = new TestNamespace(running.clusters[0]);
    await namespace.create();
  });

  afterAll(async () => {
    open.forEach(recorded => recorded.stop());
    await namespace.remove();
    await running.close();
  });

  async function watch(
    query: Record<string, string | number | boolean>,
  ): Promise<RecordedWatch> {
    const recorded = await record(
      namespace.cluster.admin,
      namespace.mapsPath,
      query,
    );
    open.push(recorded);
    return recorded;
  }

  async function currentVersion(): Promise<string> {
    const list = await namespace.core.listNamespacedConfigMap({
      namespace: namespace.name,
    });
    return list.metadata!.resourceVersion!;
  }

  const label = (name: string, labels: Record<string, string | null>) =>
    namespace.core.patchNamespacedConfigMap(
      {
        name,
        namespace: namespace.name,
        body: { metadata: { labels } },
      },
      setHeaderOptions('Content-Type', PatchStrategy.MergePatch),
    );

  const story = (recorded: RecordedWatch) =>
    recorded.events.map(
      ({ type, object }) => `${type} ${object.metadata?.name ?? object.code}`,
    );

  it('go on from a resourceVersion without missing or repeating anything', async () => {
    await namespace.map('before');
    const resourceVersion = await currentVersion();
    await namespace.map('one');
    await label('one', { touched: 'yes' });
    const recorded = await watch({ resourceVersion });
    await namespace.core.deleteNamespacedConfigMap({
      name: 'one',
      namespace: namespace.name,
    });
    await until('three events', () => recorded.events.length >= 3);
    expect(story(recorded)).toEqual([
      'ADDED one',
      'MODIFIED one',
      'DELETED one',
    ]);
    const versions = recorded.events.map(event =>
      Number(event.object.metadata.resourceVersion),
    );
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions[0]).toBeGreaterThan(Number(resourceVersion));
  });

  it('show selected objects as they come into and go out of sight', async () => {
    const resourceVersion = await currentVersion();
    const recorded = await watch({
      resourceVersion,
      labelSelector: 'seen=yes',
    });
    await namespace.map('shy');
    await label('shy', { seen: 'yes' });
    await label('shy', { colour: 'red' });
    await label('shy', { seen: null });
    await until('three events', () => recorded.events.length >= 3);
    expect(story(recorded)).toEqual([
      'ADDED shy',
      'MODIFIED shy',
      'DELETED shy',
    ]);
    // What goes is shown as it was last in sight.
    expect(recorded.events[2].object.metadata.labels).toMatchObject({
      seen: 'yes',
      colour: 'red',
    });
  });

  it('begin with what there is when no version is given', async () => {
    await namespace.map('there', { here: 'now' });
    const recorded = await watch({ labelSelector: 'here=now' });
    await until('the event', () => recorded.events.length >= 1);
    expect(story(recorded)).toEqual(['ADDED there']);
  });

  it('end in time, with a bookmark to go on from', async () => {
    const resourceVersion = await currentVersion();
    const recorded = await watch({
      resourceVersion,
      allowWatchBookmarks: true,
      timeoutSeconds: 3,
    });
    await namespace.map('late');
    await until('the end', () => recorded.ended);
    const bookmarks = recorded.events.filter(one => one.type === 'BOOKMARK');
    expect(bookmarks.length).toBeGreaterThan(0);
    const { object } = bookmarks[bookmarks.length - 1];
    expect(object.kind).toBe('ConfigMap');
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Number(resourceVersion),
    );
  });

  it('say 410 when the version is forgotten', async () => {
    const { compact } = namespace.cluster;
    const resourceVersion = await currentVersion();
    await namespace.map('forgotten');
    await compact?.();
    // Version 1 is older than anything a cluster still remembers.
    const recorded = await watch({
      resourceVersion: compact ? resourceVersion : '1',
    });
    await until('the end', () => recorded.ended);
    expect(recorded.events).toMatchObject([
      {
        type: 'ERROR',
        object: { kind: 'Status', code: 410, reason: 'Expired' },
      },
    ]);
  });
});
