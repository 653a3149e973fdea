import { mockServices, startTestBackend } from '@backstage/backend-test-utils';
import {
  catalogProcessingExtensionPoint,
  EntityProvider,
} from '@backstage/plugin-catalog-node';
import { catalogModuleGpu } from './module';

const stamp = '2026-11-02T10:00:00Z';
const cluster = (name: string) => ({
  name,
  title: name,
  role: 'spoke',
  state: 'connected',
  since: stamp,
  freshAt: stamp,
  gpus: { physical: 8, usedNano: 0 },
});

async function setUp(owner?: string) {
  const providers: EntityProvider[] = [];
  const scheduler = mockServices.scheduler.mock();
  const logger = mockServices.rootLogger.mock();
  logger.child.mockReturnValue(logger);
  const backend = await startTestBackend({
    extensionPoints: [
      [
        catalogProcessingExtensionPoint,
        {
          addEntityProvider: (...added: any[]) => {
            providers.push(...added.flat());
          },
        } as any,
      ],
    ],
    features: [
      catalogModuleGpu,
      scheduler.factory,
      logger.factory,
      mockServices.rootConfig.factory({
        data: {
          gpu: { clusters: { 'spoke-a': {}, 'spoke-b': {} } },
          catalog: { providers: { gpu: { owner } } },
        },
      }),
    ],
  });
  const [[task]] = scheduler.scheduleTask.mock.calls;
  return {
    providers,
    logger,
    round: () => task.fn(new AbortController().signal),
    stop: () => backend.stop(),
  };
}

describe('catalogModuleGpu', () => {
  afterEach(() => jest.restoreAllMocks());

  it('stores the other clusters when one cannot be stored', async () => {
    const fetched = jest
      .spyOn(global, 'fetch')
      .mockImplementation(async url => {
        const isList = String(url).includes('/v1/clusters');
        const items = isList ? ['spoke-a', 'spoke-b'].map(cluster) : [];
        return new Response(
          JSON.stringify({ items, totalItems: items.length }),
          {
            headers: { 'content-type': 'application/json' },
          },
        );
      });
    const { providers, round, stop } = await setUp();
    const stored: string[] = [];
    for (const provider of providers) {
      await provider.connect({
        refresh: jest.fn(),
        applyMutation: async () => {
          if (provider.getProviderName() === 'gpu:spoke-a') {
            throw new Error('busy');
          }
          stored.push(provider.getProviderName());
        },
      });
    }
    await round();
    expect(stored).toEqual(['gpu:spoke-b']);

    fetched.mockRejectedValue(new Error('down'));
    await round();
    expect(stored).toEqual(['gpu:spoke-b']);
    await stop();
  });

  it('refuses an owner that is none at start', async () => {
    await expect(setUp('::')).rejects.toThrow(
      'catalog.providers.gpu.owner: "::" is not accepted; accepted: a group such as "group:default/platform"',
    );
  });
});
