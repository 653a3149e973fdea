import { parseRepoUrl } from './repoUrl';

describe('parseRepoUrl', () => {
  it.each([
    ['localhost:7420?owner=platform&repo=gpu-fleet', 'localhost:7420'],
    ['github.com?repo=gpu-fleet&owner=platform', 'github.com'],
  ])('reads %s', (repoUrl, host) => {
    expect(parseRepoUrl(repoUrl)).toEqual({
      host,
      owner: 'platform',
      repo: 'gpu-fleet',
    });
  });

  it.each([
    ['github.com?repo=gpu-fleet', /owner is ""/],
    ['github.com?owner=platform', /repo is ""/],
    ['github.com?owner=..&repo=x', /owner is "\.\."/],
    ['github.com?owner=a&repo=x%2F..%2Fy', /repo is "x\/\.\.\/y"/],
    ['user:secret@github.com?owner=a&repo=b', /more than/],
    ['github.com/a/b?owner=a&repo=b', /more than/],
    ['', /not a host/],
  ])('refuses %s and says what is accepted', (repoUrl, message) => {
    expect(() => parseRepoUrl(repoUrl)).toThrow(message);
    expect(() => parseRepoUrl(repoUrl)).toThrow(/accepted is <host>\?owner=/);
  });
});
