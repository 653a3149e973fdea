import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { FixtureGpuApi, fullFixture, h100 } from '../../dev/fixtures';
import { renderField } from '../__testUtils__/renderField';
import { GpuDevicePicker } from './GpuDevicePicker';

const now = new Date();
const queue = { namespace: 'team-07', queue: 'gpu' };
const api = () => new FixtureGpuApi(fullFixture(now));

describe('GpuDevicePicker', () => {
  it('shows what is free physically and for the chosen queue', async () => {
    renderField(GpuDevicePicker, api(), {
      name: 'device',
      formData: { queue },
    });
    expect(
      await screen.findByText('22 free of 128 on spoke-a (6 for your queue)'),
    ).toBeInTheDocument();
    expect(
      screen.getByText('NVIDIA H100 80 GB · 80 GiB · 1 GPU'),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/Isolation: none\. Compute and memory are shared/),
    ).toBeInTheDocument();
  });

  it('shows the physical count alone before a queue is chosen', async () => {
    renderField(GpuDevicePicker, api(), { name: 'device' });
    expect(
      await screen.findByText('22 free of 128 on spoke-a'),
    ).toBeInTheDocument();
    expect(
      screen.getByText(/Choose a queue and a GPU to see/),
    ).toBeInTheDocument();
  });

  it('chooses a class by keyboard and says that it would start now', async () => {
    const onChange = renderField(GpuDevicePicker, api(), {
      name: 'device',
      formData: { queue, count: 2 },
    });
    const h100Radio = await screen.findByRole('radio', { name: /H100/ });
    h100Radio.focus();
    await userEvent.keyboard(' ');

    expect(onChange).toHaveBeenLastCalledWith({ deviceClass: h100.id });
    const fit = screen.getByRole('status', { name: 'Will it fit?' });
    await waitFor(() => expect(fit).toHaveTextContent('Starts now'));
    expect(fit).toHaveTextContent('2 units, 2 GPUs, 1.6 % of the pool');
    expect(fit).toHaveTextContent('2 before, 4 after, of 6');
  });

  it.each([
    [16, 'Allowed, waits', 'Waits until 10 more are given back'],
    [500, 'Cannot run', '500 are more than the 70 this queue could ever hold'],
  ])('%d of them: %s', async (count, verdict, why) => {
    renderField(GpuDevicePicker, api(), {
      name: 'device',
      formData: { queue, count, device: { deviceClass: h100.id } },
    });
    const fit = await screen.findByRole('status', { name: 'Will it fit?' });
    await waitFor(() => expect(fit).toHaveTextContent(verdict));
    expect(fit).toHaveTextContent(why);
  });

  it('matches a fraction to a class', async () => {
    const onChange = renderField(GpuDevicePicker, api(), {
      name: 'device',
      formData: { queue },
    });
    await userEvent.click(
      await screen.findByRole('radio', { name: 'A fraction of a GPU' }),
    );
    await userEvent.type(screen.getByLabelText('Compute'), '20');
    await userEvent.type(screen.getByLabelText('VRAM'), '12');

    expect(onChange).toHaveBeenLastCalledWith({
      fraction: { corePercent: 20, vramMiB: 12_288 },
    });
    expect(
      await screen.findByText('Matched to NVIDIA L40S, shared by 4'),
    ).toBeInTheDocument();
  });

  it('names a number that is not accepted', async () => {
    renderField(GpuDevicePicker, api(), {
      name: 'device',
      formData: { device: { fraction: { corePercent: 120, vramMiB: 0 } } },
    });
    expect(
      await screen.findByText('Compute 120 % is not accepted: give 1 to 100.'),
    ).toBeInTheDocument();
    expect(
      screen.getByText('VRAM 0 GiB is not accepted: give more than 0.'),
    ).toBeInTheDocument();
  });

  it('takes a typed class id where none can be listed', async () => {
    const failing = api();
    failing.failure = new Error('503');
    const onChange = renderField(GpuDevicePicker, failing, { name: 'device' });
    await userEvent.type(
      await screen.findByLabelText('Device class id'),
      'nvidia-l4',
    );
    expect(onChange).toHaveBeenLastCalledWith({ deviceClass: 'nvidia-l4' });
  });

  it('shows errors and obeys ui:readonly', async () => {
    renderField(GpuDevicePicker, api(), {
      name: 'device',
      props: {
        rawErrors: ['no flavor offers it'],
        uiSchema: { 'ui:readonly': true },
      },
    });
    expect(await screen.findByRole('radio', { name: /H100/ })).toBeDisabled();
    expect(screen.getByText('no flavor offers it')).toBeInTheDocument();
  });
});
