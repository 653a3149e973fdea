/* eslint-disable @backstage/no-forbidden-package-imports -- the suite and the sandbox are parts of this repository, not of a package's interface */
import {
  ChangeProposal,
  ForgeHttpOptions,
  proposeChange,
} from '@gpuaas/backstage-plugin-gpu-node';
import { giteaUnderTest } from '@gpuaas/backstage-plugin-gpu-node/src/forge/contract/giteaUnderTest';
import { TestForge } from 'sandbox/src/forge/testForge';

describe('a forge in trouble', () => {
  let sandbox: TestForge;
  let cases = 0;

  beforeAll(async () => {
    sandbox = await TestForge.start();
  });
  afterAll(() => sandbox?.stop());
  afterEach(() => sandbox.forge.faults.clear());

  function connect(
    options?: ForgeHttpOptions,
    portalToken = 't-developer-hub',
  ) {
    return giteaUnderTest({
      url: sandbox.forge.url,
      portalToken,
      reviewerToken: 't-pavel',
      stop: async () => {},
    }).connect({ retryDelayMs: 1, ...options });
  }

  function proposal(): ChangeProposal {
    cases += 1;
    return {
      target: 'main',
      branch: `gpu/faults/${cases}`,
      changes: [{ path: `faults/${cases}.yaml`, content: 'a: 1\n' }],
      title: `Fault ${cases}`,
      body: '',
    };
  }

  it.each([
    ['POST', '/contents$'],
    ['POST', '/pulls$'],
  ])(
    'whatever %s %s is answered, says so and is repaired by the next run',
    async (method, path) => {
      for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 503]) {
        const change = proposal();
        sandbox.forge.faults.add({ status, method, path, retryAfter: 3600 });
        await expect(proposeChange(connect(), change)).rejects.toThrow(
          new RegExp(`repository .*/platform/gpu-fleet: it .* \\(${status}\\)`),
        );
        sandbox.forge.faults.clear();
        expect(await proposeChange(connect(), change)).toMatchObject({
          state: 'created',
        });
      }
    },
    60_000,
  );

  it('waits as long as it is asked to, if that is not long', async () => {
    sandbox.forge.faults.add({ status: 429, retryAfter: 0, times: 2 });
    expect(await proposeChange(connect(), proposal())).toMatchObject({
      state: 'created',
    });
  });

  it('rides out a short failure of reads', async () => {
    sandbox.forge.faults.add({ status: 502, method: 'GET', times: 1 });
    expect(await proposeChange(connect(), proposal())).toMatchObject({
      state: 'created',
    });
  });

  it('gives up on a slow forge', async () => {
    sandbox.forge.faults.add({ delay: 60_000 });
    await expect(
      proposeChange(connect({ timeoutMs: 100 }), proposal()),
    ).rejects.toThrow(/no answer within 0.1 s/);
  });

  it.each(['/contents$', '/pulls$'])(
    'repairs a %s that was done although the connection broke',
    async path => {
      const change = proposal();
      sandbox.forge.faults.add({
        crashAfter: true,
        method: 'POST',
        path,
        times: 1,
      });
      const first = await proposeChange(connect(), change).catch(e => e);
      const again = await proposeChange(connect(), change);
      expect(again.number).toEqual(expect.any(Number));
      expect(first.number ?? again.number).toBe(again.number);
      expect(await connect().getRequest(again.number! + 1)).toBeUndefined();
    },
  );

  it.each([
    ['t-outsider', /Branch main of .* may not see the repository/],
    ['t-argocd', /write access/],
    ['nonsense', /does not accept the token.*password/],
  ])('tells %s what is missing', async (token, message) => {
    await expect(proposeChange(connect({}, token), proposal())).rejects.toThrow(
      message,
    );
  });
});
