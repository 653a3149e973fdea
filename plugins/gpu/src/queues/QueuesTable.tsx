import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { Devices } from '../devices/useDevices';
import { Column, DataTable } from '../show/DataTable';
import { formatGpus } from '../show/gpuAmounts';
import { Mark } from '../show/Mark';
import { useGpuText } from '../translations';
import { borrowedNano, queueKey } from './queueList';
import { QueueWorkloads } from './QueueWorkloads';
import { QuotaGlance } from './QuotaGlance';
import { QuotaLines } from './QuotaLines';
import { gpuRows, hasAny } from './quotas';

const useStyles = makeStyles(theme => ({
  holders: { padding: theme.spacing(2, 1, 0.5) },
}));

/** One queue a row; it opens to its quota lines and to the Workloads that hold or want them. */
export function QueuesTable(props: { queues: Queue[]; devices: Devices }) {
  const { t } = useGpuText();
  const classes = useStyles();
  const { devices } = props;
  const columns: Array<Column<Queue>> = [
    {
      title: t('queues.queue'),
      show: queue => (
        <>
          {queue.namespace}/{queue.name}
          <Typography variant="caption" color="textSecondary" display="block">
            {queue.cluster}
          </Typography>
        </>
      ),
    },
    {
      title: t('queues.team'),
      secondary: true,
      show: queue => (
        <>
          {queue.owner ? (
            <EntityRefLink entityRef={queue.owner} hideIcon />
          ) : (
            t('queues.unassigned')
          )}
          {queue.cohort && (
            <Typography variant="caption" color="textSecondary" display="block">
              {t('queues.cohort', { cohort: queue.cohort })}
            </Typography>
          )}
        </>
      ),
    },
    {
      title: t('queues.used'),
      hint: t('queues.usedMeaning'),
      wrap: true,
      show: queue => <QuotaGlance queue={queue} devices={devices} />,
    },
    {
      title: t('queues.borrowed'),
      hint: t('queues.borrowedMeaning'),
      numeric: true,
      secondary: true,
      show: queue => {
        const nano = borrowedNano(queue, devices);
        return nano === undefined ? '–' : formatGpus(nano);
      },
    },
    {
      title: t('queues.pending'),
      numeric: true,
      show: queue => t('queues.pendingJobs', { count: queue.pendingWorkloads }),
    },
    {
      title: t('queues.state'),
      secondary: true,
      show: ({ active, inactiveMessage }) => (
        <span title={inactiveMessage}>
          <Mark tone={active ? 'good' : 'bad'}>
            {t(active ? 'queues.open' : 'queues.stopped')}
          </Mark>
        </span>
      ),
    },
  ];
  return (
    <DataTable
      label={t('queues.list')}
      columns={columns}
      rows={props.queues}
      keyOf={queueKey}
      nameOf={queue => `${queue.namespace}/${queue.name} · ${queue.cluster}`}
      parts={queue => {
        const rows = gpuRows([queue]);
        const shown = rows.filter(
          row => hasAny(row.quota) || row.borrowable > 0,
        );
        return (
          <>
            {!queue.active && queue.inactiveMessage && (
              <Typography variant="body2" gutterBottom>
                {queue.inactiveMessage}
              </Typography>
            )}
            <QuotaLines rows={shown} devices={devices} />
            <Typography
              variant="subtitle2"
              component="h3"
              className={classes.holders}
            >
              {t('workloads.list')}
            </Typography>
            <QueueWorkloads queue={queue} devices={devices} />
          </>
        );
      }}
    />
  );
}
