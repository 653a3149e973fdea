/**
 * Catalog entities of GPU as a Service.
 *
 * @packageDocumentation
 */

export { catalogModuleGpu as default } from './module';
