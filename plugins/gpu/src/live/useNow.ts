import { useEffect, useState } from 'react';

/** The browser's clock, ticking every `everyMs` milliseconds: for ages and running durations. */
export function useNow(everyMs: number = 1_000): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) {
        setNow(new Date());
      }
    }, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
