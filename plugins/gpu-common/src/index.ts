/**
 * The GPU as a Service model, pure and browser-safe.
 *
 * @packageDocumentation
 */

export * from './api';
export * from './devices';
export * from './permissions';
export * from './quantities';
export * from './queueing';
export * from './requests';
