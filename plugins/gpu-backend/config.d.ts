import { HumanDuration } from '@backstage/types';

export interface Config {
  gpu?: {
    /**
     * The clusters that GPU as a Service follows, by the name they have under
     * `kubernetes.clusterLocatorMethods` (type `config`, authProvider
     * `serviceAccount`), where their address and credentials stand.
     */
    clusters?: {
      [name: string]: {
        /** `hub`: portal, GitOps, MultiKueue manager. `spoke`: a managed GPU cluster. */
        role: 'hub' | 'spoke';
        /** Shown to people; the name when absent. */
        title?: string;
        /** Where manifests for this cluster are written. Absent: nothing can be requested on it. */
        gitops?: {
          /** `<host>?owner=<owner>&repo=<repository>`; the host must be one of `integrations`. */
          repoUrl: string;
          /** `main` when absent. */
          branch?: string;
          /** Folder of this cluster; `clusters/<name>` when absent. */
          path?: string;
          /** Where Argo CD or Flux keeps its objects for this cluster. */
          application?: {
            /** One of `gpu.clusters`. */
            cluster: string;
            namespace: string;
          };
        };
        /** Prometheus that scrapes this cluster's DCGM exporter; a private CA is made known by NODE_EXTRA_CA_CERTS. */
        prometheus?: {
          url: string;
          /** @visibility secret */
          bearerToken?: string;
        };
      };
    };
    /** Files of Jobs that have ended leave Git by one pull request a repository. */
    tidyUp?: {
      /** How long after its end a Job's file stays; 15 minutes when absent. */
      grace?: HumanDuration | string;
      /** How often it is looked for; every 5 minutes when absent. */
      frequency?: HumanDuration | string;
    };
    retention?: {
      /** How long finished and deleted Workloads stay readable; 30 days when absent. */
      workloads?: HumanDuration | string;
    };
  };
}
