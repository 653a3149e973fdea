import { mockServices } from '@backstage/backend-test-utils';
import { FakeForge } from './__testUtils__/fakeForge';
import { configs, REPO_URL } from './__testUtils__/requestFixtures';
import { RequestRow } from './requestStore';
import { TidyUp } from './tidyUp';

const row = (id: string): RequestRow => ({
  id,
  name: id,
  cluster: 'spoke-a',
  namespace: 'team-07',
  requester: 'user:default/mira',
  entity: 'component:default/llm-finetune',
  state: 'succeeded',
  repoUrl: REPO_URL,
  branch: 'main',
  path: `clusters/spoke-a/team-07/${id}.yaml`,
  digest: '',
});

function setUp(rows: RequestRow[]) {
  const forge = new FakeForge();
  rows.forEach(({ path }) =>
    forge.branches.get('main')!.set(path, 'kind: Job\n'),
  );
  const gone = new Set<string>();
  const logger = mockServices.logger.mock();
  let askedBefore = '';
  const tidyUp = new TidyUp({
    store: {
      listTidiable: async (before: string) => {
        askedBefore = before;
        return rows.filter(({ id }) => !gone.has(id));
      },
      recordTidyBranch: async (ids: string[], branch: string) => {
        for (const one of rows.filter(({ id }) => ids.includes(id))) {
          one.tidyBranch = branch;
        }
      },
      recordFileGone: async (ids: string[]) => ids.forEach(id => gone.add(id)),
    } as any,
    forgeOf: () => forge,
    configs,
    graceMillis: 600_000,
    everyMillis: 1_000,
    logger,
    now: () => Date.UTC(2026, 10, 2, 10, 30),
  });
  return { forge, gone, tidyUp, logger, before: () => askedBefore };
}

describe('TidyUp', () => {
  it('makes one pull request of all that has ended, and the same one again', async () => {
    const rows = [row('b'), row('d')];
    const { forge, tidyUp, before } = setUp(rows);
    await tidyUp.round();
    expect(before()).toBe('2026-11-02T10:20:00.000Z');
    expect(forge.requests).toEqual([
      expect.objectContaining({
        branch: 'gpu/tidy-up-b',
        target: 'main',
        state: 'open',
        title: 'Tidy up: 2 ended GPU jobs',
      }),
    ]);
    expect([...forge.branches.get('gpu/tidy-up-b')!.keys()]).toEqual([]);
    await tidyUp.round();
    expect(forge.requests).toHaveLength(1);

    rows.unshift(row('a'));
    forge.branches.get('main')!.set(row('a').path, 'kind: Job\n');
    forge.branches.get('gpu/tidy-up-b')!.set(row('a').path, 'kind: Job\n');
    await tidyUp.round();
    expect(forge.requests).toHaveLength(1);
    expect(forge.requests[0].title).toBe('Tidy up: 3 ended GPU jobs');
  });

  it('notes what has left Git, and opens a new one for what ends later', async () => {
    const rows = [row('a')];
    const { forge, gone, tidyUp } = setUp(rows);
    await tidyUp.round();
    forge.merge(1, '2026-11-02T10:40:00Z');
    await tidyUp.round();
    expect([...gone]).toEqual(['a']);

    rows.push(row('d'));
    forge.branches.get('main')!.set(row('d').path, 'kind: Job\n');
    await tidyUp.round();
    await tidyUp.round();
    expect(forge.requests.map(({ branch }) => branch)).toEqual([
      'gpu/tidy-up-a',
      'gpu/tidy-up-d',
    ]);
  });

  it("takes a reviewer's no for an answer, and goes on with what ends later", async () => {
    const rows = [row('a')];
    const { forge, tidyUp, logger } = setUp(rows);
    await tidyUp.round();
    forge.requests[0].state = 'closed';
    await tidyUp.round();
    expect(forge.requests).toHaveLength(1);

    rows.push(row('d'));
    forge.branches.get('main')!.set(row('d').path, 'kind: Job\n');
    await tidyUp.round();
    await tidyUp.round();
    expect(forge.requests).toMatchObject([
      { branch: 'gpu/tidy-up-a', state: 'closed' },
      { branch: 'gpu/tidy-up-d', title: 'Tidy up: 1 ended GPU job' },
    ]);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it('finds its branch again after a crash', async () => {
    const rows = [row('b')];
    const { forge, tidyUp } = setUp(rows);
    forge.openOrUpdateRequest = async () => {
      throw new Error('killed');
    };
    await tidyUp.round();
    Reflect.deleteProperty(forge, 'openOrUpdateRequest');
    rows.unshift(row('a'));
    forge.branches.get('main')!.set(row('a').path, 'kind: Job\n');
    await tidyUp.round();
    expect(forge.requests.map(({ branch }) => branch)).toEqual([
      'gpu/tidy-up-b',
    ]);
  });

  it('tries again when the forge is down', async () => {
    const { forge, tidyUp } = setUp([row('a')]);
    forge.down = new Error('503');
    await tidyUp.round();
    forge.down = undefined;
    await tidyUp.round();
    expect(forge.requests).toHaveLength(1);
  });
});
