/**
 * The script of the page at `/docs`. It is a classic script, so in the head it runs before anything
 * is drawn. It adds tabs, copy buttons, a search and a mark at the current section in the contents.
 * The page is complete without it. It sends no requests.
 */

const LANGUAGE_KEY = 'budgetd-docs-language';
const RESULTS = 14;

/** A section or field of the page that the search can find. */
interface Entry {
  readonly kind: string;
  readonly title: string;
  readonly context: string;
  /** The text that a query is compared with, in lower case. */
  readonly text: string;
  readonly id: string;
}

/** One set of tabs: its buttons in order, each with the panel that it shows. */
type Tabs = readonly { readonly button: HTMLButtonElement; readonly panel: HTMLElement }[];

document.documentElement.classList.add('script');
document.addEventListener('DOMContentLoaded', () => {
  showAddress();
  addTabs();
  for (const block of listElements('.block')) addCopy(block, () => block.querySelector('pre'));
  addSearch();
  markPlace();
  // On a small screen the open menu would cover the target of the link.
  for (const link of listElements('.menu a')) {
    link.addEventListener('click', () => link.closest('details')?.removeAttribute('open'));
  }
});

function listElements(selector: string, root: ParentNode = document): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)];
}

function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

/** The browser's address also includes a path that a proxy adds. */
function showAddress(): void {
  const address = new URL('.', location.href).href.replace(/\/$/, '');
  for (const place of listElements('.address')) place.textContent = address;
}

// Tabs: one language for the whole page, remembered between visits.

function addTabs(): void {
  const groups = listElements('.samples').map(makeTabs);
  const titles = groups[0]?.map(({ panel }) => panel.dataset['title'] ?? '') ?? [];
  const stored = readLanguage();
  select(groups, titles.find((title) => title === stored) ?? titles[0] ?? '');
  for (const tabs of groups) {
    for (const { button } of tabs) {
      button.addEventListener('click', () => choose(groups, button));
      button.addEventListener('keydown', (event) => {
        const next = nextTab(tabs, button, event.key);
        if (next === undefined) return;
        event.preventDefault();
        choose(groups, next);
      });
    }
  }
}

function makeTabs(samples: HTMLElement, number: number): Tabs {
  const label = samples.dataset['label'] ?? '';
  const list = create('div', { class: 'tabs', role: 'tablist', 'aria-labelledby': label });
  const tabs = listElements('.sample', samples).map((panel, at) => {
    const id = `tab-${number}-${at}`;
    panel.id = `panel-${number}-${at}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', id);
    const attributes = { type: 'button', id, role: 'tab', 'aria-controls': panel.id };
    return { panel, button: create('button', attributes, panel.dataset['title'] ?? '') };
  });
  list.append(...tabs.map(({ button }) => button));
  const bar = create('div', { class: 'bar' }, list);
  addCopy(bar, () => samples.querySelector('[data-shown] pre'));
  samples.prepend(bar);
  return tabs;
}

function select(groups: readonly Tabs[], title: string): void {
  for (const { button, panel } of groups.flat()) {
    const isSelected = panel.dataset['title'] === title;
    button.setAttribute('aria-selected', String(isSelected));
    button.tabIndex = isSelected ? 0 : -1;
    panel.toggleAttribute('data-shown', isSelected);
  }
}

/** Keeps the scroll position, although the samples change their height. */
function choose(groups: readonly Tabs[], button: HTMLButtonElement): void {
  const before = button.getBoundingClientRect().top;
  select(groups, button.textContent ?? '');
  button.focus({ preventScroll: true });
  try {
    localStorage.setItem(LANGUAGE_KEY, button.textContent ?? '');
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
  scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
}

function nextTab(tabs: Tabs, from: HTMLButtonElement, key: string): HTMLButtonElement | undefined {
  const at = tabs.findIndex(({ button }) => button === from);
  const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
  const to = moves[key];
  return to === undefined ? undefined : tabs.at(to % tabs.length)?.button;
}

function readLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

// Copying.

function addCopy(place: HTMLElement, findCode: () => HTMLElement | null): void {
  const button = create('button', { type: 'button', class: 'copy', 'aria-live': 'polite' }, 'Copy');
  button.addEventListener('click', async () => {
    const code = findCode();
    if (code === null) return;
    const isCopied = await copyText(`${code.textContent}\n`);
    button.focus({ preventScroll: true });
    if (!isCopied) getSelection()?.selectAllChildren(code);
    button.textContent = isCopied ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  });
  place.append(button);
}

/** On plain http, browsers allow the clipboard API only for localhost. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = create('textarea', { class: 'unseen', readonly: '', 'aria-hidden': 'true' });
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

// Search.

/** The entries that contain every word of a query, best first. */
function findEntries(entries: readonly Entry[], query: string): Entry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const scored = entries
    .filter(({ text }) => words.length > 0 && words.every((word) => text.includes(word)))
    .map((entry) => ({ entry, score: scoreOf(entry, words) }));
  return scored.sort((a, b) => a.score - b.score).map(({ entry }) => entry);
}

/** Lower is better: the word is the title, starts it, is in it, or is only in the text. */
function scoreOf({ kind, title }: Entry, words: readonly string[]): number {
  const name = title.toLowerCase();
  const scores = words.map((word) => {
    if (name === word) return 0;
    if (name.startsWith(word)) return 1;
    return name.includes(word) ? 2 : 4;
  });
  // Guides mention everything, so rank them lower.
  return scores.reduce<number>((sum, score) => sum + score, kind === 'Guide' ? 1 : 0);
}

function listEntries(): Entry[] {
  return listElements('[data-kind]').flatMap((place) => {
    const kind = place.dataset['kind'] ?? '';
    const title = place.querySelector('h2, h3, h4 code, dt code')?.textContent ?? '';
    const section = place.parentElement?.closest('section')?.querySelector('h2, h3');
    const context = place.querySelector('.route')?.textContent ?? section?.textContent ?? '';
    // Fields are separate entries, so do not count their text here.
    const words = place.querySelector('.fields') === null ? place.textContent : '';
    const text = `${title} ${context} ${words}`.toLowerCase();
    return [{ kind, title, context: context.trim(), text, id: place.id }];
  });
}

function addSearch(): void {
  const input = create('input', {
    type: 'search',
    role: 'combobox',
    placeholder: 'Search',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': 'Search operations, fields and codes',
    'aria-autocomplete': 'list',
    'aria-controls': 'found',
    'aria-expanded': 'false',
  });
  const list = create('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results' });
  const status = create('p', { class: 'unseen', role: 'status' });
  const box = create('div', { class: 'search' }, input, create('kbd', {}, '/'), list, status);
  document.querySelector('.top .brand')?.after(box);
  list.hidden = true;
  let entries: Entry[] | undefined;

  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const show = () => {
    entries ??= listEntries();
    const found = findEntries(entries, input.value);
    list.replaceChildren(...found.slice(0, RESULTS).map(makeOption));
    list.hidden = input.value.trim() === '';
    if (found.length === 0) list.append(create('li', { class: 'none' }, 'Nothing found.'));
    status.textContent = list.hidden ? '' : `${found.length} found`;
    input.setAttribute('aria-expanded', String(!list.hidden));
    activate(input, list, 0);
  };
  const follow = (option: HTMLElement | null | undefined) => {
    if (option?.dataset['target'] === undefined) return;
    close();
    input.blur();
    location.hash = option.dataset['target'];
  };

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('blur', close);
  // Keeps the focus in the field: losing it would close the list.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    follow(event.target instanceof Element ? event.target.closest('li') : undefined);
  });
  input.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) activate(input, list, activeIndex(list) + step);
    else if (event.key === 'Enter') follow(listElements('[aria-selected="true"]', list)[0]);
    else if (event.key === 'Escape' && input.value === '') input.blur();
    else return;
    event.preventDefault();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.select();
    input.focus();
  });
}

function makeOption({ kind, title, context, id }: Entry, at: number): HTMLElement {
  const attributes = { role: 'option', id: `found-${at}`, 'data-target': id };
  const name = create('span', { class: 'name' }, title);
  const where = create('span', { class: 'where' }, context);
  return create('li', attributes, name, create('span', { class: 'kind' }, kind), where);
}

function activeIndex(list: HTMLElement): number {
  return listElements('[role=option]', list).findIndex((each) => each.ariaSelected === 'true');
}

function activate(input: HTMLElement, list: HTMLElement, index: number): void {
  const options = listElements('[role=option]', list);
  const active = options.at(index % options.length);
  for (const option of options) option.ariaSelected = String(option === active);
  if (active === undefined) input.removeAttribute('aria-activedescendant');
  else input.setAttribute('aria-activedescendant', active.id);
  active?.scrollIntoView({ block: 'nearest' });
}

// The current section, marked in the contents.

function markPlace(): void {
  const side = document.querySelector<HTMLElement>('.side');
  const links = listElements('nav a[href^="#"]');
  const targetOf = (link: HTMLElement) => link.getAttribute('href')?.slice(1) ?? '';
  const ids = [...new Set(links.map(targetOf))];
  const places = ids.flatMap((id) => document.getElementById(id) ?? []);
  const inView = new Set<Element>();
  // A strip below the top bar: the section in this strip is the current one.
  const options = { rootMargin: '-80px 0px -80% 0px' };
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inView.add(target);
      else inView.delete(target);
    }
    const current = places.filter((place) => inView.has(place)).at(-1);
    if (current === undefined) return;
    for (const link of links) {
      const isCurrent = targetOf(link) === current.id;
      if (!isCurrent) link.removeAttribute('aria-current');
      else link.setAttribute('aria-current', 'true');
      if (isCurrent && side?.contains(link) === true) keepInView(side, link);
    }
  }, options);
  for (const place of places) observer.observe(place);
}

/** Scrolls only the contents: scrollIntoView would also scroll the page. */
function keepInView(side: HTMLElement, link: HTMLElement): void {
  const box = side.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  const margin = 48;
  if (top < box.top + margin) side.scrollTop += top - box.top - margin;
  else if (bottom > box.bottom - margin) side.scrollTop += bottom - box.bottom + margin;
}
