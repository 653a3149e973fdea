/** Characters that are not seen, or turn the reading direction: shown by their number instead. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/**
 * Text of unknown origin as a code span: no mark-up, HTML, link, mention or line of
 * its own comes out of it. Not for table cells, whose "|" splits even code.
 */
export function code(text: string): string {
  const line = visible(text.replace(/\s+/g, ' ').trim());
  if (line === '') {
    return '(empty)';
  }
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Text of several lines as a code block that nothing in it can close. */
export function codeBlock(text: string): string {
  const block = visible(text.replace(/\r\n?/g, '\n'));
  const fence = '`'.repeat(Math.max(3, longestRun(block) + 1));
  return `${fence}text\n${block}\n${fence}`;
}

/** An address that cannot leave the link it is put in. */
export function link(title: string, url: string): string {
  const safe = encodeURI(decodeSafely(url)).replace(
    /[()<>]/g,
    char => `%${char.charCodeAt(0).toString(16)}`,
  );
  return /^https?:\/\//.test(safe) ? `[${title}](${safe})` : code(url);
}

function visible(text: string): string {
  return text.replace(
    INVISIBLE,
    char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length));
}

function decodeSafely(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}
