/* eslint-disable no-console */
import { parseCommandLine, usage } from './commandLine';
import { SandboxError } from './ports';
import { startSandbox } from './sandbox';

async function main(): Promise<void> {
  const began = performance.now();
  const options = parseCommandLine(process.argv.slice(2));
  if (!options) {
    console.log(usage);
    return;
  }
  const starting = startSandbox(options);

  let stopping = false;
  const stop = async () => {
    if (stopping) {
      return;
    }
    stopping = true;
    // A sandbox that is still starting is stopped once it has started.
    const sandbox = await starting.catch(() => undefined);
    await sandbox?.close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  const { clusters, forge, prometheus, kubeconfigFile } = await starting;
  const urls = (parts: Record<string, { url: string }>) =>
    Object.fromEntries(
      Object.entries(parts).map(([name, { url }]) => [name, url]),
    );
  console.log(
    JSON.stringify({
      ready: true,
      seconds: Math.round(performance.now() - began) / 1000,
      clusters: urls(clusters),
      forge: forge.url,
      prometheus: urls(prometheus),
      kubeconfig: kubeconfigFile,
    }),
  );
}

main().catch(error => {
  console.error(error instanceof SandboxError ? error.message : error);
  process.exit(1);
});
