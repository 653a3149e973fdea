// npm run bench: one JSON line a figure {name, value, unit, note?}.
// `--list` names them; further arguments choose by the beginning of a name.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { againstPortal } from './againstPortal.mjs';
import { transform } from './portal.mjs';
import { prepareToolchain, root, run } from './toolchain.mjs';

await run(async () => {
  const env = {
    ...(await prepareToolchain({ say: line => console.error(line) })),
    NODE_OPTIONS: '--no-deprecation',
  };
  const wanted = process.argv.slice(2);
  const file = join(root, 'packages', 'e2e', 'src', 'bench', 'main.ts');
  const { stdout } = spawnSync(
    env.GPUAAS_NODE,
    [...transform, file, '--plan', ...wanted],
    { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const plan = JSON.parse(stdout);
  if (wanted.includes('--list')) {
    plan.forEach(({ name, unit }) => console.log(`${name}  (${unit})`));
    return;
  }
  const alone = plan.filter(bench => !bench.portal).map(bench => bench.name);
  const portal = plan.filter(bench => bench.portal).map(bench => bench.name);
  if (alone.length) {
    const { status } = spawnSync(
      env.GPUAAS_NODE,
      [...transform, file, ...alone],
      { cwd: root, env, stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
  }
  if (portal.length) {
    const code = await againstPortal({
      program: ['bench/main.ts', ...portal],
      own: true,
      load: false,
    });
    if (code !== 0) process.exitCode = 1;
  }
});
