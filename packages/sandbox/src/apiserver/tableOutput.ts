import { groupVersion } from './discovery';
import type { KubernetesObject, ResourceType } from './objectStore';
import { age, humanDuration } from './types/columns';

type Column = NonNullable<ResourceType['columns']>[number];

function columnsOf(type: ResourceType): Column[] {
  const own = type.columns ?? [];
  const named = own.some(column => ['Age', 'Created At'].includes(column.name));
  return named || type.kind === 'Event' ? own : [...own, age];
}

function cell(
  column: Column,
  object: KubernetesObject,
  now: number,
): string | number | null {
  const value = column.value(object);
  if (column.type === 'date') {
    return value ? humanDuration(String(value), now) : '<unknown>';
  }
  return value ?? (column.type === 'integer' ? null : '');
}

/** metadata of an object alone, as `as=PartialObjectMetadata` and tables have it. */
export function partialMetadata(object: KubernetesObject) {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: object.metadata,
  };
}

/**
 * meta.k8s.io/v1 Table of some objects, as `kubectl get` prints them.
 * `includeObject` is the query parameter: None, Metadata (default) or Object.
 */
export function table(
  type: ResourceType,
  objects: readonly KubernetesObject[],
  options: {
    metadata: object;
    includeObject?: string;
    now: Date;
    /** Later events of a watch leave the definitions out. */
    withoutColumns?: boolean;
  },
) {
  const columns = columnsOf(type);
  const now = options.now.getTime();
  const definitions = [
    {
      name: 'Name',
      type: 'string',
      format: 'name',
      description: 'Name must be unique within a namespace.',
      priority: 0,
    },
    ...columns.map(column => ({
      name: column.name,
      // Durations are computed here, so they travel as text.
      type: column.type === 'integer' ? 'integer' : 'string',
      format: '',
      description: `${column.name} of the ${groupVersion(type)} ${type.kind}.`,
      priority: column.wide ? 1 : 0,
    })),
  ];
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata,
    columnDefinitions: options.withoutColumns ? null : definitions,
    rows: objects.map(object => ({
      cells: [
        object.metadata.name,
        ...columns.map(column => cell(column, object, now)),
      ],
      ...(options.includeObject !== 'None' && {
        object:
          options.includeObject === 'Object' ? object : partialMetadata(object),
      }),
    })),
  };
}
