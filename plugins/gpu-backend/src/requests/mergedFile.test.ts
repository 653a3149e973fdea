import { fileDigest, renderJob } from '@gpuaas/backstage-plugin-gpu-common';
import {
  MANIFEST,
  origin,
  registration,
} from './__testUtils__/requestFixtures';
import { checkMergedFile } from './mergedFile';

const request = {
  ...registration(),
  id: 'r1',
  requester: origin.requester,
  digest: fileDigest(MANIFEST),
};

/** As if the digest of these contents had been registered. */
const check = (content: string, more: Partial<typeof request> = {}) =>
  checkMergedFile(content, {
    ...request,
    digest: fileDigest(content),
    ...more,
  });

describe('checkMergedFile', () => {
  it('takes the file that was registered, for whom the file says', () => {
    expect(checkMergedFile(MANIFEST, request)).toBe('same');
    expect(
      check(MANIFEST.replace('component:default', 'Component:Default')),
    ).toBe('same');
  });

  it('takes what the Scaffolder renders', () => {
    const entity = 'Component:default/LLM-finetune';
    const { name, yaml, digest } = renderJob({
      ...request,
      requestId: 'd2b2f0a4-6a8e-4c46-9c4d-3f4f8e1f0b11',
      slug: 'finetune',
      purpose: 'Fine-tune',
      entity,
      nodeLabels: { 'gpuaas.io/pool': 'train' },
      resourceName: 'nvidia.com/gpu',
      count: 2,
      image: 'registry.example.com/ml/train:1.4',
      command: ['sleep', '60'],
    });
    expect(
      checkMergedFile(yaml, {
        ...request,
        id: 'd2b2f0a4-6a8e-4c46-9c4d-3f4f8e1f0b11',
        entity: entity.toLowerCase(),
        name,
        digest,
      }),
    ).toBe('same');
  });

  it('takes no other contents, and no missing file', () => {
    expect(checkMergedFile(`${MANIFEST}# more\n`, request)).toBe('changed');
    expect(checkMergedFile(undefined, request)).toBe('changed');
  });

  it.each([
    ['another entity', { entity: 'component:default/victim' }],
    ['another user', { requester: 'user:default/enzo' }],
    ['another request', { id: 'r2' }],
    ['another Job', { name: 'other' }],
    ['another namespace', { namespace: 'team-08' }],
  ])(
    'does not count %s than the file names, whatever was registered',
    (_, more) => {
      expect(check(MANIFEST, more)).toBe('changed');
    },
  );

  it.each(['kind: Job\n', '', 'null', '[', `${MANIFEST}---\n${MANIFEST}`])(
    'finds nobody in %j',
    content => {
      expect(check(content)).toBe('changed');
    },
  );
});
