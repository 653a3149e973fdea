import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimFolder } from './claimFolder';

describe('claimFolder', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'claim-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('gives a folder to one at a time', () => {
    const release = claimFolder(join(folder, 'new'));
    expect(() => claimFolder(join(folder, 'new'))).toThrow(
      `is used by another sandbox (process ${process.pid})`,
    );
    release();
    claimFolder(join(folder, 'new'))();
  });

  it.each([
    '999999999',
    '',
    'nonsense',
    // A killed container comes back with the same process numbers.
    String(process.pid),
  ])('ignores a claim by "%s"', owner => {
    writeFileSync(join(folder, 'sandbox.pid'), owner);
    expect(() => claimFolder(folder)).not.toThrow();
  });
});
