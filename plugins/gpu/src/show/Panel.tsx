import { makeStyles, Paper, Typography } from '@material-ui/core';
import { ReactNode, useMemo } from 'react';

const useStyles = makeStyles(theme => ({
  root: { padding: theme.spacing(2), marginBottom: theme.spacing(2) },
  head: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: theme.spacing(0, 2),
    marginBottom: theme.spacing(1),
  },
  title: { flex: '1 1 10rem', minWidth: 0 },
}));

let panels = 0;

/** A titled part of a page; the page's own title is the `h1`, so parts are `h2`. */
export function Panel(props: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  const classes = useStyles();
  const id = useMemo(() => `gpu-panel-${panels++}`, []);
  return (
    <Paper component="section" className={classes.root} aria-labelledby={id}>
      <div className={classes.head}>
        <div className={classes.title}>
          <Typography variant="h6" component="h2" id={id}>
            {props.title}
          </Typography>
          {props.hint && (
            <Typography variant="body2" color="textSecondary">
              {props.hint}
            </Typography>
          )}
        </div>
        {props.action && (
          <Typography variant="body2" component="div">
            {props.action}
          </Typography>
        )}
      </div>
      {props.children}
    </Paper>
  );
}
