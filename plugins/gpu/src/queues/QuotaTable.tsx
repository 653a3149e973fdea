import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { Typography } from '@material-ui/core';
import { useDeviceTitles } from '../devices/useDeviceTitles';
import { Column, DataTable } from '../show/DataTable';
import { Mark } from '../show/Mark';
import { QuotaBar } from '../show/QuotaBar';
import { useGpuText } from '../translations';
import { gpuRows, QuotaRow } from './quotas';

/** Queues and their quota by device class; the short form leaves out who and what could be. */
export function QuotaTable(props: { queues: Queue[]; short?: boolean }) {
  const { t } = useGpuText();
  const titleOf = useDeviceTitles();
  const all: Array<Column<QuotaRow> & { short: boolean }> = [
    {
      title: t('queues.team'),
      short: false,
      show: ({ queue }) =>
        queue.owner ? (
          <EntityRefLink entityRef={queue.owner} />
        ) : (
          t('queues.unassigned')
        ),
    },
    {
      title: t('queues.queue'),
      short: false,
      show: ({ queue }) => (
        <>
          {queue.namespace}/{queue.name}
          {queue.cohort && (
            <Typography variant="caption" color="textSecondary" display="block">
              {t('queues.cohort', { cohort: queue.cohort })}
            </Typography>
          )}
          {!queue.active && (
            <div title={queue.inactiveMessage}>
              <Mark tone="bad">{t('queues.stopped')}</Mark>
            </div>
          )}
        </>
      ),
    },
    {
      title: t('queues.deviceClass'),
      short: true,
      wrap: true,
      show: ({ quota, queue }) => (
        <>
          {titleOf(quota.deviceClass!)}
          {props.short && (
            <Typography variant="caption" color="textSecondary" display="block">
              {queue.namespace} · {queue.cluster}
            </Typography>
          )}
        </>
      ),
    },
    {
      title: t('queues.cluster'),
      short: false,
      show: ({ queue }) => queue.cluster,
    },
    {
      title: t('queues.used'),
      short: true,
      show: ({ quota }) => (
        <>
          {t('queues.usedOf', {
            used: String(quota.used),
            nominal: String(quota.nominal),
          })}
          {props.short && quota.borrowed > 0 && (
            <>
              {' · '}
              {t('queues.borrowedHint', { units: String(quota.borrowed) })}
            </>
          )}
          <QuotaBar {...quota} />
        </>
      ),
    },
    {
      title: t('queues.borrowed'),
      short: false,
      numeric: true,
      show: ({ quota }) => quota.borrowed,
    },
    {
      title: t('queues.lent'),
      short: false,
      numeric: true,
      show: ({ lent }) => lent,
    },
    {
      title: t('queues.available'),
      short: true,
      numeric: true,
      show: ({ quota }) => quota.available,
    },
    {
      title: t('queues.potential'),
      short: false,
      numeric: true,
      show: ({ quota }) => quota.potential,
    },
    {
      title: t('queues.pending'),
      short: false,
      numeric: true,
      show: ({ queue }) =>
        t('queues.pendingJobs', { count: queue.pendingWorkloads }),
    },
  ];
  return (
    <DataTable
      label={t('queues.list')}
      columns={props.short ? all.filter(column => column.short) : all}
      rows={gpuRows(props.queues)}
      keyOf={({ queue, quota }) =>
        [queue.cluster, queue.namespace, queue.name, quota.flavor].join('/') +
        quota.resource
      }
    />
  );
}
