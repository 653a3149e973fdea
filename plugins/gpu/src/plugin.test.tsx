import {
  createExtensionTester,
  mockApis,
  renderTestApp,
} from '@backstage/frontend-test-utils';
import {
  catalogApiRef,
  EntityProvider,
  entityRouteRef,
} from '@backstage/plugin-catalog-react';
import {
  createFrontendPlugin,
  PageBlueprint,
} from '@backstage/frontend-plugin-api';
import { convertLegacyRouteRef } from '@backstage/core-compat-api';
import { EntityContentBlueprint } from '@backstage/plugin-catalog-react/alpha';
import { FormFieldBlueprint } from '@backstage/plugin-scaffolder-react/alpha';
import { screen } from '@testing-library/react';
import { FixtureGpuApi, fullFixture } from '../dev/fixtures';
import { component, group } from '../dev/fixtures/entities';
import { renderPage } from './__testUtils__/renderPage';
import { gpuApiRef } from './api/gpuApiRef';
import { componentGpuContent, groupGpuCard } from './entity/extensions';
import {
  clusterPicker,
  devicePicker,
  durationPicker,
  priorityPicker,
  queuePicker,
} from './fields/extensions';
import gpuPlugin from './index';
import scaffolderModule from './scaffolder';
import translationsModule from './translationsModule';

const api = () => new FixtureGpuApi(fullFixture(new Date()));

/** Where links to entities lead; in an app, the catalog's own page. */
const entityPage = createFrontendPlugin({
  pluginId: 'catalog',
  extensions: [
    PageBlueprint.make({
      name: 'entity',
      params: {
        path: '/catalog/:namespace/:kind/:name',
        routeRef: convertLegacyRouteRef(entityRouteRef),
        loader: async () => <div />,
      },
    }),
  ],
});

const catalog = { getEntitiesByRefs: async () => ({ items: [] }) } as any;

function open(path: string) {
  renderTestApp({
    features: [gpuPlugin, entityPage],
    initialRouteEntries: [path],
    apis: [[gpuApiRef, api()], [catalogApiRef, catalog], mockApis.permission()],
  });
}

describe('the plugin in the new frontend system', () => {
  it.each([
    ['/gpu', 'My requests'],
    ['/gpu/overview', 'Free GPUs'],
    ['/gpu/requests', 'Requests'],
    ['/gpu/catalogue', 'Device classes'],
    ['/gpu/queues', 'My teams'],
    ['/gpu/fleet', 'Clusters'],
  ])('%s shows %s', async (path, heading) => {
    open(path);
    expect(
      await screen.findByRole('heading', { level: 2, name: heading }),
    ).toBeInTheDocument();
    expect(
      screen.getByRole('tab', { name: 'Queues' }) ??
        screen.getByRole('link', { name: 'Queues' }),
    ).toBeInTheDocument();
  });

  it('shows one request below its list', async () => {
    open('/gpu/requests/5b1c7a52-6a0e-4b53-9f4e-0a3f6f0f8f11');
    expect(
      await screen.findByRole('heading', { level: 2, name: 'What happened' }),
    ).toBeInTheDocument();
  });

  it('makes the GPU tab of a component', async () => {
    const tester = createExtensionTester(componentGpuContent);
    expect(tester.get(EntityContentBlueprint.dataRefs.title)).toBe('GPU');
    renderPage(
      <EntityProvider entity={component}>
        {tester.reactElement()}
      </EntityProvider>,
      api(),
    );
    expect(
      await screen.findByRole('heading', { name: 'What waits, and why' }),
    ).toBeInTheDocument();
  });

  it.each([
    [component, true],
    [group, false],
    [{ ...component, metadata: { name: 'plain' } }, false],
  ])('shows the tab on entities with the annotation only', (entity, shown) => {
    const filter = createExtensionTester(componentGpuContent).get(
      EntityContentBlueprint.dataRefs.filterFunction,
    );
    expect(filter!(entity)).toBe(shown);
  });

  it('makes the quota card of a group', async () => {
    renderPage(
      <EntityProvider entity={group}>
        {createExtensionTester(groupGpuCard).reactElement()}
      </EntityProvider>,
      api(),
    );
    expect(
      await screen.findByRole('heading', { name: 'GPU quota' }),
    ).toBeInTheDocument();
  });

  it.each([
    ['GpuQueuePicker', queuePicker, 'Team and queue'],
    ['GpuDevicePicker', devicePicker, 'A device class'],
    ['GpuClusterPicker', clusterPicker, 'Cluster'],
    ['GpuPriorityPicker', priorityPicker, 'Priority'],
    ['GpuDurationPicker', durationPicker, 'Longest duration'],
  ])('brings the field %s', async (name, extension, label) => {
    const load = createExtensionTester(extension as typeof queuePicker).get(
      FormFieldBlueprint.dataRefs.formFieldLoader,
    );
    const field = (await load()) as any;
    expect(field.name).toBe(name);
    renderPage(
      <field.component
        schema={{}}
        uiSchema={{}}
        idSchema={{ $id: 'root_field' }}
        onChange={jest.fn()}
      />,
      api(),
    );
    expect((await screen.findAllByText(label)).length).toBeGreaterThan(0);
  });

  it('names its modules after the plugins they extend', () => {
    expect(scaffolderModule).toMatchObject({
      $$type: '@backstage/FrontendModule',
      pluginId: 'scaffolder',
    });
    expect(translationsModule).toMatchObject({
      $$type: '@backstage/FrontendModule',
      pluginId: 'app',
    });
  });
});
