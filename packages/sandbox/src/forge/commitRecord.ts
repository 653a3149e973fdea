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

/** `1796047893 +0100` as RFC 3339 in its own time zone. */
function rfc3339(seconds: string, zone: string): string {
  const sign = zone.startsWith('-') ? -1 : 1;
  const minutes =
    sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3, 5)));
  const local = new Date((Number(seconds) + minutes * 60) * 1000);
  const offset =
    minutes === 0 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3, 5)}`;
  return `${local.toISOString().slice(0, 19)}${offset}`;
}

function parseIdentity(line: string): Identity {
  const [, name, email, seconds, zone] =
    /^(.*?) ?<(.*?)> (\d+) ([-+]\d{4})$/.exec(line) ?? [
      '',
      line,
      '',
      '0',
      '+0000',
    ];
  return { name, email, date: rfc3339(seconds, zone) };
}

/** Reads a commit object as git stores it. */
export function parseCommit(sha: string, content: Buffer): Commit {
  const text = content.toString();
  const end = text.indexOf('\n\n');
  const headers = text.slice(0, end).split('\n');
  const all = (name: string) =>
    headers
      .filter(line => line.startsWith(`${name} `))
      .map(line => line.slice(name.length + 1));
  return {
    sha,
    tree: all('tree')[0],
    parents: all('parent'),
    author: parseIdentity(all('author')[0]),
    committer: parseIdentity(all('committer')[0]),
    message: text.slice(end + 2),
  };
}
