export interface TreeEntry {
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  /** Bytes of a blob, where it was asked for; 0 otherwise. */
  size: number;
  /** Path from the root of the repository. */
  path: string;
}

function typeOf(mode: string): TreeEntry['type'] {
  switch (mode) {
    case '40000':
      return 'tree';
    case '160000':
      return 'commit';
    default:
      return 'blob';
  }
}

/** Reads a tree object as git stores it: mode, name, NUL, twenty bytes of SHA. */
export function parseTree(content: Buffer, folder: string): TreeEntry[] {
  const entries: TreeEntry[] = [];
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(32, at);
    const nul = content.indexOf(0, space);
    const mode = content.toString('latin1', at, space);
    const name = content.toString('utf8', space + 1, nul);
    entries.push({
      mode: mode.padStart(6, '0'),
      type: typeOf(mode),
      sha: content.toString('hex', nul + 1, nul + 21),
      size: 0,
      path: folder ? `${folder}/${name}` : name,
    });
    at = nul + 21;
  }
  return entries;
}
