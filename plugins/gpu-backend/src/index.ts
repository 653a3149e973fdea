/**
 * The GPU as a Service backend.
 *
 * @packageDocumentation
 */

export { gpuPlugin as default } from './plugin';
