/**
 * The reference fleet as data: 480 GPUs on 60 servers, forty teams in five
 * departments, one hub and two spokes. Cluster objects, catalog files and the
 * background load are all derived from it.
 */
export * from './layouts';
export * from './people';
export * from './teams';
export { clusterObjects } from './clusterObjects';
export { devicesAnnotation, type Device } from './nodes';
export { localQueueName, rootCohort } from './queues';
