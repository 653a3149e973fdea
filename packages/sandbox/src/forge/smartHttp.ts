import { spawn } from 'node:child_process';
import { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Account, mayAtLeast } from './accounts';
import { ForgeError } from './forgeError';
import { git, gitEnvironment } from './git';
import { HostedRepository } from './hostedRepository';
import { readBody } from './http';
import { zeroSha } from './bareRepository';

const services = ['git-upload-pack', 'git-receive-pack'] as const;
type Service = (typeof services)[number];

/** One line of git's wire format: four hex digits of length, then the text. */
function packetLine(text: string | Buffer): Buffer {
  const content = Buffer.from(text);
  return Buffer.concat([
    Buffer.from((content.length + 4).toString(16).padStart(4, '0')),
    content,
  ]);
}

const flush = Buffer.from('0000');

export interface RefCommand {
  before: string;
  after: string;
  ref: string;
}

/** The commands at the beginning of a receive-pack request, and its capabilities. */
function parseCommands(body: Buffer): {
  commands: RefCommand[];
  capabilities: string[];
} {
  const commands: RefCommand[] = [];
  let capabilities: string[] = [];
  let at = 0;
  while (at + 4 <= body.length) {
    const length = parseInt(body.toString('latin1', at, at + 4), 16);
    if (!(length >= 4)) {
      break;
    }
    const line = body.toString('utf8', at + 4, at + length).replace(/\n$/, '');
    const [command, extra] = line.split('\0');
    if (extra !== undefined) {
      capabilities = extra.trim().split(' ');
    }
    const match = /^([0-9a-f]{40}) ([0-9a-f]{40}) (.+)$/.exec(command);
    if (match) {
      commands.push({ before: match[1], after: match[2], ref: match[3] });
    }
    at += length;
  }
  return { commands, capabilities };
}

/** What a push of these refs is refused with, by ref; empty when all is well. */
function refusals(
  repository: HostedRepository,
  account: Account,
  commands: readonly RefCommand[],
): Map<string, string> {
  const refused = new Map<string, string>();
  for (const { ref, after } of commands) {
    const branch = ref.replace('refs/heads/', '');
    if (!ref.startsWith('refs/heads/') && !ref.startsWith('refs/tags/')) {
      refused.set(ref, `${ref} is not yours to write`);
    } else if (ref.startsWith('refs/tags/')) {
      continue;
    } else if (!repository.mayPush(account, branch)) {
      refused.set(
        ref,
        `branch ${branch} is protected from direct push: open a pull request`,
      );
    } else if (after === zeroSha && branch === repository.defaultBranch) {
      refused.set(ref, `branch ${branch} is the default branch`);
    }
  }
  return refused;
}

/** The report a client expects when no ref was updated. */
function refusalReport(
  commands: readonly RefCommand[],
  refused: ReadonlyMap<string, string>,
  capabilities: readonly string[],
): Buffer {
  const report = Buffer.concat([
    packetLine('unpack ok\n'),
    ...commands.map(({ ref }) =>
      packetLine(
        `ng ${ref} ${
          refused.has(ref) ? 'pre-receive hook declined' : 'not pushed'
        }\n`,
      ),
    ),
    flush,
  ]);
  if (!capabilities.some(name => name.startsWith('side-band'))) {
    return report;
  }
  const words = [...refused.values()].map(reason => `Gitea: ${reason}\n`);
  return Buffer.concat([
    ...words.map(line =>
      packetLine(Buffer.concat([Buffer.from([2]), Buffer.from(line)])),
    ),
    packetLine(Buffer.concat([Buffer.from([1]), report])),
    flush,
  ]);
}

function authorize(
  repository: HostedRepository,
  account: Account | undefined,
  service: Service,
): Account {
  if (!account) {
    throw new ForgeError(401, 'token is required');
  }
  if (!mayAtLeast(account, 'read')) {
    throw new ForgeError(404, 'Repository not found');
  }
  if (service === 'git-receive-pack' && !mayAtLeast(account, 'write')) {
    throw new ForgeError(
      403,
      `user ${account.login} may not push to ${repository.owner}/${repository.name}`,
    );
  }
  return account;
}

function gitArguments(service: Service, ...options: string[]) {
  return [service.slice('git-'.length), '--stateless-rpc', ...options];
}

function protocolEnvironment(request: IncomingMessage): Record<string, string> {
  const version = request.headers['git-protocol'];
  return typeof version === 'string' && /^[\w=:.-]+$/.test(version)
    ? { GIT_PROTOCOL: version }
    : {};
}

/** `GET …/info/refs?service=`: what the repository has. */
export async function advertiseRefs(
  repository: HostedRepository,
  account: Account | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  wanted: string | null,
): Promise<void> {
  const service = services.find(name => name === wanted);
  if (!service) {
    throw new ForgeError(
      403,
      `service "${wanted}" is not served; ${services.join(' and ')} are`,
    );
  }
  authorize(repository, account, service);
  const env = protocolEnvironment(request);
  const { stdout } = await git(
    repository.git.path,
    gitArguments(service, '--http-backend-info-refs', '.'),
    { env },
  );
  response.writeHead(200, {
    'Content-Type': `application/x-${service}-advertisement`,
    'Cache-Control': 'no-cache',
  });
  const announced = env.GIT_PROTOCOL?.includes('version=2')
    ? []
    : [packetLine(`# service=${service}\n`), flush];
  response.end(Buffer.concat([...announced, stdout]));
}

async function wholeBody(request: IncomingMessage): Promise<Buffer> {
  const body = await readBody(request);
  return request.headers['content-encoding'] === 'gzip'
    ? promisify(gunzip)(body)
    : body;
}

/** `POST …/git-upload-pack`: somebody fetches. */
export async function uploadPack(
  repository: HostedRepository,
  account: Account | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  authorize(repository, account, 'git-upload-pack');
  const body = await wholeBody(request);
  response.writeHead(200, {
    'Content-Type': 'application/x-git-upload-pack-result',
    'Cache-Control': 'no-cache',
  });
  const child = spawn('git', gitArguments('git-upload-pack', '.'), {
    cwd: repository.git.path,
    env: { ...process.env, ...gitEnvironment, ...protocolEnvironment(request) },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.on('error', () => response.destroy());
  child.stdin.on('error', () => {});
  child.stdout.pipe(response);
  response.on('close', () => child.kill());
  child.stdin.end(body);
}

/** `POST …/git-receive-pack`: somebody pushes; the rules are asked first. */
export async function receivePack(
  repository: HostedRepository,
  account: Account | undefined,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const pusher = authorize(repository, account, 'git-receive-pack');
  const body = await wholeBody(request);
  const { commands, capabilities } = parseCommands(body);
  const refused = refusals(repository, pusher, commands);
  const result =
    refused.size > 0
      ? refusalReport(commands, refused, capabilities)
      : await repository.exclusively(async () => {
          const before = repository.branches;
          const { stdout } = await git(
            repository.git.path,
            gitArguments('git-receive-pack', '.'),
            { input: body, env: protocolEnvironment(request) },
          );
          const after = await repository.readHeads();
          for (const branch of new Set([...before.keys(), ...after.keys()])) {
            const [from, to] = [before.get(branch), after.get(branch)];
            if (from !== to) {
              await repository.branchMoved(
                branch,
                from ?? zeroSha,
                to ?? zeroSha,
              );
            }
          }
          return stdout;
        });
  response.writeHead(200, {
    'Content-Type': 'application/x-git-receive-pack-result',
    'Cache-Control': 'no-cache',
  });
  response.end(result);
}
