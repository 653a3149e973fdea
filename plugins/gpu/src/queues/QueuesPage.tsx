import { Content } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { gpuApiRef } from '../api/gpuApiRef';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Empty } from '../show/Empty';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { QuotaTable } from './QuotaTable';

const keyOf = (queue: Queue) =>
  [queue.cluster, queue.namespace, queue.name].join('/');

/** Who may use how much, who borrows and who lends: the reader's own teams first. */
export function QueuesPage() {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const live = useLive(
    async () => {
      const [mine, all] = await Promise.all([
        api.getQueues({ mine: true, limit: 500 }),
        api.getQueues({ limit: 500 }),
      ]);
      const own = new Set(mine.items.map(keyOf));
      return {
        mine: mine.items,
        others: all.items.filter(queue => !own.has(keyOf(queue))),
      };
    },
    [api],
    10_000,
  );
  return (
    <Content>
      <LiveBody
        live={live}
        empty={({ mine, others }) =>
          mine.length + others.length === 0 ? (
            <Panel title={t('nav.queues')}>
              <Empty title={t('queues.none')} hint={t('queues.noneHint')} />
            </Panel>
          ) : undefined
        }
      >
        {({ mine, others }) => (
          <>
            {mine.length > 0 && (
              <Panel title={t('queues.mine')} hint={t('queues.legend')}>
                <QuotaTable queues={mine} />
              </Panel>
            )}
            {others.length > 0 && (
              <Panel
                title={t('queues.others')}
                hint={mine.length === 0 ? t('queues.legend') : undefined}
              >
                <QuotaTable queues={others} />
              </Panel>
            )}
          </>
        )}
      </LiveBody>
    </Content>
  );
}
