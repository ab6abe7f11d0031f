/**
 * HTML templates that escape their values, except values that are themselves built by a template.
 * Put attribute values in double quotes.
 */

/** HTML, built by a template. */
export class Html {
  /** A long one has several, each with whole tags: they are encoded in turns. */
  readonly pieces: readonly string[];

  /** Does not escape its texts: use {@link html} instead. */
  constructor(...pieces: readonly string[]) {
    this.pieces = pieces;
  }

  get text(): string {
    return this.pieces.join('');
  }
}

/** A value in a template: lists are joined; false, null and undefined are omitted. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Builds HTML from a template: html`<p title="${title}">${text}</p>`. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const pieces: string[] = [];
  let text = strings[0] ?? '';
  for (let at = 0; at < values.length; at += 1) {
    text = append(text, values[at], pieces) + strings[at + 1];
  }
  return new Html(...pieces, text);
}

/** The length at which a piece ends after an item of a list, in UTF-16 units: 3 ms to encode. */
const PIECE_UNITS = 256 * 1024;

/** Escapes a text for an element or for a quoted attribute. */
export function escapeHtml(text: string): string {
  // Most texts have nothing to escape.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** The text with a value; what became long enough is moved to the pieces. */
function append(text: string, value: HtmlValue, pieces: string[]): string {
  if (value === false || value === null || value === undefined) return text;
  if (typeof value === 'string') return text + escapeHtml(value);
  if (typeof value === 'number') return text + value;
  if (value instanceof Html) {
    const { pieces: own } = value;
    let last = text + (own[0] ?? '');
    for (let at = 1; at < own.length; at += 1) {
      pieces.push(last);
      last = own[at] ?? '';
    }
    return last;
  }
  let rest = text;
  for (const item of value) {
    rest = append(rest, item, pieces);
    if (rest.length < PIECE_UNITS) continue;
    pieces.push(rest);
    rest = '';
  }
  return rest;
}
