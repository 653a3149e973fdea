import { mockServices, TestDatabases } from '@backstage/backend-test-utils';
import {
  DeviceClassOffer,
  fileDigest,
} from '@gpuaas/backstage-plugin-gpu-common';
import {
  MeteredInterval,
  MeteredWorkload,
} from '@gpuaas/backstage-plugin-gpu-node';
import { Knex } from 'knex';
import { Leases } from '../database/leases';
import { migrate } from '../database/migrate';
import { DatabaseRequestStore } from '../requests/databaseRequestStore';
import {
  gpuPod,
  MANIFEST,
  observedWorkload,
  origin,
  registration,
} from '../requests/__testUtils__/requestFixtures';
import { podFacts, runFacts } from '../requests/requestObserver';
import { DatabaseLedgerStore } from './databaseLedgerStore';
import { IntervalCompletion } from './intervalCompletion';
import { LedgerReader } from './ledgerReader';

const T0 = 1_780_000_000;

const workload: MeteredWorkload = {
  cluster: 'spoke-a',
  uid: 'uid-r1',
  name: 'job-tune-1a2b3c4d-00000',
  namespace: 'team-07',
  job: 'tune-1a2b3c4d',
  queue: 'gpu',
  clusterQueue: 'team-07',
  team: 'group:default/team-07',
  requestId: 'r1',
};

const open: MeteredInterval = {
  podSet: 'main',
  flavor: 'train',
  resource: 'nvidia.com/gpu',
  units: 2,
  kind: 'allocated',
  confidence: 'measured',
  openedAt: T0,
};
const closed: MeteredInterval = {
  ...open,
  closedAt: T0 + 60,
  endReason: 'Succeeded',
};

const offer = {
  cluster: 'spoke-a',
  flavor: 'train',
  deviceClass: {
    id: 'nvidia-h100-80gb-hbm3',
    resourceName: 'nvidia.com/gpu',
    shareNano: 1_000_000_000,
  },
} as DeviceClassOffer;

const databases = TestDatabases.create({
  ids: ['SQLITE_3', 'POSTGRES_15'],
  disableDocker: true,
});

describe.each(databases.eachSupportedId())('ledger on %s', databaseId => {
  let knex: Knex;
  let requests: DatabaseRequestStore;
  let ledger: DatabaseLedgerStore;
  let reader: LedgerReader;
  let completion: IntervalCompletion;
  let offers: DeviceClassOffer[];

  beforeAll(async () => {
    knex = await databases.init(databaseId);
    await migrate(knex);
  });

  beforeEach(async () => {
    for (const table of [
      'ledger_intervals',
      'ledger_states',
      'request_pods',
      'request_runs',
      'requests',
    ]) {
      await knex(table).delete();
    }
    offers = [offer];
    requests = new DatabaseRequestStore(knex);
    ledger = new DatabaseLedgerStore(knex, requests);
    reader = new LedgerReader(knex, true, () => T0 + 100);
    completion = new IntervalCompletion({
      knex,
      leases: new Leases(knex, 'me', 10_000),
      clusters: { listOffers: async () => offers },
      requests,
      logger: mockServices.logger.mock(),
      observed: ['spoke-a'],
    });
  });

  const write = (
    intervals: MeteredInterval[],
    of: MeteredWorkload = workload,
    complete = true,
  ) =>
    knex.transaction(trx =>
      ledger.within(trx).writeIntervals(of, intervals, complete),
    );

  it('keeps what the meter noted, by Workload', async () => {
    await knex.transaction(async trx => {
      const writes = ledger.within(trx);
      await writes.writeState('spoke-a', 'uid-r1', '{"a":1}', false);
      await writes.writeState('spoke-a', 'uid-r1', '{"a":2}', true);
      await writes.writeState('spoke-b', 'uid-r1', '{"a":3}', false);
    });
    await knex.transaction(async trx => {
      expect(
        await ledger.within(trx).readStates('spoke-a', ['uid-r1', 'none']),
      ).toEqual(new Map([['uid-r1', '{"a":2}']]));
    });
  });

  it('stores an interval once, closes it, and takes back what turned out wrong', async () => {
    await write([open]);
    await write([open]);
    await completion.round();
    expect((await reader.list({}, {})).items).toMatchObject([
      {
        units: 2,
        shareNano: 2_000_000_000,
        deviceClass: 'nvidia-h100-80gb-hbm3',
        seconds: 100,
        gpuNanoSeconds: '200000000000',
        openedAt: '2026-05-28T20:26:40Z',
        confidence: 'measured',
      },
    ]);
    expect(await reader.totals({})).toEqual({
      gpuNanoSeconds: '200000000000',
      nowNano: 2_000_000_000,
    });
    await write([closed]);
    // 2 GPUs × 60 s.
    expect(await reader.totals({})).toEqual({
      gpuNanoSeconds: '120000000000',
      nowNano: 0,
    });
    await write([{ ...closed, openedAt: T0 + 10 }]);
    expect(await reader.totals({})).toEqual({
      gpuNanoSeconds: '0',
      nowNano: 0,
    });
    await completion.round();
    expect((await reader.totals({}))?.gpuNanoSeconds).toBe('100000000000');
    await write([], workload, false);
    expect((await reader.list({}, {})).totalItems).toBe(1);
  });

  it('does not know a share before the class is known: missing is not zero', async () => {
    offers = [];
    await write([closed]);
    await completion.round();
    const [interval] = (await reader.list({}, {})).items;
    expect(interval).toMatchObject({ confidence: 'unknown' });
    expect(interval.deviceClass).toBeUndefined();
    expect(interval.gpuNanoSeconds).toBeUndefined();
    offers = [{ ...offer, flavor: 'other' }];
    await completion.round();
    expect((await reader.list({}, {})).items[0].confidence).toBe('unknown');
    offers = [offer];
    await completion.round();
    expect((await reader.list({}, {})).items[0]).toMatchObject({
      confidence: 'measured',
      gpuNanoSeconds: '120000000000',
    });
  });

  it('sums exactly beyond 2^53, and refuses to be wrong beyond 2^63', async () => {
    // 3,001 GPUs for 1,000,003 s: 3.0e18 nano-GPU-seconds each, far beyond 2^53.
    const long = { ...closed, units: 3_001, closedAt: T0 + 1_000_003 };
    await write([long]);
    await write([long], { ...workload, uid: 'uid-2' });
    await completion.round();
    expect((await reader.totals({}))?.gpuNanoSeconds).toBe(
      String(2n * 3_001n * 1_000_000_000n * 1_000_003n),
    );
    await write([{ ...long, units: 8_000 }], { ...workload, uid: 'uid-3' });
    await completion.round();
    // By its message: errors of the native driver can come from another test file's realm.
    const refusal = await reader.totals({}).then(
      () => 'summed',
      error => error.message,
    );
    expect(refusal).toMatch(/64 bits|overflow/);
  });

  it('counts entity and user only for the registered file of a known request', async () => {
    await requests.register('r1', registration(), origin);
    await write([open]);
    await completion.round();
    const owner = async () => (await reader.list({}, {})).items[0];
    expect(await owner()).toMatchObject({ team: 'group:default/team-07' });
    expect((await owner()).entity).toBeUndefined();

    const merged = {
      url: 'http://forge.example/pulls/7',
      number: 7,
      provider: 'gitea',
      state: 'merged' as const,
    };
    await requests.recordForge('r1', { ...merged, fileCheck: 'changed' });
    await completion.round();
    expect((await owner()).entity).toBeUndefined();

    await requests.recordForge('r1', { ...merged, fileCheck: 'same' });
    // Same id claimed by another Job of the namespace.
    await write([open], { ...workload, uid: 'forged', job: 'mine' });
    await completion.round();
    const { items } = await reader.list({ entity: registration().entity }, {});
    expect(items).toMatchObject([
      { workloadUid: 'uid-r1', requester: 'user:default/mira' },
    ]);
    expect(items[0].requestId).toBe('r1');
    // The same Job once more by hand, after its file has left Git.
    await requests.recordFileGone(['r1']);
    await write([open], { ...workload, uid: 'by-hand' });
    await completion.round();
    expect(
      (await reader.list({ workload: 'by-hand' }, {})).items[0].entity,
    ).toBeUndefined();
    expect((await reader.list({ requestId: 'r1' }, {})).totalItems).toBe(1);
    const forged = await reader.list({ workload: 'forged' }, {});
    expect(forged.items[0].requestId).toBeUndefined();
    expect((await reader.list({ requestId: 'r1' }, {})).totalItems).toBe(1);
    expect(fileDigest(MANIFEST)).toBe(registration().file.digest);
  });

  it('stamps a request metered with the first sample, or with the end', async () => {
    await requests.register('r1', registration(), origin);
    await requests.recordRun(
      'r1',
      runFacts(observedWorkload('r1', 'admitted')),
    );
    await requests.recordPod('r1', podFacts(gpuPod()));
    await write([open]);
    const metered = async () => (await requests.get('r1'))!.steps[6].at;
    await completion.round();
    expect(await metered()).toBeUndefined();

    const unobserved = (endedAfter = 0, cluster = 'spoke-a') =>
      ledger.listUnobservedPods({ cluster, endedAfter, limit: 10 });
    const [pod] = await unobserved();
    expect(await unobserved(0, 'spoke-b')).toEqual([]);
    const end = { finishedAt: '2026-11-02T10:01:00Z' };
    await requests.recordPod('r1', podFacts(gpuPod(end)));
    const seconds = Date.parse(end.finishedAt) / 1000;
    expect(await unobserved(seconds - 1)).toHaveLength(1);
    expect(await unobserved(seconds + 1)).toEqual([]);
    expect(pod).toMatchObject({ uid: 'pod-1', namespace: 'team-07' });
    await ledger.recordFirstSample(pod, pod.readyAt + 7.5, 'metric');
    await ledger.recordFirstSample(pod, pod.readyAt + 9, 'metric');
    expect(await unobserved()).toEqual([]);
    expect((await requests.get('r1'))!.steps[5]).toMatchObject({
      name: 'Observed',
      at: '2026-11-02T10:00:42Z',
      source: 'Prometheus',
    });
    await completion.round();
    const at = await metered();
    expect(at).toBeDefined();
    await completion.round();
    expect(await metered()).toBe(at);
  });

  it.each([
    [['abc', 'a', 'b', 'c', 'd', 'e', 'f']],
    [['99999999999999999999', 'a', 'b', 'c', 'd', 'e', 'f']],
    [[1e300, 'a', 'b', 'c', 'd', 'e', 'f']],
    [[1, 2, 3, 4, 5, 6, 7]],
    [[1, 'a']],
    [[1, 'a\u0000', 'b', 'c', 'd', 'e', 'f']],
    [null],
  ])('refuses the cursor %j', async key => {
    const cursor = Buffer.from(JSON.stringify(key)).toString('base64url');
    await expect(reader.list({}, { cursor })).rejects.toThrow(
      'accepted is nextCursor of the page before',
    );
  });

  it('pages intervals, newest first', async () => {
    for (let n = 0; n < 5; n += 1) {
      await write([{ ...closed, openedAt: T0 + (n % 2) }], {
        ...workload,
        uid: `uid-${n}`,
      });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await reader.list(
        { cluster: 'spoke-a' },
        { limit: 2, cursor },
      );
      seen.push(...page.items.map(({ workloadUid }) => workloadUid));
      cursor = page.nextCursor;
    } while (cursor);
    expect(seen).toEqual(['uid-3', 'uid-1', 'uid-4', 'uid-2', 'uid-0']);
  });
});
