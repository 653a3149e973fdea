import { screen, within } from '@testing-library/react';
import { emptyFixture, FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { QueuesPage } from './QueuesPage';

const now = new Date();

describe('QueuesPage', () => {
  it('shows my teams first, with what they borrow and lend', async () => {
    renderPage(<QueuesPage />, new FixtureGpuApi(fullFixture(now)));
    const mine = await screen.findByRole('region', { name: 'My teams' });
    const rows = within(mine)
      .getAllByRole('row')
      .slice(1)
      .map(row =>
        within(row)
          .getAllByRole('cell')
          .slice(4)
          .map(cell => cell.textContent),
      );
    expect(rows).toEqual([
      ['8 of 6', '2', '0', '6', '70', '1 job'],
      ['4 of 16', '0', '3', '9', '178', '1 job'],
      ['1 of 25', '0', '0', '24', '264', '0 jobs'],
    ]);
    const others = screen.getByRole('region', { name: 'Other teams' });
    expect(
      within(others).getByTitle('The ClusterQueue is stopped'),
    ).toHaveTextContent('Stopped');
  });

  it('says why it is empty', async () => {
    renderPage(<QueuesPage />, new FixtureGpuApi(emptyFixture(now)));
    expect(await screen.findByText('No queue here')).toBeInTheDocument();
  });

  it('says that it failed', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = new Error('503');
    renderPage(<QueuesPage />, api);
    expect(await screen.findByRole('alert')).toHaveTextContent('503');
  });
});
