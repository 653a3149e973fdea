import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SandboxError } from './ports';

function isAlive(process_: number): boolean {
  try {
    process.kill(process_, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Claims of this process: another one with its number, before a restart of a container, holds nothing. */
const ours = new Set<string>();

/**
 * Takes a data folder, made when it is missing, for this process alone: two
 * sandboxes would overwrite each other's clusters. A claim of a process that
 * is gone counts for nothing.
 *
 * @returns gives the folder back
 * @throws SandboxError naming who has it
 */
export function claimFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const claim = join(folder, 'sandbox.pid');
  for (;;) {
    try {
      writeFileSync(claim, String(process.pid), { flag: 'wx' });
      ours.add(claim);
      return () => {
        ours.delete(claim);
        rmSync(claim, { force: true });
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    }
    const owner = Number(readFileSync(claim, 'utf8'));
    const isTaken =
      owner === process.pid ? ours.has(claim) : owner > 0 && isAlive(owner);
    if (isTaken) {
      throw new SandboxError(
        `${folder} is used by another sandbox (process ${owner}): stop it, or choose another folder with --data.`,
      );
    }
    rmSync(claim, { force: true });
  }
}
