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
    ['DB_PASS', 'hunter2'],
    ['PGPASSWORD', 'x'],
    ['PASSWORDS', 'x'],
    ['HFTOKEN', 'x'],
    ['API_KEYS', 'x'],
    ['AWSSECRETACCESSKEY', 'x'],
    ['HTTP_AUTHORIZATION', 'x'],
    ['A', 'Bearer abcdefghijkl'],
    ['A', 'Basic dXNlcjpwYXNz'],
    ['A', 'Server=x;Password=hunter2;'],
    ['A', fake('AccountName=a;Account', 'Key=abcd+efgh/1234567890==')],
    ['A', fake('-----BEGIN PGP PRIVATE ', 'KEY BLOCK-----')],
    ['A', fake('SG.', 'abcdefghijklmnopqrstuv', '.abcdefghijklmnopqrstuv')],
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
    ['HF_HOME', '/models'],
    ['HF_HUB_PRIVATE', '1'],
    ['USE_AUTH_TOKEN', 'true'],
    ['PWD', '/workspace'],
    ['TEXT_KEY', 'text'],
    ['S3_KEY', 'datasets/images'],
    ['EOS_TOKEN', '</s>'],
    ['PAD_TOKEN_ID', '0'],
    ['MAX_TOKEN_LENGTH', '2048'],
    ['K8S_SECRET_NAME', 'hugging-face'],
    ['PASSWORD_FILE', '/run/secrets/db'],
    ['DATASET_HASH', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['DATASET_MD5', 'd41d8cd98f00b204e9800998ecf8427e'],
    ['MODEL', 'org/model@9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
    [
      'DATA',
      'https://hub.example.com/d/resolve/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b/a.parquet',
    ],
    ['CLASS', 'Qwen2ForSequenceClassification'],
    ['CLASS', 'FullyShardedDataParallel2Plugin'],
    ['RUN', 'Llama3-8B_lr2e-5_bs64_seqlen4096_warmup100'],
    [
      'SSH_PUBLIC_KEY',
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJk3mFq8Zb0yTgq0Wc1n9m8h7g6f5d4s3a2q1w0e9r8t',
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
    ['export HF_TOKEN=hunter2 && train', 'HF_TOKEN'],
    ['WANDB_API_KEY="abcdef" python x.py', 'WANDB_API_KEY'],
    ['sh -c DB_PASSWORD=hunter2 ./x', 'DB_PASSWORD'],
  ])('refuses %j', (text, name) => {
    expect(secretText(text)).toBe(`a value given to ${name}`);
  });

  it.each([
    'train.py --tokenizer llama',
    '--token=$HF_TOKEN',
    '--token "$HF_TOKEN"',
    '--max-tokens 100',
    'export HF_TOKEN=$TOKEN',
    'HF_TOKEN="$(cat /run/token)" train',
    'EOS_TOKEN="</s>" USE_TOKEN=true train',
    '--secret-name hugging-face --token-limit 5',
    'sleep 60',
  ])('lets %j through', text => {
    expect(secretText(text)).toBeUndefined();
  });
});

describe('a megabyte of text', () => {
  it.each([
    ['-eyJaaaaaaaaaa', 80_000],
    [`--token${' '.repeat(100)}`, 10_000],
    ['--token ', 130_000],
    ['://a:', 200_000],
    ['A=', 500_000],
    ['-----BEGIN ', 100_000],
    ['aA0', 350_000],
  ])('of %j is judged at once', (piece, times) => {
    const text = piece.repeat(times);
    // What they say of it does not matter: such text is refused for its length.
    expect(() => {
      secretText(text);
      secretVariable('A', text);
      secretVariable(text, 'a');
    }).not.toThrow();
  });
});
