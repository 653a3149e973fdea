import { makeStyles, Paper, Theme, Typography } from '@material-ui/core';
import { ReactNode } from 'react';
import { Tone, toneColour } from './tone';

const useStyles = makeStyles<Theme, { tone: Tone }>(theme => ({
  root: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: theme.spacing(1, 2),
    padding: theme.spacing(1.5, 2),
    marginBottom: theme.spacing(2),
    borderLeft: ({ tone }) => `4px solid ${toneColour(theme, tone)}`,
  },
  text: { flex: '1 1 16rem', minWidth: 0, overflowWrap: 'anywhere' },
}));

/** One thing the reader should know before the rest of the page. */
export function Notice(props: {
  tone: Tone;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const classes = useStyles({ tone: props.tone });
  return (
    <Paper
      variant="outlined"
      className={classes.root}
      role={props.tone === 'bad' ? 'alert' : 'status'}
    >
      <div className={classes.text}>
        <Typography variant="subtitle1" component="p">
          {props.title}
        </Typography>
        {props.children && (
          <Typography variant="body2" component="div">
            {props.children}
          </Typography>
        )}
      </div>
      {props.action}
    </Paper>
  );
}
