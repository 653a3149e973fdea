import { type Clock, wallClock } from '../clock';

/** A clock that can be set wrong, for one cluster. */
export interface SkewableClock extends Clock {
  /** How far its stamps are ahead of true time. */
  skewMilliseconds: number;
}

/** A clock beside `clock` whose stamps can be shifted; timers are not. */
export function skewable(clock: Clock = wallClock): SkewableClock {
  return {
    skewMilliseconds: 0,
    now() {
      return new Date(clock.now().getTime() + this.skewMilliseconds);
    },
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
  };
}
