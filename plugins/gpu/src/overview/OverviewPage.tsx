import { Content, Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { usePermission } from '@backstage/plugin-permission-react';
import { gpuClusterReadPermission } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { ClustersTable } from '../fleet/ClustersTable';
import { StaleClusters } from '../fleet/StaleClusters';
import { useGpuLinks } from '../links/useGpuLinks';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { TeamQuota } from '../queues/TeamQuota';
import { useMyQueues } from '../queues/useMyQueues';
import { statesOf } from '../requests/states';
import { Empty } from '../show/Empty';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { FreeDevices } from './FreeDevices';
import { RequestsPanel } from './RequestsPanel';

const useStyles = makeStyles(theme => ({
  pair: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 26rem), 1fr))',
    columnGap: theme.spacing(2),
    alignItems: 'start',
  },
  wide: { gridColumn: '1 / -1', minWidth: 0 },
}));

function ClustersPanel() {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const links = useGpuLinks();
  const live = useLive(() => api.getClusters(), [api], 5_000);
  return (
    <Panel
      title={t('overview.clusters')}
      action={<Link to={links.fleet()}>{t('nav.fleet')}</Link>}
    >
      <LiveBody
        live={live}
        empty={({ items }) =>
          items.length === 0 ? (
            <Empty title={t('clusters.none')} hint={t('clusters.noneHint')} />
          ) : undefined
        }
      >
        {({ items }) => (
          <>
            <StaleClusters clusters={items} />
            <ClustersTable clusters={items} short />
          </>
        )}
      </LiveBody>
    </Panel>
  );
}

/**
 * Where what I asked for stands, what is free, what my team has. Whoever owns
 * no queue (platform, FinOps) first sees what waits for a decision instead.
 */
export function OverviewPage() {
  const classes = useStyles();
  const { t } = useGpuText();
  const links = useGpuLinks();
  const queues = useMyQueues();
  const clusters = usePermission({ permission: gpuClusterReadPermission });
  const ownsQueue = queues.names.length > 0;
  const ownsNone = queues.value !== undefined && !ownsQueue;
  const decided = queues.value !== undefined || queues.error !== undefined;

  const mine = (
    <RequestsPanel
      title={t('overview.mine')}
      query={{ mine: true, state: statesOf('waiting', 'active') }}
      seeAll={links.requests()}
      hide={['who']}
      empty={
        !ownsNone ? (
          <Empty title={t('overview.mineNone')} hint={t('requests.noneHint')} />
        ) : undefined
      }
    />
  );
  const review = (
    <RequestsPanel
      title={t('overview.review')}
      hint={t('overview.reviewHint')}
      query={{ state: ['in-review'] }}
      seeAll={links.requests({ scope: 'all', show: 'waiting' })}
      empty={
        <Typography variant="body2" color="textSecondary">
          {t('overview.reviewNone')}
        </Typography>
      }
    />
  );
  const waiting = (
    <RequestsPanel
      title={t('overview.waiting')}
      query={{ state: ['merged', 'queued', 'refused'] }}
      seeAll={links.requests({ scope: 'all', show: 'waiting' })}
    />
  );
  return (
    <Content>
      {decided &&
        (!ownsNone ? (
          mine
        ) : (
          <>
            {review}
            {waiting}
            {mine}
          </>
        ))}
      <div className={classes.pair}>
        <FreeDevices queue={queues.names[0]} ownsNone={ownsNone} />
        {ownsQueue && (
          <Panel
            title={t('overview.quota')}
            action={<Link to={links.queues()}>{t('nav.queues')}</Link>}
          >
            <LiveBody live={queues}>
              {items => <TeamQuota queues={items} />}
            </LiveBody>
          </Panel>
        )}
        {clusters.allowed && (
          <div className={ownsQueue ? classes.wide : undefined}>
            <ClustersPanel />
          </div>
        )}
      </div>
    </Content>
  );
}
