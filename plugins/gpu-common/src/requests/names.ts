import { InputError } from '@backstage/errors';
import { sha256Hex } from './digest';

/** Hexadecimal digits of the request id's hash in a Job name. */
const HASH_LENGTH = 8;

/**
 * Longest Job name. Kueue names the Workload `job-<name>-<5 hex>`, and MultiKueue
 * carries that name in a label (63 characters at most); pods are `<name>-<5>`.
 *
 * @public
 */
export const MAX_JOB_NAME_LENGTH = 63 - 'job-'.length - '-00000'.length;

/**
 * Longest short name a person may choose.
 *
 * @public
 */
export const MAX_SLUG_LENGTH = MAX_JOB_NAME_LENGTH - HASH_LENGTH - 1;

/** What a short name may be, in words. */
export const slugRule = `lower-case letters a-z, digits and "-", beginning and ending with a letter or digit, at most ${MAX_SLUG_LENGTH} characters, and no name reserved by Kubernetes or GitOps tools`;

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const RESERVED_NAMES = new Set(['kustomization', 'default', 'gpuaas', 'kueue']);
const RESERVED_PREFIX = /^(kube|kubernetes|openshift|kueue|argocd|flux)(-|$)/;

/**
 * A DNS-1123 label: what Kubernetes accepts as the name of a namespace or Job.
 *
 * @public
 */
export function isDnsLabel(text: string, maxLength = 63): boolean {
  return text.length <= maxLength && DNS_LABEL.test(text);
}

/**
 * Names that belong to Kubernetes, its distributions or the GitOps tools. A file
 * called `kustomization.yaml`, for one, would be read as instructions.
 *
 * @public
 */
export function isReservedName(text: string): boolean {
  return RESERVED_NAMES.has(text) || RESERVED_PREFIX.test(text);
}

/**
 * Job name of a request: its short name and a short hash of the request id. The
 * same request always gets the same name, another request another one.
 *
 * @throws InputError when the short name is not one `checkRequest` accepts.
 * @public
 */
export function jobName(slug: string, requestId: string): string {
  if (!isDnsLabel(slug, MAX_SLUG_LENGTH) || isReservedName(slug)) {
    throw new InputError(
      `name is ${JSON.stringify(slug)}; accepted is ${slugRule}`,
    );
  }
  if (requestId === '') {
    throw new InputError('requestId is empty; accepted is the task id');
  }
  return `${slug}-${sha256Hex(requestId).slice(0, HASH_LENGTH)}`;
}

/**
 * Where a request's file lives in the GitOps repository.
 *
 * @param base - folder of the cluster; `clusters/<cluster>` when absent.
 * @throws InputError when a part could leave that folder.
 * @public
 */
export function manifestPath(
  cluster: string,
  namespace: string,
  name: string,
  base: string = `clusters/${cluster}`,
): string {
  for (const [field, value] of Object.entries({ cluster, namespace, name })) {
    if (!isDnsLabel(value)) {
      throw new InputError(
        `${field} is ${JSON.stringify(value)}; accepted is a DNS-1123 label`,
      );
    }
  }
  const folder = base.split('/').filter(part => part !== '');
  if (folder.some(part => part === '.' || part === '..')) {
    throw new InputError(
      `path is ${JSON.stringify(
        base,
      )}; accepted is a folder inside the repository, without "." or ".."`,
    );
  }
  return [...folder, namespace, `${name}.yaml`].join('/');
}

/** Longest branch name every forge takes; Gitea's limit. */
const MAX_BRANCH_LENGTH = 100;

/**
 * Branch that carries a request into Git: `gpu/<cluster>/<namespace>/<name>`, or
 * `gpu/<name>` where that is too long; the name alone is unique.
 *
 * @public
 */
export function requestBranch(
  cluster: string,
  namespace: string,
  name: string,
): string {
  const branch = `gpu/${cluster}/${namespace}/${name}`;
  return branch.length <= MAX_BRANCH_LENGTH ? branch : `gpu/${name}`;
}
