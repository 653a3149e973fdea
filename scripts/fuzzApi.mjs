// npm run fuzz:api: the backend held against its own OpenAPI 3.1 contract by
// schemathesis, as a signed-in platform engineer, in a portal of its own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { startThrowawayPortal } from './throwawayPortal.mjs';
import { root, run } from './toolchain.mjs';

await run(async () => {
  const portal = await startThrowawayPortal({
    say: line => console.error(line),
  });
  try {
    const { portal: address } = portal.addresses;
    const signedIn = await fetch(`${address}/api/auth/sandbox/refresh`, {
      headers: { 'x-sandbox-user': 'pavel' },
    });
    const { backstageIdentity } = await signedIn.json();
    process.exitCode = await new Promise(resolve => {
      spawn(
        process.execPath,
        [
          join(root, 'plugins', 'gpu-backend', 'fuzz', 'fuzzApi.mjs'),
          ...process.argv.slice(2),
        ],
        {
          stdio: 'inherit',
          env: {
            ...process.env,
            GPU_API_URL: `${address}/api/gpu`,
            GPU_API_TOKEN: backstageIdentity.token,
          },
        },
      ).on('close', code => resolve(code ?? 1));
    });
  } finally {
    await portal.stop();
  }
});
