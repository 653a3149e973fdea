import { useApi } from '@backstage/core-plugin-api';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useEntity } from '@backstage/plugin-catalog-react';
import { gpuApiRef } from '../api/gpuApiRef';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { TeamQuota } from '../queues/TeamQuota';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';

/** The queues a group owns and their quota; nothing at all for a group without one. */
export function GroupGpuCard() {
  const { t } = useGpuText();
  const { entity } = useEntity();
  const owner = stringifyEntityRef(entity);
  const api = useApi(gpuApiRef);
  const live = useLive(
    () => api.getQueues({ owner, limit: 100 }),
    [api, owner],
    10_000,
  );
  if (live.value?.items.length === 0 && !live.error) {
    return null;
  }
  return (
    <Panel title={t('groupCard.title')}>
      <LiveBody live={live}>
        {({ items }) => <TeamQuota queues={items} />}
      </LiveBody>
    </Panel>
  );
}
