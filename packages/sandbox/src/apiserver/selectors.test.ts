import type { KubernetesObject } from './objectStore';
import { fieldSelector, labelSelector } from './selectors';
import { coreTypes } from './types/coreTypes';

function labelled(labels: Record<string, string>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', labels } };
}

describe('labelSelector', () => {
  const gpu = labelled({ 'example.com/tier': 'gpu', rank: '7', empty: '' });

  it.each([
    ['', true],
    ['example.com/tier', true],
    ['absent', false],
    ['!absent', true],
    ['!rank', false],
    ['example.com/tier=gpu', true],
    ['example.com/tier==gpu', true],
    ['example.com/tier!=gpu', false],
    ['absent!=gpu', true],
    ['absent=', false],
    ['empty=', true],
    ['example.com/tier in (cpu, gpu)', true],
    ['example.com/tier notin (cpu,gpu)', false],
    ['absent notin (a)', true],
    ['absent in (a)', false],
    ['rank>6', true],
    ['rank<7', false],
    ['example.com/tier>6', false],
    ['example.com/tier in (cpu,gpu),rank!=7', false],
    ['rank=7,!absent', true],
  ])('%s: %s', (selector, selected) => {
    expect(labelSelector(selector)(gpu)).toBe(selected);
  });

  it.each(['a=b=c', 'a in b', '=x', 'a in (b', 'rank>high'])(
    'refuses %s',
    selector => {
      expect(() => labelSelector(selector)).toThrow(
        'unable to parse requirement',
      );
    },
  );
});

describe('fieldSelector', () => {
  const pods = coreTypes.find(type => type.kind === 'Pod')!;
  const pod: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'n' },
    spec: { nodeName: 'node-1' },
    status: { phase: 'Running' },
  };

  it.each([
    ['metadata.name=p', true],
    ['metadata.name!=p', false],
    ['metadata.namespace=n,spec.nodeName==node-1', true],
    ['status.phase!=Succeeded,status.phase!=Failed', true],
    ['spec.nodeName=', false],
  ])('%s: %s', (selector, selected) => {
    expect(fieldSelector(pods, selector)(pod)).toBe(selected);
  });

  it('refuses fields the type does not have', () => {
    expect(() => fieldSelector(pods, 'spec.image=x')).toThrow(
      'field label not supported: spec.image',
    );
    expect(() => fieldSelector(pods, 'spec.nodeName')).toThrow(
      'invalid selector',
    );
  });
});
