import { createServer, RequestListener, Server } from 'node:http';
import { AddressInfo } from 'node:net';
import { ForgeHttp, ForgeHttpOptions } from './ForgeHttp';

describe('ForgeHttp', () => {
  let server: Server | undefined;

  afterEach(async () => {
    server?.closeAllConnections();
    await new Promise(resolve =>
      server ? server.close(resolve) : resolve(undefined),
    );
    server = undefined;
  });

  async function serve(
    listener: RequestListener,
    options?: ForgeHttpOptions,
  ): Promise<ForgeHttp> {
    server = createServer(listener);
    await new Promise<void>(resolve => {
      server!.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as AddressInfo;
    return client(`http://127.0.0.1:${port}`, options);
  }

  function client(apiUrl: string, options?: ForgeHttpOptions) {
    return new ForgeHttp(
      {
        title: 'Gitea',
        repository: 'git.test/platform/gpu-fleet',
        apiUrl,
        headers: async () => ({}),
        tokenHint: 'integrations.gitea of git.test: password',
      },
      { retryDelayMs: 1, ...options },
    );
  }

  /** Answers with these statuses in turn, the last one for ever. */
  function statuses(...list: Array<[number, object?, string?]>) {
    const seen: string[] = [];
    const listener: RequestListener = (request, response) => {
      const [status, headers, body] =
        list[Math.min(seen.length, list.length - 1)];
      seen.push(request.method!);
      response.writeHead(status, { ...headers });
      response.end(body ?? '{"message":"their words"}');
    };
    return { seen, listener };
  }

  it.each([
    [400, 'invalid', /does not accept the change \(400\)/],
    [401, 'unauthorised', /does not accept the token.*password/],
    [403, 'forbidden', /write access/],
    [404, 'missing', /no such repository.*check/],
    [409, 'conflict', /conflict.*run this again/],
    [422, 'invalid', /does not accept the change \(422\)/],
    [429, 'rate-limited', /run it again later/],
    [500, 'unavailable', /has failed; run this again/],
    [503, 'unavailable', /has failed; run this again/],
  ])('%i becomes %s and says what to do', async (status, kind, what) => {
    const { listener } = statuses([status, { 'retry-after': '3600' }]);
    const plain = statuses([status]);
    const http = await serve(status === 429 ? listener : plain.listener);
    const error = await http.call<any>('POST', '/x', {}).catch(e => e);
    expect(error).toMatchObject({
      name: 'ForgeError',
      kind,
      status,
      said: 'their words',
    });
    expect(error.message).toMatch(what);
    expect(error.message).toMatch(
      /^Gitea, repository git\.test\/platform\/gpu-fleet: .*their words$/,
    );
  });

  it('repeats a read after failures of the server, and not for ever', async () => {
    const once = statuses([502], [200, {}, '{"a":1}']);
    expect(await (await serve(once.listener)).call('GET', '/')).toEqual({
      a: 1,
    });
    server!.close();
    const always = statuses([500]);
    const http = await serve(always.listener);
    await expect(http.call('GET', '/')).rejects.toThrow(/500/);
    expect(always.seen).toHaveLength(3);
  });

  it('does not repeat a write that may have happened', async () => {
    const { seen, listener } = statuses([500]);
    const http = await serve(listener);
    await expect(http.call('POST', '/', {})).rejects.toThrow(/500/);
    expect(seen).toEqual(['POST']);
  });

  it('waits as Retry-After says, also before a write', async () => {
    const { seen, listener } = statuses(
      [429, { 'retry-after': '0' }],
      [429, { 'retry-after': new Date().toUTCString() }],
      [201, {}, '{}'],
    );
    const http = await serve(listener);
    await http.call('POST', '/', {});
    expect(seen).toHaveLength(3);
  });

  it.each([
    [429, { 'retry-after': '21' }],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' }],
  ])('does not wait longer than it may (%i)', async (status, headers) => {
    const { seen, listener } = statuses([status, headers]);
    const http = await serve(listener, { maxRetryAfterSeconds: 20 });
    await expect(http.call('GET', '/')).rejects.toMatchObject({
      kind: 'rate-limited',
    });
    expect(seen).toHaveLength(1);
  });

  it('asks again only whether what it has is still so', async () => {
    const asked: Array<string | undefined> = [];
    let version = 1;
    const http = await serve((request, response) => {
      asked.push(request.headers['if-none-match']);
      const etag = `"${version}"`;
      const same = request.headers['if-none-match'] === etag;
      response.writeHead(same ? 304 : 200, { etag });
      response.end(same ? undefined : `{"version":${version}}`);
    });
    const version1 = { version: 1 };
    expect(await http.call('GET', '/a')).toEqual(version1);
    expect(await http.call('GET', '/a')).toEqual(version1);
    expect(await http.call('GET', '/a')).toEqual(version1);
    version = 2;
    expect(await http.call('GET', '/a')).toEqual({ version: 2 });
    expect(await http.call('GET', '/b')).toEqual({ version: 2 });
    expect(asked).toEqual([undefined, '"1"', '"1"', '"1"', undefined]);
  });

  it('repeats what the forge says on one line, whatever it holds', async () => {
    const { listener } = statuses([500, {}, 'a\u0000b\n<html>\u001b[1m']);
    const http = await serve(listener);
    await expect(http.call('POST', '/', {})).rejects.toMatchObject({
      said: 'a b <html> [1m',
    });
  });

  it('gives up on a forge that does not answer in time', async () => {
    const http = await serve(() => {}, { timeoutMs: 30 });
    await expect(http.call('GET', '/')).rejects.toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('no answer within 0.03 s'),
    });
  });

  it('stops at once when the task is cancelled', async () => {
    const controller = new AbortController();
    const http = await serve(() => controller.abort(new Error('cancelled')), {
      signal: controller.signal,
    });
    await expect(http.call('GET', '/')).rejects.toThrow('cancelled');
  });

  it('says so when there is nobody, or an answer makes no sense', async () => {
    await expect(
      client('http://127.0.0.1:1').call('GET', '/'),
    ).rejects.toMatchObject({ kind: 'unavailable' });
    const { listener } = statuses([200, {}, '<html>Sign in</html>']);
    const http = await serve(listener);
    await expect(http.call('POST', '/', {})).rejects.toThrow(
      /something that is not JSON/,
    );
  });

  it('shows a long page as one short line', async () => {
    const { listener } = statuses([500, {}, `<p>\n${'x'.repeat(5000)}`]);
    const http = await serve(listener);
    const error = await http.call<any>('POST', '/', {}).catch(e => e);
    expect(error.said).toHaveLength(300);
    expect(error.said).not.toContain('\n');
  });
});
