/**
 * A GPU fleet on your laptop: a hub and two spokes that behave as clusters
 * with Kueue do, a git forge, a GitOps sync and GPU metrics.
 *
 * @packageDocumentation
 */
export { startSandbox, type Sandbox, type SandboxOptions } from './sandbox';
export { anyPorts, portsFrom, SandboxError, type Ports } from './ports';
export { clusterTokens } from './sandboxAccounts';
