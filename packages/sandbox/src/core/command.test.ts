import { runOf } from './command';

describe('runOf', () => {
  it.each([
    [['sleep', '600'], 600, 0],
    [['sh', '-c', 'sleep 5'], 5, 0],
    [['sh', '-c', 'echo a; sleep 2; echo b; sleep 3; exit 3'], 5, 3],
    [['sh', '-c', 'sleep 1.5m && sleep 10s'], 100, 0],
    [['sh', '-c', 'sleep 2 ; false'], 2, 1],
    [['sh', '-c', 'false || sleep 2'], 2, 0],
    [['sleep', 'infinity'], Infinity, 0],
    [['python', 'train.py'], 1, 0],
    [undefined, 1, 0],
  ])('%j runs %d s and ends with %d', (command, seconds, exitCode) => {
    expect(runOf({ command })).toEqual({ seconds, exitCode });
  });

  it('reads the arguments too', () => {
    expect(runOf({ command: ['sh', '-c'], args: ['sleep 7; exit 1'] })).toEqual(
      { seconds: 7, exitCode: 1 },
    );
  });
});
