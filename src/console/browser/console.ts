/**
 * Makes quicker what every page does without it. The only request that it sends is for the totals
 * of a long list.
 */

import {
  listSigns,
  PERCENT,
  plainAmount,
  readPercent,
  readTypedAmount,
} from '../../core/typed-amounts.ts';
import { rowFields } from './combobox.ts';

/** The row that is worked on, which stays where it was in the window. */
function currentRow(): Element | null {
  const near = document.activeElement?.closest('.list tbody tr');
  return near ?? document.querySelector('.list tr[aria-current]');
}
const KEPT = 'place';
addEventListener('pagehide', () => {
  const row = currentRow();
  if (row !== null) sessionStorage.setItem(KEPT, String(row.getBoundingClientRect().top));
});

/** On a phone, the bar begins where the current page is, and filters are folded if none is set. */
if (matchMedia('(max-width: 44rem)').matches) {
  for (const filters of document.querySelectorAll<HTMLDetailsElement>('.filters')) {
    filters.open = 'set' in filters.dataset;
  }
  const current = document.querySelector('.places [aria-current]');
  current?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** Escape closes an open menu, and the focus returns to what opened it. */
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !(event.target instanceof Element)) return;
  const menu = event.target.closest('details[open]');
  if (!(menu instanceof HTMLDetailsElement)) return;
  menu.open = false;
  menu.querySelector('summary')?.focus();
});

/** Asks before someone leaves a form with something in it that is not saved. */
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-unsaved]')) {
  form.addEventListener('input', () => {
    form.dataset['unsaved'] = 'yes';
  });
  form.addEventListener('submit', () => {
    form.dataset['unsaved'] = 'no';
  });
}
addEventListener('beforeunload', (event) => {
  if (document.querySelector('[data-unsaved=yes]') !== null) event.preventDefault();
});

/** What only the script can do. */
for (const part of document.querySelectorAll<HTMLElement>('[data-script]')) part.hidden = false;

/** Copies a text, with what tells that it was copied. */
for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset['copy'] ?? '');
    try {
      await navigator.clipboard.writeText(source?.textContent ?? '');
      button.textContent = 'Copied';
    } catch {
      // Only https and localhost may: select it instead.
      if (source !== null) getSelection()?.selectAllChildren(source);
      button.textContent = 'Selected';
    }
  });
}

const { decimal = '.', group = ',', places = '2', currency = '' } = document.body.dataset;
const PLACES = Number(places);
const HABIT = { decimal, places: PLACES };

/** An amount in minor units as the reader writes it. */
function formatMinor(minor: number): string {
  const digits = String(Math.abs(minor)).padStart(PLACES + 1, '0');
  const whole = digits.slice(0, digits.length - PLACES);
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, group);
  const rest = PLACES === 0 ? '' : decimal + digits.slice(-PLACES);
  return `${minor < 0 ? '\u2212' : ''}${grouped}${rest}`;
}

/** Minor units of what was typed; undefined if the server would refuse it. */
function readMinor(text: string): number | undefined {
  const minor = readTypedAmount(text, HABIT);
  return typeof minor === 'number' ? minor : undefined;
}

/** Totals that take longer than a page may: the parts with them come from the page that has all. */
async function count(link: HTMLAnchorElement): Promise<void> {
  const name = link.textContent;
  link.textContent = 'Counting …';
  const answer = await fetch(link.href).catch(() => undefined);
  if (!answer?.ok || answer.redirected) {
    link.textContent = name;
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of ['.tabs', '.sums', '#place', '#all']) {
    const counted = page.querySelector(part);
    if (counted !== null) document.querySelector(part)?.replaceChildren(...counted.childNodes);
  }
}
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-count]')) count(link);

/** The list of transactions: how much is selected, ranges, and keys. */
for (const list of document.querySelectorAll<HTMLFormElement>('form.rows')) {
  const boxes = [...list.querySelectorAll<HTMLInputElement>('tbody input[type=checkbox]')];
  const all = list.querySelector<HTMLInputElement>('[data-all]');
  const said = list.querySelector<HTMLElement>('[data-selected]');
  let last = 0;

  const show = () => {
    const chosen = boxes.filter((box) => box.checked);
    const sum = chosen.reduce((minor, box) => minor + Number(box.dataset['minor']), 0);
    if (said !== null) {
      said.hidden = chosen.length === 0;
      said.textContent = `${chosen.length} selected, ${formatMinor(sum)}`;
    }
    if (all === null) return;
    all.checked = chosen.length === boxes.length;
    all.indeterminate = chosen.length > 0 && !all.checked;
  };
  const select = (at: number, isRange: boolean) => {
    const box = boxes[at];
    if (box === undefined) return;
    const [from, to] = isRange ? [Math.min(last, at), Math.max(last, at)] : [at, at];
    for (const each of boxes.slice(from, to + 1)) each.checked = box.checked;
    last = at;
    show();
  };

  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const [at, box] of boxes.entries()) {
    box.addEventListener('click', (event) => select(at, event.shiftKey));
  }
  show();

  const linkOf = (at: number) => {
    return boxes[at]?.closest('tr')?.querySelector<HTMLElement>('.row-link');
  };
  /** In the field for the line of a row: whether the key did something. */
  const move = (field: HTMLInputElement, key: string, isBack: boolean) => {
    const next = rowFields[rowFields.indexOf(field) + (isBack ? -1 : 1)];
    const isEmpty = rowFields.every(({ value }) => value.trim() === '');
    if (key === 'Escape') field.closest('tr')?.querySelector<HTMLElement>('.row-link')?.focus();
    else if (key === 'Tab' || (key === 'Enter' && isEmpty)) next?.focus();
    else return false;
    return key !== 'Tab' || next !== undefined;
  };
  const work = (at: number, key: string, isRange: boolean) => {
    const box = boxes[at];
    const isOfOthers = !box?.checked && boxes.some(({ checked }) => checked);
    const row = box?.closest('tr') ?? list;
    const field = isOfOthers ? undefined : rowFields.find((each) => row.contains(each));
    if (key === 'j' || key === 'ArrowDown') linkOf(at + 1)?.focus();
    else if (key === 'k' || key === 'ArrowUp') linkOf(at - 1)?.focus();
    else if (key === 'a') (field ?? document.getElementById('line'))?.focus();
    else if (box !== undefined && key.toLowerCase() === 'x') {
      box.checked = !box.checked;
      select(at, isRange);
    } else return false;
    return true;
  };
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || !(target instanceof HTMLElement)) return;
    const row = target.closest('tbody tr');
    const isBox = target.matches('[type=checkbox]');
    const at = boxes.findIndex((box) => row?.contains(box));
    const hasKeys = 'shortcuts' in document.body.dataset;
    let isDone = false;
    if (target instanceof HTMLInputElement && rowFields.includes(target)) {
      isDone = move(target, key, event.shiftKey);
    } else if (isBox && at >= 0 && key === 'Enter') {
      linkOf(at)?.click();
      isDone = true;
    } else if (hasKeys && (target === document.body || (at >= 0 && target.closest('.list')))) {
      isDone = work(at, key, event.shiftKey);
    }
    if (isDone) event.preventDefault();
  });
}

/** `=` takes the offer to do the same for others, also in a field for a line that is empty. */
const same = document.querySelector<HTMLElement>('[data-same]');
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || key !== '=' || same === null) return;
  const isEmpty =
    target instanceof HTMLInputElement &&
    target.getAttribute('role') === 'combobox' &&
    target.value === '';
  const isFree = target instanceof Element && !target.matches('input, select, textarea');
  if (!('shortcuts' in document.body.dataset) || !(isEmpty || isFree)) return;
  event.preventDefault();
  same.click();
});

/** The panel, and a rule: what is left as one types, and what an empty amount will take. */
for (const form of document.querySelectorAll<HTMLFormElement>('.split-form')) {
  const { amount, parts } = form.dataset;
  const whole = Number(amount ?? parts);
  const format = parts === undefined ? formatMinor : (part: number) => `${part / 100} %`;
  const left = form.querySelector<HTMLElement>('[data-left]');
  const word = form.querySelector('[data-word]');
  const usual = parts === undefined ? 'Left to allocate' : 'Left for the rest';
  const fields = [...form.querySelectorAll<HTMLInputElement>('[name=amount]')];
  const minorOf = ({ value }: HTMLInputElement) => {
    if (value.trim() === '') return 0;
    const percent = readPercent(parts === undefined ? value : `${value.replace('%', '')}%`);
    if (percent !== undefined) return Math.round((whole * percent) / (100 * PERCENT));
    return (parts === undefined ? readMinor(value) : undefined) ?? Number.NaN;
  };
  const show = () => {
    const rest = fields.reduce((minor, field) => minor - minorOf(field), whole);
    const isRead = !Number.isNaN(rest);
    const isOver = isRead && rest !== 0 && rest > 0 !== whole > 0;
    if (word !== null) word.textContent = isOver ? 'Too much by' : usual;
    if (left !== null) {
      left.textContent = isRead ? format(isOver ? Math.abs(rest) : rest) : '';
      left.classList.toggle('over', isOver);
    }
    const lines = [...form.querySelectorAll<HTMLSelectElement>('[name=line]')];
    const empty = fields.filter(({ value }, at) => value === '' && lines[at]?.value !== '');
    for (const field of fields) field.placeholder = '';
    const [only, another] = empty;
    if (only !== undefined && another === undefined && isRead && !isOver) {
      only.placeholder = format(rest);
    }
  };
  form.addEventListener('input', show);
  show();
}

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
  // Sums of a kind, with its rows, and of all: there what is spent lowers the balance.
  const feet = [...grid.querySelectorAll('.kind-total')].map((foot) => {
    const { parentElement: part } = foot;
    const isAll = part?.tagName === 'TFOOT';
    const own = rows.filter(([cell]) => isAll || (cell !== undefined && part?.contains(cell)));
    return { cells: [...foot.querySelectorAll('.num')], own, isAll };
  });
  const sumOf = (cells: readonly (HTMLInputElement | undefined)[], isBalance = false) => {
    let sum = 0;
    for (const cell of cells) {
      if (cell === undefined || cell.value.trim() === '') continue;
      const minor = readMinor(cell.value);
      if (minor === undefined) return '';
      sum += isBalance && cell.closest('[data-turned]') !== null ? -minor : minor;
    }
    return formatMinor(sum);
  };
  const sum = (changed: readonly (readonly HTMLInputElement[])[]) => {
    for (const row of changed) {
      const total = row[0]?.closest('tr')?.querySelector('.sum');
      if (total) total.textContent = sumOf(row);
    }
    for (const { cells, own, isAll } of feet) {
      for (const [column, foot] of cells.entries()) {
        const isWhole = column === cells.length - 1;
        foot.textContent = sumOf(isWhole ? own.flat() : own.map((row) => row[column]), isAll);
      }
    }
  };
  grid.addEventListener('input', ({ target }) => {
    const [row] = placeOf(target);
    sum(rows.slice(row, row + 1));
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
        if (cell !== undefined) cell.value = plainAmount(value, HABIT, signs);
        else if (value.trim() === '') continue;
        else if (cells === undefined) beyond.lines.add(down);
        else beyond.columns.add(right);
      }
    }
    said.textContent = sayBeyond(beyond.lines.size, beyond.columns.size);
    sum(rows.slice(row));
    grid.dispatchEvent(new Event('input', { bubbles: true }));
  });
  // Whether months are hidden at the right, under the sums.
  const mark = () => {
    const hidden = grid.scrollWidth - grid.clientWidth - grid.scrollLeft;
    grid.toggleAttribute('data-more', hidden > 1);
  };
  grid.addEventListener('scroll', mark, { passive: true });
  grid.addEventListener('input', mark);
  new ResizeObserver(mark).observe(grid);
}

/** What is wrong is what to read first, else what to do next, else what was done. */
{
  const flash = document.querySelector<HTMLElement>('.flash');
  const problem = document.querySelector<HTMLElement>('.problem');
  const target = document.getElementById(location.hash.slice(1));
  const isTouched = matchMedia('(pointer: coarse)').matches;
  const lines = [...document.querySelectorAll<HTMLInputElement>('.split-form [role=combobox]')];
  const line = lines.find(({ value }) => value === '') ?? lines[0];
  const open = (target ?? flash) === null ? undefined : line;
  const next = open ?? (target?.matches('input, button') ? target : undefined);
  const row = target?.closest('.list tbody tr') ?? document.querySelector('.list tr[aria-current]');
  const top = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  const keepPlace = () => {
    if (!row?.checkVisibility() || top === null) return;
    const down = row.getBoundingClientRect().top - Number(top);
    scrollBy({ top: down, behavior: 'instant' });
  };
  keepPlace();
  // The browser shows the part of the page that the address names, later than this script runs.
  addEventListener('load', keepPlace);
  if (problem === null && next !== undefined && !isTouched) {
    next.focus({ preventScroll: true });
    // Some browsers give up the focus when they show the part of the page that the address names.
    addEventListener('load', () => {
      if (document.activeElement === document.body) next.focus({ preventScroll: true });
    });
    if (flash !== null) {
      flash.id = 'flash';
      next.setAttribute('aria-describedby', flash.id);
    }
  } else (problem ?? flash)?.focus();
}
