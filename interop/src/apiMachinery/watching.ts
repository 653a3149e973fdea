/* eslint-disable @typescript-eslint/no-explicit-any */
import { type KubeConfig, Watch } from '@kubernetes/client-node';

export interface SeenEvent {
  type: string;
  object: any;
}

/** A watch by client-node whose events are kept. */
export interface RecordedWatch {
  events: SeenEvent[];
  /** Set when the connection is over. */
  ended: boolean;
  stop(): void;
}

/** Watches a path and keeps what comes. */
export async function record(
  config: KubeConfig,
  path: string,
  query: Record<string, string | number | boolean>,
): Promise<RecordedWatch> {
  const recorded: RecordedWatch = { events: [], ended: false, stop: () => {} };
  const controller = await new Watch(config).watch(
    path,
    query,
    (type, object) => recorded.events.push({ type, object }),
    () => {
      recorded.ended = true;
    },
  );
  recorded.stop = () => controller.abort();
  return recorded;
}
