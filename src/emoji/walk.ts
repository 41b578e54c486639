/** Where a key leads in the grid. It knows rows and cells, not what is in them. */

const PAGE = 5;

/**
 * Across the bounds of the groups, as if it were one grid.
 * @param far Home and End mean the whole, not the row
 * @returns nothing for other keys, and where there is nowhere to go
 */
export function walk(
  grid: Element,
  from: HTMLTableCellElement,
  key: string,
  far: boolean,
): Element | null | undefined {
  const cells = [...grid.querySelectorAll('td')];
  const rows = [...grid.querySelectorAll('tr')];
  const here = rows.findIndex((row) => row.contains(from));
  const inRow = (by: number) => {
    const row = rows[Math.min(Math.max(here + by, 0), rows.length - 1)];
    return row?.cells[Math.min(from.cellIndex, row.cells.length - 1)];
  };
  const range = far ? cells : [...(rows[here]?.cells ?? [])];
  const onward = getComputedStyle(grid).direction === 'rtl' ? -1 : 1;
  const beside = (by: number) => cells[cells.indexOf(from) + by * onward];
  const ways: Record<string, () => Element | undefined> = {
    ArrowDown: () => inRow(1),
    ArrowUp: () => (here ? inRow(-1) : undefined),
    ArrowRight: () => beside(1),
    ArrowLeft: () => beside(-1),
    PageDown: () => inRow(PAGE),
    PageUp: () => inRow(-PAGE),
    Home: () => range[0],
    End: () => range.at(-1),
  };
  return ways[key]?.()?.firstElementChild;
}
