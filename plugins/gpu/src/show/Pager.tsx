import { Button, makeStyles, Typography } from '@material-ui/core';
import { useGpuText } from '../translations';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'flex-end',
    gap: theme.spacing(0, 2),
    marginTop: theme.spacing(2),
  },
}));

/** Where in a list one is, and the ways on; a way that is undefined is at its end. */
export function Pager(props: {
  from: number;
  to: number;
  total: number;
  previous: string;
  next: string;
  onPrevious?: () => void;
  onNext?: () => void;
}) {
  const classes = useStyles();
  const { t } = useGpuText();
  return (
    <div className={classes.root}>
      <Typography variant="body2" color="textSecondary">
        {t('requests.range', {
          from: String(props.from),
          to: String(props.to),
          total: String(props.total),
        })}
      </Typography>
      <Button
        size="small"
        disabled={!props.onPrevious}
        onClick={props.onPrevious}
      >
        {props.previous}
      </Button>
      <Button size="small" disabled={!props.onNext} onClick={props.onNext}>
        {props.next}
      </Button>
    </div>
  );
}
