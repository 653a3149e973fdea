// npm run demo: the main job, end to end, with no browser.
import { againstPortal } from './againstPortal.mjs';
import { run } from './toolchain.mjs';

await run(async () => {
  process.exitCode = await againstPortal({
    program: ['demo/main.ts', ...process.argv.slice(2)],
  });
});
