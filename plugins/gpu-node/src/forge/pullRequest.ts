import { ForgeHttp } from './ForgeHttp';
import { ForgeRequest } from './GitForge';

/** A pull request as GitHub, and Gitea after it, writes it. */
interface Pull {
  number: number;
  html_url: string;
  state: 'open' | 'closed';
  title: string;
  body?: string | null;
  merged_at?: string | null;
  merged_by?: { login: string } | null;
  merge_commit_sha?: string | null;
  head: { ref: string; sha?: string };
  base: { ref: string };
}

/** @throws ForgeError for something that is no pull request. */
export function readPull(http: ForgeHttp, answer: unknown): ForgeRequest {
  const pull = answer as Pull | null;
  if (
    !Number.isInteger(pull?.number) ||
    !['open', 'closed'].includes(pull?.state ?? '') ||
    !pull?.head?.ref ||
    !pull.base?.ref
  ) {
    throw http.nonsense('something that is not a pull request');
  }
  const ended = pull.merged_at ? 'merged' : 'closed';
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.state === 'open' ? 'open' : ended,
    title: pull.title,
    body: pull.body ?? '',
    branch: pull.head.ref,
    target: pull.base.ref,
    headSha: pull.head.sha,
    ...(pull.merged_at && {
      mergedBy: pull.merged_by?.login,
      mergedAt: pull.merged_at,
      mergeCommit: pull.merge_commit_sha ?? undefined,
    }),
  };
}

/** @throws ForgeError for something that is no list of pull requests. */
export function readPulls(http: ForgeHttp, answer: unknown): ForgeRequest[] {
  if (!Array.isArray(answer)) {
    throw http.nonsense('something that is not a list of pull requests');
  }
  return answer.map(pull => readPull(http, pull));
}

/** Gives a request these words, and opens it again if it was closed. */
export async function updatePull(
  http: ForgeHttp,
  repository: string,
  {
    existing,
    title,
    body,
  }: { existing: ForgeRequest; title: string; body: string },
): Promise<ForgeRequest> {
  const updated = await http.call(
    'PATCH',
    `${repository}/pulls/${existing.number}`,
    { title, body, ...(existing.state === 'closed' && { state: 'open' }) },
  );
  return readPull(http, updated);
}

/** Undefined when there is none of this number. */
export async function getPull(
  http: ForgeHttp,
  repository: string,
  number: number,
): Promise<ForgeRequest | undefined> {
  const found = await http.find(`${repository}/pulls/${number}`);
  return found === undefined ? undefined : readPull(http, found);
}
