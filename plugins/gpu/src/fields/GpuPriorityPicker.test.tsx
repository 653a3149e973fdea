import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderField } from '../__testUtils__/renderField';
import { GpuPriorityPicker } from './GpuPriorityPicker';

const queue = { namespace: 'team-07', queue: 'gpu' };
const api = () => new FixtureGpuApi(fullFixture(new Date()));

describe('GpuPriorityPicker', () => {
  it('offers what the chosen queue may use, highest first', async () => {
    const onChange = renderField(GpuPriorityPicker, api(), {
      name: 'priority',
      formData: { queue, cluster: 'spoke-a' },
    });
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await screen.findByText('normal (500) · Ordinary work');
    expect(
      screen.getAllByRole('option').map(option => option.textContent),
    ).toEqual([
      'The queue’s default',
      'normal (500) · Ordinary work',
      'low (100) · Can wait',
    ]);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(onChange).toHaveBeenLastCalledWith('low');
  });

  it('names a typed value that is not allowed, and what is', async () => {
    renderField(GpuPriorityPicker, api(), {
      name: 'priority',
      formData: { queue, priority: 'high' },
    });
    expect(
      await screen.findByText(
        'Priority high is not allowed in this queue. It may use: normal, low.',
      ),
    ).toBeInTheDocument();
  });

  it('asks for a queue first', async () => {
    renderField(GpuPriorityPicker, api(), { name: 'priority' });
    expect(
      await screen.findByText('Choose a queue first.'),
    ).toBeInTheDocument();
  });

  it('is locked by ui:disabled', async () => {
    renderField(GpuPriorityPicker, api(), {
      name: 'priority',
      props: { uiSchema: { 'ui:disabled': true } },
    });
    expect(
      await screen.findByRole('button', { name: /Priority/ }),
    ).toHaveAttribute('aria-disabled', 'true');
  });
});
