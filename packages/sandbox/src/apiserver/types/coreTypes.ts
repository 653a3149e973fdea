import type { KubernetesObject, ResourceType } from '../objectStore';
import { age, date, integer, text, wideText } from './columns';

const core = { group: '', version: 'v1' };

function count(members: object | undefined): number {
  return Object.keys(members ?? {}).length;
}

/** STATUS of a pod as kubectl's printPod words it. */
function podStatus(pod: KubernetesObject): string {
  const { metadata, status = {} } = pod;
  const ended = ['Succeeded', 'Failed'].includes(status.phase);
  if (metadata.deletionTimestamp && !ended) {
    return 'Terminating';
  }
  for (const container of status.containerStatuses ?? []) {
    const { waiting, terminated } = container.state ?? {};
    const reason = waiting?.reason ?? terminated?.reason;
    if (reason) {
      return reason;
    }
  }
  return status.reason ?? status.phase ?? 'Unknown';
}

function podReady(pod: KubernetesObject): string {
  const containers = pod.status?.containerStatuses ?? [];
  const ready = containers.filter(
    (container: { ready: boolean }) => container.ready,
  );
  return `${ready.length}/${pod.spec?.containers?.length ?? 0}`;
}

/** Roles of a node, from its labels. */
function nodeRoles(node: KubernetesObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const roles = Object.keys(node.metadata.labels ?? {})
    .filter(label => label.startsWith(prefix))
    .map(label => label.slice(prefix.length));
  return roles.sort().join(',') || '<none>';
}

function nodeStatus(node: KubernetesObject): string {
  const ready = node.status?.conditions?.find(
    (condition: { type: string }) => condition.type === 'Ready',
  );
  const readiness = ready?.status === 'True' ? 'Ready' : 'NotReady';
  const words = [ready ? readiness : 'Unknown'];
  if (node.spec?.unschedulable) {
    words.push('SchedulingDisabled');
  }
  return words.join(',');
}

function internalIp(node: KubernetesObject): string {
  return (
    node.status?.addresses?.find(
      (address: { type: string }) => address.type === 'InternalIP',
    )?.address ?? '<none>'
  );
}

function quotaColumn(part: 'requests' | 'limits') {
  return (quota: KubernetesObject): string =>
    Object.keys(quota.spec?.hard ?? {})
      .filter(name => name.startsWith('limits.') === (part === 'limits'))
      .sort()
      .map(
        name =>
          `${name}: ${quota.status?.used?.[name] ?? 0}/${
            quota.spec.hard[name]
          }`,
      )
      .join(', ');
}

/** Kinds of the core group, with the columns of kubectl's printers. */
export const coreTypes: readonly ResourceType[] = [
  {
    ...core,
    resource: 'namespaces',
    kind: 'Namespace',
    namespaced: false,
    shortNames: ['ns'],
    hasStatus: true,
    fields: namespace => ({
      'status.phase': namespace.status?.phase ?? '',
    }),
    columns: [text('Status', namespace => namespace.status?.phase)],
  },
  {
    ...core,
    resource: 'nodes',
    kind: 'Node',
    namespaced: false,
    shortNames: ['no'],
    hasStatus: true,
    fields: node => ({
      'spec.unschedulable': String(node.spec?.unschedulable ?? false),
    }),
    columns: [
      text('Status', nodeStatus),
      text('Roles', nodeRoles),
      age,
      text('Version', node => node.status?.nodeInfo?.kubeletVersion),
      wideText('Internal-IP', internalIp),
      wideText('OS-Image', node => node.status?.nodeInfo?.osImage),
      wideText('Kernel-Version', node => node.status?.nodeInfo?.kernelVersion),
      wideText(
        'Container-Runtime',
        node => node.status?.nodeInfo?.containerRuntimeVersion,
      ),
    ],
  },
  {
    ...core,
    resource: 'pods',
    kind: 'Pod',
    namespaced: true,
    shortNames: ['po'],
    categories: ['all'],
    hasStatus: true,
    generation: true,
    fields: pod => ({
      'spec.nodeName': pod.spec?.nodeName ?? '',
      'spec.restartPolicy': pod.spec?.restartPolicy ?? '',
      'spec.schedulerName': pod.spec?.schedulerName ?? '',
      'spec.serviceAccountName': pod.spec?.serviceAccountName ?? '',
      'status.phase': pod.status?.phase ?? '',
      'status.podIP': pod.status?.podIP ?? '',
      'status.nominatedNodeName': pod.status?.nominatedNodeName ?? '',
    }),
    columns: [
      text('Ready', podReady),
      text('Status', podStatus),
      integer('Restarts', pod =>
        (pod.status?.containerStatuses ?? []).reduce(
          (sum: number, container: { restartCount?: number }) =>
            sum + (container.restartCount ?? 0),
          0,
        ),
      ),
      age,
      wideText('IP', pod => pod.status?.podIP ?? '<none>'),
      wideText('Node', pod => pod.spec?.nodeName ?? '<none>'),
      wideText(
        'Nominated Node',
        pod => pod.status?.nominatedNodeName ?? '<none>',
      ),
      wideText('Readiness Gates', () => '<none>'),
    ],
  },
  {
    ...core,
    resource: 'events',
    kind: 'Event',
    namespaced: true,
    shortNames: ['ev'],
    fields: event => ({
      'involvedObject.kind': event.involvedObject?.kind ?? '',
      'involvedObject.namespace': event.involvedObject?.namespace ?? '',
      'involvedObject.name': event.involvedObject?.name ?? '',
      'involvedObject.uid': event.involvedObject?.uid ?? '',
      'involvedObject.apiVersion': event.involvedObject?.apiVersion ?? '',
      'involvedObject.resourceVersion':
        event.involvedObject?.resourceVersion ?? '',
      'involvedObject.fieldPath': event.involvedObject?.fieldPath ?? '',
      reason: event.reason ?? '',
      reportingComponent: event.reportingComponent ?? '',
      source: event.source?.component ?? event.reportingComponent ?? '',
      type: event.type ?? '',
    }),
    columns: [
      date('Last Seen', event => event.lastTimestamp ?? event.firstTimestamp),
      text('Type', event => event.type),
      text('Reason', event => event.reason),
      text(
        'Object',
        event =>
          `${event.involvedObject?.kind?.toLowerCase()}/${
            event.involvedObject?.name
          }`,
      ),
      wideText('Source', event => event.source?.component),
      text('Message', event => event.message),
    ],
  },
  {
    ...core,
    resource: 'configmaps',
    kind: 'ConfigMap',
    namespaced: true,
    shortNames: ['cm'],
    columns: [integer('Data', map => count(map.data) + count(map.binaryData))],
  },
  {
    ...core,
    resource: 'secrets',
    kind: 'Secret',
    namespaced: true,
    fields: secret => ({ type: secret.type ?? '' }),
    columns: [
      text('Type', secret => secret.type ?? 'Opaque'),
      integer('Data', secret => count(secret.data)),
    ],
  },
  {
    ...core,
    resource: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    columns: [integer('Secrets', account => account.secrets?.length ?? 0)],
  },
  {
    ...core,
    resource: 'persistentvolumeclaims',
    kind: 'PersistentVolumeClaim',
    namespaced: true,
    shortNames: ['pvc'],
    hasStatus: true,
    columns: [
      text('Status', claim => claim.status?.phase),
      text('Volume', claim => claim.spec?.volumeName),
      text('Capacity', claim => claim.status?.capacity?.storage),
      text('Access Modes', claim => claim.status?.accessModes?.join(',')),
      text('StorageClass', claim => claim.spec?.storageClassName),
    ],
  },
  {
    ...core,
    resource: 'resourcequotas',
    kind: 'ResourceQuota',
    namespaced: true,
    shortNames: ['quota'],
    hasStatus: true,
    columns: [
      text('Request', quotaColumn('requests')),
      text('Limit', quotaColumn('limits')),
    ],
  },
];
