import type { KubernetesObject } from './objectStore';

/** Label of a Workload that names its Job's uid; looked up for each change of a Job. */
const jobUidLabel = 'kueue.x-k8s.io/job-uid';

/** `namespace/name`; cluster-scoped objects have an empty namespace. */
export function objectKey(name: string, namespace?: string): string {
  return `${namespace ?? ''}/${name}`;
}

/** Same, of an object. */
export function keyOf(object: KubernetesObject): string {
  return objectKey(object.metadata.name, object.metadata.namespace);
}

class Index {
  private readonly keys = new Map<string, Set<string>>();

  add(value: string | undefined, key: string): void {
    if (value === undefined) {
      return;
    }
    const known = this.keys.get(value);
    if (known) {
      known.add(key);
    } else {
      this.keys.set(value, new Set([key]));
    }
  }

  remove(value: string | undefined, key: string): void {
    if (value === undefined) {
      return;
    }
    const known = this.keys.get(value);
    known?.delete(key);
    if (known?.size === 0) {
      this.keys.delete(value);
    }
  }

  get(value: string): Iterable<string> {
    return this.keys.get(value) ?? [];
  }
}

const indexed = {
  namespace: (object: KubernetesObject) => object.metadata.namespace,
  ownerUid: (object: KubernetesObject) =>
    object.metadata.ownerReferences?.find(owner => owner.controller)?.uid,
  jobUid: (object: KubernetesObject) => object.metadata.labels?.[jobUidLabel],
};
const indexNames = ['namespace', 'ownerUid', 'jobUid'] as const;

/** All objects of one kind, found by key, namespace, controller owner or job-uid label. */
export class Collection {
  private readonly objects = new Map<string, KubernetesObject>();
  private readonly indices = {
    namespace: new Index(),
    ownerUid: new Index(),
    jobUid: new Index(),
  };
  private sorted?: string[];

  get(key: string): KubernetesObject | undefined {
    return this.objects.get(key);
  }

  put(object: KubernetesObject): void {
    const key = keyOf(object);
    const previous = this.objects.get(key);
    if (!previous) {
      this.sorted = undefined;
    }
    for (const name of indexNames) {
      const before = previous && indexed[name](previous);
      const after = indexed[name](object);
      if (before !== after) {
        this.indices[name].remove(before, key);
        this.indices[name].add(after, key);
      }
    }
    this.objects.set(key, object);
  }

  remove(key: string): void {
    const previous = this.objects.get(key);
    if (previous) {
      for (const name of indexNames) {
        this.indices[name].remove(indexed[name](previous), key);
      }
      this.objects.delete(key);
      this.sorted = undefined;
    }
  }

  /** Keys in the order in which a list returns them. */
  sortedKeys(): readonly string[] {
    this.sorted ??= [...this.objects.keys()].sort();
    return this.sorted;
  }

  list(
    options: {
      namespace?: string;
      labels?: Record<string, string>;
      ownerUid?: string;
    } = {},
  ): KubernetesObject[] {
    const wanted = Object.entries(options.labels ?? {});
    const found: KubernetesObject[] = [];
    for (const object of this.candidates(options)) {
      const { namespace, labels } = object.metadata;
      if (
        (!options.namespace || namespace === options.namespace) &&
        (!options.ownerUid || indexed.ownerUid(object) === options.ownerUid) &&
        wanted.every(([label, value]) => labels?.[label] === value)
      ) {
        found.push(object);
      }
    }
    return found;
  }

  private *candidates(options: {
    namespace?: string;
    labels?: Record<string, string>;
    ownerUid?: string;
  }): Iterable<KubernetesObject> {
    const jobUid = options.labels?.[jobUidLabel];
    let keys: Iterable<string>;
    if (options.ownerUid) {
      keys = this.indices.ownerUid.get(options.ownerUid);
    } else if (jobUid) {
      keys = this.indices.jobUid.get(jobUid);
    } else if (options.namespace) {
      keys = this.indices.namespace.get(options.namespace);
    } else {
      yield* this.objects.values();
      return;
    }
    for (const key of keys) {
      yield this.objects.get(key)!;
    }
  }
}
