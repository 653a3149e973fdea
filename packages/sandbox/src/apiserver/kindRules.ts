import type { FieldError } from './apiStatus';
import type { KubernetesObject } from './objectStore';

/**
 * What the server itself knows of a kind, beside admission: defaults, fields
 * that a writer cannot set, and validation. `object` may be changed in the
 * `prepare…` functions; the others return what is wrong.
 */
export interface KindRules {
  /** Whether the creator's status is kept; without it a status subresource starts empty. */
  statusOnCreate?: boolean;
  /** Fills defaults and drops what a creator cannot set; runs before admission. */
  prepareCreate?: (object: KubernetesObject) => void;
  /** Restores what a writer cannot change; runs before admission. */
  prepareUpdate?: (object: KubernetesObject, old: KubernetesObject) => void;
  /** Runs after admission, for create and update. */
  validate?: (object: KubernetesObject) => FieldError[];
  /** Runs after admission, for update. */
  validateUpdate?: (
    object: KubernetesObject,
    old: KubernetesObject,
  ) => FieldError[];
}
