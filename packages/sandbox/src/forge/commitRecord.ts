export interface Identity {
  name: string;
  email: string;
  /** RFC 3339. */
  date: string;
}

export interface Commit {
  sha: string;
  tree: string;
  parents: string[];
  author: Identity;
  committer: Identity;
  message: string;
}

/** Format of `git log` that {@link parseCommit} reads. */
export const commitFormat = [
  '%H',
  '%T',
  '%P',
  '%an',
  '%ae',
  '%aI',
  '%cn',
  '%ce',
  '%cI',
  '%B',
].join('%x00');

export function parseCommit(record: string): Commit {
  const [sha, tree, parents, an, ae, ad, cn, ce, cd, message] =
    record.split('\0');
  return {
    sha,
    tree,
    parents: parents ? parents.split(' ') : [],
    author: { name: an, email: ae, date: ad },
    committer: { name: cn, email: ce, date: cd },
    message: message.replace(/\n+$/, '\n'),
  };
}
