import { EntityProvider } from '@backstage/plugin-catalog-react';
import { screen, waitFor, within } from '@testing-library/react';
import { emptyFixture, FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { component, group } from '../../dev/fixtures/entities';
import { renderPage } from '../__testUtils__/renderPage';
import { ComponentGpuContent } from './ComponentGpuContent';
import { GroupGpuCard } from './GroupGpuCard';
import { isGpuAvailable } from './namespaceAnnotation';

const now = new Date();

function tab(api: FixtureGpuApi) {
  renderPage(
    <EntityProvider entity={component}>
      <ComponentGpuContent />
    </EntityProvider>,
    api,
  );
}

describe('ComponentGpuContent', () => {
  it('shows what the component holds, what waits and why, and the latest requests', async () => {
    tab(new FixtureGpuApi(fullFixture(now)));
    const summary = await screen.findByRole('region', { name: 'Now' });
    expect(summary).toHaveTextContent('Held now2 GPUs');
    expect(summary).toHaveTextContent('GPU time so far20 GPU-minutes');

    const waits = within(
      screen.getByRole('region', { name: 'What waits, and why' }),
    );
    expect(waits.getByText(/more than the 6 your queue/)).toBeInTheDocument();
    expect(waits.getByText(/insufficient unused quota/)).toBeInTheDocument();
    expect(
      within(
        screen.getByRole('region', { name: 'Latest requests' }),
      ).getAllByRole('row'),
    ).toHaveLength(6);
  });

  it('leads to the form with the component filled in', async () => {
    tab(new FixtureGpuApi(fullFixture(now)));
    const link = await screen.findByRole('button', { name: 'Request GPUs' });
    const url = new URL(link.getAttribute('href')!, 'http://localhost');
    expect(url.pathname).toBe('/create/templates/default/gpu-batch-job');
    expect(JSON.parse(url.searchParams.get('formData')!)).toEqual({
      entity: 'component:default/llm-finetune',
    });
  });

  it('does not make up GPU time where nothing is metered', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    const answer = await api.getEntitySummary('component:default/llm-finetune');
    api.getEntitySummary = async () => ({
      ...answer,
      gpusNowNano: undefined,
      gpuNanoSeconds: undefined,
    });
    tab(api);
    expect(await screen.findAllByText('not metered here')).toHaveLength(2);
  });

  it('invites a component without requests to ask', async () => {
    tab(new FixtureGpuApi(emptyFixture(now)));
    expect(
      await screen.findByText(/has not asked for GPUs yet/),
    ).toBeInTheDocument();
  });

  it('says that it failed', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = new Error('503');
    tab(api);
    expect(await screen.findByRole('alert')).toHaveTextContent('503');
  });
});

describe('GroupGpuCard', () => {
  const card = (api: FixtureGpuApi, entity = group) =>
    renderPage(
      <EntityProvider entity={entity}>
        <GroupGpuCard />
      </EntityProvider>,
      api,
    );

  it('shows the quota of the queues the group owns', async () => {
    card(new FixtureGpuApi(fullFixture(now)));
    expect(await screen.findByText(/8 of 6 · 2 borrowed/)).toBeInTheDocument();
  });

  it('is not there for a group without a queue', async () => {
    const api = new FixtureGpuApi(emptyFixture(now));
    const asked = jest.spyOn(api, 'getQueues');
    card(api);
    await waitFor(() => expect(asked).toHaveBeenCalled());
    await waitFor(() =>
      expect(screen.queryByText('GPU quota')).not.toBeInTheDocument(),
    );
  });
});

describe('isGpuAvailable', () => {
  it('asks for a component that names its namespace', () => {
    expect(isGpuAvailable(component)).toBe(true);
    expect(isGpuAvailable(group)).toBe(false);
    expect(isGpuAvailable({ ...component, metadata: { name: 'plain' } })).toBe(
      false,
    );
  });
});
