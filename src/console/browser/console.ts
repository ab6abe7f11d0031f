/**
 * Makes quicker what every page does without it. It asks only for the totals of a long list and for
 * a long list of budget lines.
 */

import { PERCENT, readPercent } from '../../core/typed-amounts.ts';
import { formatMinor, readMinor } from './amounts.ts';
import { rowFields } from './combobox.ts';
import { fetchPage } from './fetched.ts';
import './ending.ts';
import './grid.ts';

const KEPT = 'place';
addEventListener('pagehide', () => {
  const near = document.activeElement?.closest('.list tbody tr');
  const row = near ?? document.querySelector('.list tr[aria-current]');
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

/** A sheet scrolls with its page while its figures fit into the window, else in itself. */
const sheets = [...document.querySelectorAll('.sheet.fits')];
const fit = () => {
  for (const sheet of sheets) {
    sheet.classList.toggle('fits', sheet.scrollWidth <= sheet.clientWidth);
  }
};
addEventListener('resize', fit);
fit();

/** What only the script can do. */
for (const part of document.querySelectorAll<HTMLElement>('[data-script]')) part.hidden = false;
document.querySelector('[data-print]')?.addEventListener('click', () => print());

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

/** Totals that take longer than a page may: the parts with them come from the page that has all. */
async function count(link: HTMLAnchorElement): Promise<void> {
  const name = link.textContent;
  link.textContent = 'Counting …';
  const page = await fetchPage(link.href);
  if (page === undefined) {
    link.textContent = name;
    return;
  }
  for (const part of ['.tabs', '.sums', '#place', '#all', '.preview', '#waiting']) {
    const counted = page.querySelector(part);
    if (counted !== null) document.querySelector(part)?.replaceChildren(...counted.childNodes);
  }
}
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-count]')) count(link);
for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-search]'))
  location.replace(link.href);

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

  const [back = ''] = /&back=[^&]*/.exec(location.search) ?? [];
  for (const link of list.querySelectorAll<HTMLAnchorElement>('.what a')) link.search += back;
  const linkOf = (at: number) => boxes[at]?.closest('tr')?.querySelector<HTMLElement>('.what a');
  /** In the field for the line of a row: whether the key did something. */
  const move = (field: HTMLInputElement, key: string, isBack: boolean) => {
    const next = rowFields[rowFields.indexOf(field) + (isBack ? -1 : 1)];
    const isEmpty = rowFields.every(({ value }) => value.trim() === '');
    if (key === 'Escape') field.closest('tr')?.querySelector<HTMLElement>('.what a')?.focus();
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

/** Whether it is a field for a budget line: a plain one if the lines are too many for a list. */
const isLineField = (target: unknown): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.matches('[role=combobox], [data-day], [name=line]');

/** `=` takes the offer to do the same for others, also in a field for a line that is empty. */
const same = document.querySelector<HTMLElement>('[data-same]');
document.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || key !== '=' || same === null) return;
  const isEmpty = isLineField(target) && target.value === '';
  const isFree = target instanceof Element && !target.matches('input, select, textarea');
  if (!('shortcuts' in document.body.dataset) || !(isEmpty || isFree)) return;
  event.preventDefault();
  same.click();
});

/** The panel, and a rule: what is left as one types, and what an empty amount will take. */
for (const form of document.querySelectorAll<HTMLFormElement>('.split-form')) {
  const { amount, parts } = form.dataset;
  const whole = Number(amount ?? parts);
  const format = parts === undefined ? formatMinor : (part: number) => `${part / 100}%`;
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
    const lines = [...form.querySelectorAll<HTMLSelectElement>('[name=line]')];
    const empty = fields.filter(({ value }, at) => value === '' && lines[at]?.value !== '');
    for (const field of fields) field.placeholder = '';
    const [only, another] = empty;
    const isTaken = only !== undefined && another === undefined && isRead && !isOver;
    if (isTaken) only.placeholder = format(rest);
    if (left !== null) {
      // A rule says what its empty share gets; of a transaction, nothing is left then.
      const shown = isTaken && parts === undefined ? 0 : rest;
      left.textContent = isRead ? format(isOver ? Math.abs(rest) : shown) : '';
      left.classList.toggle('over', isOver);
    }
  };
  form.addEventListener('input', show);
  show();
}

/** What is wrong is what to read first, else what to do next, else what was done. */
{
  const flash = document.querySelector<HTMLElement>('.flash');
  const problem = document.querySelector<HTMLElement>('.problem');
  const target = document.getElementById(location.hash.slice(1));
  const isTouched = matchMedia('(pointer: coarse)').matches;
  const lines = [...document.querySelectorAll('.split-form input')].filter(isLineField);
  const line = lines.find(({ value }) => value === '') ?? lines[0];
  // Shown again with another row, with one less, or split.
  const again = document.querySelector('[data-again]');
  const open = (target ?? flash ?? again) === null ? undefined : line;
  // The row of what was closed, or of where one came from.
  const left = flash === null && line === undefined ? target?.closest('form.rows tbody tr') : null;
  const field = target?.matches('input, button') ? target : undefined;
  const next = open ?? field ?? left?.querySelector<HTMLElement>('.what a') ?? undefined;
  const row = target?.closest('.list tbody tr') ?? document.querySelector('.list tr[aria-current]');
  const top = sessionStorage.getItem(KEPT);
  sessionStorage.removeItem(KEPT);
  const keepPlace = () => {
    // What is wrong is at the top of the page, and has the focus.
    if (problem !== null || !row?.checkVisibility() || top === null) return;
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
  if (problem === null && isTouched && again !== null) line?.scrollIntoView({ block: 'center' });
}
