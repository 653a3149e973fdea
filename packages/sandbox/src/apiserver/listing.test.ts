import { ApiStatusError } from './apiStatus';
import { listPage } from './listing';
import { MemoryStore } from './memoryStore';
import { servedTypes } from './types/servedTypes';

function storeWith(count: number, historySize?: number): MemoryStore {
  const store = new MemoryStore({ types: servedTypes, historySize });
  for (let index = 0; index < count; index++) {
    store.create(flavor(index));
  }
  return store;
}

function flavor(index: number, labels?: Record<string, string>) {
  return {
    apiVersion: 'kueue.x-k8s.io/v1beta2',
    kind: 'ResourceFlavor',
    metadata: { name: `f${String(index).padStart(3, '0')}`, labels },
    spec: {},
  };
}

const kind = 'ResourceFlavor';

describe('listPage', () => {
  it('walks pages of one moment while objects come, change and go', () => {
    const store = storeWith(10);
    const first = listPage(store, { kind, limit: 4 });
    expect(first.items.map(item => item.metadata.name)).toEqual([
      'f000',
      'f001',
      'f002',
      'f003',
    ]);
    expect(first.remainingItemCount).toBe(6);
    store.delete(kind, 'f005');
    store.modify(kind, 'f006', undefined, object => {
      object.spec.nodeLabels = { late: 'yes' };
    });
    store.create(flavor(50));
    const names: string[] = [];
    let token = first.continueToken;
    while (token) {
      const page = listPage(store, { kind, limit: 4, continueToken: token });
      expect(page.resourceVersion).toBe(first.resourceVersion);
      expect(page.items.every(item => !item.spec.nodeLabels)).toBe(true);
      names.push(...page.items.map(item => item.metadata.name));
      token = page.continueToken;
    }
    expect(names).toEqual(['f004', 'f005', 'f006', 'f007', 'f008', 'f009']);
  });

  it('says 410 when the moment is forgotten, with a token to go on', () => {
    const store = storeWith(6);
    const { continueToken } = listPage(store, { kind, limit: 2 });
    store.create(flavor(50));
    store.compact();
    let refusal: ApiStatusError | undefined;
    try {
      listPage(store, { kind, limit: 2, continueToken });
    } catch (error) {
      refusal = error as ApiStatusError;
    }
    expect(refusal).toMatchObject({ code: 410, reason: 'Expired' });
    const rest = listPage(store, {
      kind,
      continueToken: refusal!.continueToken,
    });
    expect(rest.items.map(item => item.metadata.name)).toEqual([
      'f002',
      'f003',
      'f004',
      'f005',
      'f050',
    ]);
  });

  it('answers an exact version, and refuses one of the future', () => {
    const store = storeWith(2);
    const resourceVersion = store.resourceVersion();
    store.delete(kind, 'f000');
    const exact = { kind, resourceVersion, resourceVersionMatch: 'Exact' };
    expect(listPage(store, exact).items).toHaveLength(2);
    expect(listPage(store, { kind, resourceVersion }).items).toHaveLength(1);
    expect(() => listPage(store, { kind, resourceVersion: '999999' })).toThrow(
      'Too large resource version: 999999',
    );
    expect(() => listPage(store, { kind, continueToken: 'abc' })).toThrow(
      'continue key is not valid',
    );
  });
});
