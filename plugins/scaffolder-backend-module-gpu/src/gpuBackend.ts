import {
  AuthService,
  BackstageCredentials,
  DiscoveryService,
} from '@backstage/backend-plugin-api';
import {
  InputError,
  ResponseError,
  ServiceUnavailableError,
} from '@backstage/errors';
import { GpuApi, GpuClient } from '@gpuaas/backstage-plugin-gpu-common';

/** What the actions ask of an action context. */
interface Caller {
  getInitiatorCredentials(): Promise<BackstageCredentials>;
  signal?: AbortSignal;
}

/** Milliseconds the gpu backend has for one answer. */
const TIMEOUT_MS = 30_000;

/** The gpu backend, asked on behalf of whoever started the task. */
export class GpuBackend {
  readonly #client: GpuApi;

  constructor(
    private readonly options: {
      auth: AuthService;
      discovery: DiscoveryService;
      /** Made from `discovery` when absent. */
      client?: GpuApi;
    },
  ) {
    this.#client =
      options.client ??
      new GpuClient({
        discoveryApi: options.discovery,
        fetchApi: { fetch },
      });
  }

  /**
   * One call with a token of the task's initiator.
   *
   * @throws InputError in the backend's own words when it refuses,
   * ServiceUnavailableError when it fails or gives no answer.
   */
  async ask<T>(
    caller: Caller,
    call: (
      client: GpuApi,
      options: { token: string; signal: AbortSignal },
    ) => Promise<T>,
  ): Promise<T> {
    const { token } = await this.options.auth.getPluginRequestToken({
      onBehalfOf: await caller.getInitiatorCredentials(),
      targetPluginId: 'gpu',
    });
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = caller.signal
      ? AbortSignal.any([caller.signal, timeout])
      : timeout;
    try {
      return await call(this.#client, { token, signal });
    } catch (error) {
      caller.signal?.throwIfAborted();
      if (error instanceof ResponseError && error.statusCode < 500) {
        throw new InputError(error.body.error.message, error);
      }
      throw new ServiceUnavailableError(
        `The gpu backend gave no answer; run this again when it is back`,
        error,
      );
    }
  }
}
