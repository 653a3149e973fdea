import { Html, markup } from './html';

interface DiffFile {
  header: string[];
  path: string;
  lines: string[];
}

function splitFiles(diff: string): DiffFile[] {
  const files: DiffFile[] = [];
  for (const line of diff.split('\n')) {
    if (line.startsWith('diff --git ')) {
      files.push({
        header: [line],
        path: / b\/(.*)$/.exec(line)?.[1] ?? '',
        lines: [],
      });
      continue;
    }
    const file = files.at(-1);
    if (!file) {
      continue;
    }
    if (file.lines.length === 0 && !line.startsWith('@@')) {
      file.header.push(line);
    } else {
      file.lines.push(line);
    }
  }
  return files;
}

function row(
  kind: string,
  oldLine: number | string,
  newLine: number | string,
  text: string,
): Html {
  return markup`<tr class="${kind}"><td>${oldLine}</td><td>${newLine}</td><td>${text}</td></tr>`;
}

function diffRows(lines: readonly string[]): Html[] {
  const rows: Html[] = [];
  let oldLine = 0;
  let newLine = 0;
  for (const line of lines) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk) {
      [oldLine, newLine] = [Number(hunk[1]), Number(hunk[2])];
      rows.push(row('hunk', '', '', line));
      continue;
    }
    switch (line[0]) {
      case '+':
        rows.push(row('added', '', newLine++, line));
        break;
      case '-':
        rows.push(row('removed', oldLine++, '', line));
        break;
      case ' ':
        rows.push(row('', oldLine++, newLine++, line));
        break;
      case '\\':
        rows.push(row('note', '', '', line));
        break;
      default:
    }
  }
  return rows;
}

/** A unified diff as a table for each file. */
export function diffView(diff: string): Html {
  const files = splitFiles(diff);
  if (files.length === 0) {
    return markup`<p class="quiet">No file is changed.</p>`;
  }
  return markup`${files.map(file => {
    const note = file.header.find(line =>
      /^(new file|deleted file|rename from|Binary)/.test(line),
    );
    return markup`<section class="file" aria-label="${file.path}">
      <h3>
        <code>${file.path}</code>${
      note &&
      markup` <span class="quiet">${note.replace(/ mode \d+/, '')}</span>`
    }
      </h3>
      <div class="scroll"><table class="diff"><tbody>${diffRows(
        file.lines,
      )}</tbody></table></div>
    </section>`;
  })}`;
}
