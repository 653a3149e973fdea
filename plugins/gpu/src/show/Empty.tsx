import { makeStyles, Typography } from '@material-ui/core';
import { ReactNode } from 'react';

const useStyles = makeStyles(theme => ({
  root: { padding: theme.spacing(2), textAlign: 'center' },
  hint: { maxWidth: '32rem', margin: theme.spacing(1, 'auto') },
}));

/** Nothing to show, why, and what to do about it. */
export function Empty(props: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
}) {
  const classes = useStyles();
  return (
    <div className={classes.root}>
      <Typography variant="subtitle1" component="p">
        {props.title}
      </Typography>
      {props.hint && (
        <Typography
          variant="body2"
          color="textSecondary"
          className={classes.hint}
        >
          {props.hint}
        </Typography>
      )}
      {props.action}
    </div>
  );
}
