import { Link } from '@backstage/core-components';
import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import { Typography } from '@material-ui/core';
import { useDevices } from '../devices/useDevices';
import { useGpuLinks } from '../links/useGpuLinks';
import { Age } from '../show/Age';
import { Column, DataTable } from '../show/DataTable';
import { Mark } from '../show/Mark';
import { useGpuText } from '../translations';
import { RequestStateMark } from './RequestStateMark';
import { StepDots } from './StepDots';

/** Requests as rows, each a link to its story. */
export function RequestsTable(props: {
  requests: GpuRequest[];
  /** Leaves out what the page around it already says. */
  hide?: Array<'who'>;
}) {
  const { t } = useGpuText();
  const links = useGpuLinks();
  const { titleOf } = useDevices();
  const columns: Array<Column<GpuRequest>> = [
    {
      title: t('requests.name'),
      wrap: true,
      show: request => (
        <>
          <Link to={links.request(request.id)}>
            {request.purpose || request.name}
          </Link>
          {request.purpose && (
            <Typography variant="caption" color="textSecondary" display="block">
              {request.name}
            </Typography>
          )}
        </>
      ),
    },
    {
      title: t('requests.status'),
      show: request => (
        <>
          <RequestStateMark state={request.state} />
          {request.state === 'in-review' && request.pullRequest && (
            <Typography variant="caption" display="block">
              <Link to={request.pullRequest.url}>
                {t('request.pullRequest', {
                  number: String(request.pullRequest.number),
                })}
              </Link>
            </Typography>
          )}
          {!request.fresh && (
            <div title={request.staleReason}>
              <Mark tone="quiet">{t('requests.stale')}</Mark>
            </div>
          )}
        </>
      ),
    },
    {
      title: t('requests.devices'),
      secondary: true,
      wrap: true,
      show: request => (
        <>
          {t('request.units', {
            units: String(request.units),
            deviceClass: titleOf(request.deviceClass),
          })}
          <Typography variant="caption" color="textSecondary" display="block">
            {request.namespace} · {request.cluster}
          </Typography>
        </>
      ),
    },
    {
      title: t('requests.progress'),
      secondary: true,
      show: request => <StepDots steps={request.steps} />,
    },
    {
      title: t('requests.who'),
      secondary: true,
      show: request => (
        <EntityRefLink entityRef={request.requester} defaultKind="user" />
      ),
    },
    {
      title: t('requests.when'),
      show: request => <Age at={request.createdAt} />,
    },
  ];
  return (
    <DataTable
      label={t('requests.list')}
      columns={columns.filter(
        column =>
          !(props.hide?.includes('who') && column.title === t('requests.who')),
      )}
      rows={props.requests}
      keyOf={request => request.id}
    />
  );
}
