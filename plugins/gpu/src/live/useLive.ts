import { DependencyList, useCallback, useEffect, useState } from 'react';

/** A value that is fetched again and again, and what is known of its age. */
export interface Live<T> {
  /** The last good answer; kept while later calls fail. */
  value?: T;
  /** When `value` was fetched. */
  at?: Date;
  /** Why the latest call failed; absent when it did not. */
  error?: Error;
  /** When calls began to fail. */
  failingSince?: Date;
  /** No answer yet for what is asked now; `value`, if any, is of the question before. */
  loading: boolean;
  /** Ask at once. */
  refresh: () => void;
}

type State<T> = Omit<Live<T>, 'refresh'>;

const SLOWEST_MS = 30_000;

function visible(): Promise<void> {
  if (!document.hidden) {
    return Promise.resolve();
  }
  return new Promise(resolve => {
    const onChange = () => {
      if (!document.hidden) {
        document.removeEventListener('visibilitychange', onChange);
        resolve();
      }
    };
    document.addEventListener('visibilitychange', onChange);
  });
}

/**
 * Fetches at once, then every `everyMs` (milliseconds, or computed from the
 * latest value) as long as the page is visible. Failures keep the last good
 * value and slow down to one call in 30 s.
 *
 * @param load - the call; it must not change what it asks unless `deps` change
 */
export function useLive<T>(
  load: () => Promise<T>,
  deps: DependencyList,
  everyMs: number | ((value: T) => number),
): Live<T> {
  const [state, setState] = useState<State<T>>({ loading: true });
  const [asked, setAsked] = useState(0);
  const refresh = useCallback(() => setAsked(count => count + 1), []);

  useEffect(() => {
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;

    const round = async () => {
      await visible();
      if (stopped) {
        return;
      }
      let pause = SLOWEST_MS;
      try {
        const value = await load();
        failures = 0;
        pause = typeof everyMs === 'function' ? everyMs(value) : everyMs;
        if (!stopped) {
          setState({ value, at: new Date(), loading: false });
        }
      } catch (error) {
        failures += 1;
        pause = Math.min(1_000 * 2 ** failures, SLOWEST_MS);
        if (!stopped) {
          setState(previous => ({
            // a value that answers another question is no last good value
            value: previous.loading ? undefined : previous.value,
            at: previous.loading ? undefined : previous.at,
            error: error as Error,
            failingSince: previous.failingSince ?? new Date(),
            loading: false,
          }));
        }
      }
      if (!stopped) {
        timer = setTimeout(round, pause);
      }
    };

    round();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
    // `load` and `everyMs` are new closures at every render; `deps` say when they differ
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [...deps, asked]);

  // what is asked has changed: mark the value as the answer to another question
  useEffect(() => {
    setState(previous => ({ ...previous, loading: true }));
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, deps);

  return { ...state, refresh };
}
