import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderField } from '../__testUtils__/renderField';
import { GpuClusterPicker } from './GpuClusterPicker';

const queue = { namespace: 'team-07', queue: 'gpu' };
const api = () => new FixtureGpuApi(fullFixture(new Date()));

async function open() {
  await screen.findByLabelText(/Cluster/);
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
}

describe('GpuClusterPicker', () => {
  it('offers best fit and the clusters that have the queue, with their freshness', async () => {
    const onChange = renderField(GpuClusterPicker, api(), {
      name: 'cluster',
      formData: { queue },
    });
    await open();
    expect(
      await screen.findByText(/spoke-b · cannot be read; last seen/),
    ).toBeInTheDocument();
    expect(
      screen.getAllByRole('option').map(option => option.textContent),
    ).toEqual([
      'Best fit',
      'spoke-a · current as of just now',
      'spoke-b · cannot be read; last seen just now',
    ]);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(onChange).toHaveBeenLastCalledWith('spoke-a');
  });

  it('offers best fit alone before a queue is chosen', async () => {
    renderField(GpuClusterPicker, api(), { name: 'cluster' });
    expect(
      await screen.findByText(/Choose a queue to see the clusters/),
    ).toBeInTheDocument();
    await open();
    expect(screen.getAllByRole('option')).toHaveLength(1);
  });

  it('does without what only some may read', async () => {
    const denied = api();
    denied.getClusters = async () => {
      throw new Error('gpu.cluster.read is denied');
    };
    renderField(GpuClusterPicker, denied, {
      name: 'cluster',
      formData: { queue },
    });
    await open();
    expect(
      await screen.findByText(/spoke-b · current as of/),
    ).toBeInTheDocument();
  });

  it('names a cluster that has not the queue', async () => {
    renderField(GpuClusterPicker, api(), {
      name: 'cluster',
      formData: { queue, cluster: 'spoke-z' },
    });
    expect(
      await screen.findByText(
        'Cluster spoke-z has not this queue. It may go to: best-fit, spoke-a, spoke-b.',
      ),
    ).toBeInTheDocument();
  });

  it('is typed where clusters cannot be listed', async () => {
    const failing = api();
    failing.failure = new Error('503');
    const onChange = renderField(GpuClusterPicker, failing, {
      name: 'cluster',
      formData: { queue },
    });
    const input = await screen.findByRole('textbox', { name: 'Cluster' });
    expect(screen.getByText(/cannot be listed now/)).toBeInTheDocument();
    await userEvent.clear(input);
    await userEvent.type(input, 'spoke-b');
    expect(onChange).toHaveBeenLastCalledWith('spoke-b');
  });
});
