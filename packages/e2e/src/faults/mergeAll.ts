import { setTimeout as delay } from 'node:timers/promises';
import { ForgeClient } from '../portal/forgeClient';

/** A reviewer who merges every GPU request as soon as it is open, until the signal aborts. */
export async function mergeAll(
  forge: ForgeClient,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const open = await forge.openPullRequests();
    for (const { number, head } of open) {
      // One that changes under the reviewer's hands is looked at again.
      if (head.ref.startsWith('gpu/')) {
        await forge.merge(number).catch(() => undefined);
      }
    }
    await delay(300, undefined, { signal }).catch(() => undefined);
  }
}
