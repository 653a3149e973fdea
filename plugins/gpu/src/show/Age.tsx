import { useNow } from '../live/useNow';
import { useGpuText } from '../translations';
import { formatCoarsely, formatDuration, secondsBetween } from './duration';

/** `3 min ago`, ticking; the exact moment is its tooltip. */
export function Age({ at }: { at: string }) {
  const { t } = useGpuText();
  const now = useNow();
  const seconds = secondsBetween(at, now);
  return (
    <time dateTime={at} title={at}>
      {seconds < 2
        ? t('time.now')
        : t('time.ago', { duration: formatCoarsely(seconds) })}
    </time>
  );
}

/** How long it has lasted since a moment: `3 min 20 s`, ticking. */
export function Lasting({ since }: { since: string | Date }) {
  const now = useNow();
  return <>{formatDuration(secondsBetween(since, now))}</>;
}
