/**
 * Translations of the GPU pages.
 *
 * @packageDocumentation
 */

export { gpuTranslationRef } from './translations/ref';
export { gpuTranslations } from './translations/resource';
