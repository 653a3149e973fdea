// npm run dev: the pages with hot reload on port 3000, against a running `npm start`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepareToolchain, root, run } from './toolchain.mjs';

await run(async () => {
  const env = await prepareToolchain();
  const { status } = spawnSync(
    env.GPUAAS_NODE,
    [
      join(root, 'node_modules/@backstage/cli/bin/backstage-cli'),
      'package',
      'start',
      '--config',
      join(root, 'app-config.yaml'),
    ],
    {
      cwd: join(root, 'packages', 'app'),
      env: {
        ...env,
        APP_CONFIG_app_baseUrl: '"http://localhost:3000"',
        NODE_OPTIONS: '--no-deprecation',
      },
      stdio: 'inherit',
    },
  );
  process.exitCode = status ?? 1;
});
