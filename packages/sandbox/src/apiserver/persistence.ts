import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Clock, wallClock } from '../clock';
import type { MemoryStore } from './memoryStore';
import type { StoreSnapshot } from './storeSnapshot';

const saveAfterMilliseconds = 500;
/** A save may take this part of the time, so that a large busy cluster is not held up by it. */
const shareOfTime = 0.03;

/** What was saved in a file; undefined when there is none. Throws, naming the file, when it is damaged. */
export function loadSnapshot(file: string): StoreSnapshot | undefined {
  if (!existsSync(file)) {
    return undefined;
  }
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(
      `${file}: is no saved cluster (${
        (error as Error).message
      }); remove it to begin anew`,
    );
  }
}

/**
 * Saves a store to a file soon after each change, and on `stop`. A file is
 * replaced whole: a crash leaves the state before or after a save, never half.
 */
export function keepSaved(
  store: MemoryStore,
  file: string,
  clock: Clock = wallClock,
): { stop: () => void } {
  const unfinished = `${file}.tmp`;
  let cancel: (() => void) | undefined;
  let saving = false;
  let stopped = false;
  let pause = saveAfterMilliseconds;
  mkdirSync(dirname(file), { recursive: true });

  async function save(): Promise<void> {
    const version = store.resourceVersion();
    const begun = performance.now();
    const text = JSON.stringify({ isUnfinished: true, ...store.snapshot() });
    pause = Math.max(
      saveAfterMilliseconds,
      (performance.now() - begun) / shareOfTime,
    );
    saving = true;
    try {
      await writeFile(unfinished, text);
      if (!stopped) {
        await rename(unfinished, file);
      }
    } catch (error) {
      // Tried again with the next change; running on is worth more than the file.
      // eslint-disable-next-line no-console
      console.error(`Cannot save ${file}:`, error);
    } finally {
      saving = false;
    }
    if (store.resourceVersion() !== version) {
      saveLater();
    }
  }

  function saveLater(): void {
    if (!cancel && !saving && !stopped) {
      cancel = clock.after(pause, () => {
        cancel = undefined;
        save();
      });
    }
  }

  const forget = store.observe(saveLater);
  saveLater();
  return {
    stop() {
      stopped = true;
      forget();
      cancel?.();
      const last = `${file}.last`;
      writeFileSync(last, JSON.stringify(store.snapshot()));
      renameSync(last, file);
    },
  };
}
