import { Progress } from '@backstage/core-components';
import { Button, Typography } from '@material-ui/core';
import { ReactNode } from 'react';
import { Lasting } from '../show/Age';
import { Moment } from '../show/Moment';
import { Notice } from '../show/Notice';
import { useGpuText } from '../translations';
import { failureOf, wordsOf } from './failure';
import { Live } from './useLive';

/**
 * The four states every page has before its full one: loading, refused or
 * failed, stale (last good answer with its age), empty.
 */
export function LiveBody<T>(props: {
  live: Live<T>;
  /** Shown instead of the children when it is not undefined. */
  empty?: (value: T) => ReactNode;
  children: (value: T) => ReactNode;
}) {
  const { t } = useGpuText();
  const { value, at, error, failingSince, refresh } = props.live;
  const retry = (
    <Button variant="outlined" size="small" onClick={refresh}>
      {t('live.retry')}
    </Button>
  );

  if (value === undefined) {
    if (error) {
      const failure = failureOf(error);
      return (
        <Notice
          tone={failure === 'failed' ? 'bad' : 'waiting'}
          title={t(`live.${failure}`)}
          action={failure === 'failed' ? retry : undefined}
        >
          {wordsOf(error)}
        </Notice>
      );
    }
    return (
      <>
        <Typography variant="srOnly" role="status">
          {t('live.loading')}
        </Typography>
        <Progress />
      </>
    );
  }
  return (
    <>
      {error && at && failingSince && (
        <Notice
          tone="waiting"
          title={
            <>
              {t('live.staleSince')} <Moment at={failingSince} /> (
              <Lasting since={failingSince} />)
            </>
          }
          action={retry}
        >
          {t('live.shownIsOf')} <Moment at={at} />. {wordsOf(error)}
        </Notice>
      )}
      {props.empty?.(value) ?? props.children(value)}
    </>
  );
}
