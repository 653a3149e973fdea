import { HostedRepository } from '../hostedRepository';
import { TreeEntry } from '../treeRecord';
import { diffView } from './diffView';
import { Html, markup } from './html';

/** A path as an address: each part escaped. */
function address(...parts: string[]): string {
  return parts.join('/').split('/').map(encodeURIComponent).join('/');
}

/** A folder of the repository. */
export function folderPage(
  repository: HostedRepository,
  kind: string,
  ref: string,
  path: string,
  entries: readonly TreeEntry[],
): Html {
  const home = `/${repository.owner}/${repository.name}/src/${kind}`;
  const rows = [...entries].sort(
    (a, b) => Number(a.type !== 'tree') - Number(b.type !== 'tree'),
  );
  return markup`<h1>
      <code>${path || '/'}</code> <span class="quiet">at ${ref}</span>
    </h1>
    <ul class="card list">
      ${
        path !== '' &&
        markup`<li>
        <a
          href="${home}/${address(ref, path.split('/').slice(0, -1).join('/'))}"
          >..</a
        >
      </li>`
      }${rows.map(
    entry =>
      markup`<li>
            <a href="${home}/${address(ref, entry.path)}"
              >${entry.path.split('/').pop()}${entry.type === 'tree' && '/'}</a
            >
          </li>`,
  )}
    </ul>`;
}

/** A text file of the repository. */
export function filePage(
  repository: HostedRepository,
  kind: string,
  ref: string,
  path: string,
  content: string,
): Html {
  const raw = `/${repository.owner}/${repository.name}/raw/${kind}/${address(
    ref,
    path,
  )}`;
  return markup`<h1>
      <code>${path}</code>
      <span class="quiet">at ${ref} · <a href="${raw}">raw</a></span>
    </h1>
    <div class="card"><pre class="text">${content}</pre></div>`;
}

/** One commit and what it changed. */
export async function commitPage(
  repository: HostedRepository,
  sha: string,
): Promise<Html> {
  const commit = await repository.git.commit(sha);
  const [title, ...rest] = commit.message.trim().split('\n');
  // Without a parent the comparison is with the empty tree.
  const parent =
    commit.parents[0] ?? '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
  return markup`<h1>${title}</h1>
    <p class="quiet">
      <code>${sha}</code> by ${commit.author.name}, ${commit.committer.date}
    </p>
    ${
      rest.length > 0 &&
      markup`<div class="card">
      <pre class="text">${rest.join('\n').trim()}</pre>
    </div>`
    }
    ${diffView(await repository.git.diff(parent, sha))}`;
}
