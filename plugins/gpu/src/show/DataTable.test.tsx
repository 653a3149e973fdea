import { screen, within } from '@testing-library/react';
import { FixtureGpuApi, emptyFixture } from '../../dev/fixtures';
import { renderPage } from '../__testUtils__/renderPage';
import { Column, DataTable } from './DataTable';

const columns: Array<Column<{ name: string; note?: string }>> = [
  { title: 'Name', show: ({ name }) => name },
  { title: 'Note', secondary: true, show: ({ note }) => note },
];

function draw() {
  renderPage(
    <DataTable
      label="Things"
      columns={columns}
      rows={[{ name: 'a', note: 'first' }, { name: 'b' }]}
      keyOf={({ name }) => name}
    />,
    new FixtureGpuApi(emptyFixture(new Date())),
  );
}

describe('DataTable', () => {
  const { matchMedia } = window;
  afterEach(() => {
    window.matchMedia = matchMedia;
  });

  it('has every column where there is room', async () => {
    draw();
    await screen.findByRole('table');
    expect(
      screen.getAllByRole('columnheader').map(head => head.textContent),
    ).toEqual(['Name', 'Note']);
  });

  it('puts secondary columns on a line below each row where the page is narrow', async () => {
    window.matchMedia = (query =>
      ({
        matches: /max-width/.test(query),
        media: query,
        addListener: () => {},
        removeListener: () => {},
      } as any)) as typeof window.matchMedia;
    draw();
    const rows = within(await screen.findByRole('table')).getAllByRole('row');
    expect(rows.map(row => row.textContent)).toEqual([
      'Name',
      'a',
      'Notefirst',
      'b',
      '',
    ]);
    expect(
      screen.getAllByRole('columnheader').map(head => head.textContent),
    ).toEqual(['Name']);
    expect(screen.getByRole('term')).toHaveTextContent('Note');
    expect(screen.getByRole('definition')).toHaveTextContent('first');
  });
});
