import type { ResourceType } from '../objectStore';
import { age, conditionStatus, readyMessage, text, wideText } from './columns';

const argo = {
  group: 'argoproj.io',
  version: 'v1alpha1',
  namespaced: true,
  generation: true,
} as const;

/** Kinds of Argo CD and Flux. An Application's status is no subresource, as upstream. */
export const gitopsTypes: readonly ResourceType[] = [
  {
    ...argo,
    resource: 'applications',
    kind: 'Application',
    shortNames: ['app', 'apps'],
    columns: [
      text('Sync Status', application => application.status?.sync?.status),
      text('Health Status', application => application.status?.health?.status),
      wideText('Revision', application => application.status?.sync?.revision),
      wideText('Project', application => application.spec?.project),
    ],
  },
  {
    ...argo,
    resource: 'appprojects',
    kind: 'AppProject',
    shortNames: ['appproj', 'appprojs'],
  },
  {
    group: 'kustomize.toolkit.fluxcd.io',
    version: 'v1',
    resource: 'kustomizations',
    kind: 'Kustomization',
    namespaced: true,
    shortNames: ['ks'],
    hasStatus: true,
    generation: true,
    columns: [
      age,
      text('Ready', conditionStatus('Ready')),
      text('Status', readyMessage),
    ],
  },
  {
    group: 'source.toolkit.fluxcd.io',
    version: 'v1',
    resource: 'gitrepositories',
    kind: 'GitRepository',
    namespaced: true,
    shortNames: ['gitrepo'],
    hasStatus: true,
    generation: true,
    columns: [
      text('URL', repository => repository.spec?.url),
      age,
      text('Ready', conditionStatus('Ready')),
      text('Status', readyMessage),
    ],
  },
];
