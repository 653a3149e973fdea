import { RequestDelivery } from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterConfig } from '../clusters/clusterConfig';
import { Delivery } from '../clusters/clusterObserver';
import { RequestRow } from './requestStore';

/** Operation phases of Argo CD and Ready reasons of Flux of a delivery that is still at work. */
const RUNNING = ['Running', 'Progressing', 'ProgressingWithRetry'];

/**
 * What an Application or Kustomization says of one request's file; undefined
 * when it is not the one that delivers it.
 */
export function deliveryOf(
  request: RequestRow,
  delivery: Delivery,
  configs: ClusterConfig[],
): RequestDelivery | undefined {
  const job = delivery.resources.find(
    ({ kind, namespace, name }) =>
      kind === 'Job' &&
      name === request.name &&
      (namespace ?? request.namespace) === request.namespace,
  );
  if (!deliversFolderOf(request, delivery, configs)) {
    return undefined;
  }
  const via = {
    kind: delivery.kind,
    namespace: delivery.namespace,
    name: delivery.name,
  };
  const commit = request.pullRequest?.mergeCommit;
  const arrived = commit
    ? delivery.history.find(entry => entry.revision === commit)
    : undefined;
  if (job?.status === 'SyncFailed') {
    return {
      state: 'refused',
      via,
      revision: delivery.revision,
      message: job.message ?? delivery.message,
    };
  }
  if (job || arrived) {
    return {
      state: job?.status === 'OutOfSync' && !arrived ? 'waiting' : 'delivered',
      via,
      revision: commit ?? delivery.revision,
      at: arrived?.deployedAt || delivery.operationFinishedAt,
    };
  }
  const isMerged = request.pullRequest?.state === 'merged';
  if (
    isMerged &&
    delivery.message &&
    delivery.sync !== 'Synced' &&
    !RUNNING.includes(delivery.operation ?? '')
  ) {
    return {
      state: 'refused',
      via,
      revision: delivery.revision,
      message: delivery.message,
    };
  }
  return { state: 'waiting', via, revision: delivery.revision };
}

/** The folder it delivers holds the request's file, and its cluster is where that cluster's deliveries are kept. */
function deliversFolderOf(
  request: RequestRow,
  delivery: Delivery,
  configs: ClusterConfig[],
): boolean {
  const gitops = configs.find(({ name }) => name === request.cluster)?.gitops;
  const home = gitops?.application;
  if (
    !gitops ||
    delivery.cluster !== (home?.cluster ?? request.cluster) ||
    (home && home.namespace !== delivery.namespace)
  ) {
    return false;
  }
  const folder = (delivery.path ?? '').replace(/^\.?\/+|\/+$/g, '');
  return folder === '' || request.path.startsWith(`${folder}/`);
}
