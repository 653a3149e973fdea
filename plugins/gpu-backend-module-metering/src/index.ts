/**
 * Metering for GPU as a Service.
 *
 * @packageDocumentation
 */

export { gpuMeteringModule as default } from './module';
