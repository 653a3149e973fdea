import { screen } from '@testing-library/react';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { OverviewPage } from './OverviewPage';

// a file of its own: answers to permission questions are remembered by module
describe('OverviewPage, for those who may see no clusters', () => {
  it('leaves clusters out', async () => {
    renderPage(<OverviewPage />, new FixtureGpuApi(fullFixture(new Date())), {
      denied: ['gpu.cluster.read'],
    });
    expect(
      await screen.findByText('Train the reward model'),
    ).toBeInTheDocument();
    expect(screen.queryByText('Clusters')).not.toBeInTheDocument();
  });
});
