import { changeFiles, FileOperation } from '../changeFiles';
import { notFound, unprocessable } from '../forgeError';
import { Call, Route, route } from '../http';
import { RepositoryCall, RepositoryRoutes } from './repositoryCall';

/** Files: reading them, and changing one or several in one commit. */
export const contentRoutes: RepositoryRoutes = ({ within, forWriting }) => {
  const readContents = async (repo: RepositoryCall, call: Call) => {
    const { repository, shapes } = repo;
    const path = (call.params.rest ?? '').replace(/^\/+|\/+$/g, '');
    const ref = call.url.searchParams.get('ref') || repository.defaultBranch;
    const commit = await repository.commitOfRef(ref);
    const entry =
      path === '' ? undefined : await repository.git.entry(commit, path);
    if (entry?.type === 'blob') {
      const blob = await repository.git.blob(entry.sha);
      return { status: 200, json: shapes.content(entry, ref, blob) };
    }
    const entries = await repository.git.folder(commit, path);
    if (!entries) {
      throw notFound(`object does not exist [id: , rel_path: ${path}]`);
    }
    return {
      status: 200,
      json: entries.map(child => shapes.content(child, ref)),
    };
  };

  const change = async (
    { repository, shapes, account }: RepositoryCall,
    call: Call,
    files: readonly FileOperation[],
  ) => {
    const made = await changeFiles(repository, account!, call.body, files);
    const commit = await repository.git.commit(made.commit);
    const contents = await Promise.all(
      files.map(async file => {
        const entry = await repository.git.entry(made.commit, file.path);
        return entry?.type === 'blob'
          ? shapes.content(
              entry,
              made.branch,
              await repository.git.blob(entry.sha),
            )
          : null;
      }),
    );
    return {
      contents,
      commit: shapes.fileCommit(commit),
      verification: {
        verified: false,
        reason: 'gpg.error.not_signed_commit',
        signature: '',
        signer: null,
        payload: '',
      },
    };
  };

  const single = (operation: string, status: number) =>
    forWriting(async (repo, call) => {
      if (operation !== 'create' && !call.body.sha) {
        throw unprocessable('[SHA]: Required');
      }
      const { contents, ...rest } = await change(repo, call, [
        {
          operation,
          path: call.params.rest,
          content: call.body.content,
          sha: call.body.sha,
          from_path: call.body.from_path,
        },
      ]);
      return { status, json: { content: contents[0], ...rest } };
    });

  const many = forWriting(async (repo, call) => {
    const { files } = call.body;
    if (!Array.isArray(files) || files.length === 0) {
      throw unprocessable('[Files]: Required');
    }
    const { contents, ...rest } = await change(repo, call, files);
    return { status: 201, json: { files: contents, ...rest } };
  });

  const raw = within(async ({ repository }, call) => {
    // `raw/branch/x/path` is the page's address; `raw/path?ref=` the API's.
    const path = call.params.rest;
    const commit = await repository.commitOfRef(
      call.url.searchParams.get('ref') ?? undefined,
    );
    const entry = await repository.git.entry(commit, path);
    if (entry?.type !== 'blob') {
      throw notFound(`object does not exist [id: , rel_path: ${path}]`);
    }
    return {
      status: 200,
      text: await repository.git.blob(entry.sha),
      headers: { ETag: `"${entry.sha}"` },
    };
  });

  const repo = '/api/v1/repos/:owner/:repo';
  const routes: Route[] = [
    route('GET', `${repo}/contents`, within(readContents)),
    route('GET', `${repo}/contents/*`, within(readContents)),
    route('POST', `${repo}/contents`, many),
    route('POST', `${repo}/contents/*`, single('create', 201)),
    route('PUT', `${repo}/contents/*`, single('update', 200)),
    route('DELETE', `${repo}/contents/*`, single('delete', 200)),
    route('GET', `${repo}/raw/*`, raw),
    route('GET', `${repo}/media/*`, raw),
  ];
  return routes;
};
