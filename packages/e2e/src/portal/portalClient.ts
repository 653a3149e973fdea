import { GpuApi, GpuClient } from '@gpuaas/backstage-plugin-gpu-common';

/** How a Scaffolder task ended. */
export interface TaskResult {
  status: 'completed' | 'failed';
  output: Record<string, unknown>;
  error?: string;
  log: string[];
}

/** A Scaffolder task as its API lists it. */
export interface Task {
  id: string;
  status: string;
  spec: { parameters: Record<string, unknown> };
}

/**
 * One signed-in person, using the portal as a browser would: by its HTTP API,
 * with a user's token (never a service token, which would bypass policy).
 */
export class PortalClient {
  readonly gpu: GpuApi;

  private constructor(
    readonly address: string,
    readonly person: string,
    private readonly token: string,
  ) {
    this.gpu = new GpuClient({
      discoveryApi: { getBaseUrl: async id => `${address}/api/${id}` },
      fetchApi: { fetch: (url, init) => this.fetch(String(url), init) },
    });
  }

  /** Signs in with the development provider of the portal. */
  static async signIn(address: string, person: string): Promise<PortalClient> {
    const response = await fetch(`${address}/api/auth/sandbox/refresh`, {
      headers: { 'x-sandbox-user': person },
    });
    if (!response.ok) {
      throw new Error(
        `${person} could not sign in: ${
          response.status
        } ${await response.text()}`,
      );
    }
    const session = (await response.json()) as {
      backstageIdentity: { token: string };
    };
    return new PortalClient(address, person, session.backstageIdentity.token);
  }

  /** `fetch` with this person's token; a path is taken relative to the portal. */
  fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.token}`);
    return fetch(new URL(url, this.address), { ...init, headers });
  }

  /** Runs a template; returns the task id at once. Throws with the Scaffolder's words when a value is refused. */
  async startTemplate(
    templateRef: string,
    values: Record<string, unknown>,
  ): Promise<string> {
    const response = await this.fetch('/api/scaffolder/v2/tasks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ templateRef, values }),
    });
    if (response.status !== 201) {
      throw new Error(
        `The Scaffolder refused the request: ${
          response.status
        } ${await response.text()}`,
      );
    }
    return ((await response.json()) as { id: string }).id;
  }

  /** The newest of this person's tasks. */
  async tasks(): Promise<Task[]> {
    const response = await this.fetch(
      `/api/scaffolder/v2/tasks?createdBy=user:default/${this.person}&limit=200`,
    );
    if (!response.ok) throw new Error(`Tasks: ${response.status}`);
    return ((await response.json()) as { tasks: Task[] }).tasks;
  }

  /** Runs a task again that has ended: the same request. */
  async retryTask(taskId: string): Promise<void> {
    const response = await this.fetch(
      `/api/scaffolder/v2/tasks/${taskId}/retry`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      },
    );
    if (!response.ok) {
      throw new Error(
        `Task ${taskId} cannot be retried: ${
          response.status
        } ${await response.text()}`,
      );
    }
  }

  /** `open`, `processing`, or how the task ended. */
  async taskStatus(taskId: string): Promise<string> {
    const response = await this.fetch(`/api/scaffolder/v2/tasks/${taskId}`);
    if (!response.ok) {
      throw new Error(`Task ${taskId}: ${response.status}`);
    }
    return ((await response.json()) as { status: string }).status;
  }

  /** Follows a task's event stream to its end. */
  async followTask(taskId: string, signal?: AbortSignal): Promise<TaskResult> {
    const response = await this.fetch(
      `/api/scaffolder/v2/tasks/${taskId}/eventstream`,
      { signal },
    );
    const log: string[] = [];
    for await (const event of serverSentEvents(response)) {
      const body = event.body as {
        message?: string;
        output?: Record<string, unknown>;
        error?: { message: string };
      };
      if (body.message) log.push(body.message);
      if (event.type === 'completion') {
        return {
          status: body.error ? 'failed' : 'completed',
          output: body.output ?? {},
          error: body.error?.message,
          log,
        };
      }
    }
    throw new Error(
      `The event stream of task ${taskId} ended without a result`,
    );
  }
}

/** The JSON payloads of a text/event-stream response. */
async function* serverSentEvents(
  response: Response,
): AsyncGenerator<{ type: string; body: unknown }> {
  if (!response.ok || !response.body) {
    throw new Error(
      `No event stream: ${response.status} ${await response.text()}`,
    );
  }
  const decoder = new TextDecoder();
  let buffer = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    buffer += decoder.decode(chunk, { stream: true });
    const messages = buffer.split('\n\n');
    buffer = messages.pop()!;
    for (const message of messages) {
      const data = message
        .split('\n')
        .filter(line => line.startsWith('data:'))
        .map(line => line.slice(5).trim())
        .join('\n');
      if (data) yield JSON.parse(data);
    }
  }
}
