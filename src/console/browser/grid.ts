/** The grid of a project's amounts. */

import { listSigns, plainAmount } from '../../core/typed-amounts.ts';
import { formatMinor, HABIT, readMinor } from './amounts.ts';

const { currency = '' } = document.body.dataset;

/** Where a key leads in the grid: so many lines down, so many months to the right. */
const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  Enter: [1, 0],
  ArrowUp: [-1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Whether an arrow would move the cursor no further in a field. */
function isAtEnd(field: EventTarget | null, right: number): boolean {
  if (!(field instanceof HTMLInputElement)) return false;
  const { selectionStart: start, selectionEnd: end, value } = field;
  if (start !== end) return start === 0 && end === value.length;
  return right < 0 ? start === 0 : end === value.length;
}

/** Whether all of a field would be replaced. */
function isWhollyChosen(field: EventTarget | null): boolean {
  if (!(field instanceof HTMLInputElement)) return false;
  return field.selectionStart === 0 && field.selectionEnd === field.value.length;
}

/** What a pasted block had beyond the last line and the last column: `2 columns did not fit.` */
function sayBeyond(lines: number, columns: number): string {
  const parts = [
    [lines, 'line'],
    [columns, 'column'],
  ] as const;
  const counted = parts
    .filter(([count]) => count > 0)
    .map(([count, noun]) => `${count} ${noun}${count === 1 ? '' : 's'}`);
  return counted.length === 0 ? '' : `${counted.join(' and ')} did not fit.`;
}

/** The grid of amounts: arrows and Enter move, a pasted block fills cells, sums follow. */
for (const grid of document.querySelectorAll<HTMLElement>('[data-grid]')) {
  const rows = [...grid.querySelectorAll('tbody tr:not(.kind, .kind-total)')].map((row) => {
    return [...row.querySelectorAll<HTMLInputElement>('.cell')];
  });
  const placeOf = (cell: EventTarget | null) => {
    if (!(cell instanceof HTMLInputElement)) return [-1, -1] as const;
    const at = rows.findIndex((row) => row.includes(cell));
    return [at, rows[at]?.indexOf(cell) ?? -1] as const;
  };
  const turned = new Set(rows.filter(([cell]) => cell?.closest('[data-turned]')));
  // Sums of a kind, with its rows, and of all: there what is spent lowers the balance.
  const feet = [...grid.querySelectorAll('.kind-total')].map((foot) => {
    const { parentElement: part } = foot;
    const isAll = part?.tagName === 'TFOOT';
    const own = rows.filter(([cell]) => isAll || (cell !== undefined && part?.contains(cell)));
    const cells = [...foot.querySelectorAll('.num:not(.sum)')];
    return { cells, whole: foot.querySelector('.sum'), own, isAll, sums: [] as number[] };
  });
  // What was read, until it is typed again: there can be thousands of cells.
  const minors = new Map<HTMLInputElement, number>();
  const minorOf = (cell: HTMLInputElement | undefined) => {
    if (cell === undefined || cell.value.trim() === '') return 0;
    const minor = minors.get(cell) ?? readMinor(cell.value) ?? Number.NaN;
    minors.set(cell, minor);
    return minor;
  };
  const add = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const say = (minor: number) => (Number.isNaN(minor) ? '' : formatMinor(minor));
  const sum = (changed: typeof rows, first: number, last = Infinity) => {
    for (const row of changed) {
      const total = row[0]?.closest('tr')?.querySelector('.sum');
      if (total) total.textContent = say(add(row.map(minorOf)));
    }
    for (const { cells, whole, own, isAll, sums } of feet) {
      for (const [column, foot] of cells.entries()) {
        if (sums[column] !== undefined && (column < first || column > last)) continue;
        const signed = own.map((row) => (isAll && turned.has(row) ? -1 : 1) * minorOf(row[column]));
        sums[column] = add(signed);
        foot.textContent = say(sums[column]);
      }
      if (whole) whole.textContent = say(add(sums));
    }
  };
  grid.addEventListener('input', ({ target }) => {
    const [row, column] = placeOf(target);
    if (row < 0) return;
    minors.delete(target as HTMLInputElement);
    sum(rows.slice(row, row + 1), column, column);
  });
  grid.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const [row, column] = placeOf(target);
    if (row < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    const [down, right] = STEPS[key] ?? [0, 0];
    if ((down === 0 && right === 0) || (right !== 0 && !isAtEnd(target, right))) return;
    const next = rows[row + down]?.[column + right];
    // In the last row too, Enter does not send the form.
    event.preventDefault();
    next?.focus();
    next?.select();
  });
  const signs = currency === '' ? [] : listSigns(currency, document.documentElement.lang);
  const said = document.createElement('p');
  said.className = 'hint';
  said.setAttribute('role', 'status');
  grid.before(said);
  grid.addEventListener('paste', (event) => {
    const text = event.clipboardData?.getData('text') ?? '';
    const [row, column] = placeOf(event.target);
    if (row < 0 || (!/[\t\n]/.test(text.trim()) && !isWhollyChosen(event.target))) return;
    event.preventDefault();
    const beyond = { lines: new Set<number>(), columns: new Set<number>() };
    const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
    for (const [down, line] of lines.entries()) {
      for (const [right, value] of line.split('\t').entries()) {
        const cells = rows[row + down];
        const cell = cells?.[column + right];
        if (cell !== undefined) {
          cell.value = plainAmount(value, HABIT, signs);
          minors.delete(cell);
        } else if (value.trim() === '') continue;
        else if (cells === undefined) beyond.lines.add(down);
        else beyond.columns.add(right);
      }
    }
    said.textContent = sayBeyond(beyond.lines.size, beyond.columns.size);
    sum(rows.slice(row), column);
    grid.dispatchEvent(new Event('input', { bubbles: true }));
  });
  // Whether months are hidden at the right, under the sums.
  const mark = () => {
    const hidden = grid.scrollWidth - grid.clientWidth - grid.scrollLeft;
    grid.toggleAttribute('data-more', hidden > 1);
  };
  grid.addEventListener('scroll', mark, { passive: true });
  const sizes = new ResizeObserver(mark);
  // Sums can make the table wider, which the browser says once it has laid it out.
  for (const part of [grid, ...grid.querySelectorAll('table')]) sizes.observe(part);
}
