import { Devices } from '../devices/useDevices';
import { Column, DataTable } from '../show/DataTable';
import { useGpuText } from '../translations';
import { QuotaRow } from './quotas';

/** The lines a queue's figures are made of, one a cluster and flavor. */
export function QuotaLines(props: { rows: QuotaRow[]; devices: Devices }) {
  const { t } = useGpuText();
  const { titleOf } = props.devices;
  const columns: Array<Column<QuotaRow>> = [
    {
      title: t('queues.flavor'),
      wrap: true,
      show: ({ queue, quota }) => `${quota.flavor} · ${queue.cluster}`,
    },
    {
      title: t('queues.deviceClass'),
      secondary: true,
      wrap: true,
      show: ({ quota }) => titleOf(quota.deviceClass!),
    },
    {
      title: t('queues.used'),
      show: ({ quota }) =>
        t('queues.usedOf', {
          used: String(quota.used),
          nominal: String(quota.nominal),
        }),
    },
    {
      title: t('queues.borrowed'),
      hint: t('queues.borrowedMeaning'),
      numeric: true,
      show: ({ quota }) => String(quota.borrowed),
    },
    {
      title: t('queues.lent'),
      hint: t('queues.lentMeaning'),
      numeric: true,
      show: ({ lent }) => String(lent),
    },
    {
      title: t('queues.borrowable'),
      hint: t('queues.borrowableMeaning'),
      numeric: true,
      show: ({ borrowable }) => String(borrowable),
    },
    {
      title: t('queues.potential'),
      hint: t('queues.potentialMeaning'),
      secondary: true,
      numeric: true,
      show: ({ quota }) => String(quota.potential),
    },
  ];
  return (
    <DataTable
      label={t('queues.lines')}
      columns={columns}
      rows={props.rows}
      keyOf={({ queue, quota }) =>
        [
          queue.cluster,
          queue.namespace,
          queue.name,
          quota.flavor,
          quota.resource,
        ].join('/')
      }
    />
  );
}
