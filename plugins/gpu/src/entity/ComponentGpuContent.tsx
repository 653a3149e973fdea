import { Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { stringifyEntityRef } from '@backstage/catalog-model';
import { useEntity } from '@backstage/plugin-catalog-react';
import { EntitySummary, GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { AskButton } from '../links/AskButton';
import { useGpuLinks } from '../links/useGpuLinks';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Words } from '../request/Waiting';
import { RequestsTable } from '../requests/RequestsTable';
import { RequestStateMark } from '../requests/RequestStateMark';
import { groupOf } from '../requests/states';
import { Age, Lasting } from '../show/Age';
import { Empty } from '../show/Empty';
import { formatGpus, formatGpuTime } from '../show/gpuAmounts';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';

const useStyles = makeStyles(theme => ({
  figures: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(9rem, 1fr))',
    gap: theme.spacing(2),
    margin: theme.spacing(1, 0),
  },
  figure: { margin: 0 },
  value: { margin: 0, fontVariantNumeric: 'tabular-nums' },
  waits: { listStyle: 'none', margin: 0, padding: 0 },
  wait: { padding: theme.spacing(1, 0) },
  name: { marginRight: theme.spacing(2) },
}));

function Figures({ summary }: { summary: EntitySummary }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const figures: Array<[string, string]> = [
    [
      t('entityTab.holds'),
      summary.gpusNowNano === undefined
        ? t('entityTab.usedUnknown')
        : formatGpus(summary.gpusNowNano),
    ],
    [t('entityTab.running'), String(summary.requests.running)],
    [t('entityTab.waiting'), String(summary.requests.waiting)],
    [t('entityTab.ended'), String(summary.requests.ended)],
    [
      t('entityTab.used'),
      summary.gpuNanoSeconds === undefined
        ? t('entityTab.usedUnknown')
        : formatGpuTime(summary.gpuNanoSeconds),
    ],
  ];
  return (
    <>
      <dl className={classes.figures}>
        {figures.map(([name, value]) => (
          <div key={name} className={classes.figure}>
            <Typography component="dt" variant="body2" color="textSecondary">
              {name}
            </Typography>
            <Typography component="dd" variant="h6" className={classes.value}>
              {value}
            </Typography>
          </div>
        ))}
      </dl>
      <Typography variant="caption" color="textSecondary">
        {t('entityTab.freshAt')} <Age at={summary.freshAt} />
      </Typography>
    </>
  );
}

function Waits({ requests }: { requests: GpuRequest[] }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const links = useGpuLinks();
  return (
    <ul className={classes.waits}>
      {requests.map(request => (
        <li key={request.id} className={classes.wait}>
          <Typography variant="body2" component="span" className={classes.name}>
            <Link to={links.request(request.id)}>
              {request.purpose || request.name}
            </Link>
          </Typography>
          <RequestStateMark state={request.state} />
          <Typography variant="body2">
            {request.waiting?.sentence ??
              t(`stateSentence.${request.state}`, { cluster: request.cluster })}
            {request.waiting && (
              <>
                {' '}
                (<Lasting since={request.waiting.since} />)
              </>
            )}
          </Typography>
          {request.waiting?.message && (
            <Words who={t('request.kueueSays')}>
              {request.waiting.message}
            </Words>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The GPU tab of a component: what it holds, what waits and why, what it asked for last. */
export function ComponentGpuContent() {
  const { t } = useGpuText();
  const { entity } = useEntity();
  const entityRef = stringifyEntityRef(entity);
  const api = useApi(gpuApiRef);
  const live = useLive(
    () => api.getEntitySummary(entityRef),
    [api, entityRef],
    summary => (summary.requests.active > 0 ? 2_000 : 15_000),
  );
  const action = <AskButton entityRef={entityRef} />;
  return (
    <LiveBody
      live={live}
      empty={summary =>
        summary.latest.length === 0 ? (
          <Panel title={t('entityTab.title')}>
            <Empty
              title={t('entityTab.none')}
              hint={t('requests.noneHint')}
              action={action}
            />
          </Panel>
        ) : undefined
      }
    >
      {summary => {
        const waits = summary.latest.filter(
          request =>
            groupOf(request.state) === 'waiting' || request.state === 'refused',
        );
        return (
          <>
            <Panel title={t('entityTab.now')} action={action}>
              <Figures summary={summary} />
            </Panel>
            {waits.length > 0 && (
              <Panel title={t('entityTab.waits')}>
                <Waits requests={waits} />
              </Panel>
            )}
            <Panel title={t('entityTab.latest')}>
              <RequestsTable requests={summary.latest} />
            </Panel>
          </>
        );
      }}
    </LiveBody>
  );
}
