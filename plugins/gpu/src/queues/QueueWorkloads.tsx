import { Link } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { Queue, Workload } from '@gpuaas/backstage-plugin-gpu-common';
import { Typography } from '@material-ui/core';
import { gpuApiRef } from '../api/gpuApiRef';
import { Devices } from '../devices/useDevices';
import { useGpuLinks } from '../links/useGpuLinks';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { Age } from '../show/Age';
import { Column, DataTable } from '../show/DataTable';
import { useGpuText } from '../translations';

const SHOWN = 20;

/** Who holds a queue's quota and who waits for it, the newest first. */
export function QueueWorkloads(props: { queue: Queue; devices: Devices }) {
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const links = useGpuLinks();
  const { titleOf } = props.devices;
  const { cluster, namespace, name } = props.queue;
  const live = useLive(
    () =>
      api.getWorkloads({
        cluster,
        namespace,
        queue: name,
        phase: ['admitted', 'reserved', 'pending', 'backing-off'],
        limit: SHOWN,
      }),
    [api, cluster, namespace, name],
    10_000,
  );
  const columns: Array<Column<Workload>> = [
    {
      title: t('workloads.name'),
      wrap: true,
      show: workload => {
        const shown = workload.job?.name ?? workload.name;
        return workload.requestId ? (
          <Link to={links.request(workload.requestId)}>{shown}</Link>
        ) : (
          shown
        );
      },
    },
    {
      title: t('workloads.phase'),
      show: workload => (
        <span title={workload.waiting?.sentence}>
          {t(`workloads.phases.${workload.phase}`)}
        </span>
      ),
    },
    {
      title: t('workloads.units'),
      wrap: true,
      show: ({ units, deviceClass }) =>
        units !== undefined &&
        (deviceClass
          ? t('request.units', {
              units: String(units),
              deviceClass: titleOf(deviceClass),
            })
          : String(units)),
    },
    {
      title: t('workloads.since'),
      show: ({ admittedAt, createdAt }) => <Age at={admittedAt ?? createdAt} />,
    },
  ];
  return (
    <LiveBody
      live={live}
      empty={({ items }) =>
        items.length === 0 ? (
          <Typography variant="body2" color="textSecondary">
            {t('workloads.none')}
          </Typography>
        ) : undefined
      }
    >
      {({ items, totalItems }) => (
        <>
          <DataTable
            label={t('workloads.list')}
            columns={columns}
            rows={items}
            keyOf={({ uid }) => uid}
          />
          {totalItems > items.length && (
            <Typography variant="caption" color="textSecondary">
              {t('requests.range', {
                from: '1',
                to: String(items.length),
                total: String(totalItems),
              })}
            </Typography>
          )}
        </>
      )}
    </LiveBody>
  );
}
