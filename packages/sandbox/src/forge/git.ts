import { spawn } from 'node:child_process';

/** What git said when it ended with a code nobody expected. */
export class GitError extends Error {
  constructor(
    readonly args: readonly string[],
    readonly code: number | null,
    readonly stderr: string,
  ) {
    super(`git ${args[0]} ended with ${code}: ${stderr.trim()}`);
  }
}

export interface GitOptions {
  input?: string | Buffer;
  env?: Record<string, string>;
  /** Exit codes that are answers, not failures; 0 always is. */
  accept?: readonly number[];
}

/** The environment of every git we start: nobody's own configuration, no questions. */
export const gitEnvironment: Record<string, string> = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C.UTF-8',
};

const mostAtOnce = 6;
let running = 0;
const queue: Array<() => void> = [];

/** A machine gains nothing by more gits at once than it can run. */
async function turn(): Promise<void> {
  if (running >= mostAtOnce) {
    await new Promise<void>(resolve => {
      queue.push(resolve);
    });
  }
  running += 1;
}

function turnOver(): void {
  running -= 1;
  queue.shift()?.();
}

/**
 * Runs git and waits for its end.
 *
 * @throws GitError when it ends with a code that was not to be accepted
 */
export async function git(
  directory: string,
  args: readonly string[],
  options: GitOptions = {},
): Promise<{ stdout: Buffer; code: number }> {
  await turn();
  try {
    return await run(directory, args, options);
  } finally {
    turnOver();
  }
}

async function run(
  directory: string,
  args: readonly string[],
  options: GitOptions,
): Promise<{ stdout: Buffer; code: number }> {
  const child = spawn('git', args, {
    cwd: directory,
    env: { ...process.env, ...gitEnvironment, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', chunk => out.push(chunk));
  child.stderr.on('data', chunk => err.push(chunk));
  // git may end without reading all of its input.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0 && !options.accept?.includes(code ?? -1)) {
    throw new GitError(args, code, Buffer.concat(err).toString());
  }
  return { stdout: Buffer.concat(out), code: code ?? -1 };
}

/** {@link git}, its output as trimmed text. */
export async function gitText(
  directory: string,
  args: readonly string[],
  options?: GitOptions,
): Promise<string> {
  return (await git(directory, args, options)).stdout.toString().trim();
}
