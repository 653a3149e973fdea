/* eslint-disable jest/no-export -- each provider's own test file runs this suite */
import { ForgeHttpOptions } from '../ForgeHttp';
import { GitForge } from '../GitForge';
import { ChangeProposal, planChange, proposeChange } from '../proposeChange';

/** A forge with repository `platform/gpu-fleet`, whose branch `main` has a commit. */
export interface ForgeUnderTest {
  /** A client of the account that may open requests. */
  connect(options?: ForgeHttpOptions): GitForge;
  /** A reviewer merges, or closes without a merge. */
  merge(number: number): Promise<void>;
  close(number: number): Promise<void>;
  /** Somebody else commits to a branch, which is made from `main` if need be; no content removes the file. */
  commitTo(branch: string, path: string, content?: string): Promise<void>;
  /** Every commit the branch holds. */
  history(branch: string): Promise<string[]>;
  stop(): Promise<void>;
}

/** What every provider must do, so that a request is one branch, one file and one pull request. */
export function describeForgeContract(
  name: string,
  start: () => Promise<ForgeUnderTest>,
): void {
  // A real forge on a busy machine takes its time.
  jest.setTimeout(60_000);

  describe(`${name} keeps the contract of a forge`, () => {
    let fixture: ForgeUnderTest;
    let cases = 0;
    // A forge that outlives the suite remembers the names of earlier runs.
    const run = Date.now().toString(36);

    beforeAll(async () => {
      fixture = await start();
    });
    afterAll(async () => {
      await fixture?.stop();
    });

    function proposal(content = 'a: 1\n'): ChangeProposal & { path: string } {
      cases += 1;
      const path = `clusters/spoke-a/team-07/job-${run}-${cases}.yaml`;
      return {
        target: 'main',
        branch: `gpu/spoke-a/team-07/job-${run}-${cases}`,
        path,
        changes: [{ path, content }],
        title: `Job ${cases}`,
        body: 'For the reviewer',
      };
    }

    function withContent(
      change: ReturnType<typeof proposal>,
      content: string | undefined,
    ) {
      return { ...change, changes: [{ path: change.path, content }] };
    }

    async function read(ref: string, path: string) {
      return (await fixture.connect().readFiles(ref, [path])).get(path);
    }

    /** A client with somebody else at work: `hook` runs once, before its first write. */
    function connectWithHook(hook: () => Promise<void>) {
      let began = false;
      return fixture.connect({
        fetch: async (input, init) => {
          if (init?.method !== 'GET' && !began) {
            began = true;
            await hook();
          }
          return fetch(input, init);
        },
      });
    }

    /**
     * Runs a new change in a process that dies at its n-th write, then runs it again;
     * false when there was no such write.
     */
    async function crashAtWrite(when: 'before' | 'after', nth: number) {
      const change = proposal();
      let writes = 0;
      let dead = false;
      const forge = fixture.connect({
        retryDelayMs: 1,
        fetch: async (input, init) => {
          const last = init?.method !== 'GET' && ++writes === nth;
          dead ||= last && when === 'before';
          if (dead) throw new Error('crash');
          const response = await fetch(input, init);
          dead = last;
          if (dead) throw new Error('crash');
          return response;
        },
      });
      const first = await proposeChange(forge, change).catch(e => e);
      expect(first instanceof Error).toBe(dead);
      const done = await proposeChange(fixture.connect(), change);
      expect(await read(change.branch, change.path)).toBe('a: 1\n');
      expect(await fixture.connect().getRequest(done.number!)).toMatchObject({
        state: 'open',
        title: change.title,
      });
      expect(
        await fixture.connect().getRequest(done.number! + 1),
      ).toBeUndefined();
      return dead;
    }

    it('knows no branch and no request before there is one', async () => {
      const forge = fixture.connect();
      const { branch } = proposal();
      expect(await forge.getHead(branch)).toBeUndefined();
      expect(await forge.findRequest(branch, 'main')).toEqual({});
      expect(await forge.getRequest(999_999)).toBeUndefined();
      expect(await forge.getHead('main')).toMatch(/^[0-9a-f]{40}$/);
    });

    it('makes a new branch with the file and opens a request', async () => {
      const change = proposal('text: "ünï ✓"\n');
      const done = await proposeChange(fixture.connect(), change);
      expect(done).toMatchObject({ state: 'created', branch: change.branch });
      expect(done.url).toMatch(/^https?:\/\//);
      expect(await read(change.branch, change.path)).toBe('text: "ünï ✓"\n');
      expect(await read('main', change.path)).toBeUndefined();
      const forge = fixture.connect();
      expect(await forge.getHead(change.branch)).toBe(done.commit);
      expect(await forge.getRequest(done.number!)).toMatchObject({
        state: 'open',
        title: change.title,
        body: change.body,
        branch: change.branch,
        target: 'main',
      });
    });

    it('plans without writing', async () => {
      const change = proposal();
      const plan = await planChange(fixture.connect(), change);
      expect(plan).toMatchObject({
        action: 'create',
        differences: [{ path: change.path, after: 'a: 1\n' }],
      });
      expect(await fixture.connect().getHead(change.branch)).toBeUndefined();
    });

    it('takes a branch that has no request yet and commits on top', async () => {
      const change = proposal();
      await fixture.commitTo(change.branch, change.path, 'a: 0\n');
      const before = await fixture.history(change.branch);
      const done = await proposeChange(fixture.connect(), change);
      expect(done.state).toBe('created');
      expect(await read(change.branch, change.path)).toBe('a: 1\n');
      expect(await fixture.history(change.branch)).toEqual(
        expect.arrayContaining(before),
      );
    });

    it('updates an open request on top, title and body too', async () => {
      const change = proposal();
      const first = await proposeChange(fixture.connect(), change);
      const before = await fixture.history(change.branch);
      const second = await proposeChange(fixture.connect(), {
        ...withContent(change, 'a: 2\n'),
        title: 'Another title',
        body: 'Another body',
      });
      expect(second).toMatchObject({ state: 'updated', number: first.number });
      expect(await read(change.branch, change.path)).toBe('a: 2\n');
      expect(await fixture.history(change.branch)).toEqual(
        expect.arrayContaining(before),
      );
      expect(await fixture.connect().getRequest(first.number!)).toMatchObject({
        title: 'Another title',
        body: 'Another body',
      });
    });

    it('says unchanged when the open request proposes just this', async () => {
      const change = proposal();
      const first = await proposeChange(fixture.connect(), change);
      const second = await proposeChange(fixture.connect(), change);
      expect(second).toEqual({ ...first, state: 'unchanged' });
    });

    it('says unchanged when the target holds the file already', async () => {
      const change = proposal();
      await fixture.commitTo('main', change.path, 'a: 1\n');
      const done = await proposeChange(fixture.connect(), change);
      expect(done).toMatchObject({ state: 'unchanged' });
      expect(done.number).toBeUndefined();
      expect(await fixture.connect().getHead(change.branch)).toBeUndefined();
    });

    it('finds a merged request again, and never uses its name for other contents', async () => {
      const change = proposal();
      const first = await proposeChange(fixture.connect(), change);
      await fixture.merge(first.number!);
      expect(await read('main', change.path)).toBe('a: 1\n');
      const merged = await fixture.connect().getRequest(first.number!);
      expect(merged).toMatchObject({
        state: 'merged',
        mergedBy: 'pavel',
        mergedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
        mergeCommit: expect.stringMatching(/^[0-9a-f]{40}$/),
      });
      expect(await proposeChange(fixture.connect(), change)).toMatchObject({
        state: 'unchanged',
        number: first.number,
      });
      await expect(
        proposeChange(fixture.connect(), withContent(change, 'a: 2\n')),
      ).rejects.toThrow(/was merged already.*start a new request/);
      await fixture.commitTo('main', change.path, undefined);
      await expect(
        proposeChange(fixture.connect(), change),
      ).rejects.toMatchObject({ name: 'ConflictError' });
    });

    it('leaves a closed request closed, and reopens it only when told to', async () => {
      const change = proposal();
      const first = await proposeChange(fixture.connect(), change);
      await fixture.close(first.number!);
      await expect(
        proposeChange(fixture.connect(), change),
      ).rejects.toMatchObject({ name: 'ConflictError' });
      expect(await fixture.connect().getRequest(first.number!)).toMatchObject({
        state: 'closed',
      });
      const again = await proposeChange(fixture.connect(), {
        ...withContent(change, 'a: 2\n'),
        onClosed: 'reopen',
      });
      expect(again).toMatchObject({ state: 'updated', number: first.number });
      expect(await fixture.connect().getRequest(first.number!)).toMatchObject({
        state: 'open',
      });
    });

    it('removes a file, several changes in one commit', async () => {
      const change = proposal();
      await fixture.commitTo('main', change.path, 'a: 1\n');
      const other = `${change.path}.txt`;
      await proposeChange(fixture.connect(), {
        ...change,
        changes: [{ path: change.path }, { path: other, content: 'x' }],
      });
      expect(await read(change.branch, change.path)).toBeUndefined();
      expect(await read(change.branch, other)).toBe('x');
    });

    it('proposes its change although the target moved meanwhile', async () => {
      const change = proposal();
      const forge = connectWithHook(() =>
        fixture.commitTo('main', `elsewhere-${run}-${cases}.yaml`, 'b: 1\n'),
      );
      expect(await proposeChange(forge, change)).toMatchObject({
        state: 'created',
      });
      expect(await read('main', `elsewhere-${run}-${cases}.yaml`)).toBe(
        'b: 1\n',
      );
    });

    it('does not overwrite the target when the same file appears there meanwhile', async () => {
      const change = proposal();
      const forge = connectWithHook(() =>
        fixture.commitTo('main', change.path, 'theirs: 1\n'),
      );
      const done = await proposeChange(forge, change);
      expect(done.state).toBe('created');
      expect(await read(change.branch, change.path)).toBe('a: 1\n');
      expect(await read('main', change.path)).toBe('theirs: 1\n');
    });

    it('reads once more when the branch moved, and keeps what was added', async () => {
      const change = proposal();
      await proposeChange(fixture.connect(), change);
      const forge = connectWithHook(() =>
        fixture.commitTo(change.branch, change.path, 'theirs: 1\n'),
      );
      const done = await proposeChange(forge, withContent(change, 'a: 2\n'));
      expect(done.state).toBe('updated');
      expect(await read(change.branch, change.path)).toBe('a: 2\n');
    });

    it('gives up with a conflict when the branch keeps moving', async () => {
      const change = proposal();
      await proposeChange(fixture.connect(), change);
      let moves = 0;
      const forge = fixture.connect({
        fetch: async (input, init) => {
          if (init?.method !== 'GET') {
            moves += 1;
            await fixture.commitTo(change.branch, change.path, `b: ${moves}\n`);
          }
          return fetch(input, init);
        },
      });
      await expect(
        proposeChange(forge, withContent(change, 'a: 2\n')),
      ).rejects.toMatchObject({
        name: 'ConflictError',
      });
    });

    it('makes one request when two runs of the same change race', async () => {
      const change = proposal();
      const [one, two] = await Promise.all([
        proposeChange(fixture.connect(), change),
        proposeChange(fixture.connect(), change),
      ]);
      expect(one.number).toBe(two.number);
      expect(await read(change.branch, change.path)).toBe('a: 1\n');
      const { open } = await fixture
        .connect()
        .findRequest(change.branch, 'main');
      expect(open?.number).toBe(one.number);
    });

    it('repairs a write whose answer was lost', async () => {
      const change = proposal();
      let lost = false;
      const forge = fixture.connect({
        fetch: async (input, init) => {
          const response = await fetch(input, init);
          if (init?.method !== 'GET' && !lost) {
            lost = true;
            throw new Error('connection reset');
          }
          return response;
        },
      });
      await proposeChange(forge, change).catch(() => {});
      expect(await proposeChange(fixture.connect(), change)).toMatchObject({
        branch: change.branch,
        number: expect.any(Number),
      });
      expect(await read(change.branch, change.path)).toBe('a: 1\n');
    });

    it.each(['before', 'after'] as const)(
      'repairs a crash %s each write when it is run again',
      async when => {
        let nth = 1;
        while (await crashAtWrite(when, nth)) {
          nth += 1;
        }
        expect(nth).toBeGreaterThan(2);
      },
    );

    it('never sends force', async () => {
      const bodies: string[] = [];
      const record = fixture.connect({
        fetch: async (input, init) => {
          bodies.push(String(init?.body ?? ''));
          return fetch(input, init);
        },
      });
      const change = proposal();
      await proposeChange(record, change);
      await proposeChange(record, withContent(change, 'a: 2\n'));
      expect(bodies.join()).toContain(change.title);
      expect(bodies.join()).not.toMatch(/"force[^"]*":true/);
    });

    it('names the target branch that is missing', async () => {
      await expect(
        proposeChange(fixture.connect(), { ...proposal(), target: 'nowhere' }),
      ).rejects.toThrow(/Branch nowhere of .*platform\/gpu-fleet/);
    });
  });
}
