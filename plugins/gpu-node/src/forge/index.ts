export * from './createForge';
export * from './errors';
export type { ForgeHttpOptions } from './ForgeHttp';
export * from './GitForge';
export * from './proposeChange';
export * from './repoUrl';
