import { TestForge } from './testForge';

describe('faults', () => {
  let forge: TestForge;
  const fault = (body: object, token = 't-pavel') =>
    forge.call('POST', '/sandbox/faults', body, token);
  beforeEach(async () => {
    forge = await TestForge.start();
  });
  afterEach(() => forge.stop());

  it.each([401, 403, 404, 409, 422, 500])(
    'answers %i for N calls',
    async status => {
      await fault({ status, times: 2, path: '/pulls$' });
      expect((await forge.call('GET', 'pulls')).status).toBe(status);
      expect((await forge.call('GET', 'branches')).status).toBe(200);
      expect((await forge.call('GET', 'pulls')).status).toBe(status);
      expect((await forge.call('GET', 'pulls')).status).toBe(200);
    },
  );

  it('says when to come back with 429', async () => {
    await fault({ status: 429, retryAfter: 7, method: 'get' });
    const reply = await forge.call('GET', 'pulls');
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([
      429,
      '7',
    ]);
    await forge.call('DELETE', '/sandbox/faults', undefined, 't-pavel');
    expect((await forge.call('GET', 'pulls')).status).toBe(200);
  });

  it('is slow for as long as asked', async () => {
    await fault({ delay: 120, times: 1 });
    const from = performance.now();
    expect((await forge.call('GET', 'pulls')).status).toBe(200);
    expect(performance.now() - from).toBeGreaterThanOrEqual(110);
  });

  it('drops the connection before or after the deed', async () => {
    await fault({ drop: true, times: 1, method: 'POST' });
    const branch = { new_branch_name: 'one' };
    await expect(forge.call('POST', 'branches', branch)).rejects.toThrow();
    expect((await forge.call('GET', 'branches/one')).status).toBe(404);
    await fault({ crashAfter: true, times: 1, method: 'POST' });
    await expect(forge.call('POST', 'branches', branch)).rejects.toThrow();
    expect((await forge.call('GET', 'branches/one')).status).toBe(200);
  });

  it('is for admins, and says what it does not understand', async () => {
    expect((await fault({ drop: true }, 't-mira')).status).toBe(403);
    expect((await fault({})).body.message).toBe(
      'a fault needs one of status, delay, drop and crashAfter',
    );
    expect((await fault({ status: 200 })).body.message).toBe(
      'status: 200 is not between 400 and 599',
    );
    expect((await fault({ drop: true, times: -1 })).body.message).toBe(
      'times: -1 is no whole number of 0 or more',
    );
  });
});
