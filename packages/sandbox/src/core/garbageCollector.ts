import { keyOf } from '../apiserver/collection';
import { foregroundFinalizer, orphanFinalizer } from '../apiserver/deletion';
import type {
  KubernetesObject,
  ObjectStore,
  OwnerReference,
} from '../apiserver/objectStore';
import type { Clock } from '../clock';
import { WorkQueue } from './workQueue';

const user = 'system:serviceaccount:kube-system:generic-garbage-collector';

/** Kind, namespace and name as one key; names have no slash. */
function refOf(object: KubernetesObject): string {
  return `${object.kind}/${keyOf(object)}`;
}

/**
 * Deletes what has lost its owners, and carries out Foreground and Orphan
 * deletion, for every kind of the store.
 */
export function startGarbageCollector(
  store: ObjectStore,
  clock: Clock,
): { stop: () => void } {
  const kinds = new Set(store.types.map(type => type.kind));
  /** Dependents by their owner's uid. */
  const dependents = new Map<string, Set<string>>();
  const queue = new WorkQueue('garbage collector', clock, sync);

  function link(object: KubernetesObject, previous?: KubernetesObject): void {
    const ref = refOf(object);
    const before = previous?.metadata.ownerReferences ?? [];
    const after = object.metadata.ownerReferences ?? [];
    if (before === after) {
      return;
    }
    for (const { uid } of before) {
      dependents.get(uid)?.delete(ref);
      if (dependents.get(uid)?.size === 0) {
        dependents.delete(uid);
      }
    }
    for (const { uid } of after) {
      dependents.set(uid, (dependents.get(uid) ?? new Set()).add(ref));
    }
  }

  const stopWatching = store.types.map(({ kind }) =>
    store.watch(
      kind,
      ({ type, object, previous }) => {
        if (type === 'DELETED') {
          const { ownerReferences, ...metadata } = object.metadata;
          link({ ...object, metadata }, previous ?? object);
          for (const ref of dependents.get(object.metadata.uid!) ?? []) {
            queue.add(ref);
          }
          queueOwners(previous ?? object);
          return;
        }
        link(object, previous);
        const { deletionTimestamp, ownerReferences } = object.metadata;
        if (
          deletionTimestamp ||
          ownerReferences !== previous?.metadata.ownerReferences
        ) {
          queue.add(refOf(object));
        }
      },
      { replay: true },
    ),
  );
  /** An owner that waits for its dependents looks again. */
  function queueOwners(object: KubernetesObject): void {
    for (const owner of object.metadata.ownerReferences ?? []) {
      queue.add(
        `${owner.kind}/${object.metadata.namespace ?? ''}/${owner.name}`,
      );
    }
  }

  function lookUp(ref: string): KubernetesObject | undefined {
    const [kind, namespace, name] = ref.split('/');
    return kinds.has(kind)
      ? store.get(kind, name, namespace || undefined)
      : undefined;
  }

  /** The owner as stored; 'unknown' when its kind is not served here. */
  function ownerOf(
    object: KubernetesObject,
    owner: OwnerReference,
  ): KubernetesObject | 'unknown' | undefined {
    if (!kinds.has(owner.kind)) {
      return 'unknown';
    }
    const { namespaced } = store.type(owner.kind);
    const found = store.get(
      owner.kind,
      owner.name,
      namespaced ? object.metadata.namespace : undefined,
    );
    return found?.metadata.uid === owner.uid ? found : undefined;
  }

  function sync(ref: string): void {
    const object = lookUp(ref);
    if (!object) {
      return;
    }
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp && finalizers.includes(orphanFinalizer)) {
      orphan(object);
    } else if (deletionTimestamp && finalizers.includes(foregroundFinalizer)) {
      deleteForeground(object);
    } else if (!deletionTimestamp) {
      checkOwners(object);
    }
  }

  function dependentsOf(object: KubernetesObject): KubernetesObject[] {
    return [...(dependents.get(object.metadata.uid!) ?? [])]
      .map(lookUp)
      .filter((one): one is KubernetesObject => one !== undefined);
  }

  function write(
    object: KubernetesObject,
    change: (copy: KubernetesObject) => void,
  ): void {
    const { name, namespace } = object.metadata;
    store.modify(object.kind, name, namespace, change, { user });
  }

  function remove(object: KubernetesObject): void {
    const { name, namespace, uid } = object.metadata;
    store.delete(object.kind, name, namespace, {
      user,
      propagationPolicy: 'Background',
      preconditions: { uid },
    });
  }

  function dropFinalizer(object: KubernetesObject, finalizer: string): void {
    write(object, copy => {
      copy.metadata.finalizers = copy.metadata.finalizers?.filter(
        one => one !== finalizer,
      );
      if (!copy.metadata.finalizers?.length) {
        delete copy.metadata.finalizers;
      }
    });
  }

  function disown(dependent: KubernetesObject, uids: Set<string>): void {
    write(dependent, copy => {
      copy.metadata.ownerReferences = copy.metadata.ownerReferences?.filter(
        owner => !uids.has(owner.uid),
      );
      if (!copy.metadata.ownerReferences?.length) {
        delete copy.metadata.ownerReferences;
      }
    });
  }

  function orphan(owner: KubernetesObject): void {
    const gone = new Set([owner.metadata.uid!]);
    dependentsOf(owner).forEach(one => disown(one, gone));
    dropFinalizer(owner, orphanFinalizer);
  }

  function deleteForeground(owner: KubernetesObject): void {
    const { uid } = owner.metadata;
    dependentsOf(owner)
      .filter(one => !one.metadata.deletionTimestamp)
      .forEach(remove);
    const blocked = dependentsOf(owner).some(one =>
      one.metadata.ownerReferences?.some(
        reference => reference.uid === uid && reference.blockOwnerDeletion,
      ),
    );
    if (!blocked) {
      dropFinalizer(owner, foregroundFinalizer);
    }
  }

  function checkOwners(object: KubernetesObject): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) {
      return;
    }
    const lost = owners.filter(owner => !ownerOf(object, owner));
    if (lost.length === owners.length) {
      remove(object);
    } else if (lost.length > 0) {
      disown(object, new Set(lost.map(owner => owner.uid)));
    }
  }

  return {
    stop() {
      stopWatching.forEach(stop => stop());
      queue.stop();
    },
  };
}
