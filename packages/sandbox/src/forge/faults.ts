import { unprocessable } from './forgeError';

/** What goes wrong with calls that match. */
export interface Fault {
  /** Answers with this status instead of doing anything. */
  status?: number;
  /** Seconds of a Retry-After header, with `status`. */
  retryAfter?: number;
  /** Message of the answer, with `status`. */
  message?: string;
  /** Waits before anything else, in milliseconds. */
  delay?: number;
  /** Drops the connection without doing anything. */
  drop?: boolean;
  /** Does what was asked, then drops the connection: the caller cannot know. */
  crashAfter?: boolean;
  method?: string;
  /** Regular expression on the path. */
  path?: string;
  /** Calls it applies to; absent: until cleared. */
  times?: number;
}

const numbers = ['status', 'retryAfter', 'delay', 'times'] as const;

/** Reads a fault from JSON, refusing what could not be meant. */
export function parseFault(body: Record<string, unknown>): Fault {
  for (const name of numbers) {
    const value = body[name];
    if (
      value !== undefined &&
      !(Number.isInteger(value) && Number(value) >= 0)
    ) {
      throw unprocessable(
        `${name}: ${JSON.stringify(value)} is no whole number of 0 or more`,
      );
    }
  }
  const fault = body as Fault;
  if (
    fault.status === undefined &&
    fault.delay === undefined &&
    !fault.drop &&
    !fault.crashAfter
  ) {
    throw unprocessable(
      'a fault needs one of status, delay, drop and crashAfter',
    );
  }
  if (
    fault.status !== undefined &&
    (fault.status < 400 || fault.status > 599)
  ) {
    throw unprocessable(`status: ${fault.status} is not between 400 and 599`);
  }
  if (fault.path !== undefined) {
    try {
      RegExp(fault.path);
    } catch {
      throw unprocessable(`path: "${fault.path}" is no regular expression`);
    }
  }
  return fault;
}

/** The faults that tests have switched on, in the order they were added. */
export class Faults {
  private active: Fault[] = [];

  add(fault: Fault): void {
    this.active.push({ ...fault });
  }

  clear(): void {
    this.active = [];
  }

  list(): Fault[] {
    return this.active.map(fault => ({ ...fault }));
  }

  /** The fault of a call, counted as used; undefined when all is well. */
  take(method: string, path: string): Fault | undefined {
    const fault = this.active.find(
      candidate =>
        (candidate.method === undefined ||
          candidate.method.toUpperCase() === method) &&
        (candidate.path === undefined || RegExp(candidate.path).test(path)),
    );
    if (fault?.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) {
        this.active = this.active.filter(other => other !== fault);
      }
    }
    return fault;
  }
}
