import type { ObjectStore } from '../apiserver/objectStore';
import type { Clock } from '../clock';
import { WorkQueue } from './workQueue';

const user = 'system:serviceaccount:kube-system:namespace-controller';

/** Empties namespaces that are being deleted, then lets them go. */
export function startNamespaceController(
  store: ObjectStore,
  clock: Clock,
): { stop: () => void } {
  const namespaced = store.types.filter(type => type.namespaced);
  const terminating = new Set<string>();
  const queue = new WorkQueue('namespace controller', clock, sync);

  const stops = [
    store.watch(
      'Namespace',
      ({ type, object }) => {
        const { name, deletionTimestamp } = object.metadata;
        if (type === 'DELETED') {
          terminating.delete(name);
        } else if (deletionTimestamp) {
          terminating.add(name);
          queue.add(name);
        }
      },
      { replay: true },
    ),
    ...namespaced.map(({ kind }) =>
      store.watch(kind, ({ type, object }) => {
        const { namespace = '' } = object.metadata;
        if (type === 'DELETED' && terminating.has(namespace)) {
          queue.add(namespace);
        }
      }),
    ),
  ];

  function sync(name: string): void {
    const contents = () =>
      namespaced.flatMap(({ kind }) => store.list(kind, { namespace: name }));
    contents()
      .filter(object => !object.metadata.deletionTimestamp)
      .forEach(object => {
        // Deleting one may have taken another along.
        if (store.get(object.kind, object.metadata.name, name)) {
          store.delete(object.kind, object.metadata.name, name, {
            user,
            propagationPolicy: 'Background',
          });
        }
      });
    if (contents().length === 0) {
      store.modify(
        'Namespace',
        name,
        undefined,
        object => {
          object.spec = { ...object.spec, finalizers: [] };
        },
        { user },
      );
    }
  }

  return {
    stop() {
      stops.forEach(stop => stop());
      queue.stop();
    },
  };
}
