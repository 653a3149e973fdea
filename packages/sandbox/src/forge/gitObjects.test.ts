import { parseCommit } from './commitRecord';
import { parseTree } from './treeRecord';

it('reads a commit as git stores it', () => {
  const content = [
    'tree 1111111111111111111111111111111111111111',
    'parent 2222222222222222222222222222222222222222',
    'parent 3333333333333333333333333333333333333333',
    'author Mira Okafor <mira@example.com> 1796047893 +0130',
    'committer Git <> 1796047893 -0500',
    '',
    'Title',
    '',
    'Text',
    '',
  ].join('\n');
  expect(parseCommit('4444', Buffer.from(content))).toEqual({
    sha: '4444',
    tree: '1'.repeat(40),
    parents: ['2'.repeat(40), '3'.repeat(40)],
    author: {
      name: 'Mira Okafor',
      email: 'mira@example.com',
      date: '2026-11-30T15:41:33+01:30',
    },
    committer: { name: 'Git', email: '', date: '2026-11-30T09:11:33-05:00' },
    message: 'Title\n\nText\n',
  });
});

it('reads a tree as git stores it', () => {
  const entry = (mode: string, name: string, byte: number) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.alloc(20, byte)]);
  const content = Buffer.concat([
    entry('100644', 'größe.yaml', 0),
    entry('40000', 'folder', 10),
    entry('100755', 'run', 32),
  ]);
  expect(
    parseTree(content, 'a').map(({ mode, type, path }) => [mode, type, path]),
  ).toEqual([
    ['100644', 'blob', 'a/größe.yaml'],
    ['040000', 'tree', 'a/folder'],
    ['100755', 'blob', 'a/run'],
  ]);
  expect(parseTree(content, '')[1].sha).toBe('0a'.repeat(20));
});
