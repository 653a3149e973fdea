import { Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { Typography } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { byClass, ClassOffers } from '../devices/byClass';
import { useGpuLinks } from '../links/useGpuLinks';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { QueueName } from '../queues/useMyQueues';
import { Column, DataTable } from '../show/DataTable';
import { Empty } from '../show/Empty';
import { formatShares, formatVram } from '../show/gpuAmounts';
import { Panel } from '../show/Panel';
import { useGpuText } from '../translations';

/** What is free now, physically and for the reader's queue. */
export function FreeDevices(props: { queue?: QueueName; ownsNone: boolean }) {
  const { queue, ownsNone } = props;
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const links = useGpuLinks();
  const live = useLive(
    async () => {
      const { items } = await api.getDeviceClasses(
        queue && { namespace: queue.namespace, queue: queue.queue },
      );
      return byClass(items);
    },
    [api, queue?.namespace, queue?.queue],
    5_000,
  );
  const columns: Array<Column<ClassOffers>> = [
    {
      title: t('devices.deviceClass'),
      wrap: true,
      show: ({ deviceClass, shares }) => (
        <>
          {deviceClass.title}
          <Typography variant="caption" color="textSecondary" display="block">
            {formatVram(deviceClass.vramMiB)} ·{' '}
            <span title={t('devices.shareMeaning')}>
              {formatShares(shares)}
            </span>
          </Typography>
        </>
      ),
    },
    {
      title: t('devices.free'),
      numeric: true,
      show: ({ free, total }) =>
        t('devices.freeOf', { free: String(free), total: String(total) }),
    },
  ];
  if (queue) {
    columns.push({
      title: t('devices.forQueue'),
      numeric: true,
      show: ({ freeForQueue }) => freeForQueue ?? '–',
    });
  }
  return (
    <Panel
      title={t('overview.free')}
      hint={
        queue
          ? t('overview.freeHint', { namespace: queue.namespace })
          : t(ownsNone ? 'overview.freeHintNoQueue' : 'overview.freeHintAll')
      }
      action={<Link to={links.catalogue()}>{t('nav.catalogue')}</Link>}
    >
      <LiveBody
        live={live}
        empty={groups =>
          groups.length === 0 ? (
            <Empty title={t('devices.none')} hint={t('devices.noneHint')} />
          ) : undefined
        }
      >
        {groups => (
          <DataTable
            label={t('overview.free')}
            columns={columns}
            rows={groups}
            keyOf={({ deviceClass }) => deviceClass.id}
          />
        )}
      </LiveBody>
    </Panel>
  );
}
