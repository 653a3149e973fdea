import { ForgeError, notFound, unprocessable } from '../forgeError';
import { Route, route } from '../http';
import { onPage, pageOf, pagingHeaders } from './paging';
import { RepositoryRoutes } from './repositoryCall';

/** Branches, commits, trees and refs. */
export const gitRoutes: RepositoryRoutes = ({
  baseUrl,
  within,
  forWriting,
}) => {
  const repo = '/api/v1/repos/:owner/:repo';

  const routes: Route[] = [
    route(
      'GET',
      repo,
      within(({ shapes, account }) => ({
        status: 200,
        json: shapes.repositoryShape(account),
      })),
    ),
    route(
      'GET',
      `${repo}/branches`,
      within(async ({ repository, shapes, account }, call) => {
        const all = [...repository.branches];
        const shown = await Promise.all(
          onPage(call, all).map(async ([name, sha]) =>
            shapes.branch(name, await repository.git.commit(sha), account),
          ),
        );
        return {
          status: 200,
          json: shown,
          headers: pagingHeaders(call, baseUrl(), all.length),
        };
      }),
    ),
    route(
      'GET',
      `${repo}/branches/*`,
      within(async ({ repository, shapes, account }, call) => {
        const name = call.params.rest;
        const sha = repository.branch(name);
        if (!sha) {
          throw notFound(
            `branch does not exist [repo_id: ${repository.id} name: ${name}]`,
          );
        }
        const commit = await repository.git.commit(sha);
        return { status: 200, json: shapes.branch(name, commit, account) };
      }),
    ),
    route(
      'POST',
      `${repo}/branches`,
      forWriting(async ({ repository, shapes, account }, call) => {
        const name = call.body.new_branch_name;
        if (typeof name !== 'string' || !isBranchName(name)) {
          throw unprocessable('[NewBranchName]: GitRefName');
        }
        const sha = await repository.createBranch(
          name,
          call.body.old_ref_name || call.body.old_branch_name,
        );
        const commit = await repository.git.commit(sha);
        return { status: 201, json: shapes.branch(name, commit, account) };
      }),
    ),
    route(
      'DELETE',
      `${repo}/branches/*`,
      forWriting(async ({ repository }, call) => {
        await repository.deleteBranch(call.params.rest);
        return { status: 204 };
      }),
    ),
    route(
      'GET',
      `${repo}/commits`,
      within(async ({ repository, shapes }, call) => {
        const { page, limit } = pageOf(call);
        const { searchParams } = call.url;
        const start = await repository.commitOfRef(
          searchParams.get('sha') ?? undefined,
        );
        const path = searchParams.get('path') ?? undefined;
        const [commits, total] = await Promise.all([
          repository.git.log(start, { path, limit, skip: (page - 1) * limit }),
          repository.git.countCommits(start, path),
        ]);
        return {
          status: 200,
          json: commits.map(commit => shapes.commit(commit)),
          headers: {
            ...pagingHeaders(call, baseUrl(), total),
            'X-Total': String(total),
            'X-HasMore': String(page * limit < total),
          },
        };
      }),
    ),
    route(
      'GET',
      `${repo}/git/commits/:sha`,
      within(async ({ repository, shapes }, call) => {
        const sha = await repository.commitOfRef(call.params.sha);
        const commit = await repository.git.commit(sha);
        return { status: 200, json: shapes.commit(commit) };
      }),
    ),
    route(
      'GET',
      `${repo}/git/trees/*`,
      within(async ({ repository, shapes }, call) => {
        const ref = call.params.rest;
        const sha =
          (await repository.git.resolve(ref)) ??
          (/^[0-9a-f]{40}$/.test(ref)
            ? await repository.git.ref(`${ref}^{tree}`)
            : undefined);
        if (!sha) {
          throw new ForgeError(400, `sha not found: ${ref}`);
        }
        const recursive = ['1', 'true'].includes(
          call.url.searchParams.get('recursive') ?? '',
        );
        const entries = recursive
          ? await repository.git.files(sha)
          : (await repository.git.folder(sha, '')) ?? [];
        return {
          status: 200,
          json: {
            sha,
            url: `${baseUrl()}${call.url.pathname}`,
            tree: onPage(call, entries).map(entry => shapes.treeEntry(entry)),
            truncated: entries.length > pageOf(call).limit,
            page: pageOf(call).page,
            total_count: entries.length,
          },
          headers: pagingHeaders(call, baseUrl(), entries.length),
        };
      }),
    ),
    route(
      'GET',
      `${repo}/git/blobs/:sha`,
      within(async ({ repository }, call) => {
        const { sha } = call.params;
        const blob = await repository.git.blob(sha).catch(() => {
          throw new ForgeError(400, `object does not exist [id: ${sha}]`);
        });
        return {
          status: 200,
          json: {
            content: blob.toString('base64'),
            encoding: 'base64',
            url: `${baseUrl()}${call.url.pathname}`,
            sha,
            size: blob.length,
          },
        };
      }),
    ),
    route(
      'GET',
      `${repo}/git/refs`,
      within(async ({ repository, shapes }) => ({
        status: 200,
        json: [...(await repository.git.refs('refs/'))].map(([ref, sha]) =>
          shapes.reference(ref, sha),
        ),
      })),
    ),
    route(
      'GET',
      `${repo}/git/refs/*`,
      within(async ({ repository, shapes }, call) => {
        const prefix = `refs/${call.params.rest}`;
        const all = [...(await repository.git.refs('refs/'))].filter(([ref]) =>
          ref.startsWith(prefix),
        );
        if (all.length === 0) {
          throw notFound();
        }
        return {
          status: 200,
          json: all.map(([ref, sha]) => shapes.reference(ref, sha)),
        };
      }),
    ),
  ];
  return routes;
};

/** Git's rules for a branch name, as far as they can be broken by a person. */
function isBranchName(name: string): boolean {
  return (
    name.length > 0 &&
    name.length <= 100 &&
    !/[\s\p{Cc}~^:?*[\\]|\.\.|@\{|\/\/|\.lock(\/|$)|(^|\/)\.|^[-/]|[/.]$|^@$/u.test(
      name,
    )
  );
}
