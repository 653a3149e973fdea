import { ForgeError, notFound, unprocessable } from '../forgeError';
import { Route, route } from '../http';
import { BranchProtection, CommitStatus } from '../repositoryState';
import { onPage, pagingHeaders } from './paging';
import { RepositoryCall, RepositoryRoutes } from './repositoryCall';

const statusStates = ['pending', 'success', 'error', 'failure', 'warning'];

function protectionShape(rule: BranchProtection) {
  return {
    branch_name: rule.rule,
    rule_name: rule.rule,
    priority: 1,
    enable_push: false,
    enable_push_whitelist: false,
    enable_force_push: false,
    enable_merge_whitelist: true,
    required_approvals: rule.requiredApprovals,
    block_on_rejected_reviews: true,
    enable_status_check: false,
    status_check_contexts: [],
    created_at: rule.createdAt,
    updated_at: rule.createdAt,
  };
}

/** What surrounds a pull request: comments, labels, statuses, branch protection. */
export const issueRoutes: RepositoryRoutes = ({
  baseUrl,
  within,
  signedIn,
  forWriting,
  forAdmins,
}) => {
  const repo = '/api/v1/repos/:owner/:repo';

  const statuses = async (
    { repository, shapes }: RepositoryCall,
    ref: string,
  ) => {
    const sha = await repository.commitOfRef(ref);
    const all = repository.state.data.statuses.filter(
      status => status.sha === sha,
    );
    return { sha, all: all.reverse(), shapes };
  };

  const setLabels = (replace: boolean) =>
    forWriting(({ repository, shapes }, call) => {
      const pull = repository.pull(Number(call.params.index));
      const wanted: unknown[] = call.body.labels ?? [];
      const found = repository.state.data.labels.filter(
        label => wanted.includes(label.id) || wanted.includes(label.name),
      );
      const kept = replace ? [] : pull.labels;
      pull.labels = [...new Set([...kept, ...found.map(({ id }) => id)])];
      repository.state.save();
      return {
        status: 200,
        json: repository.state.data.labels
          .filter(({ id }) => pull.labels.includes(id))
          .map(label => shapes.label(label)),
      };
    });

  const routes: Route[] = [
    route(
      'GET',
      `${repo}/issues/:index#/comments`,
      within(({ repository, shapes }, call) => {
        const pull = repository.pull(Number(call.params.index));
        return {
          status: 200,
          json: pull.comments.map(comment => shapes.comment(pull, comment)),
          headers: pagingHeaders(call, baseUrl(), pull.comments.length),
        };
      }),
    ),
    route(
      'POST',
      `${repo}/issues/:index#/comments`,
      signedIn(({ repository, shapes, account }, call) => {
        const pull = repository.pull(Number(call.params.index));
        if (typeof call.body.body !== 'string' || call.body.body === '') {
          throw unprocessable('[Body]: Required');
        }
        const comment = {
          id: repository.state.nextId(),
          poster: account!.login,
          body: call.body.body,
          createdAt: repository.now(),
          updatedAt: repository.now(),
        };
        pull.comments.push(comment);
        pull.updatedAt = repository.now();
        repository.state.save();
        return { status: 201, json: shapes.comment(pull, comment) };
      }),
    ),
    route('POST', `${repo}/issues/:index#/labels`, setLabels(false)),
    route('PUT', `${repo}/issues/:index#/labels`, setLabels(true)),
    route(
      'GET',
      `${repo}/labels`,
      within(({ repository, shapes }, call) => {
        const { labels } = repository.state.data;
        return {
          status: 200,
          json: onPage(call, labels).map(label => shapes.label(label)),
          headers: pagingHeaders(call, baseUrl(), labels.length),
        };
      }),
    ),
    route(
      'POST',
      `${repo}/labels`,
      forWriting(({ repository, shapes }, call) => {
        const { name, color, description = '' } = call.body;
        if (typeof name !== 'string' || name === '') {
          throw unprocessable('[Name]: Required');
        }
        if (!/^#?[0-9a-fA-F]{6}$/.test(String(color))) {
          throw unprocessable(`bad color: ${color}`);
        }
        const label = {
          id: repository.state.nextId(),
          name,
          color: String(color).replace('#', '').toLowerCase(),
          description,
        };
        repository.state.data.labels.push(label);
        repository.state.save();
        return { status: 201, json: shapes.label(label) };
      }),
    ),
    route(
      'POST',
      `${repo}/statuses/:sha`,
      forWriting(async ({ repository, shapes, account }, call) => {
        const { state, context, description, target_url: url } = call.body;
        if (!statusStates.includes(state)) {
          throw unprocessable(
            `[State]: "${state}" is none of ${statusStates.join(', ')}`,
          );
        }
        const status: CommitStatus = {
          id: repository.state.nextId(),
          sha: await repository.commitOfRef(call.params.sha),
          state,
          context: context || 'default',
          description: description ?? '',
          targetUrl: url ?? '',
          creator: account!.login,
          createdAt: repository.now(),
        };
        repository.state.data.statuses.push(status);
        repository.state.save();
        return { status: 201, json: shapes.status(status) };
      }),
    ),
    ...[`${repo}/statuses/:ref`, `${repo}/commits/:ref/statuses`].map(path =>
      route(
        'GET',
        path,
        within(async (scope, call) => {
          const { all, shapes } = await statuses(scope, call.params.ref);
          return {
            status: 200,
            json: onPage(call, all).map(status => shapes.status(status)),
            headers: pagingHeaders(call, baseUrl(), all.length),
          };
        }),
      ),
    ),
    route(
      'GET',
      `${repo}/commits/:ref/status`,
      within(async (scope, call) => {
        const { sha, all, shapes } = await statuses(scope, call.params.ref);
        const latest = all.filter(
          (status, index) =>
            all.findIndex(other => other.context === status.context) === index,
        );
        const worst = ['error', 'failure', 'warning', 'pending', 'success'];
        return {
          status: 200,
          json: {
            state:
              worst.find(state => latest.some(s => s.state === state)) ?? '',
            sha,
            total_count: latest.length,
            statuses: latest.map(status => shapes.status(status)),
            repository: shapes.repositoryShape(scope.account),
            commit_url: '',
            url: '',
          },
        };
      }),
    ),
    route(
      'GET',
      `${repo}/branch_protections`,
      within(({ repository }) => ({
        status: 200,
        json: repository.state.data.protections.map(protectionShape),
      })),
    ),
    route(
      'GET',
      `${repo}/branch_protections/:name`,
      within(({ repository }, call) => {
        const rule = repository.protection(call.params.name);
        if (!rule) {
          throw notFound();
        }
        return { status: 200, json: protectionShape(rule) };
      }),
    ),
    route(
      'POST',
      `${repo}/branch_protections`,
      forAdmins(({ repository }, call) => {
        const rule = call.body.rule_name || call.body.branch_name;
        if (typeof rule !== 'string' || rule === '') {
          throw new ForgeError(400, 'both rule_name and branch_name are empty');
        }
        if (repository.protection(rule)) {
          throw new ForgeError(403, 'Branch protection already exist');
        }
        const protection = {
          rule,
          requiredApprovals: Number(call.body.required_approvals ?? 0),
          createdAt: repository.now(),
        };
        repository.state.data.protections.push(protection);
        repository.state.save();
        return { status: 201, json: protectionShape(protection) };
      }),
    ),
    route(
      'PATCH',
      `${repo}/branch_protections/:name`,
      forAdmins(({ repository }, call) => {
        const rule = repository.protection(call.params.name);
        if (!rule) {
          throw notFound();
        }
        if (call.body.required_approvals !== undefined) {
          rule.requiredApprovals = Number(call.body.required_approvals);
        }
        repository.state.save();
        return { status: 200, json: protectionShape(rule) };
      }),
    ),
    route(
      'DELETE',
      `${repo}/branch_protections/:name`,
      forAdmins(({ repository }, call) => {
        const { data } = repository.state;
        data.protections = data.protections.filter(
          ({ rule }) => rule !== call.params.name,
        );
        repository.state.save();
        return { status: 204 };
      }),
    ),
  ];
  return routes;
};
