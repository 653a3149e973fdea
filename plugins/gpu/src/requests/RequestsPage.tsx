import { Content } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { Button, makeStyles, Typography } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Empty } from '../show/Empty';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { RequestFilterBar } from './RequestFilterBar';
import { RequestsTable } from './RequestsTable';
import { statesOf } from './states';
import { useRequestFilters } from './useRequestFilters';

const useStyles = makeStyles(theme => ({
  pager: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'flex-end',
    gap: theme.spacing(2),
    marginTop: theme.spacing(2),
  },
}));

/** Every request the reader may see, newest first, narrowed and paged. */
export function RequestsPage() {
  const classes = useStyles();
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
              <div className={classes.pager}>
                <Typography variant="body2" color="textSecondary">
                  {t('requests.range', {
                    from: String(from + 1),
                    to: String(from + page.items.length),
                    total: String(page.totalItems),
                  })}
                </Typography>
                <Button
                  size="small"
                  disabled={cursors.length === 0}
                  onClick={() => change({ cursors: cursors.slice(0, -1) })}
                >
                  {t('requests.previous')}
                </Button>
                <Button
                  size="small"
                  disabled={!page.nextCursor}
                  onClick={() =>
                    change({ cursors: [...cursors, page.nextCursor!] })
                  }
                >
                  {t('requests.next')}
                </Button>
              </div>
            </div>
          )}
        </LiveBody>
      </Panel>
    </Content>
  );
}
