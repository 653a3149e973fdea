import { EntityRefLink } from '@backstage/plugin-catalog-react';
import { GpuRequest } from '@gpuaas/backstage-plugin-gpu-common';
import { makeStyles, Typography } from '@material-ui/core';
import { Lasting } from '../show/Age';
import { formatDuration } from '../show/duration';
import { Moment } from '../show/Moment';
import { useGpuText } from '../translations';
import { EntryStatus, TimelineEntry, timelineOf } from './timeline';

const useStyles = makeStyles(theme => ({
  list: { listStyle: 'none', margin: 0, padding: 0 },
  entry: {
    position: 'relative',
    padding: theme.spacing(0, 0, 2.5, 4),
    '&:last-child': { paddingBottom: 0 },
    // the line from this entry to the next
    '&:not(:last-child)::before': {
      content: '""',
      position: 'absolute',
      left: 7,
      top: 18,
      bottom: -4,
      width: 2,
      backgroundColor: theme.palette.divider,
    },
  },
  bullet: {
    position: 'absolute',
    left: 0,
    top: 4,
    width: 16,
    height: 16,
    boxSizing: 'border-box',
    borderRadius: '50%',
    border: `2px solid ${theme.palette.text.disabled}`,
    backgroundColor: theme.palette.background.paper,
  },
  leg: { transform: 'scale(0.6)' },
  done: {
    borderColor: theme.palette.success.main,
    backgroundColor: theme.palette.success.main,
  },
  current: {
    borderColor: theme.palette.info.main,
    boxShadow: `0 0 0 3px ${theme.palette.action.focus}`,
  },
  failed: {
    borderColor: theme.palette.error.main,
    backgroundColor: theme.palette.error.main,
  },
  pending: {},
  never: { borderStyle: 'dashed' },
  head: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    gap: theme.spacing(0, 1.5),
  },
  stamp: { fontVariantNumeric: 'tabular-nums' },
  detail: { overflowWrap: 'anywhere' },
  skew: { color: theme.palette.text.primary },
}));

function Actor({ actor }: { actor: string }) {
  return /^user:/.test(actor) ? (
    <EntityRefLink entityRef={actor} hideIcon />
  ) : (
    <>{actor}</>
  );
}

function Entry(props: { entry: TimelineEntry; since?: string }) {
  const classes = useStyles();
  const { t } = useGpuText();
  const { entry, since } = props;
  const words: Record<EntryStatus, string | undefined> = {
    done: undefined,
    failed: t('request.refused'),
    current:
      entry.name === 'Released' ? t('request.runs') : t('request.current'),
    pending: t('request.pending'),
    never: t('request.never'),
  };
  return (
    <li
      className={classes.entry}
      aria-current={entry.status === 'current' ? 'step' : undefined}
    >
      <span
        className={`${classes.bullet} ${entry.leg ? classes.leg : ''} ${
          classes[entry.status]
        }`}
        aria-hidden
      />
      <div className={classes.head}>
        <Typography
          variant={entry.leg ? 'body2' : 'subtitle2'}
          component="h3"
          color={
            entry.status === 'pending' || entry.status === 'never'
              ? 'textSecondary'
              : 'textPrimary'
          }
        >
          {t(`step.${entry.name}`)}
        </Typography>
        <Typography
          variant="body2"
          color="textSecondary"
          className={classes.stamp}
        >
          {entry.at && <Moment at={entry.at} />} {words[entry.status]}
          {entry.status === 'current' && since && (
            <>
              {' '}
              <Lasting since={since} />
            </>
          )}
          {entry.afterPrevious !== undefined && entry.afterPrevious >= 0 && (
            <span
              title={t('request.afterPrevious', {
                duration: formatDuration(entry.afterPrevious),
              })}
            >
              {' '}
              +{formatDuration(entry.afterPrevious)}
            </span>
          )}
        </Typography>
      </div>
      <Typography
        variant="caption"
        component="p"
        color="textSecondary"
        className={classes.detail}
      >
        {entry.source ? (
          <>
            {entry.source}
            {entry.actor && (
              <>
                {' · '}
                <Actor actor={entry.actor} />
              </>
            )}
          </>
        ) : (
          t(`stepMeaning.${entry.name}`)
        )}
      </Typography>
      {entry.detail && entry.status !== 'failed' && (
        <Typography variant="body2" className={classes.detail}>
          {entry.detail}
        </Typography>
      )}
      {entry.clockSkewSeconds !== undefined && (
        <Typography variant="caption" component="p" className={classes.skew}>
          {t('request.skew', { seconds: String(entry.clockSkewSeconds) })}
        </Typography>
      )}
    </li>
  );
}

/** The eight steps from top to bottom, with the delivered leg between two of them. */
export function Timeline({ request }: { request: GpuRequest }) {
  const classes = useStyles();
  const entries = timelineOf(request);
  const runningSince = request.steps.find(step => step.name === 'Running')?.at;
  let last: string | undefined;
  return (
    <ol className={classes.list}>
      {entries.map(entry => {
        // what follows a start is a run, however many stamps come after it
        const since = entry.name === 'Released' ? runningSince : last;
        last = entry.at ?? last;
        return <Entry key={entry.name} entry={entry} since={since} />;
      })}
    </ol>
  );
}
