import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
