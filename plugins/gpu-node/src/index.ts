/**
 * What modules of GPU as a Service build on: the usage meter's extension point
 * and ledger, permission rules, and the git forge clients.
 *
 * @packageDocumentation
 */

export * from './forge';
export * from './http';
export * from './metering';
export * from './permissions';
