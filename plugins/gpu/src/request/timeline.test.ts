import {
  inReviewRequest,
  queuedRequest,
  refusedRequest,
  runningRequest,
  succeededRequest,
} from '../../dev/fixtures';
import { timelineOf } from './timeline';

const now = new Date('2026-03-01T10:30:00Z');
const rows = (request: Parameters<typeof timelineOf>[0]) =>
  timelineOf(request).map(entry => [
    entry.name,
    entry.status,
    entry.afterPrevious,
  ]);

describe('timelineOf', () => {
  it('counts the seconds from stamp to stamp, the delivered leg included', () => {
    expect(rows(runningRequest(now))).toEqual([
      ['Requested', 'done', undefined],
      ['Authorised', 'done', 60],
      ['Delivered', 'done', 10],
      ['Placed', 'done', 1],
      ['Partitioned', 'done', 2],
      ['Running', 'done', 27],
      ['Observed', 'done', 15],
      ['Metered', 'done', 5],
      ['Released', 'current', undefined],
    ]);
  });

  it('marks what happens now', () => {
    expect(rows(inReviewRequest(now))[1]).toEqual([
      'Authorised',
      'current',
      undefined,
    ]);
    expect(rows(queuedRequest(now)).slice(2, 5)).toEqual([
      ['Delivered', 'done', 5],
      ['Placed', 'current', undefined],
      ['Partitioned', 'pending', undefined],
    ]);
  });

  it('shows a refusal where it happened, and that nothing follows', () => {
    const entries = timelineOf(refusedRequest(now));
    expect(entries[2]).toMatchObject({
      name: 'Delivered',
      status: 'failed',
      detail: expect.stringContaining('denied the request'),
    });
    expect(entries.slice(3).map(entry => entry.status)).toEqual(
      Array(6).fill('never'),
    );
  });

  it('keeps a stamp earlier than its cause, with its negative distance', () => {
    const placed = timelineOf(succeededRequest(now))[3];
    expect(placed).toMatchObject({
      name: 'Placed',
      afterPrevious: -13,
      clockSkewSeconds: 3,
    });
  });

  it('takes what Kueue admitted as delivered although GitOps cannot be read', () => {
    const request = {
      ...runningRequest(now),
      delivery: { state: 'unknown' as const },
    };
    expect(timelineOf(request)[2]).toMatchObject({
      name: 'Delivered',
      status: 'done',
      at: undefined,
    });
  });
});
