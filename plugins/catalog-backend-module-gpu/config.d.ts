import { SchedulerServiceTaskScheduleDefinitionConfig } from '@backstage/backend-plugin-api';

export interface Config {
  catalog?: {
    providers?: {
      /** Entities of the clusters under `gpu.clusters`. */
      gpu?: {
        /** Group that owns clusters, device classes and queues nobody owns; `group:default/platform` when absent. */
        owner?: string;
        /** How often the fleet is read; every 30 seconds when absent. */
        schedule?: SchedulerServiceTaskScheduleDefinitionConfig;
      };
    };
  };
}
