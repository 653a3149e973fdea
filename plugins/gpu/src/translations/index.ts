import { useTranslationRef } from '@backstage/frontend-plugin-api';
import { gpuTranslationRef } from './ref';

export { gpuTranslationRef } from './ref';

/** The plugin's strings in the reader's language. */
export function useGpuText() {
  return useTranslationRef(gpuTranslationRef);
}

/** Looks up a string of the plugin. */
export type GpuText = ReturnType<typeof useGpuText>['t'];
