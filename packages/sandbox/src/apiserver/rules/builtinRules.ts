import type { KindRules } from '../kindRules';
import { jobRules } from './jobRules';
import { namespaceRules } from './namespaceRules';
import { podRules } from './podRules';
import { claimRules, secretRules } from './storageRules';

/** Built-in behaviour of the kinds a sandbox cluster serves. */
export const builtinRules: Readonly<Record<string, KindRules>> = {
  Job: jobRules,
  Namespace: namespaceRules,
  // A kubelet registers its node with the status it has.
  Node: { statusOnCreate: true },
  PersistentVolumeClaim: claimRules,
  Pod: podRules,
  Secret: secretRules,
};
