import { KubeConfig } from '@kubernetes/client-node';
import { ClusterConfig } from './clusterConfig';

/** client-node's own reader of the file that the kubelet renews in a pod. */
const IN_CLUSTER_USER = {
  name: 'portal',
  authProvider: {
    name: 'tokenFile',
    config: {
      tokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
    },
  },
};

/** The cluster as client-node wants it. */
export function kubeConfigOf({ name, connection }: ClusterConfig): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromClusterAndUser(
    {
      name,
      server: connection.url,
      // client-node refuses plain HTTP unless told not to verify.
      skipTLSVerify:
        connection.skipTlsVerify || connection.url.startsWith('http://'),
      caData: connection.caData,
      caFile: connection.caFile,
    },
    connection.serviceAccountToken
      ? { name: 'portal', token: connection.serviceAccountToken }
      : IN_CLUSTER_USER,
  );
  return kubeConfig;
}
