import { randomUUID } from 'node:crypto';
import { type Clock, stamp, wallClock } from '../clock';
import {
  alreadyExists,
  badRequest,
  conflict,
  FieldError,
  invalid,
  notFound,
} from './apiStatus';
import { AdmissionChain } from './admissionChain';
import { Collection, keyOf, objectKey } from './collection';
import { CommitFeed } from './commitFeed';
import { type Commit, EventHistory } from './eventHistory';
import { cloneTree, freezeSharing, sameTree } from './frozenTree';
import type { KindRules } from './kindRules';
import { checkNamespace } from './namespaceLifecycle';
import { isHeld, markForDeletion } from './deletion';
import { checkObjectMeta } from './objectMeta';
import { generatedName, keepSystemFields, specChanged } from './systemFields';
import type {
  AdmissionPlugin,
  DeleteOptions,
  KubernetesObject,
  ObjectStore,
  ResourceType,
  WatchEvent,
  WriteOptions,
} from './objectStore';
import { checkDeletionVersion, checkUid } from './preconditions';
import { firstVersion, type StoreSnapshot } from './storeSnapshot';

export interface MemoryStoreOptions {
  types: readonly ResourceType[];
  /** Built-in behaviour, by kind. */
  rules?: Readonly<Record<string, KindRules>>;
  clock?: Clock;
  /** Changes kept for watches; default 10,000. */
  historySize?: number;
  /** State to begin with, from `snapshot()`. */
  snapshot?: StoreSnapshot;
}

/**
 * One cluster's objects in memory. Stored objects are frozen to their leaves
 * and handed out as they are; versions of an object share unchanged parts.
 * Watchers are called in the order of commits, also when one of them writes.
 */
export class MemoryStore implements ObjectStore {
  readonly types: readonly ResourceType[];
  private readonly byKind = new Map<string, ResourceType>();
  private readonly collections = new Map<string, Collection>();
  private readonly rules: Readonly<Record<string, KindRules>>;
  private readonly clock: Clock;
  private readonly history: EventHistory;
  private readonly admission = new AdmissionChain();
  private readonly feed = new CommitFeed();
  private version: number;

  constructor(options: MemoryStoreOptions) {
    this.types = options.types;
    for (const type of options.types) {
      this.byKind.set(type.kind, type);
      this.collections.set(type.kind, new Collection());
    }
    this.rules = options.rules ?? {};
    this.clock = options.clock ?? wallClock;
    this.version = firstVersion(options.snapshot);
    this.history = new EventHistory(
      options.historySize ?? 10_000,
      this.version,
    );
    for (const object of options.snapshot?.objects ?? []) {
      this.collections.get(object.kind)?.put(freezeSharing(cloneTree(object)));
    }
  }

  type(kind: string): ResourceType {
    const type = this.byKind.get(kind);
    if (!type) {
      throw badRequest(`no kind "${kind}" is registered`);
    }
    return type;
  }

  resourceVersion(): string {
    return String(this.version);
  }

  addAdmission(plugin: AdmissionPlugin): void {
    this.admission.add(plugin);
  }

  get(
    kind: string,
    name: string,
    namespace?: string,
  ): KubernetesObject | undefined {
    return this.collection(kind).get(objectKey(name, namespace));
  }

  list(
    kind: string,
    options?: {
      namespace?: string;
      labels?: Record<string, string>;
      ownerUid?: string;
    },
  ): KubernetesObject[] {
    return this.collection(kind).list(options);
  }

  create(
    object: KubernetesObject,
    options: WriteOptions = {},
  ): KubernetesObject {
    const type = this.type(object.kind);
    const created = cloneTree(object);
    const { metadata } = created;
    if (!metadata.name && metadata.generateName) {
      metadata.name = generatedName(metadata.generateName);
    }
    if (metadata.resourceVersion) {
      throw badRequest(
        'resourceVersion should not be set on objects to be created',
      );
    }
    checkNamespace(this, type, created);
    metadata.uid = randomUUID();
    metadata.creationTimestamp = stamp(this.clock.now());
    delete metadata.deletionTimestamp;
    delete metadata.deletionGracePeriodSeconds;
    delete metadata.managedFields;
    if (type.generation) {
      metadata.generation = 1;
    }
    const rules = this.rules[type.kind];
    if (type.hasStatus && !rules?.statusOnCreate) {
      delete created.status;
    }
    rules?.prepareCreate?.(created);
    this.admission.admit({
      operation: 'CREATE',
      type,
      object: created,
      options,
    });
    checkObjectMeta(type, created);
    this.check(type, created, rules?.validate?.(created));
    const key = keyOf(created);
    if (this.collection(type.kind).get(key)) {
      throw alreadyExists(type, metadata.name);
    }
    if (options.dryRun) {
      return freezeSharing(created);
    }
    return this.commit(type, created);
  }

  update(
    object: KubernetesObject,
    options: WriteOptions = {},
  ): KubernetesObject {
    const type = this.type(object.kind);
    const { name, namespace, resourceVersion, uid } = object.metadata;
    const old = this.get(type.kind, name, namespace);
    if (!old) {
      throw notFound(type, name);
    }
    checkUid(type, old, uid);
    if (resourceVersion && resourceVersion !== old.metadata.resourceVersion) {
      throw conflict(type, name);
    }
    return this.replace(type, old, cloneTree(object), options);
  }

  /** As the interface says; a `change` that returns false, and one that changes nothing, return the stored object. */
  modify(
    kind: string,
    name: string,
    namespace: string | undefined,
    change: (object: KubernetesObject) => void | false,
    options: WriteOptions = {},
  ): KubernetesObject | undefined {
    const old = this.get(kind, name, namespace);
    if (!old) {
      return undefined;
    }
    const next = cloneTree(old);
    if (change(next) === false) {
      return old;
    }
    return this.replace(this.type(kind), old, cloneTree(next), options);
  }

  delete(
    kind: string,
    name: string,
    namespace?: string,
    options: DeleteOptions = {},
  ): void {
    const type = this.type(kind);
    const old = this.get(kind, name, namespace);
    if (!old) {
      throw notFound(type, name);
    }
    checkUid(type, old, options.preconditions?.uid);
    checkDeletionVersion(type, old, options.preconditions?.resourceVersion);
    this.admission.admit({ operation: 'DELETE', type, object: old, options });
    if (options.dryRun) {
      return;
    }
    const marked = markForDeletion(type, old, options, this.clock.now());
    if (!marked) {
      this.remove(type, old);
    } else if (!sameTree(marked, old)) {
      this.commit(type, marked, old);
    }
  }

  watch(
    kind: string,
    onEvent: (event: WatchEvent) => void,
    options: { replay?: boolean } = {},
  ): () => void {
    this.type(kind);
    // What is committed but not yet delivered is part of the replay already.
    const since = this.version;
    const existing = options.replay ? this.list(kind) : [];
    const stop = this.observe(commit => {
      if (commit.kind === kind && commit.version > since) {
        onEvent(commit.event);
      }
    });
    for (const object of existing) {
      onEvent({ type: 'ADDED', object });
    }
    return stop;
  }

  /** Calls back for each commit of any kind, in order; returns a canceller. */
  observe(onCommit: (commit: Commit) => void): () => void {
    return this.feed.observe(onCommit);
  }

  /** Commits after `version`, oldest first. Throws 410 Expired when they are no longer all known. */
  commitsSince(version: number): Commit[] {
    return this.history.since(version);
  }

  /** Whether `commitsSince(version)` can be answered. */
  remembers(version: number): boolean {
    return this.history.reaches(version);
  }

  /** Keys (`namespace/name`) of a kind in the order of a list. */
  sortedKeys(kind: string): readonly string[] {
    return this.collection(kind).sortedKeys();
  }

  /** The object of a key, as `sortedKeys` lists them. */
  byKey(kind: string, key: string): KubernetesObject | undefined {
    return this.collection(kind).get(key);
  }

  /** Forgets the past: every older resourceVersion answers 410 from now on. */
  compact(): void {
    this.history.compact();
  }

  snapshot(): StoreSnapshot {
    return {
      resourceVersion: this.version,
      objects: this.types.flatMap(type => this.list(type.kind)),
    };
  }

  private collection(kind: string): Collection {
    this.type(kind);
    return this.collections.get(kind)!;
  }

  private check(
    type: ResourceType,
    object: KubernetesObject,
    errors: FieldError[] = [],
  ): void {
    if (errors.length > 0) {
      throw invalid(type, object.metadata.name, errors);
    }
  }

  private replace(
    type: ResourceType,
    old: KubernetesObject,
    wanted: KubernetesObject,
    options: WriteOptions,
  ): KubernetesObject {
    const rules = this.rules[type.kind];
    let next = wanted;
    if (options.subresource === 'status') {
      next = { ...cloneTree(old), status: wanted.status };
      if (next.status === undefined) {
        delete next.status;
      }
    } else {
      keepSystemFields(type, next, old);
      rules?.prepareUpdate?.(next, old);
    }
    const { subresource } = options;
    this.admission.admit({
      operation: 'UPDATE',
      type,
      object: next,
      oldObject: old,
      options: { user: options.user, subresource },
    });
    if (subresource !== 'status') {
      checkObjectMeta(type, next);
      this.check(type, next, rules?.validate?.(next));
      this.check(type, next, rules?.validateUpdate?.(next, old));
      if (type.generation && specChanged(type, next, old)) {
        next.metadata.generation = (old.metadata.generation ?? 0) + 1;
      }
    }
    if (sameTree(next, old)) {
      return old;
    }
    if (options.dryRun) {
      return freezeSharing(next, old);
    }
    if (next.metadata.deletionTimestamp && !isHeld(next)) {
      return this.remove(type, next);
    }
    return this.commit(type, next, old);
  }

  private commit(
    type: ResourceType,
    next: KubernetesObject,
    previous?: KubernetesObject,
  ): KubernetesObject {
    this.version += 1;
    next.metadata.resourceVersion = String(this.version);
    const object = freezeSharing(next, previous);
    this.collection(type.kind).put(object);
    this.publish(
      type.kind,
      previous
        ? { type: 'MODIFIED', object, previous }
        : { type: 'ADDED', object },
    );
    return object;
  }

  private remove(type: ResourceType, last: KubernetesObject): KubernetesObject {
    this.version += 1;
    const key = keyOf(last);
    const previous = this.collection(type.kind).get(key)!;
    const object = freezeSharing(
      {
        ...last,
        metadata: { ...last.metadata, resourceVersion: String(this.version) },
      },
      previous,
    );
    this.collection(type.kind).remove(key);
    this.publish(type.kind, { type: 'DELETED', object, previous });
    return object;
  }

  private publish(kind: string, event: WatchEvent): void {
    const commit = { version: this.version, kind, event };
    this.history.append(commit);
    this.feed.publish(commit);
  }
}
