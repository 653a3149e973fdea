export { checkRequest } from './checkRequest';
export { fileDigest } from './digest';
export { unpinnable } from './flavorPin';
export {
  isDnsLabel,
  isReservedName,
  jobName,
  manifestPath,
  MAX_JOB_NAME_LENGTH,
  MAX_SLUG_LENGTH,
  requestBranch,
} from './names';
export * from './pullRequestBody';
export * from './renderJob';
export type { RequestProblem } from './requestProblem';
export * from './spec';
export * from './steps';
export * from './pendingCause';
export * from './waiting';
export * from './requestFacts';
export * from './requestState';
export * from './requestSteps';
