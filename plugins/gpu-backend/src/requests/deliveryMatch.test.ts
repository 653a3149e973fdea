import { Delivery } from '../clusters/clusterObserver';
import {
  application,
  at,
  configs,
  MERGE_COMMIT,
} from './__testUtils__/requestFixtures';
import { deliveryOf } from './deliveryMatch';
import { RequestRow } from './requestStore';

const merged: RequestRow = {
  id: 'request-1',
  name: 'tune-1a2b3c4d',
  cluster: 'spoke-a',
  namespace: 'team-07',
  requester: 'user:default/mira',
  entity: 'component:default/llm-finetune',
  state: 'merged',
  repoUrl: '',
  branch: 'main',
  path: 'clusters/spoke-a/team-07/tune-1a2b3c4d.yaml',
  digest: '',
  pullRequest: { number: 7, state: 'merged', mergeCommit: MERGE_COMMIT },
};
const open: RequestRow = { ...merged, pullRequest: { number: 7 } };
const failed = {
  sync: 'OutOfSync' as const,
  operation: 'Failed',
  history: [],
  resources: [],
  message: 'one or more objects failed to apply',
};

describe('deliveryOf', () => {
  it.each<[string, RequestRow, Partial<Delivery>, object]>([
    [
      'arrived with the merge commit',
      merged,
      {},
      { state: 'delivered', at: at(29), revision: MERGE_COMMIT },
    ],
    [
      'listed before the merge was heard of',
      open,
      { history: [] },
      { state: 'delivered', at: at(29) },
    ],
    [
      'the merge commit arrived, the Job is not listed any more',
      merged,
      { resources: [] },
      { state: 'delivered', at: at(29) },
    ],
    [
      'refused: its own words first',
      merged,
      {
        ...failed,
        resources: [
          {
            kind: 'Job',
            namespace: 'team-07',
            name: 'tune-1a2b3c4d',
            status: 'SyncFailed',
            message: 'admission webhook denied the request',
          },
        ],
      },
      { state: 'refused', message: 'admission webhook denied the request' },
    ],
    [
      'refused as a whole',
      merged,
      failed,
      { state: 'refused', message: 'one or more objects failed to apply' },
    ],
    ['another one failed before the merge', open, failed, { state: 'waiting' }],
    [
      'at work',
      merged,
      { ...failed, operation: 'Running' },
      { state: 'waiting' },
    ],
    [
      'Flux writes ./',
      merged,
      { path: './clusters/spoke-a/' },
      { state: 'delivered' },
    ],
  ])('%s', (_, request, delivery, expected) => {
    expect(deliveryOf(request, application(delivery), configs)).toMatchObject(
      expected,
    );
  });

  it.each<[string, Partial<Delivery>]>([
    ['another namespace', { path: 'clusters/spoke-a/team-08', resources: [] }],
    ['another folder that begins alike', { path: 'clusters/spoke' }],
    ['kept elsewhere', { cluster: 'spoke-b' }],
    ['kept in another namespace', { namespace: 'mine' }],
  ])('is silent about another delivery: %s', (_, delivery) => {
    expect(deliveryOf(merged, application(delivery), configs)).toBeUndefined();
  });
});
