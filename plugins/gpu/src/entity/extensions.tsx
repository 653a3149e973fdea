import {
  EntityCardBlueprint,
  EntityContentBlueprint,
} from '@backstage/plugin-catalog-react/alpha';
import { RiCpuLine } from '@remixicon/react';
import { NAMESPACE_ANNOTATION } from './namespaceAnnotation';

/** The GPU tab of components that say which namespace is theirs. */
export const componentGpuContent = EntityContentBlueprint.make({
  name: 'component',
  params: {
    path: '/gpu',
    title: 'GPU',
    group: 'operation',
    icon: <RiCpuLine />,
    filter: {
      kind: 'component',
      [`metadata.annotations.${NAMESPACE_ANNOTATION}`]: { $exists: true },
    },
    loader: async () => {
      const { ComponentGpuContent } = await import('./ComponentGpuContent');
      return <ComponentGpuContent />;
    },
  },
});

/** Queues and quota of a group. */
export const groupGpuCard = EntityCardBlueprint.make({
  name: 'group-quota',
  params: {
    type: 'content',
    filter: { kind: 'group' },
    loader: async () => {
      const { GroupGpuCard } = await import('./GroupGpuCard');
      return <GroupGpuCard />;
    },
  },
});
