/** Names that say their value is a secret, in upper snake case. */
const SECRET_NAME =
  /(^|_)(TOKEN|SECRETS?|KEY|CREDENTIALS?|PASSPHRASE|AUTH|AUTHORIZATION)(_|$)|(^|_)PASS$|_PWD$|PASSW(OR)?DS?(_|$)|(API|AUTH|ACCESS|HF|GITHUB|GITLAB)_?TOKENS?$|(API|ACCESS|SECRET|PRIVATE)_?KEYS?$/;

/** Names that match above and hold no secret: where or which one it is, what it is for, a model's tokens. */
const PLAIN_NAME =
  /(^|_)(PUBLIC_KEY|(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?|AUTH)_(FILE|PATH|DIR|NAME|REF|ID|IDS|TYPE|PREFIX|LIMIT|COUNT|LENGTH|LEN|SIZE|DIM|BUDGET|URL|MODE|METHOD)|(SORT|GROUP|INDEX|PRIMARY|FOREIGN|PARTITION|CACHE|OBJECT|S3|TEXT|IMAGE|AUDIO|LABEL|FEATURE|CAPTION|TARGET|INPUT|OUTPUT|COLUMN|DATA|METRIC)_KEY|(PAD|EOS|BOS|UNK|MASK|SEP|CLS|STOP|IMAGE|SPECIAL)_TOKEN)$/;

/** Values that answer a question and keep no secret. */
const YES_OR_NO = /^(true|false|yes|no|on|off)$/i;

/** Names of values that are public and as random as a secret. */
const DIGEST_NAME =
  /(^|_)(REVISION|COMMIT|SHA|SHA1|SHA256|MD5|DIGEST|HASH|CHECKSUM)(_|$)/;

/** Digests that say what they are: of an image, or a revision in an address. */
const SAID_DIGEST =
  /\b(sha(256|512)|md5):[0-9a-f]+|(@|\/(resolve|tree|blob|raw|commit)\/)[0-9a-f]{40}\b/g;

/** Shapes that issuers document for their tokens. */
const TOKEN_SHAPES: Array<[what: string, shape: RegExp]> = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY( BLOCK)?-----/],
  ['a GitHub token', /\b(gh[pousr]_\w{20,}|github_pat_\w{20,})/],
  ['a GitLab token', /\bgl(pat|dt|rt|cbt)-[\w-]{20,}/],
  ['an AWS key', /\b(AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Google key', /\b(AIza[\w-]{35}|ya29\.[\w-]{20,})/],
  ['a Slack token', /\bxox[abeprs]-[\w-]{10,}/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{20,}/],
  ['an API key', /\b(sk|rk|pk)[-_][\w-]{20,}/],
  ['an NVIDIA key', /\bnvapi-[\w-]{20,}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{30,}/],
  ['a Docker token', /\bdckr_(pat|oat)_[\w-]{20,}/],
  ['a JSON Web Token', /\beyJ[\w-]{10,4000}\.eyJ[\w-]{10}/],
  ['a SendGrid key', /\bSG\.[\w-]{16,}\.[\w-]{16,}/],
  [
    'a password in a connection string',
    /(^|;)\s*(password|pwd|accountkey|sharedaccesskey)\s*=\s*[^\s;$]/i,
  ],
  ['an authorization header', /\b(bearer|basic)\s+[\w.~+/=-]{8,}/i],
  ['a password in an address', /:\/\/[^\s/:@]*:[^\s/@$][^\s/@]*@/],
];

/** `--password hunter2`, `--api-key=…`; not `--token=$TOKEN`, which only names a variable. */
const SECRET_FLAG =
  /(^|\s)--?(token|password|passwd|secret|api[-_]?key|access[-_]?key)[= ]{1,9}(?!\s{0,9}["']?\$)\S/i;

/** `export HF_TOKEN=…`; what a variable or another program gives is no secret. */
const ASSIGNMENT =
  /(?:^|[\s;&|("'])([A-Za-z_][A-Za-z0-9_]*)=(?!["']?[$`])["']?([^\s"';&|]+)/g;

/** What is longer is refused anyway; it must not keep the process busy. */
const LONGEST_TEXT = 40_000;

/** Bits per character above which text of an alphabet is taken for random. */
const RANDOM_HEX = 3;
const RANDOM_WORD = 3.6;
const RANDOM_URL_SAFE = 4.4;

/**
 * Says why a plain environment variable looks like a secret, or undefined. Names
 * are judged first, then known shapes of tokens, then randomness.
 */
export function secretVariable(
  name: string,
  value: string,
): string | undefined {
  if (isSecretName(name) && !YES_OR_NO.test(value)) {
    return `a variable called ${name}`;
  }
  const upper = upperSnake(name);
  // What is public by its name may be as random as a secret.
  if (/(^|_)PUBLIC_KEY$/.test(upper)) return secretText(value);
  const digest = DIGEST_NAME.test(upper) ? /\b[0-9a-f]{7,128}\b/g : SAID_DIGEST;
  const judged = value.slice(0, LONGEST_TEXT).replace(digest, '');
  return secretText(value) ?? (isRandom(judged) ? 'a random value' : undefined);
}

function upperSnake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.]/g, '_')
    .toUpperCase();
}

function isSecretName(name: string): boolean {
  const upper = upperSnake(name);
  return SECRET_NAME.test(upper) && !PLAIN_NAME.test(upper);
}

/** Says why words of a command look like a secret, or undefined. */
export function secretText(written: string): string | undefined {
  const text = written.slice(0, LONGEST_TEXT);
  const known = TOKEN_SHAPES.find(([, shape]) => shape.test(text));
  if (known) {
    return known[0];
  }
  if (SECRET_FLAG.test(text)) return 'a secret given as a flag';
  for (const [, name, value] of text.matchAll(ASSIGNMENT)) {
    if (isSecretName(name) && !YES_OR_NO.test(value)) {
      return `a value given to ${name}`;
    }
  }
  return undefined;
}

function isRandom(text: string): boolean {
  return (
    words(text, /[^0-9a-f]+/i, 32).some(w => entropy(w) >= RANDOM_HEX) ||
    words(text, /[^A-Za-z0-9+]+/, 20).some(
      w => mixed(w, 0.36) && entropy(w) >= RANDOM_WORD,
    ) ||
    words(text, /[^A-Za-z0-9_-]+/, 32).some(
      w => mixed(w, 0.45) && entropy(w) >= RANDOM_URL_SAFE,
    )
  );
}

function words(text: string, separator: RegExp, minLength: number): string[] {
  return text.split(separator).filter(word => word.length >= minLength);
}

/**
 * Lower case, upper case and digits in turns: of two neighbours in random
 * base62 0.62 are of different kinds; in names put together of people's words
 * they stand in runs.
 */
function mixed(word: string, leastTurns: number): boolean {
  const kinds = word
    .replace(/[^A-Za-z0-9]/g, '')
    .replace(/[a-z]/g, 'a')
    .replace(/[A-Z]/g, 'A')
    .replace(/[0-9]/g, '0');
  if (new Set(kinds.match(/[aA0]/g)).size < 3) return false;
  const turns = kinds.length - kinds.replace(/(.)\1+/g, '$1').length;
  return 1 - turns / (kinds.length - 1) >= leastTurns;
}

/** Shannon's entropy of the characters, bits per character. */
function entropy(word: string): number {
  const counts = new Map<string, number>();
  for (const char of word) {
    counts.set(char, (counts.get(char) ?? 0) + 1);
  }
  return [...counts.values()].reduce((sum, count) => {
    const p = count / word.length;
    return sum - p * Math.log2(p);
  }, 0);
}
