import { Content } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { gpuApiRef } from '../api/gpuApiRef';
import { useDevices } from '../devices/useDevices';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Empty } from '../show/Empty';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { AllQueues } from './AllQueues';
import { everyQueue } from './everyQueue';
import { queueKey } from './queueList';
import { QueuesTable } from './QueuesTable';

/** Who may use how much, who borrows and who waits: the reader's own teams first. */
export function QueuesPage() {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const devices = useDevices();
  const live = useLive(
    async () => {
      const [mine, all] = await Promise.all([
        everyQueue(api, { mine: true }),
        everyQueue(api),
      ]);
      const own = new Set(mine.map(queueKey));
      return { mine, others: all.filter(queue => !own.has(queueKey(queue))) };
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
                <QueuesTable queues={mine} devices={devices} />
              </Panel>
            )}
            {others.length > 0 && (
              <Panel
                title={t(mine.length > 0 ? 'queues.others' : 'queues.all')}
                hint={mine.length === 0 ? t('queues.legend') : undefined}
              >
                <AllQueues queues={others} devices={devices} />
              </Panel>
            )}
          </>
        )}
      </LiveBody>
    </Content>
  );
}
