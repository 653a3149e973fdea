import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { useDevices } from '../devices/useDevices';
import { Column, DataTable } from '../show/DataTable';
import { QuotaBar } from '../show/QuotaBar';
import { useGpuText } from '../translations';
import { QuotaLines } from './QuotaLines';
import { ClassQuota, hasAny, quotaByClass } from './quotas';

const useStyles = makeStyles(theme => ({
  others: { padding: theme.spacing(1, 1, 0) },
}));

/**
 * What a team has by device class, over clusters and flavors, each figure
 * opening to its lines; below it what it could borrow without having any.
 */
export function TeamQuota({ queues }: { queues: Queue[] }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const devices = useDevices();
  const { titleOf } = devices;
  const quotas = quotaByClass(queues);
  const several =
    new Set(quotas.map(({ namespace, queue }) => `${namespace}/${queue}`))
      .size > 1;
  const columns: Array<Column<ClassQuota>> = [
    {
      title: t('queues.deviceClass'),
      wrap: true,
      show: ({ deviceClass, namespace, queue }) => (
        <>
          {titleOf(deviceClass)}
          {several && (
            <Typography variant="caption" color="textSecondary" display="block">
              {namespace}/{queue}
            </Typography>
          )}
        </>
      ),
    },
    {
      title: t('queues.used'),
      show: quota => (
        <>
          {t('queues.usedOf', {
            used: String(quota.used),
            nominal: String(quota.nominal),
          })}
          {quota.borrowed > 0 &&
            ` · ${t('queues.borrowedHint', {
              units: String(quota.borrowed),
            })}`}
          {quota.lent > 0 &&
            ` · ${t('queues.lentHint', { units: String(quota.lent) })}`}
          <QuotaBar {...quota} />
        </>
      ),
    },
    {
      title: t('queues.borrowable'),
      hint: t('queues.borrowableMeaning'),
      numeric: true,
      show: quota => String(quota.borrowable),
    },
  ];
  const others = quotas.filter(quota => !hasAny(quota) && quota.borrowable > 0);
  return (
    <>
      <DataTable
        label={t('queues.list')}
        columns={columns}
        rows={quotas.filter(hasAny)}
        keyOf={({ namespace, queue, deviceClass }) =>
          [namespace, queue, deviceClass].join('/')
        }
        nameOf={({ deviceClass }) => titleOf(deviceClass)}
        parts={({ lines }) => <QuotaLines rows={lines} devices={devices} />}
      />
      {others.length > 0 && (
        <Typography
          variant="body2"
          color="textSecondary"
          className={classes.others}
        >
          {t('queues.noneOfItsOwn')}{' '}
          {others
            .map(
              ({ borrowable, deviceClass, namespace, queue }) =>
                `${borrowable} × ${titleOf(deviceClass)}${
                  several ? ` (${namespace}/${queue})` : ''
                }`,
            )
            .join(', ')}
          .
        </Typography>
      )}
    </>
  );
}
