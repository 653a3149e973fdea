import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderField } from '../__testUtils__/renderField';
import { GpuDurationPicker } from './GpuDurationPicker';

const api = () => new FixtureGpuApi(fullFixture(new Date()));

describe('GpuDurationPicker', () => {
  it('takes hours and minutes, and nothing when both are emptied', async () => {
    const onChange = renderField(GpuDurationPicker, api(), {
      name: 'maxDuration',
    });
    const hours = await screen.findByRole('spinbutton', { name: 'Hours' });
    await userEvent.type(hours, '2');
    expect(onChange).toHaveBeenLastCalledWith({ hours: 2 });
    await userEvent.tab();
    await userEvent.keyboard('30');
    expect(onChange).toHaveBeenLastCalledWith({ hours: 2, minutes: 30 });
    await userEvent.clear(hours);
    await userEvent.clear(screen.getByRole('spinbutton', { name: 'Minutes' }));
    expect(onChange).toHaveBeenLastCalledWith(undefined);
  });

  it('shows days and seconds that were typed elsewhere', async () => {
    renderField(GpuDurationPicker, api(), {
      name: 'maxDuration',
      formData: { maxDuration: { days: 1, hours: 2, seconds: 90 } },
    });
    expect(
      await screen.findByRole('spinbutton', { name: 'Hours' }),
    ).toHaveValue(26);
    expect(screen.getByRole('spinbutton', { name: 'Minutes' })).toHaveValue(2);
  });

  it('names a value that is not accepted', async () => {
    renderField(GpuDurationPicker, api(), { name: 'maxDuration' });
    await userEvent.type(
      await screen.findByRole('spinbutton', { name: 'Minutes' }),
      '1.5',
    );
    expect(
      screen.getByText(
        'Duration {"minutes":1.5} is not understood: give whole numbers from 0.',
      ),
    ).toBeInTheDocument();
  });
});
