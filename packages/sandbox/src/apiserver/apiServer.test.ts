import { type ApiServer, createApiServer } from './apiServer';
import {
  masterUser,
  serviceAccountUser,
  type TokenTable,
} from './authentication';
import { createStore } from './createStore';
import type { MemoryStore } from './memoryStore';
import { skewable } from './skewableClock';

/** Reads a watch until `enough` says so of the events so far, or it ends. */
async function readWatch(
  response: Response,
  enough: (events: any[]) => boolean = () => false,
): Promise<{ events: any[]; rest: string; broken: boolean }> {
  const events: any[] = [];
  let rest = '';
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  try {
    while (!enough(events)) {
      const { done, value } = await reader.read();
      if (done) {
        return { events, rest, broken: false };
      }
      const lines = (rest + decoder.decode(value, { stream: true })).split(
        '\n',
      );
      rest = lines.pop()!;
      events.push(...lines.map(line => JSON.parse(line)));
    }
  } catch {
    return { events, rest, broken: true };
  }
  await reader.cancel();
  return { events, rest, broken: false };
}

describe('API server', () => {
  let store: MemoryStore;
  let server: ApiServer;
  let tokens: TokenTable;

  beforeEach(async () => {
    const clock = skewable();
    store = createStore({ clock });
    tokens = new Map([
      ['admin', masterUser('admin')],
      ['portal', serviceAccountUser('gpuaas', 'gpu-portal')],
    ]);
    server = await createApiServer({ store, tokens, clock });
  });

  afterEach(() => server.close());

  function call(
    method: string,
    path: string,
    options: {
      body?: unknown;
      token?: string;
      type?: string;
      accept?: string;
    } = {},
  ): Promise<Response> {
    const { token = 'admin', type = 'application/json' } = options;
    return fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(options.body !== undefined && { 'Content-Type': type }),
        ...(options.accept && { Accept: options.accept }),
      },
      ...(options.body !== undefined && { body: JSON.stringify(options.body) }),
    });
  }

  async function answer(...request: Parameters<typeof call>) {
    const response = await call(...request);
    return { code: response.status, body: (await response.json()) as any };
  }

  const maps = '/api/v1/namespaces/default/configmaps';
  const flavors = '/apis/kueue.x-k8s.io/v1beta2/resourceflavors';
  const map = (name: string, data = {}) => ({ metadata: { name }, data });

  it('creates, reads, changes and deletes', async () => {
    const created = await answer('POST', maps, { body: map('a', { k: '1' }) });
    expect(created.code).toBe(201);
    expect(created.body).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
    const changed = await answer('PATCH', `${maps}/a`, {
      body: { data: { k: '2' } },
      type: 'application/merge-patch+json',
    });
    expect(changed.body.data).toEqual({ k: '2' });
    const stale = await answer('PUT', `${maps}/a`, { body: created.body });
    expect(stale).toMatchObject({ code: 409, body: { reason: 'Conflict' } });
    const deleted = await answer('DELETE', `${maps}/a`);
    expect(deleted).toMatchObject({
      code: 200,
      body: { kind: 'Status', status: 'Success', details: { name: 'a' } },
    });
    expect((await answer('GET', `${maps}/a`)).body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "a" not found',
      reason: 'NotFound',
      details: { name: 'a', kind: 'configmaps' },
      code: 404,
    });
  });

  it.each([
    ['GET', '/apis/nowhere.io/v1/things', undefined, 404, 'NotFound'],
    ['PUT', maps, {}, 405, 'MethodNotAllowed'],
    ['POST', '/api/v1/configmaps', {}, 405, 'MethodNotAllowed'],
    ['POST', maps, { kind: 'Pod', apiVersion: 'v1' }, 400, 'BadRequest'],
    ['POST', `${maps}?dryRun=Some`, map('x'), 400, 'BadRequest'],
    ['POST', maps, map('Not_A_Name'), 422, 'Invalid'],
    ['GET', `${maps}?labelSelector=a%3Db%3Dc`, undefined, 400, 'BadRequest'],
    ['GET', `${maps}?limit=many`, undefined, 400, 'BadRequest'],
    ['PATCH', `${maps}/x`, {}, 404, 'NotFound'],
    ['GET', '/api/v1/%zz', undefined, 400, 'BadRequest'],
  ])(
    '%s %s is refused with %s %s',
    async (method, path, body, code, reason) => {
      const type =
        method === 'PATCH' ? 'application/merge-patch+json' : undefined;
      expect(await answer(method, path, { body, type })).toMatchObject({
        code,
        body: { kind: 'Status', reason, code },
      });
    },
  );

  it('refuses formats it cannot read or write', async () => {
    await call('POST', maps, { body: map('a') });
    const patch = await answer('PATCH', `${maps}/a`, {
      body: {},
      type: 'application/json',
    });
    expect(patch).toMatchObject({
      code: 415,
      body: { reason: 'UnsupportedMediaType' },
    });
    const accept = 'application/vnd.kubernetes.protobuf';
    expect((await answer('GET', maps, { accept })).code).toBe(406);
  });

  it('lists built-in items without kind and custom ones with', async () => {
    await call('POST', maps, { body: map('a') });
    await call('POST', flavors, {
      body: { metadata: { name: 'f' }, spec: {} },
    });
    const builtIn = (await answer('GET', maps)).body;
    expect(builtIn.kind).toBe('ConfigMapList');
    expect(builtIn.items[0].kind).toBeUndefined();
    const custom = (await answer('GET', flavors)).body;
    expect(custom.items[0].kind).toBe('ResourceFlavor');
  });

  it('answers tables, and metadata alone', async () => {
    await call('POST', maps, { body: map('a', { k: '1' }) });
    const asTable = await answer('GET', maps, {
      accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
    });
    expect(asTable.body.columnDefinitions.map((one: any) => one.name)).toEqual([
      'Name',
      'Data',
      'Age',
    ]);
    expect(asTable.body.rows[0].cells.slice(0, 2)).toEqual(['a', 1]);
    const asMetadata = await answer('GET', maps, {
      accept:
        'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
    });
    expect(asMetadata.body.kind).toBe('PartialObjectMetadataList');
    expect(asMetadata.body.items[0].data).toBeUndefined();
  });

  it('tells watchers what comes into and goes out of their sight', async () => {
    const since = store.resourceVersion();
    const response = await call(
      'GET',
      `${maps}?watch=true&resourceVersion=${since}&labelSelector=tier%3Dgpu`,
    );
    const label = (tier: string) =>
      call('PATCH', `${maps}/a`, {
        body: { metadata: { labels: { tier } } },
        type: 'application/merge-patch+json',
      });
    await call('POST', maps, { body: map('a') });
    await label('gpu');
    await call('PATCH', `${maps}/a`, {
      body: { data: { k: '1' } },
      type: 'application/merge-patch+json',
    });
    await label('cpu');
    const { events } = await readWatch(response, seen => seen.length === 3);
    expect(events.map(event => event.type)).toEqual([
      'ADDED',
      'MODIFIED',
      'DELETED',
    ]);
    // As it was last in sight, at the version at which it went.
    expect(events[2].object).toMatchObject({
      data: { k: '1' },
      metadata: {
        labels: { tier: 'gpu' },
        resourceVersion: store.resourceVersion(),
      },
    });
  });

  it('ends a watch in time, with a bookmark shortly before', async () => {
    const path = `${maps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=1`;
    const { events, broken } = await readWatch(await call('GET', path));
    expect(broken).toBe(false);
    expect(events.at(-1)).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: store.resourceVersion() } },
    });
  });

  it('ends the initial events with a bookmark', async () => {
    await call('POST', maps, { body: map('a') });
    const path = `${maps}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=9`;
    const { events } = await readWatch(
      await call('GET', path),
      seen => seen.length === 2,
    );
    expect(events[0].type).toBe('ADDED');
    expect(events[1].object.metadata.annotations).toEqual({
      'k8s.io/initial-events-end': 'true',
    });
  });

  it('checks who asks and what they may', async () => {
    expect((await answer('GET', maps, { token: 'stolen' })).body).toMatchObject(
      {
        code: 401,
        reason: 'Unauthorized',
        message: 'Unauthorized',
      },
    );
    expect((await answer('GET', maps, { token: '' })).body.message).toBe(
      'configmaps is forbidden: User "system:anonymous" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
    expect(
      (await answer('GET', flavors, { token: 'portal' })).body.message,
    ).toBe(
      'resourceflavors.kueue.x-k8s.io is forbidden: User "system:serviceaccount:gpuaas:gpu-portal" cannot list resource "resourceflavors" in API group "kueue.x-k8s.io" at the cluster scope',
    );
    expect((await call('GET', '/version', { token: '' })).status).toBe(200);
    expect((await call('GET', '/metrics', { token: '' })).status).toBe(403);
  });

  it('applies, creating first, and wants to know who', async () => {
    const type = 'application/apply-patch+yaml';
    const body = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      ...map('a', { k: '1' }),
    };
    const nobody = await answer('PATCH', `${maps}/a`, { body, type });
    expect(nobody).toMatchObject({ code: 422 });
    const path = `${maps}/a?fieldManager=test`;
    expect((await answer('PATCH', path, { body, type })).code).toBe(201);
    const again = await answer('PATCH', path, {
      body: { ...body, data: { l: '2' } },
      type,
    });
    expect(again).toMatchObject({
      code: 200,
      body: { data: { k: '1', l: '2' } },
    });
  });

  it('deletes collections by selector', async () => {
    await call('POST', maps, { body: map('a') });
    await call('POST', maps, { body: map('b') });
    const path = `${maps}?fieldSelector=metadata.name%3Da`;
    expect((await answer('DELETE', path)).body.items).toHaveLength(1);
    expect(store.list('ConfigMap').map(one => one.metadata.name)).toEqual([
      'b',
    ]);
  });

  describe('faults', () => {
    const faults = '/sandbox/faults';

    it('are for the administrator, and say what is accepted', async () => {
      const forbidden = await answer('POST', faults, {
        body: {},
        token: 'portal',
      });
      expect(forbidden.code).toBe(403);
      const wrong = await answer('POST', faults, { body: { melt: true } });
      expect(wrong).toMatchObject({
        code: 400,
        body: { message: expect.stringContaining('faults.melt: unknown') },
      });
    });

    it('answer with an error until cleared', async () => {
      await call('POST', faults, {
        body: { answer: { code: 429, retryAfterSeconds: 7 } },
      });
      const busy = await call('GET', maps);
      expect(busy.status).toBe(429);
      expect(busy.headers.get('retry-after')).toBe('7');
      await call('DELETE', faults);
      expect((await call('GET', maps)).status).toBe(200);
      await call('POST', faults, { body: { unauthorized: true } });
      expect((await call('GET', maps)).status).toBe(401);
    });

    it('reset connections', async () => {
      server.inject({ refuse: true });
      await expect(call('GET', maps)).rejects.toThrow('fetch failed');
    });

    it('break a watch in the middle of an event', async () => {
      await call('POST', maps, { body: map('a') });
      const response = await call('GET', `${maps}?watch=1`);
      const read = readWatch(response);
      await call('POST', faults, { body: { cutWatches: true } });
      const { events, rest, broken } = await read;
      expect(events).toHaveLength(1);
      expect(rest).toMatch(/^\{"type":"MODIFIED"/);
      expect(broken).toBe(true);
    });

    it('forget the past and set the clock wrong', async () => {
      const since = store.resourceVersion();
      await call('POST', maps, { body: map('a') });
      await call('POST', faults, {
        body: { compact: true, skewSeconds: -3600 },
      });
      const { events } = await readWatch(
        await call('GET', `${maps}?watch=1&resourceVersion=${since}`),
      );
      expect(events).toMatchObject([
        { type: 'ERROR', object: { code: 410, reason: 'Expired' } },
      ]);
      const late = await answer('POST', maps, { body: map('b') });
      const age = Date.now() - Date.parse(late.body.metadata.creationTimestamp);
      expect(age).toBeGreaterThan(3_500_000);
    });
  });
});
