import { Content, Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { usePermission } from '@backstage/plugin-permission-react';
import { gpuClusterReadPermission } from '@gpuaas/backstage-plugin-gpu-common';
import { Grid, Typography } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { ClustersTable } from '../fleet/ClustersTable';
import { StaleClusters } from '../fleet/StaleClusters';
import { AskButton } from '../links/AskButton';
import { useGpuLinks } from '../links/useGpuLinks';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { QuotaTable } from '../queues/QuotaTable';
import { useMyQueues } from '../queues/useMyQueues';
import { statesOf } from '../requests/states';
import { Empty } from '../show/Empty';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { FreeDevices } from './FreeDevices';
import { RequestsPanel } from './RequestsPanel';

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
  const { t } = useGpuText();
  const links = useGpuLinks();
  const queues = useMyQueues();
  const clusters = usePermission({ permission: gpuClusterReadPermission });
  const ownsQueue = queues.names.length > 0;
  const decided = queues.value !== undefined || queues.error !== undefined;

  const mine = (
    <RequestsPanel
      title={t('overview.mine')}
      query={{ mine: true, state: statesOf('waiting', 'active') }}
      seeAll={links.requests()}
      hide={['who']}
      action={<AskButton />}
      empty={
        <Empty title={t('overview.mineNone')} hint={t('requests.noneHint')} />
      }
    />
  );
  const review = (
    <RequestsPanel
      title={t('overview.review')}
      hint={ownsQueue ? undefined : t('overview.reviewHint')}
      query={{ state: ['in-review'] }}
      seeAll={links.requests({ scope: 'all', show: 'waiting' })}
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
        (ownsQueue ? (
          mine
        ) : (
          <>
            {review}
            {waiting}
            {mine}
          </>
        ))}
      <Grid container spacing={2}>
        <Grid item xs={12} lg={6}>
          <FreeDevices queue={queues.names[0]} />
        </Grid>
        <Grid item xs={12} lg={6}>
          <Panel
            title={t('overview.quota')}
            action={<Link to={links.queues()}>{t('nav.queues')}</Link>}
          >
            <LiveBody
              live={queues}
              empty={items =>
                items.length === 0 ? (
                  <Typography variant="body2" color="textSecondary">
                    {t('overview.noQueue')}
                  </Typography>
                ) : undefined
              }
            >
              {items => <QuotaTable queues={items} short />}
            </LiveBody>
          </Panel>
          {clusters.allowed && <ClustersPanel />}
        </Grid>
      </Grid>
    </Content>
  );
}
