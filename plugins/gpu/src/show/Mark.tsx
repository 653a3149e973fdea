import { makeStyles, Theme, Typography } from '@material-ui/core';
import { ReactNode } from 'react';
import { Tone, toneColour } from './tone';

const useStyles = makeStyles<Theme, { tone: Tone }>(theme => ({
  root: {
    display: 'inline-flex',
    alignItems: 'center',
    whiteSpace: 'nowrap',
    verticalAlign: 'top',
  },
  dot: {
    width: 10,
    height: 10,
    flex: 'none',
    borderRadius: '50%',
    marginRight: theme.spacing(1),
    backgroundColor: ({ tone }) => toneColour(theme, tone),
  },
}));

/** A word with a dot in the colour of its tone. */
export function Mark(props: { tone: Tone; children: ReactNode }) {
  const classes = useStyles({ tone: props.tone });
  return (
    <Typography component="span" variant="body2" className={classes.root}>
      <span className={classes.dot} aria-hidden />
      {props.children}
    </Typography>
  );
}
