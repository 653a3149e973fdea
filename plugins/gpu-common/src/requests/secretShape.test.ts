import fc from 'fast-check';
import { secretText, secretVariable } from './secretShape';

/** Pieces are joined so that no scanner takes this file for a leak. */
const fake = (...parts: string[]) => parts.join('');

describe('secretVariable', () => {
  it.each([
    ['HF_TOKEN', 'x'],
    ['DB_PASSWORD', ''],
    ['api-key', 'x'],
    ['apiKey', 'x'],
    ['AWS_SECRET_ACCESS_KEY', 'x'],
    ['MY_CREDENTIALS', 'x'],
    ['A', fake('ghp_', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8')],
    ['A', fake('glpat-', 'xY12xY12xY12xY12xY12')],
    ['A', fake('AKIA', 'IOSFODNN7EXAMPLE')],
    ['A', fake('hf_', 'abcdefghijABCDEFGHIJ1234567890abcd')],
    ['A', fake('sk-', 'proj-abcdefghijklmnopqrst')],
    ['A', fake('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.x')],
    ['A', fake('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE')],
    ['DATABASE', 'postgres://user:hunter2@db/x'],
    ['A', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
    ['A', 'wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEK'],
    ['A', 'zE3-q_Lk92xV-bTg7_HsYw1-Rn0dPcUoJm4'],
  ])('refuses %s=%j', (name, value) => {
    expect(secretVariable(name, value)).toBeDefined();
  });

  it.each([
    ['EPOCHS', '3'],
    ['MODEL', 'meta-llama/Llama-3.1-8B-Instruct'],
    ['MODEL', 'mistralai/Mixtral-8x7B-Instruct-v0.1'],
    ['DATA', '/data/team-07/2026-11-30/checkpoints/step-000100'],
    ['NCCL_SOCKET_IFNAME', 'eth0'],
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MAX_TOKENS', '4096'],
    ['MONKEY', 'see'],
    ['KEYBOARD', 'qwerty'],
    ['TLS_KEY_FILE', '/etc/tls/tls.key'],
    ['URL', 'https://example.com/a/b?c=d'],
    ['MODEL_REVISION', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
    ['RUN', '5b1c2d3e-7f80-4a1b-9c2d-3e4f5a6b7c8d'],
    [
      'IMAGE',
      'registry/x@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    ],
    ['TEXT', 'The quick brown fox jumps over the lazy dog, 12 times.'],
  ])('lets %s=%j through', (name, value) => {
    expect(secretVariable(name, value)).toBeUndefined();
  });

  it('finds nearly every random 40 characters of base62', () => {
    const alphabet =
      'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
    const random = fc
      .array(fc.integer({ min: 0, max: 61 }), { minLength: 40, maxLength: 40 })
      .map(list => list.map(i => alphabet[i]).join(''));
    const values = fc.sample(random, { numRuns: 500, seed: 7 });
    const missed = values.filter(value => !secretVariable('A', value));
    expect(missed.length).toBeLessThan(25);
  });
});

describe('secretText', () => {
  it.each(['--password hunter2', 'train --api-key=abc', '-token abc'])(
    'refuses %j',
    text => {
      expect(secretText(text)).toBe('a secret given as a flag');
    },
  );

  it.each([
    'train.py --tokenizer llama',
    '--token=$HF_TOKEN',
    '--token "$HF_TOKEN"',
    '--max-tokens 100',
    'sleep 60',
  ])('lets %j through', text => {
    expect(secretText(text)).toBeUndefined();
  });
});
