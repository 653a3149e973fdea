// A portal of one's own on free ports, of which nothing is left when it stops.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePortBase } from './ports.mjs';
import { startPortal } from './portal.mjs';
import { prepareToolchain } from './toolchain.mjs';

/**
 * @param {object} options those of `startPortal`, without ports and folder
 * @returns {ReturnType<typeof startPortal>} its `stop` also removes the folder
 */
export async function startThrowawayPortal({ say, ...options }) {
  // What takes long comes first: ports found free should still be so when they are used.
  await prepareToolchain({ say });
  const data = mkdtempSync(join(tmpdir(), 'gpuaas-'));
  const remove = () => rmSync(data, { recursive: true, force: true });
  try {
    const portal = await startPortal({
      ...options,
      portBase: await findFreePortBase(),
      data,
      say,
    });
    return { ...portal, stop: () => portal.stop().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}
