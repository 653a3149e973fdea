/** Parts of a variable's name that say its value is a secret. */
const SECRET_NAME =
  /(^|_)(TOKEN|PASSWORD|PASSWD|PASSPHRASE|PWD|SECRET|SECRETS|KEY|APIKEY|CREDENTIAL|CREDENTIALS|PRIVATE)(_|$)/;

/** Names that match above and hold no secret. */
const PLAIN_NAME =
  /(^|_)(PUBLIC_KEY|KEY_(FILE|PATH|NAME|ID)|TOKEN_(FILE|PATH|LIMIT|COUNT|URL))$/;

/** Names of values that are public and as random as a secret. */
const DIGEST_NAME =
  /(^|_)(REVISION|COMMIT|SHA|SHA1|SHA256|DIGEST|HASH|CHECKSUM)(_|$)/;

/** Shapes that issuers document for their tokens. */
const TOKEN_SHAPES: Array<[what: string, shape: RegExp]> = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
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
  ['a JSON Web Token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/],
  ['a password in an address', /:\/\/[^\s/:@]*:[^\s/@$][^\s/@]*@/],
];

/** `--password hunter2`, `--api-key=…`; not `--token=$TOKEN`, which only names a variable. */
const SECRET_FLAG =
  /(^|\s)--?(token|password|passwd|secret|api[-_]?key|access[-_]?key)[= ]+(?!\s*["']?\$)\S/i;

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
  const upper = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[-.]/g, '_')
    .toUpperCase();
  if (SECRET_NAME.test(upper) && !PLAIN_NAME.test(upper)) {
    return `a variable called ${name}`;
  }
  // A digest is public, and as random as a secret.
  const digest = DIGEST_NAME.test(upper)
    ? /\b[0-9a-f]{7,128}\b/g
    : /\bsha(256|512):[0-9a-f]+/g;
  return (
    secretText(value) ??
    (isRandom(value.replace(digest, '')) ? 'a random value' : undefined)
  );
}

/** Says why words of a command look like a secret, or undefined. */
export function secretText(text: string): string | undefined {
  const known = TOKEN_SHAPES.find(([, shape]) => shape.test(text));
  if (known) {
    return known[0];
  }
  return SECRET_FLAG.test(text) ? 'a secret given as a flag' : undefined;
}

function isRandom(text: string): boolean {
  return (
    words(text, /[^0-9a-f]+/i, 32).some(w => entropy(w) >= RANDOM_HEX) ||
    words(text, /[^A-Za-z0-9+]+/, 20).some(
      w => mixed(w) && entropy(w) >= RANDOM_WORD,
    ) ||
    words(text, /[^A-Za-z0-9_-]+/, 32).some(
      w => mixed(w) && entropy(w) >= RANDOM_URL_SAFE,
    )
  );
}

function words(text: string, separator: RegExp, minLength: number): string[] {
  return text.split(separator).filter(word => word.length >= minLength);
}

/** Lower case, upper case and digits together: people's words seldom are. */
function mixed(word: string): boolean {
  return /[a-z]/.test(word) && /[A-Z]/.test(word) && /[0-9]/.test(word);
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
