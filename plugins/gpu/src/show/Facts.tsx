import { makeStyles, Typography } from '@material-ui/core';
import { ReactNode } from 'react';

const useStyles = makeStyles(theme => ({
  root: {
    display: 'grid',
    gridTemplateColumns: 'minmax(7rem, max-content) minmax(0, 1fr)',
    gap: theme.spacing(0.75, 2),
    margin: 0,
  },
  value: { margin: 0, overflowWrap: 'anywhere' },
}));

/** Names and values; a fact without a value is left out. */
export function Facts(props: {
  facts: Array<[name: string, value: ReactNode]>;
}) {
  const classes = useStyles();
  return (
    <dl className={classes.root}>
      {props.facts
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => [
          <Typography
            key={`${name}-name`}
            component="dt"
            variant="body2"
            color="textSecondary"
          >
            {name}
          </Typography>,
          <Typography
            key={`${name}-value`}
            component="dd"
            variant="body2"
            className={classes.value}
          >
            {value}
          </Typography>,
        ])}
    </dl>
  );
}
