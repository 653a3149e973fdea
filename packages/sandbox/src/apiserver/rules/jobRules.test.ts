import { ApiStatusError } from '../apiStatus';
import { MemoryStore } from '../memoryStore';
import type { KubernetesObject } from '../objectStore';
import { servedTypes } from '../types/servedTypes';
import { builtinRules } from './builtinRules';

function job(spec: object = {}, container: object = {}): KubernetesObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'train', namespace: 'team' },
    spec: {
      ...spec,
      template: {
        spec: {
          restartPolicy: 'Never',
          containers: [{ name: 'main', image: 'x:1', ...container }],
        },
      },
    },
  };
}

function gpus(requests: object, limits?: object) {
  return { resources: { requests, limits } };
}

describe('Job rules', () => {
  let store: MemoryStore;

  beforeEach(() => {
    store = new MemoryStore({ types: servedTypes, rules: builtinRules });
    store.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team' },
    });
  });

  function refusal(act: () => unknown): ApiStatusError {
    try {
      act();
    } catch (error) {
      return error as ApiStatusError;
    }
    throw new Error('was not refused');
  }

  it('fills defaults and the generated selector', () => {
    const { spec, metadata, status } = store.create(job());
    expect(status).toEqual({});
    expect(spec).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      selector: {
        matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid },
      },
    });
    expect(spec.template.metadata.labels['job-name']).toBe('train');
  });

  it('writes quantities as texts in canonical form', () => {
    const { spec } = store.create(
      job(
        {},
        gpus({ cpu: 0.5, memory: '1024Mi' }, { cpu: '2000m', memory: '1.5Gi' }),
      ),
    );
    expect(spec.template.spec.containers[0].resources).toEqual({
      requests: { cpu: '500m', memory: '1Gi' },
      limits: { cpu: '2', memory: '1536Mi' },
    });
  });

  it.each([
    [
      'request without limit',
      gpus({ 'nvidia.com/gpu': 1 }),
      'spec.template.spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
    ],
    [
      'request other than limit',
      gpus({ 'nvidia.com/gpu': 1 }, { 'nvidia.com/gpu': 2 }),
      'spec.template.spec.containers[0].resources.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2',
    ],
    [
      'half a GPU',
      gpus({}, { 'nvidia.com/gpu': '500m' }),
      'spec.template.spec.containers[0].resources.limits[nvidia.com/gpu]: Invalid value: "500m": must be an integer',
    ],
    [
      'no image',
      { image: '' },
      'spec.template.spec.containers[0].image: Required value',
    ],
  ])('refuses %s', (_, container, message) => {
    expect(refusal(() => store.create(job({}, container)))).toMatchObject({
      code: 422,
      message: `Job.batch "train" is invalid: ${message}`,
    });
  });

  it('refuses a missing namespace, a wrong quantity and a long name', () => {
    const lost = job();
    lost.metadata.namespace = 'nowhere';
    expect(refusal(() => store.create(lost))).toMatchObject({
      code: 404,
      message: 'namespaces "nowhere" not found',
    });
    expect(
      refusal(() => store.create(job({}, gpus({ cpu: 'many' })))).code,
    ).toBe(400);
    const long = job();
    long.metadata.name = 'x'.repeat(64);
    expect(refusal(() => store.create(long)).message).toContain(
      'must be no more than 63 characters',
    );
  });

  it('requires a restart policy that ends', () => {
    const wrong = job();
    delete wrong.spec.template.spec.restartPolicy;
    expect(refusal(() => store.create(wrong)).message).toContain(
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    );
  });

  it('lets scheduling directives change only while suspended and not started', () => {
    const steer = () =>
      store.modify('Job', 'train', 'team', object => {
        object.spec.template.spec.nodeSelector = { pool: 'a' };
        object.spec.suspend = false;
      });
    store.create(job({ suspend: true }));
    expect(steer()?.spec.template.spec.nodeSelector).toEqual({ pool: 'a' });
    expect(
      refusal(() =>
        store.modify('Job', 'train', 'team', object => {
          object.spec.template.spec.nodeSelector = { pool: 'b' };
        }),
      ).message,
    ).toMatch(/spec.template: Invalid value: .*: field is immutable/);
    expect(
      refusal(() =>
        store.modify('Job', 'train', 'team', object => {
          object.spec.completions = 3;
        }),
      ).message,
    ).toBe(
      'Job.batch "train" is invalid: spec.completions: Invalid value: 3: field is immutable',
    );
  });

  it('does not let the image change even while suspended', () => {
    store.create(job({ suspend: true }));
    expect(
      refusal(() =>
        store.modify('Job', 'train', 'team', object => {
          object.spec.template.spec.containers[0].image = 'y:1';
        }),
      ).message,
    ).toContain('field is immutable');
  });
});
