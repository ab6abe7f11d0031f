/** What is around the content of a page: the head, the bar and the foot. */

import { FORMS } from '../../core/limits.ts';
import { listPermissions, type Permission } from '../../core/users.ts';
import { Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { pageReply } from '../../http/pages.ts';
import { countTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import { buildText } from '../../package-folder.ts';
import type { Visit } from '../session/visit.ts';
import { pairList, typed } from './elements.ts';
import { type FormFaults, isFaulty, listedFaults, type Sent } from './forms.ts';
import { organisationForm, otherOrganisations, withOrganisation } from './organisations.ts';
import { PATHS } from './paths.ts';

/** A page without its surroundings. */
interface Page {
  /** For the window's title: the same words as the heading, or nearly. */
  readonly title: string;
  readonly content: HtmlValue;
  /** What on it has keys. */
  readonly keys?: KeyPlace | undefined;
}

/** A page for someone who is signed in. */
interface PageParts extends Page, Partial<Sent> {
  /** The entry of the bar where the page belongs. */
  readonly place?: string;
  /** The pages above this one, from the outermost. */
  readonly above?: readonly (readonly [path: string, name: HtmlValue])[];
  /** The title with what a person typed; by default the title. */
  readonly heading?: HtmlValue;
  /** Under the heading, and beside it. */
  readonly lead?: HtmlValue;
  readonly actions?: HtmlValue;
  /** Instead of all these. */
  readonly head?: HtmlValue;
  /** What the last form did, if the page has looked at that itself. */
  readonly flash?: HtmlValue;
}

/** A page with what is wrong with its forms, and what the last form did. */
export function showPage(visit: Visit, parts: PageParts): Reply {
  const { title, place, keys, faults = {}, headers } = parts;
  const { head = headOf(parts), content: rest } = parts;
  const { flash } = parts.flash === undefined ? visit.desk.outcomes.take(visit) : parts;
  // A page that refuses its form need not have asked for everything that it knows.
  const unknown = isFaulty(faults) ? [] : visit.unknownNames;
  const content = html`${flash}${unknownPart(unknown)}\n${head}\n${faultSummary(faults)}${rest}`;
  const page = framedPage({ title: titleOf(title, faults), content, keys }, visit, place);
  return pageReply(page, parts.status ?? (isFaulty(faults) ? 422 : 200), headers);
}

/** What of its address a page does not know (contract 2). Nothing if it knows all. */
function unknownPart(names: readonly string[]): Html | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, FORMS.faults).map((name) => html` ${typed(name)}`);
  return html`<p class="note">This page does not know these parts of its address:${shown}. It
shows the rest.</p>`;
}

/** What is wrong, with a link to each field. Nothing if nothing is. */
function faultSummary(faults: FormFaults): Html | undefined {
  if (!isFaulty(faults)) return undefined;
  const links = [...listedFaults(faults)].map((name) => {
    return html`<li id="${name}-said"><a href="#${name}">${faults[name]}</a></li>\n`;
  });
  const more = Object.keys(faults).length - links.length;
  return html`<div class="problem" tabindex="-1" role="alert">
<h2>There is a problem</h2>
<ul>
${links}${more > 0 && html`<li>And ${more} more.</li>\n`}</ul>
</div>`;
}

/** The title of a page with a form: `Error: ` in front if something is wrong with it. */
function titleOf(title: string, faults: FormFaults): string {
  return isFaulty(faults) ? `Error: ${title}` : title;
}

function headOf({ title, above = [], heading = title, lead, actions }: PageParts): Html {
  const crumbs = above.map(([path, name], at) => {
    return html`${at > 0 && ' · '}<a href="${path}">${name}</a>`;
  });
  return html`${
    crumbs.length > 0 && html`<p class="crumb">${crumbs}</p>\n`
  }<div class="head"><div><h1>${heading}</h1>${lead !== undefined && html`\n<p>${lead}</p>`}</div>${
    actions !== undefined && html`<div class="actions">${actions}</div>`
  }</div>`;
}

/** An entry of the bar, and what a person needs to see it. */
interface BarEntry {
  readonly path: string;
  readonly name: string;
  readonly may: Permission;
}

const PLACES: readonly BarEntry[] = [
  { path: '/', name: 'Home', may: 'read' },
  { path: PATHS.list, name: 'Transactions', may: 'read' },
  { path: PATHS.review, name: 'Review', may: 'read' },
  { path: PATHS.projects, name: 'Projects', may: 'read' },
  { path: PATHS.rules, name: 'Rules', may: 'read' },
  { path: PATHS.import, name: 'Import', may: 'import' },
  { path: '/settings/keys', name: 'Settings', may: 'keys' },
];

/** The hatch of everything beyond a budget, once on a page. */
const HATCH = html`<svg class="hidden" width="0" height="0" aria-hidden="true"><defs>
<pattern id="hatch" class="hatch" width="5" height="5" patternUnits="userSpaceOnUse">
<path stroke="#000" d="M-1 6 6-1M-1 1 1-1M4 6 6 4"/></pattern></defs></svg>`;

function framedPage(page: Page, visit: Visit, path = '/'): Html {
  const { email, role, access, shortcuts } = visit.session;
  const { organisation } = access;
  const { currency, decimal, locale } = visit.reader;
  const permissions = listPermissions(role);
  const reviews = finish(countTransactions(access, { statuses: ['needs_review'] }));
  const count = visit.reader.count(reviews.count);
  const others = otherOrganisations(visit.session);
  const content = html`${page.content}`;
  const places = PLACES.filter(({ may }) => permissions.includes(may));
  const countAt = (place: BarEntry) => (place.path === PATHS.review ? count : '0');
  return document(
    page.title,
    html`<body data-currency="${currency.code}"
data-decimal="${decimal}" data-locale="${locale}" data-places="${currency.places}"${
      shortcuts && html` data-shortcuts`
    }>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">budgetd</a>
<span class="of">${organisation.name}</span>
<nav aria-label="Main"><ul class="places">
${places.map((place) => placeLink(place, path, countAt(place)))}</ul></nav>
<details class="who">
<summary><span class="mail">${email}</span> <span class="narrow-only">You</span></summary>
<div class="menu">${others.map((other) => organisationForm(other, undefined))}<a
href="/account">Your account</a>
<form method="post" action="/sign-out"><button>Sign out</button></form></div>
</details>
</header>
<main id="main" tabindex="-1">
${HATCH}
${others.length === 0 ? content : withOrganisation(content, visit.session)}
</main>
<footer class="foot"><p><span>budgetd ${VERSION}</span> ${INTERFACE} <a
href="/help">Help</a></p>${page.keys !== undefined && keysOfPage(page.keys, shortcuts)}</footer>
</body>`,
  );
}

/** A page without the bar. */
interface PlainPage extends Page, Partial<Sent> {
  readonly lead?: HtmlValue;
  /** Whether its texts are longer. */
  readonly isBroad?: boolean;
}

/** A page without the bar: signing in, setting up, failures. */
export function showPlain(parts: PlainPage): Reply {
  const { title, lead, content, isBroad = false, faults = {} } = parts;
  const page = document(
    titleOf(title, faults),
    html`<body class="${isBroad ? 'alone broad' : 'alone'}">
<main id="main" tabindex="-1">
<a class="brand" href="/">budgetd</a>
${faultSummary(faults)}
<h1>${title}</h1>
${lead !== undefined && html`<p class="lead">${lead}</p>\n`}${content}
</main>
<footer class="foot"><p>${INTERFACE}</p></footer>
</body>`,
  );
  return pageReply(page, parts.status ?? (isFaulty(faults) ? 422 : 200), parts.headers);
}

/** A page that is printed, with a style of its own and the way back, which paper does not have. */
export function showPaper({
  title,
  content,
  style,
  way: [path, name],
}: Page & { readonly style: string; readonly way: readonly [path: string, name: string] }): Reply {
  const body = html`<body class="desk-top">
<header class="desk-bar"><a href="${path}">${name}</a> <span class="soft">A4, upright. To keep it as
a file, print to PDF.</span> <button class="button primary" type="button" data-print data-script
hidden>Print</button></header>
<main class="document" id="main" tabindex="-1">
${content}
</main>
</body>`;
  return pageReply(document(title, body, html`<link rel="stylesheet" href="${style}">\n`));
}

const VERSION = buildText();
const INTERFACE = html`<a href="/docs">HTTP interface</a>`;

/** Not in a template: the bundler would need a package at run time for one with this tag. */
const SCRIPT = new Html('<script src="/console.js" defer></script>');

/** Three bars, in the colour of links. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath fill='%230a6472' d='M1 9h3v6H1zM6 5h3v10H6zM11 1h3v14h-3z'/%3E%3C/svg%3E";

function document(title: string, body: Html, style?: Html): Html {
  return html`<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · budgetd</title>
<link rel="icon" href="${ICON}" type="image/svg+xml">
<link rel="stylesheet" href="/console.css">
${style}${SCRIPT}
</head>
${body}
</html>
`;
}

function placeLink({ path, name }: BarEntry, current: string, count: string): Html {
  const mark = path === current && html` aria-current="page"`;
  return html`<li><a href="${path}"${mark}>${name}${
    count !== '0' &&
    html` <span class="count">${count}<span class="hidden"> to
review</span></span>`
  }</a></li>\n`;
}

/** What on a page has keys: a list of transactions, or a grid of amounts. */
type KeyPlace = 'list' | 'grid';

/** What the keys of a place do. */
const KEYS: Readonly<Record<KeyPlace, readonly (readonly [keys: Html, what: string])[]>> = {
  list: [
    [html`<kbd>j</kbd> or <kbd>↓</kbd>`, 'the transaction below'],
    [html`<kbd>k</kbd> or <kbd>↑</kbd>`, 'the transaction above'],
    [html`<kbd>Enter</kbd>`, 'opens it'],
    [html`<kbd>x</kbd>`, 'selects it, or clears the selection'],
    [html`<kbd>Shift</kbd> + <kbd>x</kbd> or click`, 'selects up to here'],
    [html`<kbd>a</kbd>`, 'goes to the budget line of the row, or of the selection'],
    [
      html`<kbd>Enter</kbd> in a budget line`,
      'saves it, for all that are selected if the row is, and goes to the next row',
    ],
    [html`<kbd>Tab</kbd> in a budget line`, 'goes to the next row, and saves later'],
    [html`<kbd>Esc</kbd> in a budget line`, 'leaves it'],
    [
      html`<kbd>=</kbd>`,
      'allocates others like the last one to the same line, if a message offers it',
    ],
  ],
  grid: [
    [html`<kbd>Enter</kbd> or <kbd>↓</kbd>`, 'the line below'],
    [html`<kbd>↑</kbd>`, 'the line above'],
    [html`<kbd>→</kbd> or <kbd>Tab</kbd>`, 'the next month'],
    [html`<kbd>←</kbd>`, 'the month before'],
    [
      html`<kbd>Ctrl</kbd> + <kbd>V</kbd>`,
      'fills the cells from here with a block of a spreadsheet',
    ],
  ],
};

/** The keys of a place, and when they work. */
export function keyTable(place: KeyPlace): Html {
  return pairList(KEYS[place]);
}

/** The keys of a page, for its footer. Hidden unless the script runs, which handles them. */
function keysOfPage(place: KeyPlace, isOn: boolean): Html {
  const table = html`${keyTable(place)}<p>They work while the ${place} has the focus${
    place === 'list' && ', or when nothing has it'
  }.</p>`;
  const off = html`<p>Keys in lists are off. <a href="/account#keys">Switch them on</a></p>`;
  return html`<details class="keys" data-script hidden><summary>Keys of this page</summary>
${place === 'grid' || isOn ? table : off}</details>`;
}
