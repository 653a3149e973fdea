import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderField } from '../__testUtils__/renderField';
import { GpuQueuePicker } from './GpuQueuePicker';

const now = new Date();

function twoTeams() {
  const fixture = fullFixture(now);
  fixture.myTeams.push('group:default/team-08');
  return new FixtureGpuApi(fixture);
}

describe('GpuQueuePicker', () => {
  it('lists the queues of my teams, by keyboard alone', async () => {
    const onChange = renderField(GpuQueuePicker, twoTeams(), { name: 'queue' });
    const button = await screen.findByRole('button', {
      name: /Team and queue/,
    });
    await userEvent.tab();
    expect(button).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    expect(
      screen.getAllByRole('option').map(option => option.textContent),
    ).toEqual([
      'team-07 / gpu on spoke-a, spoke-b',
      'team-08 / gpu on spoke-a',
    ]);
    await userEvent.keyboard('{ArrowDown}{Enter}');

    expect(onChange).toHaveBeenLastCalledWith({
      namespace: 'team-08',
      queue: 'gpu',
    });
  });

  it('takes the only queue by itself', async () => {
    const onChange = renderField(
      GpuQueuePicker,
      new FixtureGpuApi(fullFixture(now)),
      { name: 'queue' },
    );
    await screen.findByText('team-07 / gpu on spoke-a, spoke-b');
    expect(onChange).toHaveBeenCalledWith({
      namespace: 'team-07',
      queue: 'gpu',
    });
  });

  it('is typed where no queue can be listed', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = new Error('503 Service Unavailable');
    const onChange = renderField(GpuQueuePicker, api, { name: 'queue' });
    const input = await screen.findByPlaceholderText('namespace/queue');
    expect(screen.getByText(/Queues cannot be listed now/)).toBeInTheDocument();

    await userEvent.type(input, 'team-09');
    expect(onChange).toHaveBeenLastCalledWith('team-09');
    await userEvent.type(input, '/gpu');
    expect(onChange).toHaveBeenLastCalledWith({
      namespace: 'team-09',
      queue: 'gpu',
    });
    expect(input).toHaveValue('team-09/gpu');
  });

  it('shows a value it did not list, and errors beside it', async () => {
    renderField(GpuQueuePicker, twoTeams(), {
      name: 'queue',
      formData: { queue: { namespace: 'team-40', queue: 'gpu' } },
      props: { rawErrors: ['is not yours'] },
    });
    expect(await screen.findByText('team-40/gpu')).toBeInTheDocument();
    expect(screen.getByText('is not yours')).toBeInTheDocument();
  });

  it.each([['ui:disabled'], ['ui:readonly']])('obeys %s', async option => {
    const onChange = renderField(
      GpuQueuePicker,
      new FixtureGpuApi(fullFixture(now)),
      { name: 'queue', props: { uiSchema: { [option]: true } } },
    );
    expect(
      await screen.findByRole('button', { name: /Team and queue/ }),
    ).toHaveAttribute('aria-disabled', 'true');
    expect(onChange).not.toHaveBeenCalled();
  });
});
