import { TestForge } from './testForge';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('pull requests', () => {
  let forge: TestForge;
  beforeEach(async () => {
    forge = await TestForge.start();
  });
  afterEach(() => forge.stop());

  it('opens, shows, reviews and merges one', async () => {
    const opened = await forge.openPull('work', 'c/new.yaml', 'n: 1\n');
    expect(opened.status).toBe(201);
    expect(opened.body).toMatchObject({
      number: 1,
      state: 'open',
      title: 'Add c/new.yaml',
      body: 'Please',
      user: { login: 'developer-hub' },
      mergeable: true,
      merged: false,
      merged_by: null,
      head: { ref: 'work', label: 'work' },
      base: { ref: 'main' },
      html_url: `${forge.forge.url}/platform/gpu-fleet/pulls/1`,
    });
    const files = await forge.call('GET', 'pulls/1/files');
    expect(files.body).toMatchObject([
      { filename: 'c/new.yaml', status: 'added', additions: 1, deletions: 0 },
    ]);
    expect((await forge.call('GET', 'pulls/1.diff')).text).toContain('+n: 1');
    expect((await forge.call('GET', 'pulls/1.patch')).text).toMatch(
      /^From [0-9a-f]{40}[\s\S]*Subject: \[PATCH\] Add c\/new.yaml/,
    );

    const own = await forge.call('POST', 'pulls/1/reviews', {
      event: 'APPROVED',
    });
    expect(own.status).toBe(422);
    const review = await forge.call(
      'POST',
      'pulls/1/reviews',
      { event: 'APPROVED', body: 'Fits' },
      't-pavel',
    );
    expect(review).toMatchObject({
      status: 200,
      body: { state: 'APPROVED', official: true, user: { login: 'pavel' } },
    });

    const denied = await forge.call('POST', 'pulls/1/merge', { Do: 'merge' });
    expect([denied.status, denied.body.message]).toEqual([
      405,
      'User not allowed to merge PR',
    ]);
    const stale = await forge.call(
      'POST',
      'pulls/1/merge',
      { Do: 'merge', head_commit_id: opened.body.base.sha },
      't-pavel',
    );
    expect([stale.status, stale.body.message]).toEqual([
      409,
      'head out of date',
    ]);
    const merged = await forge.call(
      'POST',
      'pulls/1/merge',
      { Do: 'merge', head_commit_id: opened.body.head.sha },
      't-pavel',
    );
    expect(merged.status).toBe(200);
    const after = await forge.call('GET', 'pulls/1');
    expect(after.body).toMatchObject({
      state: 'closed',
      merged: true,
      merged_by: { login: 'pavel' },
      merged_at: expect.stringMatching(/^\d{4}-.*Z$/),
      merge_commit_sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const main = await forge.call('GET', 'branches/main');
    expect(main.body.commit.id).toBe(after.body.merge_commit_sha);
    expect(
      (await forge.call('POST', 'pulls/1/merge', {}, 't-pavel')).status,
    ).toBe(405);
    expect(
      (await forge.call('PATCH', 'pulls/1', { state: 'open' })).status,
    ).toBe(412);
  });

  it.each(['merge', 'squash', 'rebase', 'rebase-merge'])(
    'merges by %s when main has moved on',
    async style => {
      await forge.openPull('one', 'one.yaml', '1\n');
      await forge.openPull('two', 'two.yaml', '2\n');
      for (const number of [1, 2]) {
        const reply = await forge.call(
          'POST',
          `pulls/${number}/merge`,
          { Do: style },
          't-pavel',
        );
        expect(reply.status).toBe(200);
      }
      const tree = await forge.call('GET', 'git/trees/main?recursive=true');
      expect(tree.body.tree.map((entry: any) => entry.path)).toEqual([
        'README.md',
        'a/b.yaml',
        'one.yaml',
        'two.yaml',
      ]);
    },
  );

  it('will not merge a conflict', async () => {
    await forge.openPull('one', 'same.yaml', '1\n');
    await forge.openPull('two', 'same.yaml', '2\n');
    await forge.call('POST', 'pulls/1/merge', { Do: 'merge' }, 't-pavel');
    expect((await forge.call('GET', 'pulls/2')).body.mergeable).toBe(false);
    const reply = await forge.call('POST', 'pulls/2/merge', {}, 't-pavel');
    expect([reply.status, reply.body.message]).toEqual([
      405,
      'Please try again later',
    ]);
  });

  it('answers 409 to a second one for the same branches, 404 without a branch, 422 without a difference', async () => {
    await forge.openPull('one', 'one.yaml', '1\n');
    const again = await forge.call('POST', 'pulls', {
      head: 'one',
      base: 'main',
      title: 'Again',
    });
    expect([again.status, again.body.message]).toEqual([
      409,
      'pull request already exists for these targets [id: 1, issue_id: 1, head_repo_id: 1, base_repo_id: 1, head_branch: one, base_branch: main]',
    ]);
    const missing = { head: 'none', base: 'main', title: 'x' };
    expect((await forge.call('POST', 'pulls', missing)).status).toBe(404);
    const same = { head: 'main', base: 'main', title: 'x' };
    expect((await forge.call('POST', 'pulls', same)).status).toBe(422);
    const untitled = await forge.call('POST', 'pulls', {
      head: 'one',
      base: 'main',
    });
    expect([untitled.status, untitled.body.message]).toEqual([
      422,
      '[Title]: Required',
    ]);
  });

  it('closes, opens again, and closes when the branch goes', async () => {
    await forge.openPull('one', 'one.yaml', '1\n');
    const edit = (body: object) => forge.call('PATCH', 'pulls/1', body);
    expect((await edit({ state: 'closed' })).body.state).toBe('closed');
    expect(
      (await forge.call('POST', 'pulls/1/merge', {}, 't-pavel')).status,
    ).toBe(404);
    expect(
      (await edit({ state: 'open', title: 'New', body: 'Text' })).body,
    ).toMatchObject({ state: 'open', title: 'New', body: 'Text' });
    expect((await forge.call('DELETE', 'branches/one')).status).toBe(204);
    const gone = (await forge.call('GET', 'pulls/1')).body;
    expect(gone).toMatchObject({
      state: 'closed',
      merged: false,
      head: { ref: 'refs/pull/1/head', label: 'one' },
    });
  });

  it('finds one by base and head, and lists page by page', async () => {
    for (const n of [1, 2, 3]) {
      await forge.openPull(`req/${n}`, `${n}.yaml`, `${n}\n`);
    }
    const found = await forge.call('GET', 'pulls/main/req%2F2');
    expect(found.body.number).toBe(2);
    expect((await forge.call('GET', 'pulls/main/req/9')).status).toBe(404);
    const list = await forge.call('GET', 'pulls?state=open&limit=2');
    expect(list.body.map((pull: any) => pull.number)).toEqual([3, 2]);
    expect(list.headers.get('x-total-count')).toBe('3');
    expect(list.headers.get('link')).toContain('page=2>; rel="next"');
    const closed = await forge.call('GET', 'pulls?state=closed');
    expect(closed.body).toEqual([]);
    expect(closed.headers.get('x-total-count')).toBe('0');
  });

  it('follows its branch and marks reviews of older heads stale', async () => {
    await forge.openPull('one', 'one.yaml', '1\n');
    const review = { event: 'APPROVED' };
    await forge.call('POST', 'pulls/1/reviews', review, 't-pavel');
    await forge.call('POST', 'contents', {
      branch: 'one',
      files: [
        { operation: 'update', path: 'one.yaml', content: base64('2\n') },
      ],
    });
    const branch = await forge.call('GET', 'branches/one');
    const pull = await forge.call('GET', 'pulls/1');
    expect(pull.body.head.sha).toBe(branch.body.commit.id);
    const reviews = await forge.call('GET', 'pulls/1/reviews');
    expect(reviews.body).toMatchObject([{ state: 'APPROVED', stale: true }]);
  });

  it('asks for approval where the branch demands it', async () => {
    await forge.call(
      'PATCH',
      'branch_protections/main',
      { required_approvals: 1 },
      't-pavel',
    );
    await forge.openPull('one', 'one.yaml', '1\n');
    const merge = () =>
      forge.call('POST', 'pulls/1/merge', { Do: 'squash' }, 't-pavel');
    expect((await merge()).body.message).toBe('Does not have enough approvals');
    const review = { event: 'APPROVED' };
    await forge.call('POST', 'pulls/1/reviews', review, 't-mira');
    expect((await merge()).status).toBe(405);
    await forge.call('POST', 'pulls/1/reviews', review, 't-pavel');
    expect((await merge()).status).toBe(200);
  });

  it('keeps comments, labels, statuses and review requests', async () => {
    await forge.openPull('one', 'one.yaml', '1\n');
    const label = await forge.call('POST', 'labels', {
      name: 'gpu',
      color: '#00ff00',
    });
    await forge.call('PATCH', 'pulls/1', { labels: [label.body.id] });
    await forge.call('POST', 'issues/1/comments', { body: 'Hello' });
    const asked = await forge.call('POST', 'pulls/1/requested_reviewers', {
      reviewers: ['pavel'],
    });
    expect(asked.status).toBe(201);
    const pull = (await forge.call('GET', 'pulls/1')).body;
    expect(pull).toMatchObject({
      labels: [{ name: 'gpu', color: '00ff00' }],
      comments: 1,
      requested_reviewers: [{ login: 'pavel' }],
    });
    await forge.call('POST', `statuses/${pull.head.sha}`, {
      state: 'success',
      context: 'policy',
    });
    const status = await forge.call('GET', `commits/${pull.head.sha}/status`);
    expect(status.body).toMatchObject({ state: 'success', total_count: 1 });
  });
});
