import { ApiStatusError } from './apiStatus';
import { MemoryStore } from './memoryStore';
import type { KubernetesObject, ResourceType, WatchEvent } from './objectStore';

const widgets: ResourceType = {
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  kind: 'Widget',
  namespaced: true,
  hasStatus: true,
  generation: true,
};

function widget(name: string, more: Partial<KubernetesObject> = {}) {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    spec: { size: 1 },
    ...more,
    metadata: { name, namespace: 'ns', ...more.metadata },
  };
}

function refusal(act: () => unknown): ApiStatusError {
  try {
    act();
  } catch (error) {
    return error as ApiStatusError;
  }
  throw new Error('was not refused');
}

describe('MemoryStore', () => {
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore({ types: [widgets], historySize: 4 });
  });

  it('stamps what the server owns and freezes what it hands out', () => {
    const before = Number(store.resourceVersion());
    const created = store.create(widget('a', { status: { phase: 'Dreamt' } }));
    expect(created.metadata).toMatchObject({
      generation: 1,
      resourceVersion: String(before + 1),
    });
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(created.metadata.creationTimestamp).toMatch(/T\d\d:\d\d:\d\dZ$/);
    expect(created.status).toBeUndefined();
    expect(() => {
      created.spec.size = 2;
    }).toThrow(TypeError);
  });

  it('separates spec and status, and counts generations of the spec', () => {
    store.create(widget('a'));
    const changed = store.modify('Widget', 'a', 'ns', object => {
      object.spec.size = 2;
      object.status = { phase: 'Ready' };
    })!;
    expect(changed.status).toBeUndefined();
    expect(changed.metadata.generation).toBe(2);
    const ready = store.modify(
      'Widget',
      'a',
      'ns',
      object => {
        object.spec.size = 3;
        object.status = { phase: 'Ready' };
      },
      { subresource: 'status' },
    )!;
    expect(ready).toMatchObject({
      spec: { size: 2 },
      status: { phase: 'Ready' },
      metadata: { generation: 2 },
    });
    expect(ready.spec).toBe(changed.spec);
  });

  it('writes nothing when nothing changes', () => {
    const created = store.create(widget('a'));
    expect(store.update({ ...widget('a') })).toBe(created);
    expect(store.resourceVersion()).toBe(created.metadata.resourceVersion);
  });

  it('refuses as a real server does', () => {
    const first = store.create(widget('a'));
    expect(refusal(() => store.create(widget('a')))).toMatchObject({
      code: 409,
      reason: 'AlreadyExists',
      message: 'widgets.example.com "a" already exists',
    });
    store.update(widget('a', { spec: { size: 2 } }));
    expect(
      refusal(() => store.update({ ...first, spec: { size: 3 } })),
    ).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on widgets.example.com "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(refusal(() => store.delete('Widget', 'b', 'ns'))).toMatchObject({
      code: 404,
      message: 'widgets.example.com "b" not found',
      details: { name: 'b', group: 'example.com', kind: 'widgets' },
    });
    expect(refusal(() => store.create(widget('Ä')))).toMatchObject({
      code: 422,
      reason: 'Invalid',
      details: { causes: [{ field: 'metadata.name' }] },
    });
  });

  it('keeps an object with finalizers until they are gone', () => {
    store.create(widget('a', { metadata: { name: 'a', finalizers: ['x/y'] } }));
    store.delete('Widget', 'a', 'ns');
    expect(
      store.get('Widget', 'a', 'ns')?.metadata.deletionTimestamp,
    ).toBeDefined();
    const events: WatchEvent[] = [];
    store.watch('Widget', event => events.push(event));
    store.modify('Widget', 'a', 'ns', object => {
      delete object.metadata.finalizers;
    });
    expect(store.get('Widget', 'a', 'ns')).toBeUndefined();
    expect(events.map(event => event.type)).toEqual(['DELETED']);
  });

  it('delivers in the order of commits, also to late and nested watchers', () => {
    store.create(widget('a'));
    const seen: string[] = [];
    store.watch('Widget', event => {
      if (event.type === 'ADDED' && event.object.metadata.name === 'b') {
        store.create(widget('c'));
        store.watch(
          'Widget',
          late => seen.push(`late ${late.object.metadata.name}`),
          { replay: true },
        );
      }
    });
    store.watch(
      'Widget',
      event => seen.push(`${event.type} ${event.object.metadata.name}`),
      { replay: true },
    );
    store.create(widget('b'));
    expect(seen.filter(line => !line.startsWith('late'))).toEqual([
      'ADDED a',
      'ADDED b',
      'ADDED c',
    ]);
    expect(seen.filter(line => line.startsWith('late')).sort()).toEqual([
      'late a',
      'late b',
      'late c',
    ]);
  });

  it('finds objects by owner and by the job-uid label', () => {
    const owner = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: 'j',
      uid: 'u1',
      controller: true,
    };
    store.create(
      widget('a', { metadata: { name: 'a', ownerReferences: [owner] } }),
    );
    store.create(
      widget('b', {
        metadata: { name: 'b', labels: { 'kueue.x-k8s.io/job-uid': 'u1' } },
      }),
    );
    const names = (options: object) =>
      store.list('Widget', options).map(object => object.metadata.name);
    expect(names({ ownerUid: 'u1' })).toEqual(['a']);
    expect(names({ labels: { 'kueue.x-k8s.io/job-uid': 'u1' } })).toEqual([
      'b',
    ]);
    store.modify('Widget', 'a', 'ns', object => {
      delete object.metadata.ownerReferences;
    });
    expect(names({ ownerUid: 'u1' })).toEqual([]);
  });

  it('runs admission before storing, and stores nothing for a dry run', () => {
    store.addAdmission({
      name: 'sizes',
      matches: type => type.kind === 'Widget',
      admit: ({ object, operation, user }) => {
        if (operation === 'CREATE') {
          object.metadata.labels = { by: user };
        }
      },
    });
    const tried = store.create(widget('a'), { user: 'mira', dryRun: true });
    expect(tried.metadata.labels).toEqual({ by: 'mira' });
    expect(store.list('Widget')).toEqual([]);
  });

  it('forgets old changes, and all of them when compacted or restored', () => {
    for (let size = 1; size <= 8; size++) {
      store.create(widget(`w${size}`));
    }
    const version = Number(store.resourceVersion());
    expect(store.commitsSince(version - 2)).toHaveLength(2);
    expect(refusal(() => store.commitsSince(1))).toMatchObject({
      code: 410,
      reason: 'Expired',
    });
    const restored = new MemoryStore({
      types: [widgets],
      snapshot: JSON.parse(JSON.stringify(store.snapshot())),
    });
    expect(restored.resourceVersion()).toBe(store.resourceVersion());
    expect(restored.get('Widget', 'w3', 'ns')).toEqual(
      store.get('Widget', 'w3', 'ns'),
    );
    expect(restored.commitsSince(version)).toEqual([]);
    expect(refusal(() => restored.commitsSince(version - 1)).code).toBe(410);
    store.compact();
    expect(refusal(() => store.commitsSince(version - 1)).code).toBe(410);
  });
});
