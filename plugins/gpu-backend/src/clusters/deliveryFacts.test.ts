import { applicationDelivery, kustomizationDelivery } from './deliveryFacts';
import { CREATED, FINISHED } from './__testUtils__/objects';

const metadata = { name: 'spoke-a-team-07', namespace: 'argocd', uid: 'app-1' };

describe('applicationDelivery', () => {
  const application = {
    metadata,
    spec: {
      source: {
        repoURL: 'http://forge/platform/gpu-fleet.git',
        path: 'clusters/spoke-a/team-07',
        targetRevision: 'main',
      },
      destination: { name: 'spoke-a', namespace: 'team-07' },
    },
    status: {
      sync: { status: 'OutOfSync', revision: 'abc' },
      health: { status: 'Degraded' },
      operationState: {
        phase: 'Failed',
        finishedAt: FINISHED,
        message: 'one or more objects failed to apply',
        syncResult: {
          resources: [
            {
              kind: 'Job',
              namespace: 'team-07',
              name: 'train-1',
              status: 'SyncFailed',
              message: 'admission webhook denied the request',
            },
          ],
        },
      },
      history: [{ revision: '123', deployedAt: CREATED }],
      resources: [
        {
          kind: 'Job',
          namespace: 'team-07',
          name: 'train-1',
          status: 'OutOfSync',
        },
        {
          kind: 'Job',
          namespace: 'team-07',
          name: 'train-2',
          status: 'Synced',
          health: { status: 'Progressing', message: 'running' },
        },
      ],
    },
  };

  it('says what became of each object, in the words of whoever refused', () => {
    expect(applicationDelivery('hub', application)).toEqual({
      cluster: 'hub',
      kind: 'Application',
      namespace: 'argocd',
      name: 'spoke-a-team-07',
      uid: 'app-1',
      source: 'http://forge/platform/gpu-fleet.git',
      path: 'clusters/spoke-a/team-07',
      targetRevision: 'main',
      destination: { name: 'spoke-a', namespace: 'team-07' },
      revision: 'abc',
      sync: 'OutOfSync',
      health: 'Degraded',
      operation: 'Failed',
      operationFinishedAt: FINISHED,
      message: 'one or more objects failed to apply',
      history: [{ revision: '123', deployedAt: CREATED }],
      resources: [
        {
          kind: 'Job',
          namespace: 'team-07',
          name: 'train-1',
          status: 'SyncFailed',
          message: 'admission webhook denied the request',
        },
        {
          kind: 'Job',
          namespace: 'team-07',
          name: 'train-2',
          status: 'Synced',
          health: 'Progressing',
          message: 'running',
        },
      ],
    });
  });

  it('takes errors of comparison when no operation failed', () => {
    expect(
      applicationDelivery('hub', {
        metadata,
        status: {
          conditions: [
            { type: 'ComparisonError', message: 'repository not found' },
            { type: 'SharedResourceWarning', message: 'shared' },
          ],
        },
      }),
    ).toMatchObject({ sync: 'Unknown', message: 'repository not found' });
  });
});

describe('kustomizationDelivery', () => {
  it('reads revision, verdict and inventory', () => {
    expect(
      kustomizationDelivery('hub', {
        metadata,
        spec: {
          path: './clusters/spoke-a/team-07',
          sourceRef: { kind: 'GitRepository', name: 'gpu-fleet' },
        },
        status: {
          lastAppliedRevision: 'main@sha1:3f2a',
          inventory: {
            entries: [{ id: 'team-07_train-1_batch_Job', v: 'v1' }],
          },
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'ReconciliationFailed',
              message: 'dry-run failed',
              lastTransitionTime: FINISHED,
            },
          ],
        },
      }),
    ).toMatchObject({
      kind: 'Kustomization',
      source: 'gpu-fleet',
      path: './clusters/spoke-a/team-07',
      revision: '3f2a',
      sync: 'OutOfSync',
      message: 'dry-run failed',
      history: [{ revision: '3f2a', deployedAt: FINISHED }],
      resources: [{ kind: 'Job', namespace: 'team-07', name: 'train-1' }],
    });
  });
});
