import {
  createFrontendModule,
  PageBlueprint,
} from '@backstage/frontend-plugin-api';
import { Navigate } from 'react-router-dom';

/**
 * `/` leads to the GPU overview: it answers a newcomer's first question (what
 * is free, how do I ask) and everybody else's (where does mine stand).
 */
const home = PageBlueprint.make({
  name: 'home',
  params: {
    path: '/',
    noHeader: true,
    loader: async () => <Navigate to="/gpu" replace />,
  },
});

export const homeModule = createFrontendModule({
  pluginId: 'app',
  extensions: [home],
});
