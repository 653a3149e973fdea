import { Content, Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { GpuRequest, Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { Grid, makeStyles, Typography } from '@material-ui/core';
import { useParams } from 'react-router-dom';
import { gpuApiRef } from '../api/gpuApiRef';
import { useDevices } from '../devices/useDevices';
import { useGpuLinks } from '../links/useGpuLinks';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { RequestStateMark } from '../requests/RequestStateMark';
import { pollingOf } from '../requests/states';
import { Notice } from '../show/Notice';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';
import { AskedFacts, JobFacts, LinkFacts } from './RequestFacts';
import { Timeline } from './Timeline';
import { Waiting } from './Waiting';

const useStyles = makeStyles(theme => ({
  head: { margin: theme.spacing(1, 0, 2), overflowWrap: 'anywhere' },
  status: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(0, 2),
  },
}));

function RequestStory(props: { request: GpuRequest; workload?: Workload }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const { titleOf } = useDevices();
  const { request, workload } = props;
  return (
    <>
      <div className={classes.head}>
        <Typography variant="h5" component="h2">
          {request.purpose || request.name}
        </Typography>
        <div className={classes.status} aria-live="polite">
          <RequestStateMark state={request.state} />
          <Typography variant="body2">
            {t(`stateSentence.${request.state}`, { cluster: request.cluster })}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('request.units', {
              units: String(request.units),
              deviceClass: titleOf(request.deviceClass),
            })}
          </Typography>
        </div>
      </div>
      {!request.fresh && (
        <Notice tone="waiting" title={t('request.staleTitle')}>
          {request.staleReason}
        </Notice>
      )}
      <Waiting request={request} />
      <Grid container spacing={2}>
        <Grid item xs={12} md={5}>
          <Panel title={t('request.story')}>
            <Timeline request={request} />
          </Panel>
        </Grid>
        <Grid item xs={12} md={7}>
          <LinkFacts request={request} />
          <AskedFacts request={request} />
          <JobFacts request={request} workload={workload} />
        </Grid>
      </Grid>
    </>
  );
}

/** One request: its eight steps live, why it waits, and where to look. */
export function RequestPage() {
  const { t } = useGpuText();
  const { id = '' } = useParams();
  const api = useApi(gpuApiRef);
  const links = useGpuLinks();
  const live = useLive(
    async () => {
      const request = await api.getRequest(id);
      // the Workload only adds facts: without it the story is still told
      const workload = request.workload
        ? await api
            .getWorkload(request.cluster, request.workload.uid)
            .catch(() => undefined)
        : undefined;
      return { request, workload };
    },
    [api, id],
    ({ request }) => pollingOf(request.state),
  );
  return (
    <Content>
      <Typography variant="body2" gutterBottom>
        <Link to={links.requests()}>← {t('request.back')}</Link>
      </Typography>
      <LiveBody live={live}>{value => <RequestStory {...value} />}</LiveBody>
    </Content>
  );
}
