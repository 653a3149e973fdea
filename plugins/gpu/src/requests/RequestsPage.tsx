import { Content } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { gpuApiRef } from '../api/gpuApiRef';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Empty } from '../show/Empty';
import { Pager } from '../show/Pager';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { RequestFilterBar } from './RequestFilterBar';
import { RequestsTable } from './RequestsTable';
import { statesOf } from './states';
import { useRequestFilters } from './useRequestFilters';

/** Every request the reader may see, newest first, narrowed and paged. */
export function RequestsPage() {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const [filters, change] = useRequestFilters();
  const { scope, show, team, limit, cursors } = filters;
  const cursor = cursors[cursors.length - 1];

  const queues = useLive(() => api.getQueues({ limit: 500 }), [api], 60_000);
  const live = useLive(
    () =>
      api.getRequests({
        mine: scope === 'mine',
        team,
        state: show === 'every' ? undefined : statesOf(show),
        limit,
        cursor,
      }),
    [api, scope, team, show, limit, cursor],
    5_000,
  );
  const narrowed =
    scope === 'mine' || show !== 'every' || team || cursors.length > 0;
  const from = cursors.length * limit;

  return (
    <Content>
      <Panel title={t('nav.requests')}>
        <RequestFilterBar
          filters={filters}
          onChange={change}
          teams={queues.value?.items.flatMap(queue => queue.owner ?? []) ?? []}
        />
        <LiveBody
          live={live}
          empty={page =>
            page.items.length === 0 ? (
              <Empty
                title={narrowed ? t('requests.noMatch') : t('requests.none')}
                hint={scope === 'mine' ? t('requests.noneHint') : undefined}
              />
            ) : undefined
          }
        >
          {page => (
            <div aria-busy={live.loading}>
              <RequestsTable requests={page.items} />
              <Pager
                from={from + 1}
                to={from + page.items.length}
                total={page.totalItems}
                previous={t('requests.previous')}
                next={t('requests.next')}
                onPrevious={
                  cursors.length > 0
                    ? () => change({ cursors: cursors.slice(0, -1) })
                    : undefined
                }
                onNext={
                  page.nextCursor
                    ? () => change({ cursors: [...cursors, page.nextCursor!] })
                    : undefined
                }
              />
            </div>
          )}
        </LiveBody>
      </Panel>
    </Content>
  );
}
