import {
  isDnsSubdomain,
  isLine,
  isQuantity,
  isText,
  text,
} from './fieldShapes';
import { isImageReference } from './imageReference';
import { Problems } from './requestProblem';
import { secretText, secretVariable } from './secretShape';
import { RequestEnv, RequestSpec } from './spec';

const MAX_TEXT = 32_768;
const MAX_WORDS = 256;
/** All values together: a cluster refuses objects of more than about 1 MiB, and Git has no use for them. */
const MAX_ENV_TEXT = 131_072;

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SECRET_KEY = /^[-._a-zA-Z0-9]{1,253}$/;

/**
 * What device plugins and GPU sharing set to say which GPUs a container sees
 * and how much of one it may use. A value in the pod wins over theirs, and
 * would reach other people's.
 */
const DEVICE_PLUGIN_ENV =
  /^(NVIDIA_(VISIBLE_DEVICES|MIG_(CONFIG|MONITOR)_DEVICES|IMEX_CHANNELS)|AMD_VISIBLE_DEVICES|CUDA_MPS_.*|CUDA_DEVICE_(MEMORY|SM)_LIMIT.*|CUDA_DISABLE_CONTROL|GPU_CORE_UTILIZATION_POLICY)$/;

/** What runs: image, command, environment, claim, cpu and memory. */
export function checkContainer(spec: RequestSpec, problems: Problems): void {
  problems.unless(
    isImageReference(text(spec.image)),
    'image',
    spec.image,
    'an image name such as registry.example.com/team/image:tag or …@sha256:<digest>',
  );
  for (const field of ['command', 'args'] as const) {
    const words = spec[field];
    if (words !== undefined) {
      problems.unless(
        Array.isArray(words) &&
          words.length <= MAX_WORDS &&
          words.every(word => isText(word)) &&
          words.join('').length <= MAX_TEXT,
        field,
        words,
        `a list of at most ${MAX_WORDS} texts, ${MAX_TEXT} characters in all, without control characters`,
      );
      const line = Array.isArray(words) ? words.map(text).join(' ') : '';
      problems.refuseSecret(field, secretText(line));
    }
  }
  problems.unless(
    spec.env === undefined ||
      (Array.isArray(spec.env) && spec.env.length <= MAX_WORDS),
    'env',
    spec.env,
    `a list of at most ${MAX_WORDS} variables`,
  );
  const variables = Array.isArray(spec.env) ? spec.env : [];
  variables.forEach((env, index, all) => checkEnv(env, index, all, problems));
  const length = variables.reduce<number>(
    (sum, env) => sum + text((env as { value?: unknown } | null)?.value).length,
    0,
  );
  if (length > MAX_ENV_TEXT) {
    problems.add(
      'env',
      undefined,
      `env holds ${length} characters; accepted are at most ${MAX_ENV_TEXT} in all values together`,
    );
  }
  checkClaim(spec, problems);
  for (const [field, unit, example] of [
    ['cpu', 1_000_000n, '"4" or "500m"'],
    ['memory', 1_000_000_000n, '"16Gi"'],
  ] as const) {
    const value = spec[field];
    problems.unless(
      value === undefined || isQuantity(value, unit),
      field,
      value,
      `a positive Kubernetes quantity such as ${example}`,
    );
  }
}

function checkEnv(
  env: RequestEnv,
  index: number,
  all: RequestEnv[],
  problems: Problems,
): void {
  if (typeof env !== 'object' || env === null) {
    problems.unless(false, `env[${index}]`, env, 'a variable: name and value');
    return;
  }
  const name = text(env.name);
  const field = `env[${index}]`;
  problems.unless(
    ENV_NAME.test(name) && name.length <= 253,
    `${field}.name`,
    env.name,
    'letters, digits and "_", not beginning with a digit',
  );
  problems.unless(
    all.findIndex(other => other?.name === env.name) === index,
    `${field}.name`,
    name,
    'a name used once',
  );
  problems.unless(
    !DEVICE_PLUGIN_ENV.test(name),
    `${field}.name`,
    name,
    'any other name: which GPUs a container sees, and how much of them, is decided by the device plugin',
  );
  if ('secretKeyRef' in env) {
    const ref = env.secretKeyRef;
    problems.unless(
      !('value' in env),
      `${field}`,
      name,
      'either a value or a secretKeyRef',
    );
    problems.unless(
      isDnsSubdomain(ref?.name, 253) && SECRET_KEY.test(text(ref?.key)),
      `${field}.secretKeyRef`,
      ref,
      "the name of a Secret in the team's namespace and one of its keys",
    );
    return;
  }
  const { value } = env;
  problems.refuseSecret(field, secretVariable(name, text(value)));
  if (!isText(value) || value.length > MAX_TEXT) {
    problems.add(
      `${field}.value`,
      undefined,
      `${field}.value is not text; accepted is text of at most ${MAX_TEXT} characters without control characters`,
    );
  }
}

function checkClaim({ claim }: RequestSpec, problems: Problems): void {
  if (claim === undefined) {
    return;
  }
  problems.unless(
    isDnsSubdomain(claim?.name, 253),
    'claim.name',
    claim?.name,
    'the name of a PersistentVolumeClaim in the namespace',
  );
  const path = claim?.mountPath;
  problems.unless(
    isLine(path, 1024) &&
      /^(\/[^/:]+)+\/?$/.test(path) &&
      !path.split('/').some(part => part === '.' || part === '..') &&
      !/^\/(proc|sys|dev|etc)(\/|$)/.test(path),
    'claim.mountPath',
    path,
    'an absolute path without ":", "//", "." and "..", not below /proc, /sys, /dev or /etc',
  );
}
