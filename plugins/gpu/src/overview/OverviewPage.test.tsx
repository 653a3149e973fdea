import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { emptyFixture, FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { OverviewPage } from './OverviewPage';

const now = new Date();
const region = (name: string) => screen.findByRole('region', { name });

function platformEngineer() {
  return new FixtureGpuApi({
    ...fullFixture(now),
    me: 'user:default/pavel',
    myTeams: [],
  });
}

describe('OverviewPage', () => {
  it('tells an ML engineer where theirs stands, what is free and what the team has', async () => {
    renderPage(<OverviewPage />, new FixtureGpuApi(fullFixture(now)));

    const mine = within(await region('My requests'));
    const rows = await mine.findAllByRole('row');
    expect(rows.map(row => row.textContent)).toEqual([
      expect.stringContaining('Request'),
      expect.stringMatching(/Nightly evaluation.*In reviewPull request #44/),
      expect.stringMatching(/Train the reward model.*Queued/),
      expect.stringMatching(/Fine-tune.*Running/),
    ]);
    expect(
      mine.getByRole('link', { name: 'Train the reward model' }),
    ).toHaveAttribute(
      'href',
      expect.stringContaining('/gpu/requests/91c0be4e'),
    );
    expect(
      mine.getByRole('img', { name: 'Step 7 of 8 is done: Metered' }),
    ).toBeInTheDocument();

    const free = within(await region('Free GPUs'));
    expect(
      (await free.findByText('NVIDIA H100 80 GB')).closest('tr'),
    ).toHaveTextContent('22 of 1286');

    const quota = within(await region('My team’s quota'));
    expect((await quota.findAllByRole('row'))[1]).toHaveTextContent(
      '8 of 6 · 2 borrowed',
    );
    expect(screen.queryByText('Waiting for review')).not.toBeInTheDocument();
  });

  it('says which cluster cannot be read, since when and why', async () => {
    renderPage(<OverviewPage />, new FixtureGpuApi(fullFixture(now)));
    const clusters = within(await region('Clusters'));
    expect(
      await clusters.findByText(/Cannot read spoke-b since/),
    ).toBeInTheDocument();
    expect(clusters.getByText(/ECONNREFUSED/)).toBeInTheDocument();
  });

  it('shows a platform engineer what waits for a review first', async () => {
    renderPage(<OverviewPage />, platformEngineer());

    const review = within(await region('Waiting for review'));
    expect(
      await review.findByRole('link', { name: /Pull request #44/ }),
    ).toHaveAttribute('href', expect.stringContaining('/pulls/44'));
    const waiting = within(await region('Waiting for GPUs'));
    expect(
      await waiting.findByText('Train the reward model'),
    ).toBeInTheDocument();
    expect(screen.queryByText('My requests')).not.toBeInTheDocument();
    expect(screen.queryByText('My team’s quota')).not.toBeInTheDocument();
  });

  it('is of use on the first day', async () => {
    renderPage(<OverviewPage />, new FixtureGpuApi(emptyFixture(now)));
    expect(
      await screen.findByText('No pull request waits for a review.'),
    ).toBeInTheDocument();
    expect(
      await screen.findByText('No device class is offered yet'),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/None of your groups owns a queue/),
    ).toBeInTheDocument();
  });

  it('does not take a failure for having nothing, and recovers', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = new Error('The database is not reachable');
    renderPage(<OverviewPage />, api);

    const mine = within(await region('My requests'));
    expect(await mine.findByRole('alert')).toHaveTextContent(
      'The GPU service does not answerThe database is not reachable',
    );
    expect(
      screen.queryByText(/None of your groups owns a queue/),
    ).not.toBeInTheDocument();

    api.failure = undefined;
    await userEvent.click(mine.getByRole('button', { name: 'Try again' }));
    expect(await mine.findByText('Train the reward model')).toBeInTheDocument();
  });
});
