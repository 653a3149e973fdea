/** Text that is HTML already. */
export class Html {
  constructor(readonly text: string) {}
  toString() {
    return this.text;
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]);
}

type Part = Html | string | number | false | undefined | null | readonly Part[];

function render(part: Part): string {
  if (part instanceof Html) {
    return part.text;
  }
  if (Array.isArray(part)) {
    return part.map(render).join('');
  }
  if (part === false || part === undefined || part === null) {
    return '';
  }
  return escape(String(part));
}

/**
 * HTML from a template: what is put in is escaped, unless it is {@link Html}.
 * (Not called `html`, so that formatters leave the white space alone.)
 */
export function markup(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(
    strings.reduce((all, text, index) => all + render(parts[index - 1]) + text),
  );
}
