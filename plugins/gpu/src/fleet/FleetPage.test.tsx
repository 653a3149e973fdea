import { screen } from '@testing-library/react';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { FleetPage } from './FleetPage';

const now = new Date();

describe('FleetPage', () => {
  it('shows each cluster, whether it can be read, and how old its picture is', async () => {
    renderPage(<FleetPage />, new FixtureGpuApi(fullFixture(now)));
    const row = (await screen.findByText('Spoke B')).closest('tr');
    expect(row).toHaveTextContent('Cannot be read');
    expect(row).toHaveTextContent('4 min ago');
    expect(row).toHaveTextContent('141.25 of 240 GPUs');
    expect(row).toHaveTextContent('connect ECONNREFUSED 10.20.0.12:6443');
  });

  it('tells what to configure when there is none', async () => {
    renderPage(
      <FleetPage />,
      new FixtureGpuApi({ ...fullFixture(now), clusters: [] }),
    );
    expect(
      await screen.findByText(/gpu\.clusters in the configuration/),
    ).toBeInTheDocument();
  });

  it('is refused to those who may not see clusters', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = Object.assign(new Error('gpu.cluster.read is denied'), {
      statusCode: 403,
    });
    renderPage(<FleetPage />, api);
    expect(await screen.findByText('You may not see this')).toBeInTheDocument();
    expect(
      screen.queryByRole('button', { name: 'Try again' }),
    ).not.toBeInTheDocument();
  });
});
