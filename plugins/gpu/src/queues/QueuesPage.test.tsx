import { Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  emptyFixture,
  FixtureGpuApi,
  fullFixture,
  h100,
} from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { QueuesPage } from './QueuesPage';

const now = new Date();

const workload: Workload = {
  uid: 'uid-1',
  cluster: 'spoke-a',
  namespace: 'team-07',
  name: 'job-llm-finetune-5b1c7a52-1a2b3',
  job: { name: 'llm-finetune-5b1c7a52', uid: 'uid-0' },
  queue: 'gpu',
  requestId: '5b1c7a52',
  phase: 'admitted',
  priority: 500,
  podSets: [],
  deviceClass: h100.id,
  units: 2,
  createdAt: now.toISOString(),
  admittedAt: now.toISOString(),
  evictions: 0,
  freshAt: now.toISOString(),
};

/** Cells of every row below the head that has as many, without the opener's. */
function texts(part: HTMLElement): string[][] {
  return within(part)
    .getAllByRole('row')
    .slice(1)
    .map(row =>
      within(row)
        .getAllByRole('cell')
        .filter(cell => !cell.querySelector('button'))
        .map(cell => cell.textContent ?? ''),
    );
}

describe('QueuesPage', () => {
  it('shows my teams first, one queue a row, with what they use and borrow', async () => {
    renderPage(<QueuesPage />, new FixtureGpuApi(fullFixture(now)));
    const mine = await screen.findByRole('region', { name: 'My teams' });
    await within(mine).findByText('2 GPUs');
    expect(texts(mine)).toEqual([
      [
        'team-07/gpuspoke-a',
        'team-07in department-1',
        'NVIDIA H100 80 GB 8 of 6NVIDIA A100 80 GB, MIG 1g.10gb 4 of 16',
        '2 GPUs',
        '1 job',
        'Active',
      ],
      [
        'team-07/gpuspoke-b',
        'team-07in department-1',
        'NVIDIA L40S, shared by 4 1 of 25',
        '0 GPUs',
        '0 jobs',
        'Active',
      ],
    ]);
    const others = screen.getByRole('region', { name: 'Other teams' });
    expect(
      within(others).getByTitle('The ClusterQueue is stopped'),
    ).toHaveTextContent('Stopped');
  });

  it('opens a queue to its lines and to the jobs that hold them', async () => {
    const fixture = fullFixture(now);
    fixture.workloads = [workload];
    renderPage(<QueuesPage />, new FixtureGpuApi(fixture));
    const opener = await screen.findByRole('button', {
      name: 'Show what team-07/gpu · spoke-a is made of',
    });
    expect(opener).toHaveAttribute('aria-expanded', 'false');
    opener.focus();
    await userEvent.keyboard('{Enter}');
    expect(opener).toHaveAttribute('aria-expanded', 'true');

    const lines = screen.getByRole('table', { name: 'Quota lines' });
    expect(texts(lines)).toEqual([
      ['h100 · spoke-a', 'NVIDIA H100 80 GB', '8 of 6', '2', '0', '6', '70'],
      [
        'a100-1g · spoke-a',
        'NVIDIA A100 80 GB, MIG 1g.10gb',
        '4 of 16',
        '0',
        '3',
        '0',
        '178',
      ],
    ]);
    const jobs = await screen.findByRole('table', {
      name: 'Who holds it, who waits',
    });
    expect(
      within(jobs).getByRole('link', { name: 'llm-finetune-5b1c7a52' }),
    ).toHaveAttribute('href', '/gpu/requests/5b1c7a52');
    expect(jobs).toHaveTextContent('admitted2 × NVIDIA H100 80 GB');
  });

  it('finds queues by any word and turns pages of twenty', async () => {
    const fixture = fullFixture(now);
    const [, , other] = fixture.queues;
    fixture.myTeams = [];
    fixture.queues = Array.from({ length: 45 }, (_, index) => ({
      ...other,
      namespace: `team-${index + 10}`,
      owner: `group:default/team-${index + 10}`,
      pendingWorkloads: index,
    }));
    renderPage(<QueuesPage />, new FixtureGpuApi(fixture));
    expect(await screen.findByText('1–20 of 45')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    expect(screen.getByText('41–45 of 45')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();

    await userEvent.click(screen.getByRole('button', { name: /Order/ }));
    await userEvent.click(screen.getByRole('option', { name: 'Most waiting' }));
    expect(screen.getByText('1–20 of 45')).toBeInTheDocument();
    expect(texts(screen.getByRole('table'))[0][0]).toBe('team-54/gpuspoke-a');

    const find = screen.getByRole('searchbox');
    await userEvent.type(find, 'SPOKE-A team-3');
    expect(screen.getByText('1–10 of 10')).toBeInTheDocument();
    await userEvent.type(find, 'x');
    expect(screen.getByText('No queue matches SPOKE-A team-3x.')).toBeVisible();
  });

  it('asks for every page of a large fleet', async () => {
    const fixture = fullFixture(now);
    const [queue] = fixture.queues;
    fixture.queues = Array.from({ length: 1_001 }, (_, index) => ({
      ...queue,
      namespace: `team-${index}`,
      owner: undefined,
    }));
    renderPage(<QueuesPage />, new FixtureGpuApi(fixture));
    expect(await screen.findByText('1–20 of 1001')).toBeInTheDocument();
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
