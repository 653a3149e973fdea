import { renderInTestApp, TestApiProvider } from '@backstage/test-utils';
import {
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import { permissionApiRef } from '@backstage/plugin-permission-react';
import { AuthorizeResult } from '@backstage/plugin-permission-common';
import {
  ScaffolderFieldExtensions,
  useCustomFieldExtensions,
} from '@backstage/plugin-scaffolder-react';
import { screen } from '@testing-library/react';
import { ReactElement } from 'react';
import { Route, Routes } from 'react-router-dom';
import { FixtureGpuApi, fullFixture } from '../dev/fixtures';
import { component, group } from '../dev/fixtures/entities';
import * as legacy from './legacy';
import { legacyRoutes } from './routes';

const api = () => new FixtureGpuApi(fullFixture(new Date()));

function open(element: ReactElement, path = '/') {
  return renderInTestApp(
    <TestApiProvider
      apis={[
        [legacy.gpuApiRef, api()],
        [
          permissionApiRef,
          { authorize: async () => ({ result: AuthorizeResult.ALLOW }) },
        ],
      ]}
    >
      {element}
    </TestApiProvider>,
    {
      routeEntries: [path],
      mountedRoutes: {
        '/catalog/:namespace/:kind/:name': entityRouteRef,
        ...(path.startsWith('/gpu') ? {} : { '/gpu': legacyRoutes.root }),
      },
    },
  );
}

describe('the plugin in the legacy frontend system', () => {
  it.each([
    ['/gpu/overview', 'My requests'],
    ['/gpu/requests', 'Requests'],
    ['/gpu/requests/5b1c7a52-6a0e-4b53-9f4e-0a3f6f0f8f11', 'What happened'],
    ['/gpu/catalogue', 'Device classes'],
    ['/gpu/queues', 'My teams'],
    ['/gpu/fleet', 'Clusters'],
  ])('%s shows %s under its own header', async (path, heading) => {
    await open(
      <Routes>
        <Route path="/gpu/*" element={<legacy.GpuPage />} />
      </Routes>,
      path,
    );
    expect(
      await screen.findByRole('heading', { level: 2, name: heading }),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('heading', { level: 1, name: 'GPU' }),
    ).toBeInTheDocument();
  });

  it('makes the GPU tab of a component', async () => {
    await open(
      <EntityProvider entity={component}>
        <legacy.EntityGpuContent />
      </EntityProvider>,
    );
    expect(
      await screen.findByRole('heading', { name: 'What waits, and why' }),
    ).toBeInTheDocument();
  });

  it('makes the quota card of a group', async () => {
    await open(
      <EntityProvider entity={group}>
        <legacy.EntityGroupGpuCard />
      </EntityProvider>,
    );
    expect(
      await screen.findByRole('heading', { name: 'GPU quota' }),
    ).toBeInTheDocument();
  });

  it('registers the fields with the Scaffolder', async () => {
    function Names() {
      const fields = useCustomFieldExtensions(
        <ScaffolderFieldExtensions>
          <legacy.GpuQueuePickerFieldExtension />
          <legacy.GpuClusterPickerFieldExtension />
          <legacy.GpuDevicePickerFieldExtension />
          <legacy.GpuPriorityPickerFieldExtension />
          <legacy.GpuDurationPickerFieldExtension />
        </ScaffolderFieldExtensions>,
      );
      return <>{fields.map(({ name }) => name).join(' ')}</>;
    }
    await open(<Names />);
    expect(
      screen.getByText(
        'GpuQueuePicker GpuClusterPicker GpuDevicePicker GpuPriorityPicker GpuDurationPicker',
      ),
    ).toBeInTheDocument();
  });

  it('draws its icon', async () => {
    const { container } = await open(<legacy.GpuIcon />);
    expect(container.querySelector('svg')).toBeInTheDocument();
  });

  it('is a plugin', () => {
    expect(legacy.gpuPlugin.getId()).toBe('gpu');
  });
});
