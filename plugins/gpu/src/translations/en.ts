import { createTranslationMessages } from '@backstage/frontend-plugin-api';
import { gpuTranslationRef } from './ref';

/** English as the plugin ships it: nothing to replace. */
export default createTranslationMessages({
  ref: gpuTranslationRef,
  messages: {},
});
