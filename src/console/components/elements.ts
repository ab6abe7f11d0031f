/** Parts that several pages have. */

import type { LineKind } from '../../core/projects.ts';
import type { Status } from '../../core/transactions.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reader } from '../session/reader.ts';

/** The status of a transaction: a shape, a word, and only then a colour. */
export function statusTag(status: Status): Html {
  const [shape, word] = STATUS_TAGS[status];
  return html`<span class="tag ${shape}">${word}</span>`;
}

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
export function moneyCell(amountMinor: number, reader: Reader): HtmlValue {
  const text = reader.money(amountMinor);
  return amountMinor < 0 ? html`<span class="in">in</span> ${text}` : text;
}

/** A text that someone typed, which cannot change the direction of what is around it. */
export function typed(text: string): Html {
  return html`<bdi>${text}</bdi>`;
}

/** A column of a table whose rows are of one kind. */
export type Column<Row> = readonly [
  head: HtmlValue,
  /** The classes of its cells; `num`, for amounts, and `pick` are its head's too. */
  look: string,
  cell: (row: Row) => HtmlValue,
  /** What a phone, which shows no heads, says before a cell; by default nothing. */
  label?: string,
];

/** What a table is called, and how it looks. */
interface TableParts<Row> {
  /** Its name, or the id of the heading that is its name. */
  readonly label?: string;
  readonly labelledBy?: string;
  /** Its style, besides that of every table. */
  readonly look?: string;
  /** The id of a row, and whether its first cell is its head, as it is by default. */
  readonly idOf?: (row: Row) => string;
  readonly hasRowHeads?: boolean;
  /** The row that is open beside the table. */
  readonly isOpen?: (row: Row) => boolean;
}

/** A table whose rows are cards on a phone; the roles keep it a table there. */
export function stackTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { label, labelledBy, look = '', idOf, isOpen, hasRowHeads = true }: TableParts<Row>,
): Html {
  const name = label === undefined ? html`labelledby="${labelledBy}"` : html`label="${label}"`;
  const heads = columns.map(([head, classes]) => {
    const [mark] = /\b(?:num|pick)\b/.exec(classes) ?? [];
    const look = mark && html` class="${mark}"`;
    return html`<th role="columnheader" scope="col"${look}>${head}</th>\n`;
  });
  const cells = (row: Row) =>
    columns.map(([, classes, cell, words], at) => {
      const marks = html`${classes !== '' && html` class="${classes}"`}${
        words !== undefined && html` data-label="${words}"`
      }`;
      return at === 0 && hasRowHeads
        ? html`<th role="rowheader" scope="row"${marks}>${cell(row)}</th>\n`
        : html`<td role="cell"${marks}>${cell(row)}</td>\n`;
    });
  return html`<table class="${look}stack" role="table" aria-${name}>
<thead role="rowgroup"><tr role="row">
${heads}</tr></thead>
<tbody role="rowgroup">
${rows.map((row) => {
  const current = isOpen?.(row) && html` aria-current="true"`;
  return html`<tr role="row"${idOf && html` id="${idOf(row)}"`}${current}>\n${cells(row)}</tr>\n`;
})}</tbody>
</table>`;
}

/** Ways to show the same: their names, where they lead, and whether each is the present one. */
export function switchList(
  label: string,
  ways: readonly (false | readonly [name: HtmlValue, path: string, isHere: boolean])[],
): Html {
  const links = ways.map((way) => {
    if (way === false) return undefined;
    const [name, path, isHere] = way;
    return html`<a href="${path}"${isHere && html` aria-current="page"`}>${name}</a>\n`;
  });
  return html`<span class="switch" role="group" aria-label="${label}">${links}</span>\n`;
}

/** Tabs: where each leads, what it is called, and whether it is the present one. */
export function tabList(
  label: string,
  tabs: readonly (false | readonly [path: string, name: HtmlValue, isHere: boolean])[],
): Html {
  const items = tabs.map((tab) => {
    if (tab === false) return undefined;
    const [path, name, isHere] = tab;
    return html`<li><a href="${path}"${isHere && html` aria-current="page"`}>${name}</a></li>\n`;
  });
  return html`<nav aria-label="${label}"><ul class="tabs">\n${items}</ul></nav>\n`;
}

/** The first of several, with commas between them, and how many more there are. */
export function nameFirst<Item>(
  reader: Reader,
  items: readonly Item[],
  most: number,
  say: (item: Item) => HtmlValue,
): Html {
  const more = items.length - most;
  const named = items.slice(0, most).map((item, at) => html`${at > 0 && ', '}${say(item)}`);
  return html`${named}${more > 0 && ` and ${reader.count(more)} more`}`;
}

export function codedName({ code, name }: { code: string | null; name: string }): Html {
  return html`${code !== null && html`<span class="code">${code}</span> `}${typed(name)}`;
}

/** What budget lines of a kind, their sum and their figures are called. */
export const KINDS = {
  income: {
    name: 'Income',
    total: 'Total income',
    budget: 'expected',
    actual: 'received',
    left: 'to come',
    over: 'more than expected',
  },
  expense: {
    name: 'Expenses',
    total: 'Total expenses',
    budget: 'budget',
    actual: 'spent',
    left: 'left',
    over: 'over',
  },
} as const satisfies Readonly<Record<LineKind, unknown>>;

/** Words that only screen readers say. */
export function unseen(words: string): Html {
  return html`<span class="hidden">${words}</span>`;
}

/** Why there is nothing to show, with what can be done about it. */
export function emptyPart(title: string, about: HtmlValue, actions?: HtmlValue): Html {
  return html`<section class="empty"><h2>${title}</h2>
<p>${about}</p>${actions && html`\n<p class="actions">${actions}</p>`}</section>`;
}

/** A row of a list of jobs: how many, what, about it, and the buttons of what settles it. */
export function jobRow(
  count: HtmlValue,
  what: HtmlValue,
  about: HtmlValue,
  buttons: HtmlValue,
): Html {
  return html`<li><span class="n">${count}</span>
<span class="what"><b>${what}</b> <span class="sub">${about}</span></span>${
    buttons && html` <span class="actions">${buttons}</span>`
  }</li>
`;
}

/** A part of a page with a heading, which names it, and perhaps something beside that. */
export function sectionPart(
  id: string,
  title: HtmlValue,
  content: HtmlValue,
  { aside, look }: { readonly aside?: HtmlValue; readonly look?: string } = {},
): Html {
  const heading = html`<h2 id="${id}">${title}</h2>`;
  return html`<section${look && html` class="${look}"`} aria-labelledby="${id}">${
    aside === undefined ? heading : html`<div class="title">${heading}${aside}</div>`
  }
${content}</section>
`;
}

/** Names with what each of them is; false hides a pair. */
export function pairList(pairs: readonly (readonly [name: HtmlValue, value: HtmlValue])[]): Html {
  return html`<dl class="pairs">${pairs.map(
    ([name, value]) => value !== false && html`<dt>${name}</dt><dd>${value}</dd>\n`,
  )}</dl>`;
}

/** A figure of a page: what it is, how much, and about it; false hides it. */
export type Figure = false | readonly [name: HtmlValue, figure: HtmlValue, about?: HtmlValue];

/** The figures of a page, beside each other. */
export function figureList(figures: readonly Figure[], look = 'totals'): Html {
  return html`<dl class="${look}">
${figures.map((each) => {
  if (each === false) return undefined;
  const [name, figure, about] = each;
  const small = about !== undefined && about !== false && html` <small>${about}</small>`;
  return html`<div><dt>${name}</dt><dd>${figure}${small}</dd></div>\n`;
})}</dl>`;
}

/** A secret to copy, which the page shows only once. */
export function secretBox(secret: string, about: HtmlValue): Html {
  return html`<section class="once" aria-labelledby="once">
<h2 id="once">Copy it now: it is shown only once</h2>
<div class="secret"><code id="secret">${secret}</code>${copyButton('secret')}</div>
<p class="small">${about}</p>
</section>`;
}

/** Copies the text of an element; only with the script. */
export function copyButton(id: string, label = 'Copy'): Html {
  return html`<button class="button" type="button" data-copy="${id}" data-script
hidden>${label}</button>`;
}
