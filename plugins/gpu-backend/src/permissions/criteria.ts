import { PermissionCriteria } from '@backstage/plugin-permission-common';
import {
  GpuResource,
  GpuResourceFilter,
} from '@gpuaas/backstage-plugin-gpu-node';
import { Knex } from 'knex';

type Criteria = PermissionCriteria<GpuResourceFilter>;

/** Adds the criteria to a query over a table with the columns cluster, namespace, team and requester. */
export function whereCriteria(
  query: Knex.QueryBuilder,
  criteria: Criteria,
): void {
  if ('allOf' in criteria) {
    for (const part of criteria.allOf) {
      query.andWhere(inner => whereCriteria(inner, part));
    }
  } else if ('anyOf' in criteria) {
    query.andWhere(inner => {
      for (const part of criteria.anyOf) {
        inner.orWhere(one => whereCriteria(one, part));
      }
    });
  } else if ('not' in criteria) {
    query.whereNot(inner => whereCriteria(inner, criteria.not));
  } else if (criteria.column === 'any') {
    query.whereRaw('1 = 1');
  } else {
    // False, not unknown, for a row without the value: `not` must turn it into true.
    query
      .whereNotNull(criteria.column)
      .whereIn(criteria.column, criteria.values);
  }
}

/** The same decision for one resource. */
export function matchesCriteria(
  resource: GpuResource,
  criteria: Criteria,
): boolean {
  if ('allOf' in criteria) {
    return criteria.allOf.every(part => matchesCriteria(resource, part));
  }
  if ('anyOf' in criteria) {
    return criteria.anyOf.some(part => matchesCriteria(resource, part));
  }
  if ('not' in criteria) {
    return !matchesCriteria(resource, criteria.not);
  }
  if (criteria.column === 'any') {
    return true;
  }
  const value = resource[criteria.column];
  return value !== undefined && criteria.values.includes(value);
}
