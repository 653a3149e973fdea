import { mayAtLeast } from '../accounts';
import { ForgeError, notFound, unprocessable } from '../forgeError';
import { Route, route } from '../http';
import { mergePullRequest } from '../mergePullRequest';
import {
  editPullRequest,
  openPullRequest,
  requestReviewers,
  reviewPullRequest,
} from '../pullRequests';
import { PullRequest } from '../repositoryState';
import { onPage, pageOf, pagingHeaders } from './paging';
import { RepositoryRoutes } from './repositoryCall';

const orders: Record<string, (a: PullRequest, b: PullRequest) => number> = {
  oldest: (a, b) => a.number - b.number,
  recentupdate: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
  leastupdate: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
  recentclose: (a, b) => (b.closedAt ?? '').localeCompare(a.closedAt ?? ''),
  mostcomment: (a, b) => b.comments.length - a.comments.length,
  leastcomment: (a, b) => a.comments.length - b.comments.length,
};

function text(body: Record<string, unknown>, name: string, label: string) {
  const value = body[name];
  if (typeof value !== 'string' || value === '') {
    throw unprocessable(`[${label}]: Required`);
  }
  return value;
}

/** Pull requests with their reviews. */
export const pullRoutes: RepositoryRoutes = ({ baseUrl, within, signedIn }) => {
  const pulls = '/api/v1/repos/:owner/:repo/pulls';
  const one = `${pulls}/:index#`;

  const routes: Route[] = [
    route(
      'GET',
      pulls,
      within(async ({ repository, shapes, account }, call) => {
        const { searchParams } = call.url;
        const state = searchParams.get('state') || 'open';
        const base = searchParams.get('base_branch');
        const poster = searchParams.get('poster');
        if (poster && !repository.accounts.find(poster)) {
          throw new ForgeError(
            400,
            `user does not exist [uid: 0, name: ${poster}]`,
          );
        }
        const labels = searchParams.getAll('labels').map(Number);
        const found = repository.state.data.pulls
          .filter(
            pull =>
              (state === 'all' || pull.state === state) &&
              (!base || pull.base === base) &&
              (!poster || pull.poster === poster) &&
              labels.every(id => pull.labels.includes(id)),
          )
          .sort(
            orders[searchParams.get('sort') ?? ''] ??
              ((a, b) => b.number - a.number),
          );
        return {
          status: 200,
          json: await Promise.all(
            onPage(call, found).map(pull => shapes.pullRequest(pull, account)),
          ),
          headers: pagingHeaders(call, baseUrl(), found.length),
        };
      }),
    ),
    route(
      'POST',
      pulls,
      signedIn(async ({ repository, shapes, account }, call) => {
        const { body } = call;
        const pull = await openPullRequest(repository, account!, {
          head: text(body, 'head', 'Head'),
          base: text(body, 'base', 'Base'),
          title: text(body, 'title', 'Title'),
          body: body.body,
          labels: body.labels,
          reviewers: body.reviewers,
        });
        return { status: 201, json: await shapes.pullRequest(pull, account) };
      }),
    ),
    route(
      'GET',
      one,
      within(async ({ repository, shapes, account }, call) => {
        const pull = repository.pull(Number(call.params.index));
        await repository.refreshMergeBase(pull);
        return { status: 200, json: await shapes.pullRequest(pull, account) };
      }),
    ),
    ...(['diff', 'patch'] as const).map(kind =>
      route(
        'GET',
        `${one}.${kind}`,
        within(async ({ repository }, call) => {
          const pull = repository.pull(Number(call.params.index));
          return {
            status: 200,
            text: await repository.git[kind](pull.mergeBase, pull.headSha),
          };
        }),
      ),
    ),
    route(
      'PATCH',
      one,
      signedIn(async ({ repository, shapes, account }, call) => {
        const pull = await editPullRequest(
          repository,
          account!,
          Number(call.params.index),
          call.body,
        );
        return { status: 201, json: await shapes.pullRequest(pull, account) };
      }),
    ),
    route(
      'GET',
      `${one}/merge`,
      within(({ repository }, call) => {
        if (!repository.pull(Number(call.params.index)).merged) {
          throw notFound();
        }
        return { status: 204 };
      }),
    ),
    route(
      'POST',
      `${one}/merge`,
      signedIn(async ({ repository, account }, call) => {
        const { body } = call;
        await mergePullRequest(
          repository,
          account!,
          Number(call.params.index),
          {
            style: body.Do ?? body.do,
            title: body.MergeTitleField ?? body.merge_title_field,
            message: body.MergeMessageField ?? body.merge_message_field,
            headCommit: body.head_commit_id,
            deleteBranch: body.delete_branch_after_merge,
          },
        );
        return { status: 200 };
      }),
    ),
    route(
      'GET',
      `${one}/files`,
      within(async ({ repository }, call) => {
        const pull = repository.pull(Number(call.params.index));
        const files = await repository.git.changedFiles(
          pull.mergeBase,
          pull.headSha,
        );
        const html = `${baseUrl()}/${repository.owner}/${repository.name}`;
        const api = `${baseUrl()}/api/v1/repos/${repository.owner}/${
          repository.name
        }`;
        return {
          status: 200,
          json: onPage(call, files).map(file => ({
            filename: file.path,
            ...(file.previousPath && { previous_filename: file.previousPath }),
            status: file.status,
            additions: file.additions,
            deletions: file.deletions,
            changes: file.additions + file.deletions,
            html_url: `${html}/src/commit/${pull.headSha}/${file.path}`,
            contents_url: `${api}/contents/${file.path}?ref=${pull.headSha}`,
            raw_url: `${html}/raw/commit/${pull.headSha}/${file.path}`,
          })),
          headers: pagingHeaders(call, baseUrl(), files.length),
        };
      }),
    ),
    route(
      'GET',
      `${one}/commits`,
      within(async ({ repository, shapes }, call) => {
        const pull = repository.pull(Number(call.params.index));
        const commits = await repository.git.log(
          `${pull.mergeBase}..${pull.headSha}`,
        );
        const { page, limit } = pageOf(call);
        return {
          status: 200,
          json: onPage(call, commits).map(commit => shapes.commit(commit)),
          headers: {
            ...pagingHeaders(call, baseUrl(), commits.length),
            'X-HasMore': String(page * limit < commits.length),
          },
        };
      }),
    ),
    route(
      'POST',
      `${one}/requested_reviewers`,
      signedIn(({ repository, shapes, account }, call) => {
        const pull = repository.pull(Number(call.params.index));
        if (pull.poster !== account!.login && !mayAtLeast(account, 'write')) {
          throw unprocessable(
            `user can't choose reviewer [user_id: ${repository.accounts.id(
              account!.login,
            )}, repo_id: ${repository.id}]`,
          );
        }
        const added = requestReviewers(
          repository,
          pull,
          call.body.reviewers ?? [],
        );
        repository.state.save();
        return {
          status: 201,
          json: added.map(login =>
            shapes.review(pull, {
              id: 0,
              reviewer: login,
              state: 'REQUEST_REVIEW',
              body: '',
              commit: pull.headSha,
              dismissed: false,
              submittedAt: repository.now(),
            }),
          ),
        };
      }),
    ),
    route(
      'DELETE',
      `${one}/requested_reviewers`,
      signedIn(({ repository }, call) => {
        const pull = repository.pull(Number(call.params.index));
        const gone: string[] = call.body.reviewers ?? [];
        pull.requestedReviewers = pull.requestedReviewers.filter(
          login => !gone.includes(login),
        );
        repository.state.save();
        return { status: 204 };
      }),
    ),
    route(
      'GET',
      `${one}/reviews`,
      within(({ repository, shapes }, call) => {
        const pull = repository.pull(Number(call.params.index));
        return {
          status: 200,
          json: onPage(call, pull.reviews).map(review =>
            shapes.review(pull, review),
          ),
          headers: pagingHeaders(call, baseUrl(), pull.reviews.length),
        };
      }),
    ),
    route(
      'POST',
      `${one}/reviews`,
      signedIn(async ({ repository, shapes, account }, call) => {
        const number = Number(call.params.index);
        const review = await reviewPullRequest(
          repository,
          account!,
          number,
          call.body,
        );
        return {
          status: 200,
          json: shapes.review(repository.pull(number), review),
        };
      }),
    ),
    // After the routes of one pull request: their numbers would be a base branch.
    route(
      'GET',
      `${pulls}/:base/*`,
      within(async ({ repository, shapes, account }, call) => {
        const head = call.params.rest.replace(
          new RegExp(
            `^(${repository.owner}/)?(${repository.name}|${repository.owner}):`,
          ),
          '',
        );
        const matching = repository.state.data.pulls.filter(
          pull => pull.base === call.params.base && pull.head === head,
        );
        const pull =
          matching.find(({ state }) => state === 'open') ?? matching.pop();
        if (!pull) {
          throw notFound();
        }
        return { status: 200, json: await shapes.pullRequest(pull, account) };
      }),
    ),
  ];
  return routes;
};
