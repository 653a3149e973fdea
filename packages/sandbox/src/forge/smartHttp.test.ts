import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment } from './git';
import { TestForge } from './testForge';

const run = promisify(execFile);

describe('git over HTTP', () => {
  let forge: TestForge;
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
    `${forge.forge.url.replace('//', `//x:${token}@`)}/platform/gpu-fleet.git`;

  beforeEach(async () => {
    forge = await TestForge.start();
    work = await mkdtemp(join(tmpdir(), 'forge-clone-'));
  });
  afterEach(async () => {
    await forge.stop();
    await rm(work, { recursive: true, force: true });
  });

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
