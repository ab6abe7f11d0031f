/**
 * HTML that cannot be broken out of: what a template takes in is escaped, unless a template made
 * it. Attribute values in templates stand in double quotes.
 */

/** A piece of HTML. Only templates make one. */
export class Html {
  readonly text: string;

  /** Use {@link html}: this trusts its text. */
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: lists are joined, and what is not there leaves nothing. */
export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

/** A template of HTML: html`<p title="${title}">${text}</p>`. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  let text = strings[0] ?? '';
  for (const [at, value] of values.entries()) text += toText(value) + (strings[at + 1] ?? '');
  return new Html(text);
}

/** Escapes a text for an element or for an attribute in quotation marks of either kind. */
export function escapeHtml(text: string): string {
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
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(toText).join('');
  return escapeHtml(String(value));
}
