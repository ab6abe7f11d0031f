/**
 * Fields that find a budget line by any part of its code, its name or its project, in the pattern
 * of a combobox: https://www.w3.org/WAI/ARIA/apg/patterns/combobox/.
 */

import { foldCase, normalized } from '../../core/text.ts';
import { fetchPage } from './fetched.ts';

/** A line that can be chosen. */
interface Choice {
  readonly value: string;
  readonly label: string;
  readonly project: string;
  /** What a field shows of it: also its project, if another one has such a line. */
  readonly shown: string;
  /** The days of its project; undefined for one that is likely. */
  readonly days: string | undefined;
  /** Of its label, then of its project, each behind a blank. */
  readonly words: string;
}

/** What a field does with its choice. */
interface Use {
  /** Undefined until the list is there: what is typed is then sent. */
  readonly choices: () => readonly Choice[] | undefined;
  /** What was chosen, or undefined while something else is typed. */
  readonly take: (choice: Choice | undefined) => void;
}

/** The words of a text, without regard to case and marks. */
function wordsOf(text: string): readonly string[] {
  const plain = normalized(foldCase(text), 'NFD').replaceAll(/\p{M}/gu, '');
  return plain.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
}

function choicesOf(select: HTMLSelectElement): readonly Choice[] {
  const options = [...select.options].slice(1);
  const counts = new Map<string, number>();
  for (const { text } of options) counts.set(text, (counts.get(text) ?? 0) + 1);
  return options.map(({ value, text: label, parentElement: group }) => {
    const project = group instanceof HTMLOptGroupElement ? group.label : '';
    const words = ` ${[...wordsOf(label), ...wordsOf(project)].join(' ')}`;
    const shown = counts.get(label) === 1 ? label : `${label} (${project})`;
    return { value, label, project, shown, days: group?.dataset['days'], words };
  });
}

/** Whether words have these letters in order, from the first of a word: `rprs` for `Repairs`. */
function hasLetters(words: readonly string[], letters: string): boolean {
  return words.some((word, from) => {
    let at = 0;
    for (const letter of words.slice(from).join('')) if (letter === letters[at]) at += 1;
    return at === letters.length && word[0] === letters[0];
  });
}

/**
 * The choices with every word: first those that begin with the text, then those that have it as
 * whole words, then those whose words begin so. Without any, those that have its letters, because
 * some may be missing.
 */
function find(choices: readonly Choice[], text: string): readonly Choice[] {
  const typed = wordsOf(text);
  const rank = ({ words }: Choice) => {
    if (words.startsWith(` ${typed.join(' ')}`)) return 0;
    if (typed.every((word) => `${words} `.includes(` ${word} `))) return 1;
    return typed.every((word) => words.includes(` ${word}`)) ? 2 : 3;
  };
  const found = choices.filter(({ words }) => typed.every((word) => words.includes(word)));
  if (found.length === 0) {
    return choices.filter(({ label }) => hasLetters(wordsOf(label), typed.join('')));
  }
  const ranked = found.map((choice) => [rank(choice), choice] as const);
  return ranked.sort(([one], [other]) => one - other).map(([, choice]) => choice);
}

let count = 0;

/** A new element with a role, and a text. */
function part(name: 'li' | 'ul', role: string, text = ''): HTMLElement {
  const element = document.createElement(name);
  element.setAttribute('role', role);
  element.textContent = text;
  return element;
}

/** Options of a list. */
const SHOWN = 300;
/** Marks a field that opens its list once the list has loaded. */
const WAITS = 'data-waits';

/** In place of options, or below them. */
function remark(text: string): HTMLElement {
  const said = part('li', 'option', text);
  said.setAttribute('aria-disabled', 'true');
  return said;
}

/** The options of a list: of lines of several projects with their projects. */
function optionsOf(id: string, shown: readonly Choice[]): readonly HTMLElement[] {
  if (shown.length === 0) return [remark('No budget line contains all of these words')];
  const isOneProject = new Set(shown.map(({ project }) => project)).size < 2;
  return shown.map(({ label, project }, index) => {
    const option = part('li', 'option', `${label} `);
    option.id = `${id}-${index}`;
    const of = document.createElement('small');
    of.textContent = project;
    if (!isOneProject) option.append(of);
    return option;
  });
}

/** The list below a field, or above it where there is more room, and what is marked in it. */
class Choices {
  readonly #input: HTMLInputElement;
  readonly #list = part('ul', 'listbox');
  #shown: readonly Choice[] = [];
  #at = -1;

  constructor(input: HTMLInputElement) {
    this.#input = input;
    count += 1;
    this.#list.id = `lines-${count}`;
    this.#list.className = 'choices';
    this.#list.hidden = true;
    this.#list.setAttribute('aria-label', 'Budget lines');
    const frame = document.createElement('span');
    frame.className = `combo ${input.className}`;
    input.className = '';
    input.replaceWith(frame);
    frame.append(input, this.#list);
    input.autocomplete = 'off';
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-expanded', 'false');
    input.setAttribute('aria-controls', this.#list.id);
  }

  get isOpen(): boolean {
    return !this.#list.hidden;
  }

  /** What is marked, if the list is open. */
  get marked(): Choice | undefined {
    return this.isOpen ? this.#shown[this.#at] : undefined;
  }

  /** Shows lines, and marks the first if something was typed. */
  open(found: readonly Choice[] | undefined, isTyped: boolean): void {
    this.#input.toggleAttribute(WAITS, found === undefined);
    if (found === undefined) return;
    const shown = found.slice(0, SHOWN);
    this.#shown = shown;
    this.#at = -1;
    this.#list.replaceChildren(...optionsOf(this.#list.id, shown));
    const more = found.length - shown.length;
    if (more > 0) this.#list.append(remark(`And ${more} more: type a part of the code or name`));
    this.#list.hidden = false;
    this.#input.setAttribute('aria-expanded', 'true');
    const { bottom, top } = this.#input.getBoundingClientRect();
    const height = this.#list.offsetHeight;
    this.#list.classList.toggle('up', bottom + height > innerHeight && top > height);
    this.#mark(isTyped && shown.length > 0 ? 0 : -1);
  }

  close(): void {
    this.#list.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#mark(-1);
  }

  /** Marks the next one, or the one before. */
  step(by: 1 | -1): void {
    const { length } = this.#shown;
    if (length === 0) return;
    this.#mark(this.#at < 0 && by < 0 ? length - 1 : (this.#at + by + length) % length);
  }

  /** Calls `take` with the line that the mouse is pressed on; the focus stays in the field. */
  onPress(take: (choice: Choice) => void): void {
    this.#list.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const option = event.target instanceof Element ? event.target.closest('li') : null;
      const choice = option && this.#shown[[...this.#list.children].indexOf(option)];
      if (choice) take(choice);
    });
  }

  #mark(index: number): void {
    this.#list.children[this.#at]?.removeAttribute('aria-selected');
    this.#at = index;
    const option = this.#list.children[index];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option === undefined) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', option.id);
  }
}

/** Makes a combobox of a text field. */
function enhance(input: HTMLInputElement, { choices, take }: Use): void {
  const list = new Choices(input);
  const choose = (choice: Choice | undefined) => {
    if (choice !== undefined) {
      input.value = choice.shown;
      take(choice);
    }
    list.close();
  };
  list.onPress(choose);
  input.addEventListener('input', (event) => {
    event.stopPropagation();
    take(undefined);
    const all = choices();
    list.open(all && find(all, input.value), input.value.trim() !== '');
  });
  input.addEventListener('focus', () => {
    // Selecting nothing would scroll.
    if (input.value !== '') input.select();
  });
  input.addEventListener('click', () => {
    if (!list.isOpen) list.open(choices(), false);
  });
  input.addEventListener('blur', () => choose(list.marked));
  input.addEventListener('keydown', (event) => {
    const { key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (!list.isOpen) list.open(choices(), false);
      list.step(key === 'ArrowDown' ? 1 : -1);
    } else if (!list.isOpen) return;
    else if (key === 'Escape') list.close();
    else if (key === 'Enter') {
      const isChosen = list.marked !== undefined;
      choose(list.marked);
      // In a row, Enter then saves.
      if (!isChosen || 'day' in input.dataset) return;
    } else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
}

/** Puts such a field in the place of a list of lines, which keeps what was chosen. */
function replace(select: HTMLSelectElement): void {
  const input = document.createElement('input');
  for (const name of ['id', 'class', 'aria-label', 'aria-describedby', 'aria-invalid']) {
    const value = select.getAttribute(name);
    if (value !== null) input.setAttribute(name, value);
    if (name !== 'class') select.removeAttribute(name);
  }
  input.placeholder = select.options[0]?.text ?? '';
  const choices = choicesOf(select);
  input.value = choices.find(({ value }) => value === select.value)?.shown ?? '';
  select.hidden = true;
  select.before(input);
  enhance(input, {
    choices: () => choices,
    take: (choice) => {
      select.value = choice?.value ?? '';
      select.dispatchEvent(new Event('input', { bubbles: true }));
    },
  });
}

/** A field that sends the identifier of what was chosen in it, of the lines that hold its day. */
function serve(input: HTMLInputElement, choices: () => readonly Choice[] | undefined): void {
  const { day = input.dataset['lines'] } = input.dataset;
  const offered = () =>
    choices()?.filter(({ days = '' }) => {
      const [from = '', to = ''] = days.split(' ');
      return !day || (from <= day && day <= to);
    });
  // In its place in the form, as several fields can have the same name.
  const sent = document.createElement('input');
  sent.type = 'hidden';
  const { name } = input;
  const take = (choice: Choice | undefined) => {
    sent.value = choice?.value ?? '';
    sent.name = choice === undefined ? '' : name;
    input.name = choice === undefined ? name : '';
  };
  const given = choices()?.find(({ value }) => value === input.value);
  if (given !== undefined) input.value = given.shown;
  take(given);
  enhance(input, { choices: offered, take });
  input.after(sent);
}

/** The fields of all rows, in the order of the rows. */
export const rowFields: readonly HTMLInputElement[] = [
  ...document.querySelectorAll<HTMLInputElement>('input[data-day]'),
];

/** A further field for a line, which gets the list of the first one in its form. */
for (const input of document.querySelectorAll<HTMLInputElement>('input[data-line]')) {
  const select = input.form?.querySelector('select[data-find]')?.cloneNode(true);
  if (!(select instanceof HTMLSelectElement)) continue;
  for (const name of ['id', 'aria-label', 'aria-describedby', 'aria-invalid']) {
    const value = input.getAttribute(name);
    if (value === null) select.removeAttribute(name);
    else select.setAttribute(name, value);
  }
  select.value = input.dataset['line'] ?? '';
  input.replaceWith(select);
}

for (const select of document.querySelectorAll<HTMLSelectElement>('select[data-find]')) {
  const fields = rowFields.filter(({ form }) => form === select.form);
  const choices = fields.length > 0 ? choicesOf(select) : [];
  for (const field of fields) serve(field, () => choices);
  replace(select);
}

/** Text fields, of a page that has too many lines to list them: the list comes when one is used. */
const texts = [...document.querySelectorAll<HTMLInputElement>('input[data-lines]')];
let asked: readonly Choice[] | undefined;
const ask = async () => {
  const select = (await fetchPage('/lines'))?.querySelector('select');
  const all = select ? choicesOf(select) : [];
  if (all.length === 0) return;
  const likely = new Set([...(texts[0]?.list?.options ?? [])].map(({ value }) => value));
  asked = [
    ...all.filter(({ label }) => likely.has(label)),
    ...all.filter(({ label }) => !likely.has(label)),
  ];
  for (const text of texts) text.removeAttribute('list');
  const { activeElement: field } = document;
  if (field?.hasAttribute(WAITS)) field.dispatchEvent(new Event('input'));
};
if (texts.length > 0) {
  let isAsked = false;
  for (const field of [...texts, ...rowFields]) {
    serve(field, () => asked);
    field.addEventListener('focus', () => {
      if (!isAsked) void ask();
      isAsked = true;
    });
  }
}
