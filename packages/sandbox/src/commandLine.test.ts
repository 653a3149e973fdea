import { parseCommandLine } from './commandLine';
import { portsFrom } from './ports';

describe('the command line', () => {
  it('has defaults', () => {
    expect(parseCommandLine([])).toEqual({
      dataDir: undefined,
      ports: undefined,
      host: undefined,
      backgroundLoad: true,
      seed: 1,
      timeScale: 1,
    });
    expect(parseCommandLine(['--help'])).toBeUndefined();
  });

  it('takes all options', () => {
    expect(
      parseCommandLine(
        '--data d --port-base 8400 --host 0.0.0.0 --no-load --seed 7 --time-scale 0.5'.split(
          ' ',
        ),
      ),
    ).toEqual({
      dataDir: 'd',
      ports: portsFrom(8400),
      host: '0.0.0.0',
      backgroundLoad: false,
      seed: 7,
      timeScale: 0.5,
    });
    const ports = { ...portsFrom(9000), forge: 1234 };
    expect(parseCommandLine(['--ports', JSON.stringify(ports)])?.ports).toEqual(
      ports,
    );
  });

  it.each([
    [
      ['--port-base', '80'],
      "--port-base is '80'; accepted: a whole number from 1024 to 65000",
    ],
    [['--ports', '{'], "--ports is '{'; accepted: a JSON object of ports"],
    [
      ['--ports', '{}'],
      "--ports hub is 'undefined'; accepted: a whole number from 0 to 65535",
    ],
    [
      ['--seed', 'x'],
      "--seed is 'x'; accepted: a whole number from 0 to 2147483647",
    ],
    [
      ['--time-scale', '0'],
      "--time-scale is '0'; accepted: a number above 0, at most 100000",
    ],
    [['--what'], /Unknown option '--what'[\s\S]*Usage: sandbox/],
  ])('refuses %p', (args, message) => {
    expect(() => parseCommandLine(args)).toThrow(message);
  });
});
