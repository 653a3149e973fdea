export * from './objectStore';
export { type ApiServer, createApiServer } from './apiServer';
export * from './apiStatus';
export {
  masterUser,
  serviceAccountUser,
  type TokenTable,
  type UserInfo,
} from './authentication';
export { createStore } from './createStore';
export type { FaultRequest } from './faults';
export { kubeconfig, type KubeconfigContext } from './kubeconfig';
export { applyManifestFile, parseManifests } from './manifests';
export { MemoryStore } from './memoryStore';
export { keepSaved, loadSnapshot } from './persistence';
export { type SkewableClock, skewable } from './skewableClock';
