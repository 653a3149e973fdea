import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  emptyFixture,
  FixtureGpuApi,
  fullFixture,
  succeededRequest,
} from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { RequestsRoutes } from './RequestsRoutes';

const now = new Date();

function open(api: FixtureGpuApi, search = '') {
  renderPage(<RequestsRoutes />, api, {
    path: `/gpu/requests${search}`,
    mountPath: '/gpu/requests',
  });
}

const names = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map(row => within(row).getAllByRole('link')[0].textContent);

/** 25 requests, the page's size and five more. */
function many() {
  const fixture = fullFixture(now);
  fixture.requests = Array.from({ length: 25 }, (_, index) => ({
    ...succeededRequest(now),
    id: `r${index}`,
    purpose: `Run ${index}`,
  }));
  return new FixtureGpuApi(fixture);
}

async function pick(label: string, option: string) {
  await userEvent.click(
    screen.getByRole('button', { name: new RegExp(label) }),
  );
  await userEvent.click(await screen.findByRole('option', { name: option }));
}

describe('RequestsPage', () => {
  it('lists what I asked for, newest first', async () => {
    open(new FixtureGpuApi(fullFixture(now)));
    await screen.findByRole('table');
    expect(names()).toEqual([
      'Nightly evaluation',
      'Train the reward model',
      'Fine-tune the assistant on support tickets',
      'Distil to 7B',
      'Tokenise the corpus',
    ]);
    expect(screen.getByText('1–5 of 5')).toBeInTheDocument();
    expect(screen.getByText('not current')).toBeInTheDocument();
  });

  it('narrows by state, and says when nothing matches', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    open(api);
    await screen.findByRole('table');
    await pick('Show', 'Running');
    await waitFor(() =>
      expect(names()).toEqual(['Fine-tune the assistant on support tickets']),
    );
    api.fixture.requests = [];
    await pick('Show', 'Ended');
    expect(
      await screen.findByText('No request matches these filters.'),
    ).toBeInTheDocument();
  });

  it('keeps the filters in the address', async () => {
    open(
      new FixtureGpuApi({ ...fullFixture(now), me: 'user:default/pavel' }),
      '?scope=all&show=waiting',
    );
    await screen.findByRole('table');
    expect(names()).toEqual(['Nightly evaluation', 'Train the reward model']);
  });

  it('walks the pages back and forth', async () => {
    open(many());
    expect(await screen.findByText('1–20 of 25')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Older' }));
    expect(await screen.findByText('21–25 of 25')).toBeInTheDocument();
    expect(names()[0]).toBe('Run 20');
    expect(screen.getByRole('button', { name: 'Older' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Newer' }));
    expect(await screen.findByText('1–20 of 25')).toBeInTheDocument();
  });

  it('invites to ask when there is nothing', async () => {
    open(new FixtureGpuApi(emptyFixture(now)));
    expect(
      await screen.findByText(/Ask for GPUs with a short form/),
    ).toBeInTheDocument();
  });

  it('says that requests may not be seen', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = Object.assign(new Error('gpu.request.read is denied'), {
      name: 'NotAllowedError',
    });
    open(api);
    expect(await screen.findByText('You may not see this')).toBeInTheDocument();
  });
});
