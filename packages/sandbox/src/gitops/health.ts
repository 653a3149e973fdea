import { KubernetesObject } from '../apiserver/objectStore';

export type HealthStatus =
  | 'Healthy'
  | 'Suspended'
  | 'Progressing'
  | 'Missing'
  | 'Degraded'
  | 'Unknown';

/** From best to worst: an Application is as well as its worst resource. */
const order: readonly HealthStatus[] = [
  'Healthy',
  'Suspended',
  'Progressing',
  'Missing',
  'Degraded',
  'Unknown',
];

export function worstHealth(all: readonly HealthStatus[]): HealthStatus {
  return all.reduce<HealthStatus>(
    (worst, next) =>
      order.indexOf(next) > order.indexOf(worst) ? next : worst,
    'Healthy',
  );
}

/**
 * Health of a Job as Argo CD assesses it (gitops-engine, health_job.go): a
 * Suspended condition counts as an end whatever its status is, so a Job that
 * Kueue has resumed reads Healthy, not Progressing.
 */
function jobHealth(job: KubernetesObject): HealthStatus {
  const conditions: Array<{ type: string; status: string }> =
    job.status?.conditions ?? [];
  const has = (type: string) => conditions.some(entry => entry.type === type);
  if (has('Failed')) {
    return 'Degraded';
  }
  if (
    conditions.some(
      ({ type, status }) => type === 'Suspended' && status === 'True',
    )
  ) {
    return 'Suspended';
  }
  return has('Complete') || has('Suspended') ? 'Healthy' : 'Progressing';
}

/** Health of a live object; undefined for kinds that have none. */
export function healthOf(object: KubernetesObject): HealthStatus | undefined {
  switch (object.kind) {
    case 'Job':
      return jobHealth(object);
    case 'PersistentVolumeClaim':
      return (
        (
          { Bound: 'Healthy', Lost: 'Degraded' } as Record<string, HealthStatus>
        )[object.status?.phase] ?? 'Progressing'
      );
    default:
      return undefined;
  }
}
