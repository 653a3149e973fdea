import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from './git';
import { TestForge } from './testForge';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const run = promisify(execFile);
const saying = (message: string | RegExp) =>
  typeof message === 'string' ? message : expect.stringMatching(message);
/** A list, or an error as Gitea writes every one. */
const bodyOf = (status: number) =>
  status < 400
    ? expect.any(Array)
    : expect.objectContaining({
        message: expect.any(String),
        url: expect.stringMatching(/\/api\/swagger$/),
      });

describe('the forge', () => {
  let forge: TestForge;
  beforeEach(async () => {
    forge = await TestForge.start();
  });
  afterEach(() => forge.stop());

  describe('who may do what', () => {
    it.each([
      ['no token, private repository', 'GET', 'branches', null, 404],
      ['a token nobody has', 'GET', 'branches', 'wrong', 401],
      ['a token without scopes', 'GET', 'branches', 't-no-scopes', 403],
      ['an account without access', 'GET', 'branches', 't-outsider', 404],
      ['reading with read access', 'GET', 'branches', 't-argocd', 200],
      ['no token, writing', 'POST', 'branches', null, 401],
      ['writing with read access', 'POST', 'branches', 't-argocd', 403],
      ['an unknown path', 'GET', 'nothing', 't-mira', 404],
      ['a method a path does not have', 'PUT', 'branches', 't-mira', 405],
    ])('%s', async (_name, method, path, token, status) => {
      const reply = await forge.call(
        method,
        path,
        method === 'GET' ? undefined : { new_branch_name: 'x' },
        token,
      );
      expect(reply.status).toBe(status);
      expect(reply.body).toEqual(bodyOf(status));
    });

    it.each([
      ['token', 'token t-mira'],
      ['Bearer', 'Bearer t-mira'],
      ['basic, password only', `Basic ${base64(':t-mira')}`],
      ['basic, login and token', `basic ${base64('mira:t-mira')}`],
      ['basic, token as user name', `Basic ${base64('t-mira:')}`],
    ])('takes %s', async (_name, authorization) => {
      const response = await fetch(`${forge.forge.url}/api/v1/user`, {
        headers: { authorization },
      });
      expect(await response.json()).toMatchObject({ login: 'mira', id: 4 });
    });

    it("refuses somebody else's name on a token", async () => {
      const response = await fetch(`${forge.forge.url}/api/v1/user`, {
        headers: { authorization: `Basic ${base64('pavel:t-mira')}` },
      });
      expect(response.status).toBe(401);
    });
  });

  describe('changing files', () => {
    it('commits several operations at once to a new branch', async () => {
      const reply = await forge.call('POST', 'contents', {
        branch: 'main',
        new_branch: 'work/one',
        message: 'Change three',
        author: { name: 'Mira', email: 'mira@example.com' },
        files: [
          { operation: 'create', path: 'c/d.yaml', content: base64('d: 1\n') },
          {
            operation: 'update',
            path: 'README.md',
            content: base64('# New\n'),
          },
          { operation: 'delete', path: 'a/b.yaml' },
        ],
      });
      expect(reply.status).toBe(201);
      expect(reply.body.commit).toMatchObject({
        message: 'Change three\n',
        author: { name: 'Mira' },
        committer: { name: 'Mira' },
      });
      expect(reply.body.files.map((file: any) => file?.path ?? null)).toEqual([
        'c/d.yaml',
        'README.md',
        null,
      ]);
      const file = await forge.call('GET', 'contents/c/d.yaml?ref=work/one');
      expect(Buffer.from(file.body.content, 'base64').toString()).toBe(
        'd: 1\n',
      );
      expect(
        (await forge.call('GET', 'contents/a/b.yaml?ref=work/one')).status,
      ).toBe(404);
      expect((await forge.call('GET', 'raw/README.md')).text).toBe('# Fleet\n');
      const root = await forge.call('GET', 'contents?ref=work%2Fone');
      expect(root.body.map((entry: any) => [entry.type, entry.name])).toEqual([
        ['file', 'README.md'],
        ['dir', 'c'],
      ]);
    });

    const create = {
      operation: 'create',
      path: 'x.yaml',
      content: base64('x'),
    };
    it.each([
      [
        'a branch that is there already',
        { new_branch: 'main2', files: [create] },
        422,
        'branch already exists [name: main2]',
      ],
      [
        'a branch that is missing',
        { branch: 'gone', new_branch: 'y', files: [create] },
        404,
        'branch does not exist [repo_id: 1 name: gone]',
      ],
      [
        'a file that is there already',
        { new_branch: 'y', files: [{ ...create, path: 'README.md' }] },
        422,
        'repository file already exists [path: README.md]',
      ],
      [
        'a file below a file',
        { new_branch: 'y', files: [{ ...create, path: 'README.md/x' }] },
        422,
        'a file exists where you’re trying to create a subdirectory [path: README.md]',
      ],
      [
        'a file where a folder is',
        { new_branch: 'y', files: [{ ...create, path: 'a' }] },
        422,
        'a directory exists where you’re trying to create a file [path: a]',
      ],
      [
        'an update of what is not there',
        { new_branch: 'y', files: [{ ...create, operation: 'update' }] },
        404,
        'object does not exist [id: , rel_path: x.yaml]',
      ],
      [
        'another SHA than the file has',
        {
          new_branch: 'y',
          files: [
            { ...create, operation: 'update', path: 'README.md', sha: 'abc' },
          ],
        },
        422,
        /^sha does not match \[given: abc, expected: [0-9a-f]{40}\]$/,
      ],
      [
        'a path out of the tree',
        { new_branch: 'y', files: [{ ...create, path: '../x' }] },
        422,
        'filename is invalid: ../x',
      ],
      [
        'an unknown operation',
        { new_branch: 'y', files: [{ ...create, operation: 'move' }] },
        422,
        /^invalid file operation: move/,
      ],
      [
        'a push to the protected branch',
        { files: [create] },
        403,
        'user should have a permission to write to the target branch',
      ],
      ['no files', { new_branch: 'y', files: [] }, 422, '[Files]: Required'],
    ])('refuses %s', async (_name, body, status, message) => {
      await forge.call('POST', 'branches', { new_branch_name: 'main2' });
      const reply = await forge.call('POST', 'contents', body);
      expect([reply.status, reply.body.message]).toEqual([
        status,
        saying(message),
      ]);
      expect((await forge.call('GET', 'branches/y')).status).toBe(404);
    });

    it('answers 422 to a body that is no JSON', async () => {
      const response = await fetch(
        `${forge.forge.url}/api/v1/repos/platform/gpu-fleet/contents`,
        {
          method: 'POST',
          headers: { authorization: 'token t-mira' },
          body: '{',
        },
      );
      expect(response.status).toBe(422);
    });

    it('writes, changes and removes one file', async () => {
      await forge.call('POST', 'branches', { new_branch_name: 'one' });
      const made = await forge.call('POST', 'contents/n.txt', {
        branch: 'one',
        content: base64('1'),
      });
      expect(made.status).toBe(201);
      const { sha } = made.body.content;
      const changed = await forge.call('PUT', 'contents/n.txt', {
        branch: 'one',
        content: base64('2'),
        sha,
      });
      expect(changed.status).toBe(200);
      const stale = await forge.call('DELETE', 'contents/n.txt', {
        branch: 'one',
        sha,
      });
      expect(stale.status).toBe(422);
      const gone = await forge.call('DELETE', 'contents/n.txt', {
        branch: 'one',
        sha: changed.body.content.sha,
      });
      expect([gone.status, gone.body.content]).toEqual([200, null]);
      const log = await forge.call('GET', 'commits?sha=one&path=n.txt');
      expect(log.body.map((entry: any) => entry.commit.message)).toEqual([
        'Delete n.txt\n',
        'Update n.txt\n',
        'Add n.txt\n',
      ]);
    });

    it('keeps every one of many concurrent writers', async () => {
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          forge.openPull(`p/${n}`, `n/${n}.yaml`, `n: ${n}\n`),
        ),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(201));
      expect(new Set(replies.map(({ body }) => body.number)).size).toBe(12);
    });
  });

  describe('pull requests', () => {
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
      expect((await merge()).body.message).toBe(
        'Does not have enough approvals',
      );
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

  describe('git over HTTP', () => {
    let work: string;
    const git = (...args: string[]) =>
      run('git', ['-C', work, ...args], {
        env: {
          ...process.env,
          ...gitEnvironment,
          GIT_AUTHOR_NAME: 'T',
          GIT_AUTHOR_EMAIL: 't@example.com',
          GIT_COMMITTER_NAME: 'T',
          GIT_COMMITTER_EMAIL: 't@example.com',
        },
      });
    const address = (token: string) =>
      `${forge.forge.url.replace(
        '//',
        `//x:${token}@`,
      )}/platform/gpu-fleet.git`;

    beforeEach(async () => {
      work = await mkdtemp(join(tmpdir(), 'forge-clone-'));
    });
    afterEach(() => rm(work, { recursive: true, force: true }));

    it('serves clones to readers only', async () => {
      await git('clone', '-q', address('t-argocd'), '.');
      expect(await readFile(join(work, 'README.md'), 'utf8')).toBe('# Fleet\n');
      await expect(git('ls-remote', address('t-outsider'))).rejects.toThrow(
        /not found/,
      );
      await expect(git('ls-remote', address('wrong'))).rejects.toThrow(
        /Authentication failed/,
      );
    });

    it('takes pushes, and keeps the protected branch for maintainers', async () => {
      const pushes: string[] = [];
      forge.forge.onPush(({ branch }) => pushes.push(branch));
      await git('clone', '-q', address('t-mira'), '.');
      await git('checkout', '-q', '-b', 'topic');
      await writeFile(join(work, 'new.txt'), 'x\n');
      await git('add', '.');
      await git('commit', '-q', '-m', 'x');
      await git('push', '-q', 'origin', 'topic');
      expect(pushes).toEqual(['topic']);
      await expect(git('push', '-q', 'origin', 'topic:main')).rejects.toThrow(
        /branch main is protected from direct push[\s\S]*pre-receive hook declined/,
      );
      await git('push', '-q', address('t-pavel'), 'topic:main');
      expect(pushes).toEqual(['topic', 'main']);
      expect((await forge.call('GET', 'raw/new.txt')).text).toBe('x\n');
      await expect(
        git('push', '-q', address('t-argocd'), 'topic:other'),
      ).rejects.toThrow(/403/);
    });
  });

  it('mends what a crash between git and its own records left behind', async () => {
    await forge.openPull('one', 'one.yaml', '1\n');
    await forge.openPull('two', 'two.yaml', '2\n');
    const before = (await forge.call('GET', 'branches/main')).body.commit.id;
    await forge.call('POST', 'pulls/1/merge', { Do: 'merge' }, 't-pavel');
    const two = (await forge.call('GET', 'pulls/2')).body.head.sha;
    await forge.stop({ keep: true });
    // As if the branches had not got to where the records say, and the other way round.
    const path = join(forge.folder, 'platform/gpu-fleet.git');
    await run('git', ['-C', path, 'update-ref', 'refs/heads/main', before]);
    await run('git', ['-C', path, 'update-ref', 'refs/heads/two', before, two]);
    forge = await TestForge.start({ folder: forge.folder });
    expect((await forge.call('GET', 'pulls/1')).body).toMatchObject({
      state: 'open',
      merged: false,
      mergeable: true,
    });
    expect((await forge.call('GET', 'pulls/2')).body.head.sha).toBe(before);
    const again = await forge.call('POST', 'pulls/1/merge', {}, 't-pavel');
    expect(again.status).toBe(200);
  });

  it('is the same after a restart', async () => {
    await forge.openPull('one', 'one.yaml', '1\n');
    await forge.openPull('two', 'two.yaml', '2\n');
    await forge.call('POST', 'pulls/1/merge', { Do: 'merge' }, 't-pavel');
    const before = [
      (await forge.call('GET', 'pulls?state=all')).body.length,
      (await forge.call('GET', 'pulls/1')).body.merge_commit_sha,
    ];
    await forge.stop({ keep: true });
    forge = await TestForge.start({ folder: forge.folder });
    expect([
      (await forge.call('GET', 'pulls?state=all')).body.length,
      (await forge.call('GET', 'pulls/1')).body.merge_commit_sha,
    ]).toEqual(before);
    expect((await forge.openPull('three', '3.yaml', '3\n')).body.number).toBe(
      3,
    );
  });
});
