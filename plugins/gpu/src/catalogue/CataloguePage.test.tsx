import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { emptyFixture, FixtureGpuApi, fullFixture } from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { CataloguePage } from './CataloguePage';

const now = new Date();

describe('CataloguePage', () => {
  it('shows what each class is, where it is free and for whom', async () => {
    renderPage(<CataloguePage />, new FixtureGpuApi(fullFixture(now)));
    const slice = (
      await screen.findByText('NVIDIA A100 80 GB, MIG 1g.10gb')
    ).closest('tr')!;
    expect(await within(slice).findByText('96 now, 178 at most')).toBeVisible();
    expect(slice).toHaveTextContent('1/7 GPU');
    expect(slice).toHaveTextContent('9.5 GiB');
    expect(slice).toHaveTextContent('41 of 336118 of 336');
    expect(slice).toHaveTextContent('inference');
    expect(
      within(slice).getByTitle(/Nobody else can slow it down/),
    ).toHaveTextContent('hardware');
  });

  it('counts for another of my queues when asked to', async () => {
    const fixture = fullFixture(now);
    fixture.myTeams.push('group:default/team-08');
    const api = new FixtureGpuApi(fixture);
    const asked = jest.spyOn(api, 'getDeviceClasses');
    renderPage(<CataloguePage />, api);
    await userEvent.click(
      await screen.findByRole('button', { name: /Free for/ }),
    );
    await userEvent.click(screen.getByRole('option', { name: 'team-08/gpu' }));
    expect(asked).toHaveBeenLastCalledWith({
      namespace: 'team-08',
      queue: 'gpu',
    });
  });

  it('says why it is empty', async () => {
    renderPage(<CataloguePage />, new FixtureGpuApi(emptyFixture(now)));
    expect(
      await screen.findByText(/when a connected cluster has a ResourceFlavor/),
    ).toBeInTheDocument();
  });

  it('says that it failed', async () => {
    const api = new FixtureGpuApi(fullFixture(now));
    api.failure = new Error('503');
    renderPage(<CataloguePage />, api);
    expect(await screen.findByRole('alert')).toHaveTextContent('503');
  });
});
