import { GpuClient } from './gpuClient';

function clientAnswering(status: number, body: unknown) {
  const calls: Array<{ url: string; init: RequestInit }> = [];
  const client = new GpuClient({
    discoveryApi: { getBaseUrl: async id => `http://portal/api/${id}` },
    fetchApi: {
      fetch: (async (url: string, init: RequestInit) => {
        calls.push({ url, init });
        return new Response(JSON.stringify(body), {
          status,
          headers: { 'Content-Type': 'application/json' },
        });
      }) as unknown as typeof fetch,
    },
  });
  return { client, calls };
}

describe('GpuClient', () => {
  it('repeats list parameters and leaves absent ones out', async () => {
    const { client, calls } = clientAnswering(200, {
      items: [],
      totalItems: 0,
    });
    await client.getWorkloads(
      { phase: ['pending', 'admitted'], team: 'group:default/team-07' },
      { token: 't0ken' },
    );
    expect(calls[0].url).toBe(
      'http://portal/api/gpu/v1/workloads?phase=pending&phase=admitted&team=group%3Adefault%2Fteam-07',
    );
    expect(calls[0].init.headers).toEqual({ Authorization: 'Bearer t0ken' });
  });

  it('puts a registration as JSON under the encoded id', async () => {
    const { client, calls } = clientAnswering(200, { id: 'a/b' });
    await client.putRequest('a/b', { name: 'job' } as any);
    expect(calls[0].url).toBe('http://portal/api/gpu/v1/requests/a%2Fb');
    expect(calls[0].init).toMatchObject({
      method: 'PUT',
      body: '{"name":"job"}',
      headers: { 'Content-Type': 'application/json' },
    });
  });

  it('takes an entity reference apart', async () => {
    const { client, calls } = clientAnswering(200, {});
    await client.getEntitySummary('component:default/llm-finetune');
    expect(calls[0].url).toBe(
      'http://portal/api/gpu/v1/entities/component/default/llm-finetune/summary',
    );
  });

  it("passes on the server's error", async () => {
    const { client } = clientAnswering(404, {
      error: { name: 'NotFoundError', message: 'no request "x"' },
      request: { method: 'GET', url: '/v1/requests/x' },
      response: { statusCode: 404 },
    });
    await expect(client.getRequest('x')).rejects.toMatchObject({
      statusCode: 404,
      cause: { name: 'NotFoundError', message: 'no request "x"' },
    });
  });
});
