import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import {
  ApiServer,
  createApiServer,
  createStore,
  KubernetesObject,
  masterUser,
  MemoryStore,
} from '../apiserver';
import { wallClock } from '../clock';
import { changeFiles, FileOperation } from '../forge/changeFiles';
import { HostedRepository } from '../forge/hostedRepository';
import { Forge, startForge } from '../forge/startForge';
import { testAccounts, testTokens } from '../forge/testForge';
import { GitOps, startGitOps } from './startGitOps';

export const folder = (namespace: string) => `clusters/spoke-a/${namespace}`;

export function job(name: string, extra: object = {}): object {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, namespace: 'team-01', labels: { a: 'b' } },
    spec: {
      backoffLimit: 0,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [
            {
              name: 'main',
              image: 'busybox',
              command: ['sleep', '5'],
              resources: { requests: { cpu: 1 }, limits: { cpu: 1 } },
            },
          ],
        },
      },
    },
    ...extra,
  };
}

/** A file operation with its content as text or as an object. */
export function file(
  operation: string,
  path: string,
  content: object | string = '',
): FileOperation {
  return {
    operation,
    path,
    content: Buffer.from(
      typeof content === 'string' ? content : stringify(content),
    ).toString('base64'),
  };
}

async function until<T>(probe: () => T | undefined | false): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    const value = probe();
    if (value) {
      return value;
    }
    if (Date.now() > end) {
      throw new Error('it did not happen within 10 s');
    }
    await new Promise(resolve => {
      setTimeout(resolve, 10);
    });
  }
}

interface TestCluster {
  store: MemoryStore;
  server: ApiServer;
}

async function startCluster(): Promise<TestCluster> {
  const store = createStore();
  const tokens = new Map([['t', masterUser('argocd')]]);
  for (const name of ['argocd', 'team-01', 'team-02']) {
    store.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  return { store, server: await createApiServer({ store, tokens }) };
}

/** A hub, a spoke, a forge, and the GitOps controller between them. */
export class TestGitOps {
  gitops!: GitOps;

  private constructor(
    readonly dataDir: string,
    readonly hub: TestCluster,
    readonly spoke: TestCluster,
    readonly forge: Forge,
    readonly repository: HostedRepository,
  ) {}

  static async start(): Promise<TestGitOps> {
    const dataDir = await mkdtemp(join(tmpdir(), 'gitops-test-'));
    const [hub, spoke] = await Promise.all([startCluster(), startCluster()]);
    const forge = await startForge({
      dataDir: join(dataDir, 'forge'),
      port: 0,
      host: '127.0.0.1',
      clock: wallClock,
      people: testAccounts,
      tokens: testTokens,
    });
    const repository = await forge.repository({
      owner: 'platform',
      name: 'gpu-fleet',
      defaultBranch: 'main',
      files: {
        [`${folder('team-01')}/.gitkeep`]: '',
        [`${folder('team-02')}/.gitkeep`]: '',
      },
      requiredApprovals: 0,
    });
    const world = new TestGitOps(dataDir, hub, spoke, forge, repository);
    await world.startSync();
    return world;
  }

  /** Starts the controller; again after {@link GitOps.close}. */
  async startSync(): Promise<void> {
    this.gitops = await startGitOps({
      dataDir: join(this.dataDir, 'gitops'),
      clock: wallClock,
      repository: {
        url: `${this.forge.url}/platform/gpu-fleet.git`,
        branch: 'main',
        token: 't-argocd',
      },
      hub: { url: this.hub.server.url, token: 't' },
      spokes: { 'spoke-a': { url: this.spoke.server.url, token: 't' } },
      namespaces: ['team-01', 'team-02', 'team-03'],
      pollInterval: 200,
      retryAfter: 20,
    });
    this.forge.onPush(() => this.gitops.refresh());
  }

  async stop(): Promise<void> {
    await this.gitops.close();
    await this.forge.close();
    await Promise.all([this.hub.server.close(), this.spoke.server.close()]);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  app(namespace: string): KubernetesObject {
    return this.hub.store.get('Application', `spoke-a-${namespace}`, 'argocd')!;
  }

  /** The status of an Application once it is as wanted. */
  appWhere(namespace: string, holds: (status: any) => unknown): Promise<any> {
    return until(() => {
      const { status } = this.app(namespace) ?? {};
      return status && holds(status) && status;
    });
  }

  /** Commits to the main branch; returns the commit. */
  async commit(files: FileOperation[]): Promise<string> {
    const pavel = testAccounts.find(({ login }) => login === 'pavel')!;
    const options = { message: 'Change' };
    return (await changeFiles(this.repository, pavel, options, files)).commit;
  }
}
