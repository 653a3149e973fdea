import { badRequest, forbidden, notFound } from './apiStatus';
import type {
  KubernetesObject,
  ObjectStore,
  ResourceType,
} from './objectStore';

/**
 * Refuses an object to be created whose namespace is missing (400), unknown
 * (404) or going away (403); takes the namespace off cluster-scoped objects.
 */
export function checkNamespace(
  store: ObjectStore,
  type: ResourceType,
  object: KubernetesObject,
): void {
  const { metadata } = object;
  if (!type.namespaced) {
    delete metadata.namespace;
    return;
  }
  if (!metadata.namespace) {
    throw badRequest(
      `an empty namespace may not be set during creation of ${type.kind} "${metadata.name}"`,
    );
  }
  if (!store.types.some(({ kind }) => kind === 'Namespace')) {
    return;
  }
  const namespace = store.get('Namespace', metadata.namespace);
  if (!namespace) {
    throw notFound(store.type('Namespace'), metadata.namespace);
  }
  if (namespace.metadata.deletionTimestamp) {
    throw forbidden(
      type,
      metadata.name,
      `unable to create new content in namespace ${metadata.namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${metadata.namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  }
}
