import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, MenuItem, TextField, Typography } from '@material-ui/core';
import { useState } from 'react';
import { Devices } from '../devices/useDevices';
import { Pager } from '../show/Pager';
import { useGpuText } from '../translations';
import { inOrder, matching, QueueOrder, QUEUE_ORDERS } from './queueList';
import { QueuesTable } from './QueuesTable';

const PAGE = 20;

const useStyles = makeStyles(theme => ({
  filters: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(2),
    margin: theme.spacing(1, 0, 2),
  },
  find: { flex: '1 1 14rem', maxWidth: '24rem' },
  order: { minWidth: 160 },
}));

/** Many queues: found by typing, in a chosen order, a page at a time. */
export function AllQueues(props: { queues: Queue[]; devices: Devices }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const [text, setText] = useState('');
  const [order, setOrder] = useState<QueueOrder>('name');
  const [from, setFrom] = useState(0);
  const found = inOrder(matching(props.queues, text), order, props.devices);
  // a queue may have gone since the page was turned
  const start = from < found.length ? from : 0;
  const shown = found.slice(start, start + PAGE);
  return (
    <>
      <div className={classes.filters} role="search">
        <TextField
          id="gpu-queues-find"
          label={t('queues.find')}
          value={text}
          type="search"
          size="small"
          variant="outlined"
          className={classes.find}
          onChange={event => {
            setText(event.target.value);
            setFrom(0);
          }}
        />
        <TextField
          select
          id="gpu-queues-order"
          label={t('queues.order')}
          value={order}
          size="small"
          variant="outlined"
          className={classes.order}
          onChange={event => {
            setOrder(event.target.value as QueueOrder);
            setFrom(0);
          }}
        >
          {QUEUE_ORDERS.map(each => (
            <MenuItem key={each} value={each}>
              {t(`queues.orders.${each}`)}
            </MenuItem>
          ))}
        </TextField>
      </div>
      {found.length === 0 ? (
        <Typography variant="body2" color="textSecondary" role="status">
          {t('queues.noMatch', { text })}
        </Typography>
      ) : (
        <>
          <QueuesTable queues={shown} devices={props.devices} />
          <Pager
            from={start + 1}
            to={start + shown.length}
            total={found.length}
            previous={t('queues.previous')}
            next={t('queues.next')}
            onPrevious={
              start > 0 ? () => setFrom(Math.max(0, start - PAGE)) : undefined
            }
            onNext={
              start + PAGE < found.length
                ? () => setFrom(start + PAGE)
                : undefined
            }
          />
        </>
      )}
    </>
  );
}
