import { makeStyles, Theme } from '@material-ui/core';

const useStyles = makeStyles<Theme, { used: number; borrowed: number }>(
  theme => ({
    track: {
      display: 'flex',
      height: 8,
      minWidth: 96,
      marginTop: theme.spacing(0.5),
      borderRadius: 4,
      overflow: 'hidden',
      backgroundColor: theme.palette.action.disabledBackground,
    },
    own: {
      width: ({ used }) => `${used}%`,
      backgroundColor: theme.palette.info.main,
    },
    borrowed: {
      width: ({ borrowed }) => `${borrowed}%`,
      backgroundColor: theme.palette.warning.main,
    },
  }),
);

/**
 * Used of nominal, borrowed beyond it. The bar spans the greater of nominal
 * and used; the numbers stand beside it, so it is hidden from screen readers.
 */
export function QuotaBar(props: {
  nominal: number;
  used: number;
  borrowed: number;
}) {
  const span = Math.max(props.nominal, props.used, 1);
  const classes = useStyles({
    used: ((props.used - props.borrowed) / span) * 100,
    borrowed: (props.borrowed / span) * 100,
  });
  return (
    <div className={classes.track} aria-hidden>
      <div className={classes.own} />
      <div className={classes.borrowed} />
    </div>
  );
}
