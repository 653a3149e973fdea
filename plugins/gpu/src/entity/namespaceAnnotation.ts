import { Entity } from '@backstage/catalog-model';

/** Names the Kubernetes namespace a component's GPU work runs in. */
export const NAMESPACE_ANNOTATION = 'gpuaas.io/namespace';

/**
 * Whether the GPU tab belongs on an entity: a component that names its namespace.
 *
 * @public
 */
export function isGpuAvailable(entity: Entity): boolean {
  return (
    entity.kind.toLocaleLowerCase('en-US') === 'component' &&
    Boolean(entity.metadata.annotations?.[NAMESPACE_ANNOTATION])
  );
}
