import MarkdownIt from 'markdown-it';
import { Html } from './html';

// markdown-it is safe as it comes: HTML in the text stays text, and links to
// scripts are no links. Pictures would call other servers.
const markdown = new MarkdownIt({ html: false, linkify: true }).disable(
  'image',
);

markdown.core.ruler.push('task_list', state => {
  for (const [index, token] of state.tokens.entries()) {
    const box = /^\[([ xX])\] /.exec(token.content);
    const first = token.children?.[0];
    if (
      token.type === 'inline' &&
      box &&
      first?.type === 'text' &&
      state.tokens[index - 2]?.type === 'list_item_open'
    ) {
      state.tokens[index - 2].attrSet('class', 'task');
      first.content = `${box[1] === ' ' ? '☐' : '☑'} ${first.content.slice(4)}`;
    }
  }
});

markdown.core.ruler.push('outgoing_links', state => {
  for (const block of state.tokens) {
    for (const token of block.children ?? []) {
      if (token.type === 'link_open') {
        token.attrSet('rel', 'noopener noreferrer nofollow');
      }
    }
  }
});

/** Markdown of people and programs as HTML that can do no harm. */
export function renderMarkdown(text: string): Html {
  return new Html(markdown.render(text));
}
