import { Queue } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { Devices } from '../devices/useDevices';
import { useGpuText } from '../translations';
import { hasAny, quotaByClass } from './quotas';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: theme.spacing(0, 2),
    margin: 0,
    padding: 0,
    listStyle: 'none',
  },
  item: { [theme.breakpoints.up('md')]: { whiteSpace: 'nowrap' } },
  figures: { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  over: {
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
    fontWeight: theme.typography.fontWeightBold as number,
  },
}));

/** `7 of 1` for every class a queue has or holds, in one line; heavier where it holds more than its own. */
export function QuotaGlance(props: { queue: Queue; devices: Devices }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const { queue } = props;
  const { titleOf } = props.devices;
  const quotas = quotaByClass([queue]).filter(hasAny);
  if (quotas.length === 0) {
    return (
      <Typography variant="body2" color="textSecondary">
        {t('queues.nothingOwn')}
      </Typography>
    );
  }
  return (
    <ul className={classes.root}>
      {quotas.map(({ deviceClass, used, nominal, borrowed }) => (
        <li key={deviceClass} className={classes.item}>
          <Typography variant="caption" color="textSecondary">
            {titleOf(deviceClass)}
          </Typography>{' '}
          <Typography
            variant="body2"
            component="span"
            className={borrowed > 0 ? classes.over : classes.figures}
          >
            {t('queues.usedOf', {
              used: String(used),
              nominal: String(nominal),
            })}
          </Typography>
        </li>
      ))}
    </ul>
  );
}
