import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore } from './createStore';
import { keepSaved, loadSnapshot } from './persistence';

describe('persistence', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const map = (name: string) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default' },
  });

  it('survives a restart with its versions', () => {
    const file = join(folder, 'hub', 'cluster.json');
    expect(loadSnapshot(file)).toBeUndefined();
    const store = createStore();
    const saving = keepSaved(store, file);
    const created = store.create(map('a'));
    saving.stop();
    expect(readdirSync(join(folder, 'hub'))).toEqual(['cluster.json']);
    const again = createStore({ snapshot: loadSnapshot(file) });
    expect(again.get('ConfigMap', 'a', 'default')).toEqual(created);
    expect(again.resourceVersion()).toBe(store.resourceVersion());
  });

  it('saves by itself soon after a change', async () => {
    const file = join(folder, 'cluster.json');
    const store = createStore();
    let save: (() => void) | undefined;
    const saving = keepSaved(store, file, {
      now: () => new Date(),
      after: (_, callback) => {
        save = callback;
        return () => {};
      },
    });
    store.create(map('a'));
    save!();
    while (!loadSnapshot(file)) {
      await new Promise(resolve => {
        setImmediate(resolve);
      });
    }
    expect(loadSnapshot(file)!.resourceVersion).toBe(
      Number(store.resourceVersion()),
    );
    saving.stop();
  });

  it('answers 410 after a crash to versions that were handed out and not saved', async () => {
    const file = join(folder, 'cluster.json');
    const store = createStore();
    let save: (() => void) | undefined;
    keepSaved(store, file, {
      now: () => new Date(),
      after: (_, callback) => {
        save = callback;
        return () => {};
      },
    });
    store.create(map('saved'));
    save!();
    while (!loadSnapshot(file)) {
      await new Promise(resolve => {
        setImmediate(resolve);
      });
    }
    store.create(map('lost'));
    const seen = Number(store.resourceVersion());

    const again = createStore({ snapshot: loadSnapshot(file) });
    expect(again.get('ConfigMap', 'saved', 'default')).toBeDefined();
    again.create(map('new'));
    expect(() => again.commitsSince(seen)).toThrow('too old resource version');
    expect(Number(again.resourceVersion())).toBeGreaterThan(seen);
  });

  it('names a damaged file', () => {
    const file = join(folder, 'cluster.json');
    writeFileSync(file, '{"half":');
    expect(() => loadSnapshot(file)).toThrow(`${file}: is no saved cluster`);
  });
});
