import { clusterHealth, HealthInputs } from './clusterHealth';

const live = { resource: 'workloads', live: true };
const starting = { resource: 'pods', live: false };
const refused = {
  resource: 'nodes',
  live: false,
  error: '403 nodes is forbidden',
};
const kueueMissing = 'Kueue is not installed';

describe('clusterHealth', () => {
  it.each<[string, Partial<HealthInputs>, string, boolean, string | undefined]>(
    [
      [
        'before the first contact',
        { discovered: false },
        'connecting',
        false,
        undefined,
      ],
      [
        'when the server does not answer',
        { contactError: 'ECONNREFUSED', streams: [live] },
        'unreachable',
        false,
        'ECONNREFUSED',
      ],
      [
        'when it did not answer from the start',
        { discovered: false, contactError: 'ECONNREFUSED' },
        'unreachable',
        false,
        'ECONNREFUSED',
      ],
      [
        'while lists are under way',
        { streams: [live, starting] },
        'connecting',
        false,
        undefined,
      ],
      [
        'when one watch is refused',
        { streams: [live, refused] },
        'unreachable',
        false,
        '403 nodes is forbidden',
      ],
      [
        'when every watch is live',
        { streams: [live] },
        'connected',
        true,
        undefined,
      ],
      [
        'without Kueue',
        { streams: [live], kueueMissing },
        'no-kueue',
        true,
        kueueMissing,
      ],
      [
        'without Kueue and without an answer',
        { streams: [live], kueueMissing, contactError: 'timeout' },
        'unreachable',
        false,
        'timeout',
      ],
    ],
  )('%s', (_, inputs, state, fresh, message) => {
    expect(clusterHealth({ discovered: true, streams: [], ...inputs })).toEqual(
      { state, fresh, message },
    );
  });
});
