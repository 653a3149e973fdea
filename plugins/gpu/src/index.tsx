/**
 * GPU pages, entity tab and Scaffolder fields for the new frontend system.
 *
 * @packageDocumentation
 */

export { gpuPlugin as default } from './plugin';
export { gpuApiRef } from './api/gpuApiRef';
