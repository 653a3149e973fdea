import fc from 'fast-check';
import { listPage } from './listing';
import { MemoryStore } from './memoryStore';
import type { KubernetesObject, ResourceType } from './objectStore';

const kind = 'Widget';
const widgets: ResourceType = {
  group: 'example.com',
  version: 'v1',
  resource: 'widgets',
  kind,
  namespaced: true,
  hasStatus: true,
  generation: true,
};

/** One of a few things done to one of a few objects. */
const step = fc.record({
  act: fc.constantFrom('create', 'spec', 'status', 'hold', 'free', 'delete'),
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  size: fc.nat(2),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function perform(store: MemoryStore, { act, name, size }: Step): void {
  const exists = store.get(kind, name, 'ns') !== undefined;
  if (act === 'create' && !exists) {
    store.create({
      apiVersion: 'example.com/v1',
      kind,
      metadata: { name, namespace: 'ns' },
      spec: { size },
    });
  } else if (act === 'delete' && exists) {
    store.delete(kind, name, 'ns');
  } else if (act === 'status') {
    const options = { subresource: 'status' as const };
    const change = (object: KubernetesObject) => {
      object.status = { size };
    };
    store.modify(kind, name, 'ns', change, options);
  } else if (act !== 'create') {
    store.modify(kind, name, 'ns', object => {
      if (act === 'spec') {
        object.spec.size = size;
      } else if (act === 'free') {
        delete object.metadata.finalizers;
      } else if (!object.metadata.deletionTimestamp) {
        object.metadata.finalizers = ['example.com/hold'];
      }
    });
  }
}

const steps = fc.array(step, { maxLength: 60 });

describe('MemoryStore, whatever is done', () => {
  it('tells a watcher exactly what a list would show', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const store = new MemoryStore({ types: [widgets] });
        before.forEach(one => perform(store, one));
        const seen = new Map<string, KubernetesObject>();
        const versions: number[] = [];
        store.watch(
          kind,
          ({ type, object, previous }) => {
            const { name, resourceVersion } = object.metadata;
            versions.push(Number(resourceVersion));
            expect(seen.get(name)).toBe(
              type === 'ADDED' ? undefined : previous,
            );
            if (type === 'DELETED') {
              seen.delete(name);
            } else {
              seen.set(name, object);
            }
          },
          { replay: true },
        );
        const replayed = versions.length;
        after.forEach(one => perform(store, one));
        const live = versions.slice(replayed);
        expect(live).toEqual([...new Set(live)].sort((a, b) => a - b));
        expect([...seen.values()].sort(byName)).toEqual(
          store.list(kind).sort(byName),
        );
      }),
    );
  });

  it('lists the past as it was', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const store = new MemoryStore({ types: [widgets] });
        before.forEach(one => perform(store, one));
        const resourceVersion = store.resourceVersion();
        const then = store.list(kind).sort(byName);
        after.forEach(one => perform(store, one));
        const exact = { kind, resourceVersion, resourceVersionMatch: 'Exact' };
        expect(listPage(store, exact).items).toEqual(then);
      }),
    );
  });

  it('restores to the same state', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const store = new MemoryStore({ types: [widgets] });
        before.forEach(one => perform(store, one));
        const restored = new MemoryStore({
          types: [widgets],
          snapshot: JSON.parse(JSON.stringify(store.snapshot())),
        });
        expect(restored.snapshot()).toEqual(store.snapshot());
        after.forEach(one => perform(restored, one));
        expect(Number(restored.resourceVersion())).toBeGreaterThanOrEqual(
          Number(store.resourceVersion()),
        );
      }),
    );
  });
});

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return a.metadata.name.localeCompare(b.metadata.name);
}
