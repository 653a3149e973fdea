import { ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { gitEnvironment } from './git';

export interface GitObject {
  sha: string;
  type: 'blob' | 'tree' | 'commit' | 'tag';
  content: Buffer;
}

interface Question {
  resolve: (answer: GitObject | undefined) => void;
  reject: (error: Error) => void;
}

const rememberedObjects = 4000;
const largestRemembered = 64 * 1024;

/**
 * Reads objects of a repository through one `git cat-file --batch` that keeps
 * running: starting git anew for each object would cost far more than reading
 * it.
 */
export class ObjectReader {
  private process?: ChildProcessWithoutNullStreams;
  private waiting: Question[] = [];
  private received = Buffer.alloc(0);
  private readonly remembered = new Map<string, GitObject>();

  constructor(private readonly path: string) {}

  /** An object by SHA or any other name git understands; undefined when there is none. */
  async read(name: string): Promise<GitObject | undefined> {
    const known = this.remembered.get(name);
    if (known) {
      return known;
    }
    // A line break would ask a second question.
    if (/[\n\0]/.test(name)) {
      return undefined;
    }
    const object = await new Promise<GitObject | undefined>(
      (resolve, reject) => {
        this.waiting.push({ resolve, reject });
        this.running().stdin.write(`${name}\n`);
      },
    );
    if (object && object.content.length <= largestRemembered) {
      // Objects never change: only names other than their SHA do.
      this.remembered.set(object.sha, object);
      if (this.remembered.size > rememberedObjects) {
        this.remembered.delete(this.remembered.keys().next().value!);
      }
    }
    return object;
  }

  private running(): ChildProcessWithoutNullStreams {
    if (this.process) {
      return this.process;
    }
    const child = spawn('git', ['cat-file', '--batch'], {
      cwd: this.path,
      env: { ...process.env, ...gitEnvironment },
    });
    child.stdout.on('data', chunk => {
      this.received = Buffer.concat([this.received, chunk]);
      this.answer();
    });
    child.stderr.resume();
    child.stdin.on('error', () => {});
    const gone = () => {
      if (this.process === child) {
        this.process = undefined;
        this.received = Buffer.alloc(0);
        for (const { reject } of this.waiting.splice(0)) {
          reject(new Error(`git cat-file of ${this.path} has ended`));
        }
      }
    };
    child.on('error', gone);
    child.on('close', gone);
    this.process = child;
    return child;
  }

  private answer(): void {
    for (;;) {
      const end = this.received.indexOf(10);
      if (end < 0) {
        return;
      }
      const header = this.received.toString('utf8', 0, end);
      const [, sha, type, size] =
        /^([0-9a-f]{40}) (blob|tree|commit|tag) (\d+)$/.exec(header) ?? [];
      if (!sha) {
        this.received = this.received.subarray(end + 1);
        this.waiting.shift()?.resolve(undefined);
        continue;
      }
      const from = end + 1;
      const to = from + Number(size);
      if (this.received.length < to + 1) {
        return;
      }
      const content = Buffer.from(this.received.subarray(from, to));
      this.received = this.received.subarray(to + 1);
      this.waiting.shift()?.resolve({
        sha,
        type: type as GitObject['type'],
        content,
      });
    }
  }

  close(): void {
    this.process?.stdin.end();
  }
}
