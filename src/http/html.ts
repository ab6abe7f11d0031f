/**
 * HTML templates that escape their values, except values that are themselves built by a template.
 * Put attribute values in double quotes.
 */

/** A piece of HTML, built by a template. */
export class Html {
  readonly text: string;

  /** Does not escape its text: use {@link html} instead. */
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template: lists are joined; false, null and undefined are omitted. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** Builds HTML from a template: html`<p title="${title}">${text}</p>`. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (let at = 0; at < values.length; at += 1) text += toText(values[at]) + strings[at + 1];
  return new Html(text);
}

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

function toText(value: HtmlValue): string {
  if (value === false || value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toText).join('');
  return String(value);
}
