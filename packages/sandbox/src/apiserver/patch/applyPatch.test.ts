import type { KubernetesObject } from '../objectStore';
import { servedTypes } from '../types/servedTypes';
import { patched, patchTypes } from './applyPatch';

const type = (kind: string) => servedTypes.find(one => one.kind === kind)!;

const jobType = type('Job');

const job: KubernetesObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'j', labels: { a: '1', b: '2' }, finalizers: ['f/1'] },
  spec: {
    template: {
      spec: {
        tolerations: [{ key: 'x' }],
        containers: [
          {
            name: 'main',
            image: 'x:1',
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
          },
          { name: 'side', image: 's:1' },
        ],
      },
    },
  },
};
const before = JSON.stringify(job);

const podOf = (object: KubernetesObject) => object.spec.template.spec;
const podPatch = (spec: object) => ({ spec: { template: { spec } } });

it('leaves the object it patches as it was', () => {
  for (const media of [patchTypes.merge, patchTypes.strategic]) {
    patched(jobType, job, media, {
      metadata: { labels: { a: null }, finalizers: ['f/2'] },
      ...podPatch({ containers: [{ name: 'main', image: 'y:1' }] }),
    });
  }
  patched(jobType, job, patchTypes.json, [
    { op: 'remove', path: '/metadata/labels/a' },
  ]);
  expect(JSON.stringify(job)).toBe(before);
});

describe('merge patch', () => {
  it('merges maps, replaces lists, removes by null', () => {
    const result = patched(type('Job'), job, patchTypes.merge, {
      metadata: { labels: { a: null, c: '3' }, finalizers: ['f/2'] },
    });
    expect(result.metadata.labels).toEqual({ b: '2', c: '3' });
    expect(result.metadata.finalizers).toEqual(['f/2']);
  });
});

describe('JSON patch', () => {
  it('tests, removes and escapes', () => {
    const result = patched(type('Job'), job, patchTypes.json, [
      { op: 'test', path: '/metadata/labels/a', value: '1' },
      { op: 'remove', path: '/metadata/labels/a' },
      { op: 'add', path: '/metadata/labels/x~1y', value: 'z' },
    ]);
    expect(result.metadata.labels).toEqual({ b: '2', 'x/y': 'z' });
  });

  it.each([
    [[{ op: 'test', path: '/metadata/labels/a', value: '9' }], 422],
    [[{ op: 'remove', path: '/metadata/labels/zz' }], 422],
    [{ not: 'a list' }, 400],
  ])('refuses %j', (patch, code) => {
    expect(() => patched(type('Job'), job, patchTypes.json, patch)).toThrow(
      expect.objectContaining({ code }),
    );
  });
});

describe('strategic merge patch', () => {
  const merge = (patch: object) =>
    patched(type('Job'), job, patchTypes.strategic, patch);

  it('merges containers and env by name', () => {
    const { containers } = podOf(
      merge(
        podPatch({
          containers: [
            { name: 'main', env: [{ name: 'B', value: '3' }, { name: 'C' }] },
            { name: 'new', image: 'n:1' },
          ],
        }),
      ),
    );
    expect(containers.map((one: { name: string }) => one.name)).toEqual([
      'main',
      'side',
      'new',
    ]);
    expect(containers[0]).toEqual({
      name: 'main',
      image: 'x:1',
      env: [
        { name: 'A', value: '1' },
        { name: 'B', value: '3' },
        { name: 'C' },
      ],
    });
  });

  it('knows the directives kubectl writes', () => {
    const { containers } = podOf(
      merge(
        podPatch({
          '$setElementOrder/containers': [{ name: 'side' }],
          containers: [
            { name: 'main', $patch: 'delete' },
            {
              name: 'side',
              '$setElementOrder/env': [{ name: 'Z' }, { name: 'Y' }],
              env: [
                { name: 'Y', value: '1' },
                { name: 'Z', value: '2' },
              ],
            },
          ],
        }),
      ),
    );
    expect(containers).toEqual([
      {
        name: 'side',
        image: 's:1',
        env: [
          { name: 'Z', value: '2' },
          { name: 'Y', value: '1' },
        ],
      },
    ]);
    expect(
      merge({ metadata: { '$deleteFromPrimitiveList/finalizers': ['f/1'] } })
        .metadata.finalizers,
    ).toEqual([]);
  });

  it('replaces lists without a merge key and unites finalizers', () => {
    const result = merge({
      metadata: { finalizers: ['f/2'] },
      ...podPatch({ tolerations: [{ key: 'y' }] }),
    });
    expect(podOf(result).tolerations).toEqual([{ key: 'y' }]);
    expect(result.metadata.finalizers).toEqual(['f/1', 'f/2']);
  });

  it('is refused for custom resources, as is an unknown media type', () => {
    const workload = { ...job, kind: 'Workload' };
    expect(() =>
      patched(type('Workload'), workload, patchTypes.strategic, {}),
    ).toThrow(expect.objectContaining({ code: 415 }));
    expect(() => patched(type('Job'), job, 'application/json', {})).toThrow(
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml',
    );
  });
});
