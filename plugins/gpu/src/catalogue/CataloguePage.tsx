import { Content } from '@backstage/core-components';
import { useApi } from '@backstage/core-plugin-api';
import { Chip, makeStyles, MenuItem, TextField } from '@material-ui/core';
import { useState } from 'react';
import { gpuApiRef } from '../api/gpuApiRef';
import { byClass, ClassOffers, ClusterOffers } from '../devices/byClass';
import { LiveBody } from '../live/LiveBody';
import { useLive } from '../live/useLive';
import { QueueName, useMyQueues } from '../queues/useMyQueues';
import { Column, DataTable } from '../show/DataTable';
import { Empty } from '../show/Empty';
import { formatShares, formatVram } from '../show/gpuAmounts';
import { Mark } from '../show/Mark';
import { Panel } from '../show/Panel';
import { Tone } from '../show/tone';
import { useGpuText } from '../translations';

const useStyles = makeStyles(theme => ({
  chips: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0.5),
    marginTop: theme.spacing(0.5),
  },
  field: { minWidth: 200 },
}));

const ISOLATION_TONES: Record<string, Tone> = {
  hardware: 'good',
  memory: 'waiting',
  none: 'quiet',
};

const nameOf = ({ namespace, queue }: QueueName) => `${namespace}/${queue}`;

/** What can be asked for, how much of it is free and what it is good for. */
export function CataloguePage() {
  const classes = useStyles();
  const { t } = useGpuText();
  const api = useApi(gpuApiRef);
  const { names } = useMyQueues(60_000);
  const [chosen, setChosen] = useState<string>();
  const queue = names.find(name => nameOf(name) === chosen) ?? names[0];
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

  const lines = (
    { clusters }: ClassOffers,
    show: (offer: ClusterOffers) => string,
  ) => clusters.map(offer => <div key={offer.cluster}>{show(offer)}</div>);
  const columns: Array<Column<ClassOffers>> = [
    {
      title: t('devices.deviceClass'),
      wrap: true,
      show: ({ deviceClass }) => (
        <>
          {deviceClass.title}
          <div className={classes.chips}>
            {deviceClass.goodFor.map(use => (
              <Chip
                key={use}
                label={use}
                size="small"
                variant="outlined"
                style={{ margin: 0 }}
              />
            ))}
          </div>
        </>
      ),
    },
    {
      title: t('devices.share'),
      hint: t('devices.shareMeaning'),
      secondary: true,
      show: ({ shares }) => formatShares(shares),
    },
    {
      title: t('devices.vram'),
      secondary: true,
      numeric: true,
      show: ({ deviceClass }) => formatVram(deviceClass.vramMiB),
    },
    {
      title: t('devices.isolation'),
      secondary: true,
      show: ({ deviceClass: { isolation } }) => (
        <span title={t(`devices.isolationMeaning.${isolation}`)}>
          <Mark tone={ISOLATION_TONES[isolation]}>
            {t(`devices.isolationName.${isolation}`)}
          </Mark>
        </span>
      ),
    },
    {
      title: t('devices.cluster'),
      show: group => lines(group, offer => offer.cluster),
    },
    {
      title: t('devices.free'),
      hint: t('devices.freeMeaning'),
      numeric: true,
      show: group =>
        lines(group, offer =>
          t('devices.freeOf', {
            free: String(offer.free),
            total: String(offer.total),
          }),
        ),
    },
  ];
  if (queue) {
    columns.push({
      title: t('devices.forQueue'),
      hint: t('devices.forQueueMeaning'),
      secondary: true,
      show: group =>
        lines(group, offer =>
          offer.freeForQueue === undefined
            ? '–'
            : t('devices.forQueueOf', {
                free: String(offer.freeForQueue),
                potential: String(offer.potentialForQueue ?? '–'),
              }),
        ),
    });
  }
  return (
    <Content>
      <Panel
        title={t('devices.list')}
        hint={t('devices.shareLegend')}
        action={
          names.length > 1 && (
            <TextField
              select
              id="gpu-catalogue-queue"
              label={t('devices.queueChoice')}
              value={nameOf(queue)}
              onChange={event => setChosen(event.target.value)}
              size="small"
              variant="outlined"
              className={classes.field}
            >
              {names.map(name => (
                <MenuItem key={nameOf(name)} value={nameOf(name)}>
                  {nameOf(name)}
                </MenuItem>
              ))}
            </TextField>
          )
        }
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
              label={t('devices.list')}
              columns={columns}
              rows={groups}
              keyOf={({ deviceClass }) => deviceClass.id}
            />
          )}
        </LiveBody>
      </Panel>
    </Content>
  );
}
