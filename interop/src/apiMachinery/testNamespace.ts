/* eslint-disable @typescript-eslint/no-explicit-any */
import { randomBytes } from 'node:crypto';
import { CoreV1Api, type V1ConfigMap } from '@kubernetes/client-node';
import type { WorldCluster } from '../world';

/** A namespace of its own for a suite, with short ways to make ConfigMaps in it. */
export class TestNamespace {
  readonly name = `contract-${randomBytes(4).toString('hex')}`;
  readonly core: CoreV1Api;

  constructor(readonly cluster: WorldCluster) {
    this.core = cluster.admin.makeApiClient(CoreV1Api);
  }

  async create(): Promise<void> {
    await this.core.createNamespace({
      body: { metadata: { name: this.name } },
    });
  }

  async remove(): Promise<void> {
    await this.core.deleteNamespace({ name: this.name });
  }

  /** Creates a ConfigMap; its labels tell it from those a cluster makes itself. */
  map(
    name: string,
    labels: Record<string, string> = {},
    data: Record<string, string> = {},
  ): Promise<V1ConfigMap> {
    return this.core.createNamespacedConfigMap({
      namespace: this.name,
      body: {
        metadata: { name, labels: { suite: 'contract', ...labels } },
        data,
      },
    });
  }

  /** Path of the ConfigMaps, for a raw watch. */
  get mapsPath(): string {
    return `/api/v1/namespaces/${this.name}/configmaps`;
  }
}

/** The Status a refused call of client-node carries. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ code: number; reason: string; message: string; details?: any }> {
  try {
    await call;
  } catch (error) {
    const { body } = error as { body: any };
    return typeof body === 'string' ? JSON.parse(body) : body;
  }
  throw new Error('The call was not refused');
}
