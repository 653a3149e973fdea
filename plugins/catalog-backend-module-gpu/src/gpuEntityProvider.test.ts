import { mockServices } from '@backstage/backend-test-utils';
import { entityKindSchemaValidator } from '@backstage/catalog-model';
import {
  Cluster,
  DeviceClassOffer,
  Queue,
} from '@gpuaas/backstage-plugin-gpu-common';
import { ClusterPicture, clusterEntities } from './clusterEntities';
import { entityName } from './entityName';
import { GpuEntityProvider } from './gpuEntityProvider';

const cluster: Cluster = {
  name: 'spoke-a',
  title: 'Spoke A',
  role: 'spoke',
  state: 'connected',
  since: '2026-11-02T10:00:00Z',
  freshAt: '2026-11-02T10:00:00Z',
  gpus: { physical: 128, usedNano: 0 },
};

const offer = {
  cluster: 'spoke-a',
  flavor: 'train',
  deviceClass: {
    id: 'nvidia-h100-80gb-hbm3',
    title: 'H100 80 GB',
    goodFor: ['training'],
  },
} as DeviceClassOffer;

const queue = {
  cluster: 'spoke-a',
  namespace: 'team-07',
  name: 'gpu',
  clusterQueue: 'team-07',
  owner: 'group:default/team-07',
  quotas: [{ flavor: 'train', deviceClass: 'nvidia-h100-80gb-hbm3' }],
} as Queue;

const picture: ClusterPicture = {
  cluster,
  offers: [offer, { ...offer, flavor: 'train-2' }],
  queues: [
    queue,
    { ...queue, namespace: 'nobody', owner: undefined, quotas: [] },
  ],
};

describe('clusterEntities', () => {
  it('relates queues to their team, cluster and device classes', () => {
    const entities = clusterEntities(picture, 'group:default/platform');
    expect(entities.map(({ metadata, spec }) => [metadata.name, spec])).toEqual(
      [
        [
          'spoke-a',
          {
            type: 'gpu-cluster',
            owner: 'group:default/platform',
            dependsOn: [],
          },
        ],
        [
          'spoke-a.nvidia-h100-80gb-hbm3',
          {
            type: 'gpu-device-class',
            owner: 'group:default/platform',
            dependsOn: ['resource:default/spoke-a'],
          },
        ],
        [
          'spoke-a.team-07.gpu',
          {
            type: 'gpu-queue',
            owner: 'group:default/team-07',
            dependsOn: [
              'resource:default/spoke-a',
              'resource:default/spoke-a.nvidia-h100-80gb-hbm3',
            ],
          },
        ],
        [
          'spoke-a.nobody.gpu',
          {
            type: 'gpu-queue',
            owner: 'group:default/platform',
            dependsOn: ['resource:default/spoke-a'],
          },
        ],
      ],
    );
    const validate = entityKindSchemaValidator({
      $schema: 'http://json-schema.org/draft-07/schema',
      $id: 'any',
      type: 'object',
      properties: {
        kind: { enum: ['Resource'] },
        apiVersion: { type: 'string' },
      },
    } as any);
    entities.forEach(entity => expect(validate(entity)).toBeTruthy());
  });
});

describe('entityName', () => {
  it.each([
    [['spoke-a', 'team-07', 'gpu'], /^spoke-a\.team-07\.gpu$/],
    [['a'.repeat(40), 'b'.repeat(40)], /^a{40}\.b{13}-[0-9a-f]{8}$/],
    [['x', 'unknown:NVIDIA Foo'], /^x\.unknown-NVIDIA-Foo-[0-9a-f]{8}$/],
  ])('%j', (parts, expected) => {
    const name = entityName(...parts);
    expect(name.length).toBeLessThanOrEqual(63);
    expect(name).toMatch(expected);
  });

  it('keeps names apart that are cut to the same letters', () => {
    const long = 'x'.repeat(70);
    expect(entityName(`${long}1`)).not.toBe(entityName(`${long}2`));
  });
});

describe('GpuEntityProvider', () => {
  const logger = mockServices.logger.mock();

  it('keeps the last good set of a cluster that cannot be read', async () => {
    const provider = new GpuEntityProvider(
      'spoke-a',
      'group:default/platform',
      logger,
    );
    const applyMutation = jest.fn();
    await provider.update(picture);
    await provider.connect({ applyMutation, refresh: jest.fn() });
    await provider.update(picture);
    expect(applyMutation).toHaveBeenCalledTimes(1);
    expect(applyMutation.mock.calls[0][0].entities).toHaveLength(4);

    await provider.update(undefined);
    await provider.update({
      cluster: { ...cluster, state: 'unreachable' },
      offers: [],
      queues: [],
    });
    await provider.update({
      cluster: { ...cluster, state: 'connecting', freshAt: undefined },
      offers: [],
      queues: [],
    });
    expect(applyMutation).toHaveBeenCalledTimes(1);
  });

  it('sends a set only when it changed, and again when sending failed', async () => {
    const provider = new GpuEntityProvider(
      'spoke-a',
      'group:default/platform',
      logger,
    );
    const applyMutation = jest.fn().mockRejectedValueOnce(new Error('busy'));
    await provider.connect({ applyMutation, refresh: jest.fn() });
    await expect(provider.update(picture)).rejects.toThrow('busy');
    await provider.update(picture);
    await provider.update(picture);
    expect(applyMutation).toHaveBeenCalledTimes(2);
    await provider.update({ ...picture, queues: [] });
    expect(applyMutation).toHaveBeenCalledTimes(3);
  });
});
