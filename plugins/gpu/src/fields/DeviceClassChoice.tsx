import {
  FormControlLabel,
  makeStyles,
  Radio,
  RadioGroup,
  Typography,
} from '@material-ui/core';
import { ClassOffers } from '../devices/byClass';
import { formatShares, formatVram } from '../show/gpuAmounts';
import { useGpuText } from '../translations';

const useStyles = makeStyles(theme => ({
  option: {
    alignItems: 'flex-start',
    margin: 0,
    padding: theme.spacing(0.5, 0),
  },
  radio: { padding: theme.spacing(0.25, 1, 0, 0) },
}));

/** One device class of those offered, with what is free of it now. */
export function DeviceClassChoice(props: {
  id: string;
  groups: ClassOffers[];
  value: string;
  locked: boolean;
  onChange: (deviceClass: string) => void;
}) {
  const classes = useStyles();
  const { t } = useGpuText();
  return (
    <RadioGroup
      aria-label={t('field.byClass')}
      aria-describedby={`${props.id}-help`}
      name={`${props.id}-class`}
      value={props.value}
      onChange={(_, value) => props.onChange(value)}
    >
      {props.groups.map(({ deviceClass, shares, clusters }) => (
        <FormControlLabel
          key={deviceClass.id}
          value={deviceClass.id}
          className={classes.option}
          control={
            <Radio size="small" color="primary" className={classes.radio} />
          }
          disabled={props.locked}
          label={
            <>
              <Typography variant="body2">
                {deviceClass.title} · {formatVram(deviceClass.vramMiB)} ·{' '}
                {formatShares(shares)}
              </Typography>
              <Typography
                variant="caption"
                component="div"
                color="textSecondary"
              >
                {clusters.map(offer => (
                  <div key={offer.cluster}>
                    {offer.freeForQueue === undefined
                      ? t('field.deviceOffer', {
                          free: String(offer.free),
                          total: String(offer.total),
                          cluster: offer.cluster,
                        })
                      : t('field.deviceOfferForQueue', {
                          free: String(offer.free),
                          total: String(offer.total),
                          cluster: offer.cluster,
                          forQueue: String(offer.freeForQueue),
                        })}
                  </div>
                ))}
                {t('devices.isolation')}:{' '}
                {t(`devices.isolationName.${deviceClass.isolation}`)}.{' '}
                {t(`devices.isolationMeaning.${deviceClass.isolation}`)}
              </Typography>
            </>
          }
        />
      ))}
    </RadioGroup>
  );
}
