/* eslint-disable @typescript-eslint/no-explicit-any */

/** A Kubernetes object as it travels: metadata typed, the rest as each kind has it. */
export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: any;
}

export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: unknown[];
  [field: string]: any;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** A served resource: what discovery says of it, and how to index it. */
export interface ResourceType {
  /** '' for the core group. */
  group: string;
  version: string;
  /** Plural, lower case: `jobs`. */
  resource: string;
  kind: string;
  namespaced: boolean;
  shortNames?: string[];
  categories?: string[];
  hasStatus?: boolean;
  /** Whether metadata.generation counts changes of the spec. */
  generation?: boolean;
  /** Values that field selectors may ask for beside metadata.name and metadata.namespace. */
  fields?: (object: KubernetesObject) => Record<string, string>;
  /** Columns of `kubectl get`, after NAME; AGE is added at the end unless one of them is called Age. */
  columns?: Array<{
    name: string;
    type: 'string' | 'integer' | 'date';
    /** Shown by `-o wide` only. */
    wide?: boolean;
    value: (object: KubernetesObject) => string | number | undefined;
  }>;
}

export interface WatchEvent {
  type: 'ADDED' | 'MODIFIED' | 'DELETED';
  object: KubernetesObject;
  /** What it was before; absent for ADDED. In-process watchers only. */
  previous?: KubernetesObject;
}

export interface WriteOptions {
  /** Who writes: user name as RBAC and admission see it. In-process controllers name themselves. */
  user?: string;
  dryRun?: boolean;
  /** Which part may change: the object without status (default), or the status alone. */
  subresource?: 'status';
  fieldManager?: string;
}

export interface DeleteOptions {
  user?: string;
  dryRun?: boolean;
  /** `Orphan` is the raw API default for Jobs, as on the real thing. */
  propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  gracePeriodSeconds?: number;
  preconditions?: { uid?: string; resourceVersion?: string };
}

/** One admission step: may change the object (mutating) or throw an ApiStatusError (validating). */
export interface AdmissionPlugin {
  name: string;
  matches: (type: ResourceType) => boolean;
  admit: (request: {
    operation: 'CREATE' | 'UPDATE' | 'DELETE';
    type: ResourceType;
    object: KubernetesObject;
    oldObject?: KubernetesObject;
    subresource?: 'status';
    user: string;
  }) => void;
}

/**
 * The storage of one cluster: every write passes admission, gets the next
 * resourceVersion and reaches the watchers in that order. Objects handed out
 * are frozen or copies: nobody changes a stored object in place.
 *
 * Methods throw ApiStatusError (apiserver/apiStatus.ts) with the code, reason
 * and message a real API server would answer.
 */
export interface ObjectStore {
  readonly types: readonly ResourceType[];
  type(kind: string): ResourceType;
  get(
    kind: string,
    name: string,
    namespace?: string,
  ): KubernetesObject | undefined;
  list(
    kind: string,
    options?: {
      namespace?: string;
      labels?: Record<string, string>;
      /** Controller owner's uid: indexed. */
      ownerUid?: string;
    },
  ): KubernetesObject[];
  create(object: KubernetesObject, options?: WriteOptions): KubernetesObject;
  /** Full replacement. Conflict (409) when metadata.resourceVersion is set and stale. */
  update(object: KubernetesObject, options?: WriteOptions): KubernetesObject;
  /** Read, change, write: `change` gets a private copy and may return false for "leave it". */
  modify(
    kind: string,
    name: string,
    namespace: string | undefined,
    change: (object: KubernetesObject) => void | false,
    options?: WriteOptions,
  ): KubernetesObject | undefined;
  delete(
    kind: string,
    name: string,
    namespace?: string,
    options?: DeleteOptions,
  ): void;
  /** In-process watch: called once per existing object (ADDED) when `replay` is true, then for each commit, in order. */
  watch(
    kind: string,
    onEvent: (event: WatchEvent) => void,
    options?: { replay?: boolean },
  ): () => void;
  addAdmission(plugin: AdmissionPlugin): void;
  /** Current resourceVersion of the store. */
  resourceVersion(): string;
}
