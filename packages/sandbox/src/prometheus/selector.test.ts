import { parseSelector } from './selector';

const plain = (query: string) => {
  const { matchers, rangeMs, offsetMs } = parseSelector(query);
  return {
    matchers: matchers.map(
      ({ label, operator, value }) => `${label}${operator}${value}`,
    ),
    ...(rangeMs && { rangeMs }),
    ...(offsetMs && { offsetMs }),
  };
};

describe('parseSelector', () => {
  it.each([
    ['up', { matchers: ['__name__=up'] }],
    [
      ' DCGM_FI_DEV_GPU_UTIL{} ',
      { matchers: ['__name__=DCGM_FI_DEV_GPU_UTIL'] },
    ],
    [
      'm{pod="a", namespace!="b",x=~"c.*",y!~\'d|e\',}',
      { matchers: ['__name__=m', 'pod=a', 'namespace!=b', 'x=~c.*', 'y!~d|e'] },
    ],
    ['{__name__=~"DCGM.*"}', { matchers: ['__name__=~DCGM.*'] }],
    ['m[5m]', { matchers: ['__name__=m'], rangeMs: 300_000 }],
    [
      'm{a="b"} [1h30m] offset 1d',
      {
        matchers: ['__name__=m', 'a=b'],
        rangeMs: 5_400_000,
        offsetMs: 86_400_000,
      },
    ],
    ['m offset -5m', { matchers: ['__name__=m'], offsetMs: -300_000 }],
    ['m{a="q\\"\\n\\\\"}', { matchers: ['__name__=m', 'a=q"\n\\'] }],
    ['m{a=`raw\\n`}', { matchers: ['__name__=m', 'a=raw\\n'] }],
  ])('reads %s', (query, expected) => {
    expect(plain(query)).toEqual(expected);
  });

  it.each([
    'sum(m)',
    'rate(m[5m])',
    'm + 1',
    'm > 0',
    'm by (pod)',
    'm[5m:1m]',
    'm @ 1',
    'm{a="b"',
    'm{a==“b”}',
    'm{"a"}',
    'm[x]',
    '5',
    '',
    '(m)',
  ])('refuses %p, naming what is served', query => {
    expect(() => parseSelector(query)).toThrow(
      /cannot read .*only plain selectors are served/,
    );
  });

  it.each(['{}', '{a=""}', '{a=~".*"}'])(
    'refuses %p, which would match everything',
    query => {
      expect(() => parseSelector(query)).toThrow(
        'must contain at least one non-empty matcher',
      );
    },
  );

  it('anchors regular expressions, and says why one is bad', () => {
    const [, pod] = parseSelector('m{pod=~"a|b"}').matchers;
    expect(['a', 'b', 'ab', 'xa'].map(pod.matches)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(() => parseSelector('m{a=~"("}')).toThrow('error parsing regexp');
  });
});
