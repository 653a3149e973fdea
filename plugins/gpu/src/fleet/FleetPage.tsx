import { Content } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { gpuApiRef } from '../api/gpuApiRef';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Empty } from '../show/Empty';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { ClustersTable } from './ClustersTable';

/** Every cluster, whether it can be read and since when. */
export function FleetPage() {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const live = useLive(() => api.getClusters(), [api], 5_000);
  return (
    <Content>
      <Panel title={t('clusters.list')}>
        <LiveBody
          live={live}
          empty={({ items }) =>
            items.length === 0 ? (
              <Empty title={t('clusters.none')} hint={t('clusters.noneHint')} />
            ) : undefined
          }
        >
          {({ items }) => <ClustersTable clusters={items} />}
        </LiveBody>
      </Panel>
    </Content>
  );
}
