export { fileDigest } from './digest';
export {
  isDnsLabel,
  isReservedName,
  jobName,
  manifestPath,
  MAX_JOB_NAME_LENGTH,
  MAX_SLUG_LENGTH,
} from './names';
export * from './renderJob';
export * from './spec';
export * from './steps';
export * from './pendingCause';
export * from './waiting';
