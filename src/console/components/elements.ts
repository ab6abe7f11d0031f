/** Parts that several pages have. */

import type { Currency } from '../../core/currencies.ts';
import type { Status } from '../../core/transactions.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reader } from '../session/reader.ts';

/**
 * A bar of the budget used: what is above it is hatched, and an upright line is where the budget of
 * the days so far ends. That share is there in words too; the other figures are beside it.
 */
export function budgetBar(actualMinor: number, dueMinor: number, budgetedMinor: number): Html {
  const whole = Math.max(budgetedMinor, actualMinor, 1);
  const at = (minor: number) => round((100 * Math.max(0, minor)) / whole);
  const [used, budgeted] = [at(Math.min(actualMinor, budgetedMinor)), at(budgetedMinor)];
  const beyond = round(at(actualMinor) - budgeted);
  const due = Math.round((100 * dueMinor) / budgetedMinor);
  const place = html`x="${budgeted}" y="1" width="${beyond}" height="10"`;
  return html`<svg class="used" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
<rect class="whole" fill="#ddd" y="1" width="${budgeted}" height="10"/>
<rect class="part" fill="#555" y="1" width="${used}" height="10"/>
${
  beyond > 0 && html`<rect class="beyond" fill="url(#hatch)" stroke="#000" ${place}/>\n`
}<path class="due" stroke="#000" d="M${at(dueMinor)} -2V14"/>
</svg>${budgetedMinor > 0 && html` <span class="hidden">${due} % budgeted to today</span>`}`;
}

/** The status of a transaction: a shape, a word, and only then a colour. */
export function statusTag(status: Status): Html {
  const [shape, word] = STATUS_TAGS[status];
  return html`<span class="tag ${shape}">${word}</span>`;
}

/** The words of a status. */
export function statusWord(status: Status): string {
  return STATUS_TAGS[status][1];
}

const STATUS_TAGS: Readonly<Record<Status, readonly [shape: string, word: string]>> = {
  excluded: ['excluded', 'Excluded'],
  needs_review: ['review', 'Needs review'],
  allocated: ['allocated', 'Allocated'],
  partially_allocated: ['partly', 'Partly allocated'],
  unallocated: ['unallocated', 'Unallocated'],
};

/** An amount in a list: money in is negative, and says so. */
export function moneyCell(amountMinor: number, currency: Currency, reader: Reader): HtmlValue {
  const text = reader.money(amountMinor, currency);
  return amountMinor < 0 ? html`<span class="in">in</span> ${text}` : text;
}

/** A text that someone typed, which cannot change the direction of what is around it. */
export function typed(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** The head of a column: of amounts, or only for screen readers. */
export type Head = string | readonly [name: string, look: 'num' | 'hidden'];

/** A table. */
interface TableParts {
  /** Its name, or the id of the heading that is its name. */
  readonly label?: string;
  readonly labelledBy?: string;
  /** Its style, besides that of every table. */
  readonly look?: string;
  readonly heads: readonly Head[];
  readonly rows: HtmlValue;
}

/** A table whose rows are cards on a phone; the roles keep it a table there. */
export function stackTable({ label, labelledBy, look = '', heads, rows }: TableParts): Html {
  const name = label === undefined ? html`labelledby="${labelledBy}"` : html`label="${label}"`;
  const cells = heads.map((head) => {
    const [text, kind] = typeof head === 'string' ? [head] : head;
    if (kind === 'num') return html`<th role="columnheader" scope="col" class="num">${text}</th>\n`;
    const shown = kind === 'hidden' ? html`<span class="hidden">${text}</span>` : text;
    return html`<th role="columnheader" scope="col">${shown}</th>\n`;
  });
  return html`<table class="${look}stack" role="table" aria-${name}>
<thead role="rowgroup"><tr role="row">
${cells}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
</table>`;
}

/** A question before something that cannot be undone. */
interface Confirmation {
  /** What opens it, and on what: only screen readers need that. */
  readonly open: string;
  readonly on: string;
  readonly question: HtmlValue;
  readonly button: string;
}

/** The question, where it is asked, with its form. */
export function askOnce(words: Confirmation, action: string, fields: HtmlValue): Html {
  const on = html`<span class="hidden"> ${words.on}</span>`;
  return html`<details class="confirm"><summary>${words.open}${on}</summary><div class="ask">
<p>${words.question}</p>
<form method="post" action="${action}">${fields}<button class="button danger">${
    words.button
  }</button></form>
</div></details>`;
}

/** A secret to copy, which the page shows only once. */
export function secretBox(title: string, secret: string, about: HtmlValue): Html {
  return html`<section class="once" aria-labelledby="once">
<h2 id="once">${title}</h2>
<div class="secret"><code id="secret">${secret}</code>${copyButton('secret')}</div>
<p class="small">${about}</p>
</section>`;
}

/** Copies the text of an element; only with the script. */
export function copyButton(id: string): Html {
  return html`<button class="button" type="button" data-copy="${id}" data-script
hidden>Copy</button>`;
}

/** The hatch of everything beyond a budget, once on a page. */
export const HATCH = html`<svg class="hidden" width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatch" class="hatch" width="5" height="5" patternUnits="userSpaceOnUse">
<path stroke="#000" d="M-1 6 6-1M-1 1 1-1M4 6 6 4"/></pattern></defs></svg>`;

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
