import type { KindRules } from '../kindRules';

const nameLabel = 'kubernetes.io/metadata.name';

/** core/v1 Namespace: it goes away only when its contents have (spec.finalizers). */
export const namespaceRules: KindRules = {
  prepareCreate: namespace => {
    namespace.spec = { ...namespace.spec, finalizers: ['kubernetes'] };
    namespace.status = { phase: 'Active' };
    namespace.metadata.labels = {
      ...namespace.metadata.labels,
      [nameLabel]: namespace.metadata.name,
    };
  },
  prepareUpdate: (namespace, old) => {
    namespace.metadata.labels = {
      ...namespace.metadata.labels,
      [nameLabel]: namespace.metadata.name,
    };
    if (!old.metadata.deletionTimestamp) {
      namespace.spec = { ...namespace.spec, finalizers: ['kubernetes'] };
    }
  },
};
