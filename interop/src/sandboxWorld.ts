/* eslint-disable @backstage/no-forbidden-package-imports -- the sandbox is a part of this repository, not of a package's interface */
import { KubeConfig } from '@kubernetes/client-node';
import { kubeconfig } from 'sandbox/src/apiserver/kubeconfig';
import { wallClock } from 'sandbox/src/clock';
import { clusterTokens } from 'sandbox/src/sandboxAccounts';
import { startCluster } from 'sandbox/src/sandboxCluster';
import type { World } from './world';

function configOf(name: string, server: string, token: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    // The client refuses plain HTTP unless told not to verify.
    { name, server, skipTLSVerify: true },
    { name: 'user', token },
  );
  return config;
}

/** One GPU cluster of the sandbox, on a free port. */
export const sandboxWorld: World = {
  name: 'sandbox',
  async start() {
    const cluster = await startCluster({
      name: 'spoke-a',
      host: '127.0.0.1',
      port: 0,
      clock: wallClock,
      timeScale: 1,
    });
    const { name, url, store } = cluster;
    return {
      clusters: [
        {
          name,
          admin: configOf(name, url, clusterTokens.admin),
          portal: configOf(name, url, clusterTokens.portal),
          kubectlConfig: kubeconfig([
            { name, url, token: clusterTokens.admin },
          ]),
          compact: async () => store.compact(),
        },
      ],
      close: cluster.close,
    };
  },
};
