/** Reads a page as strictly as only its own templates can be read, and looks for foreign parts. */

import assert from 'node:assert/strict';

/** An element with its attributes, in the order of the page. */
interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

/** A form of a page, and what it would send. */
export interface FoundForm {
  readonly method: 'GET' | 'POST';
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** What a page consists of. */
export interface ReadPage {
  readonly elements: readonly Element[];
  /** The texts and the values of the attributes, decoded, in the order of the page. */
  readonly texts: readonly string[];
  readonly links: readonly string[];
  readonly forms: readonly FoundForm[];
}

const ADDRESSES = new Set(['href', 'src', 'action', 'formaction']);
const VOID = new Set(['meta', 'link', 'input', 'br', 'hr', 'img', 'col', 'wbr']);
const TAG = /<([a-zA-Z][\w-]*)((?:\s+[\w:-]+(?:="[^"<>]*")?)*)\s*(\/?)>/y;
const END = /<\/([a-zA-Z][\w-]*)>/y;
const TEXT = /[^<>]+/y;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

/** Reads a page. Fails for one that is not well-formed, or whose texts have raw marks in them. */
export function readPage(text: string, what: string): ReadPage {
  const elements: Element[] = [];
  const texts: string[] = [];
  const open: string[] = [];
  const doctype = '<!doctype html>\n';
  assert.ok(text.startsWith(doctype), what);
  let at = doctype.length;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    const place = () => `${what}: ${JSON.stringify(text.slice(Math.max(0, at - 100), at + 100))}`;
    const plain = take(TEXT);
    if (plain !== null) {
      texts.push(decode(plain[0], place));
      continue;
    }
    const end = take(END);
    if (end !== null) {
      if (open.at(-1) === 'option' && end[1] !== 'option') open.pop();
      if (open.pop() !== end[1]) assert.fail(place());
      continue;
    }
    const tag = take(TAG);
    if (tag === null) assert.fail(place());
    const [, name = '', rest = '', slash] = tag;
    // An option ends where the next one begins, or its list ends.
    if (name === 'option' && open.at(-1) === 'option') open.pop();
    const attributes = new Map<string, string>();
    for (const [, key = '', value = ''] of rest.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      if (attributes.has(key)) assert.fail(`${key} twice: ${place()}`);
      const read = decode(value, place);
      attributes.set(key, read);
      texts.push(ADDRESSES.has(key) ? readAddress(read) : read);
    }
    elements.push({ name, attributes });
    if (slash === '' && !VOID.has(name)) open.push(name);
  }
  assert.deepEqual(open, [], what);
  return { elements, texts, links: linksOf(elements), forms: formsIn(elements) };
}

/** An address with the texts in its query, as they were typed. */
function readAddress(text: string): string {
  const [path, query] = text.split('?', 2);
  if (query === undefined) return text;
  const pairs = [...new URLSearchParams(query)].map((pair) => pair.join('='));
  return `${path}?${pairs.join('&')}`;
}

function decode(text: string, place: () => string): string {
  return text.replace(/&(?:([a-z]+|#\d+);)?/g, (whole, name: string | undefined) => {
    const found = name === undefined ? undefined : ENTITIES[name];
    return found ?? assert.fail(`${whole} in ${place()}`);
  });
}

const NEVER = new Set(['iframe', 'object', 'embed', 'base', 'style', 'audio', 'video', 'img']);

/** Fails if a page runs or loads anything but the script and the style of the console. */
export function assertHarmless({ elements }: ReadPage, what: string): void {
  for (const { name, attributes } of elements) {
    if (NEVER.has(name)) assert.fail(`${what}: <${name}>`);
    for (const [key, value] of attributes) {
      const isForeign = ADDRESSES.has(key) && !/^(?:\/(?![/\\])|#|\?)/.test(value);
      const isIcon = name === 'link' && value.startsWith('data:image/svg+xml,');
      const isWrong = /^(?:on|style$|srcdoc$|http-equiv$)/i.test(key) || (isForeign && !isIcon);
      if (isWrong) assert.fail(`${what}: ${key}="${value}"`);
    }
  }
  const scripts = elements.filter(({ name }) => name === 'script');
  assert.deepEqual(
    scripts.map(({ attributes }) => attributes.get('src')),
    ['/console.js'],
    what,
  );
}

/** The elements and the names of their attributes: the same whatever the texts are. */
export function skeletonOf({ elements }: ReadPage): readonly string[] {
  return elements.map(({ name, attributes }) => [name, ...attributes.keys()].join(' '));
}

function linksOf(elements: readonly Element[]): string[] {
  return elements.flatMap(({ name, attributes }) => {
    const target = attributes.get('href')?.split('#', 1)[0] ?? '';
    return name === 'a' && target !== '' ? [target] : [];
  });
}

/** A form goes to the next one: they cannot be nested. */
function formsIn(elements: readonly Element[]): FoundForm[] {
  const forms: (FoundForm & { readonly fields: [string, string][] })[] = [];
  let select = '';
  for (const { name, attributes } of elements) {
    const value = attributes.get('value') ?? '';
    const key = attributes.get('name') ?? '';
    const fields = forms.at(-1)?.fields ?? [];
    if (name === 'form') {
      const method = attributes.get('method') === 'post' ? 'POST' : 'GET';
      forms.push({ method, action: attributes.get('action') ?? '', fields: [] });
    } else if (name === 'select') {
      select = key;
      if (key !== '') fields.push([key, '']);
    } else if (name === 'option' && attributes.has('selected')) {
      fields.push([select, value]);
    } else if (['input', 'textarea', 'button'].includes(name) && key !== '') {
      fields.push([key, value]);
    }
  }
  return forms;
}
