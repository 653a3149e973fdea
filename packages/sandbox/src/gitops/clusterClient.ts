import { KubernetesObject } from '../apiserver/objectStore';

/** A refusal of an API server, in its own words. */
export class ClusterError extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

/** The API server could not be reached, or did not answer as one. */
export class ClusterUnreachable extends Error {}

interface ServedResource {
  name: string;
  kind: string;
  namespaced: boolean;
}

/** What names an object on a cluster. */
export interface ObjectKey {
  apiVersion: string;
  kind: string;
  namespace?: string;
  name: string;
}

export function keyOf(object: KubernetesObject): ObjectKey {
  const { apiVersion, kind, metadata } = object;
  return {
    apiVersion,
    kind,
    namespace: metadata.namespace,
    name: metadata.name,
  };
}

/** A Kubernetes API over HTTP: what a GitOps controller asks of it, no more. */
export class ClusterClient {
  private readonly served = new Map<string, Promise<ServedResource[]>>();

  constructor(readonly url: string, private readonly token: string) {}

  /**
   * How a kind is served; undefined when the cluster does not know it.
   *
   * @throws ClusterUnreachable
   */
  async resource(
    apiVersion: string,
    kind: string,
  ): Promise<ServedResource | undefined> {
    let known = this.served.get(apiVersion);
    if (!known) {
      known = this.discover(apiVersion);
      this.served.set(apiVersion, known);
      known.catch(() => this.served.delete(apiVersion));
    }
    const list = await known;
    if (list.length === 0) {
      // Nothing is remembered of what was missing: it may be installed later.
      this.served.delete(apiVersion);
    }
    return list.find(entry => entry.kind === kind && !entry.name.includes('/'));
  }

  private async discover(apiVersion: string): Promise<ServedResource[]> {
    try {
      return (await this.json('GET', groupPath(apiVersion))).resources ?? [];
    } catch (error) {
      if (error instanceof ClusterError && error.code === 404) {
        return [];
      }
      throw error;
    }
  }

  private async path(key: ObjectKey, withName: boolean): Promise<string> {
    const resource = await this.resource(key.apiVersion, key.kind);
    if (!resource) {
      throw new ClusterError(
        404,
        'the server could not find the requested resource',
      );
    }
    const parts = [groupPath(key.apiVersion)];
    if (resource.namespaced && key.namespace) {
      parts.push('namespaces', encodeURIComponent(key.namespace));
    }
    parts.push(resource.name);
    if (withName) {
      parts.push(encodeURIComponent(key.name));
    }
    return parts.join('/');
  }

  /** The object, or undefined when there is none. */
  async get(key: ObjectKey): Promise<KubernetesObject | undefined> {
    try {
      return await this.json('GET', await this.path(key, true));
    } catch (error) {
      if (error instanceof ClusterError && error.code === 404) {
        return undefined;
      }
      throw error;
    }
  }

  async create(object: KubernetesObject): Promise<KubernetesObject> {
    return this.json('POST', await this.path(keyOf(object), false), object);
  }

  async mergePatch(key: ObjectKey, patch: object): Promise<KubernetesObject> {
    return this.json('PATCH', await this.path(key, true), patch);
  }

  async delete(
    key: ObjectKey,
    propagationPolicy: 'Foreground' | 'Background',
  ): Promise<void> {
    await this.json('DELETE', await this.path(key, true), {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy,
    });
  }

  async list(
    apiVersion: string,
    kind: string,
    namespace?: string,
  ): Promise<{ items: KubernetesObject[]; resourceVersion: string }> {
    const path = await this.path(
      { apiVersion, kind, namespace, name: '' },
      false,
    );
    const items: KubernetesObject[] = [];
    let continueToken: string | undefined;
    for (;;) {
      const page = await this.json(
        'GET',
        `${path}?limit=500${
          continueToken ? `&continue=${encodeURIComponent(continueToken)}` : ''
        }`,
      );
      items.push(...page.items);
      continueToken = page.metadata.continue;
      if (!continueToken) {
        return { items, resourceVersion: page.metadata.resourceVersion };
      }
    }
  }

  /**
   * Follows all objects of a kind until `signal` aborts or the server ends the
   * stream.
   *
   * @throws ClusterError when the stream says so, 410 for instance
   */
  async watch(
    apiVersion: string,
    kind: string,
    resourceVersion: string,
    onObject: (object: KubernetesObject) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const path = await this.path({ apiVersion, kind, name: '' }, false);
    const response = await this.send(
      'GET',
      `${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`,
      undefined,
      signal,
    );
    if (!response.ok || !response.body) {
      throw await refusal(response);
    }
    let rest = '';
    for await (const chunk of response.body.pipeThrough(
      new TextDecoderStream(),
    )) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines.filter(Boolean)) {
        const event = JSON.parse(line);
        if (event.type === 'ERROR') {
          throw new ClusterError(event.object.code, event.object.message);
        }
        if (event.type !== 'BOOKMARK') {
          onObject(event.object);
        }
      }
    }
  }

  private async json(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<any> {
    const response = await this.send(method, path, body);
    if (!response.ok) {
      throw await refusal(response);
    }
    return response.json();
  }

  private async send(
    method: string,
    path: string,
    body?: unknown,
    signal?: AbortSignal,
  ): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${this.token}`,
          Accept: 'application/json',
          ...(body !== undefined && {
            'Content-Type':
              method === 'PATCH'
                ? 'application/merge-patch+json'
                : 'application/json',
          }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout(15_000),
      });
    } catch (error) {
      const cause = (error as { cause?: { message?: string } }).cause?.message;
      throw new ClusterUnreachable(
        `${method === 'GET' ? 'Get' : method} "${this.url}${path}": ${
          cause || (error as Error).message
        }`,
      );
    }
  }
}

function groupPath(apiVersion: string): string {
  return apiVersion.includes('/')
    ? `/apis/${apiVersion}`
    : `/api/${apiVersion}`;
}

async function refusal(response: Response): Promise<ClusterError> {
  const text = await response.text();
  let message = text;
  try {
    message = JSON.parse(text).message ?? text;
  } catch {
    // Not a Status: what stands in the way of the API server has answered.
  }
  return new ClusterError(response.status, message || response.statusText);
}
