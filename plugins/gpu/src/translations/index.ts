import {
  TranslationFunction,
  useTranslationRef,
} from '@backstage/frontend-plugin-api';
import { gpuTranslationRef } from './ref';

export { gpuTranslationRef } from './ref';

/** Looks up a string of the plugin. */
export type GpuText = TranslationFunction<(typeof gpuTranslationRef)['T']>;

/** The plugin's strings in the reader's language. */
export function useGpuText(): { t: GpuText } {
  return useTranslationRef(gpuTranslationRef);
}
