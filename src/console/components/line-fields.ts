/** Fields in which people choose a budget line, and what they chose. */

import { holds } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { formatId, readId } from '../../core/ids.ts';
import { ALLOCATED_LINES, PAGE_ITEMS, RULE_LIMITS } from '../../core/limits.ts';
import { shareByWeight } from '../../core/money.ts';
import { type LineKind, nameLine } from '../../core/projects.ts';
import { type RuledTransaction, WHOLE } from '../../core/rules.ts';
import { foldCase } from '../../core/text.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import {
  listShares,
  listTransactionAllocations,
  type NamedAllocation,
} from '../../operations/allocations.ts';
import {
  type LineFilter,
  listBudgetLines,
  mapBudgetLines,
  sumBudgetLines,
} from '../../operations/budget-lines.ts';
import { fillPage, listAll, type PageRequest } from '../../operations/pages.ts';
import { listProjects } from '../../operations/projects.ts';
import { countTransactions } from '../../operations/transactions.ts';
import { finish, type Steps } from '../../operations/turns.ts';
import type { Access } from '../../store/access.ts';
import type { LineChoice } from '../../store/line-list.ts';
import type { TransactionRecord } from '../../store/transactions.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { KINDS, typed } from './elements.ts';
import type { FormFaults } from './forms.ts';
import { PATHS } from './paths.ts';
import { choiceOf, type Filters, listPath } from './transaction-filters.ts';

/** With more lines than this, a page has text fields; the script asks for the list. */
const LISTED_LINES = 300;
/** With more lines than this, a person types a code or a name, and the server finds the line. */
const ASKED_LINES = 5_000;

/** Lines of archived projects are not offered. */
const OFFERED = { isArchived: false } as const;

/** The lines to choose from; undefined if there are more than LISTED_LINES. */
export function listOfferedLines(
  access: Access,
  wish: LineFilter = {},
): readonly LineChoice[] | undefined {
  const filter = { ...wish, ...OFFERED };
  const request = { ...filter, limit: LISTED_LINES + 1 };
  const { items } = fillPage(request, (page) => listBudgetLines(access, { ...filter, ...page }));
  return items.length > LISTED_LINES ? undefined : items;
}

/** All lines to choose from, for the script; none if there are more than ASKED_LINES. */
export function* readLines(access: Access): Steps<readonly LineChoice[]> {
  const lines: LineChoice[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null && lines.length <= ASKED_LINES) {
    const page = listBudgetLines(access, { ...OFFERED, limit: PAGE_ITEMS, cursor });
    lines.push(...page.items);
    cursor = page.nextCursor;
    yield;
  }
  return cursor === null ? lines : [];
}

export function nameShare({ lineCode: code, lineName: name }: NamedAllocation): string {
  return nameLine({ code, name });
}

/** A line, and what is left in it after it gets more. */
interface LineAfter {
  readonly line: LineChoice;
  readonly leftMinor: number;
}

/** Lines by their numbers, with what is left in each after it gets these amounts. */
export function mapLinesAfter(
  access: Access,
  taken: ReadonlyMap<number, number>,
): ReadonlyMap<number, LineAfter> {
  const lines = mapBudgetLines(access, taken.keys());
  const ids = [...taken.keys()].map((id) => formatId('bln', id));
  const left = new Map(
    sumBudgetLines(access, ids).map((each) => [each.id, each.budgetMinor - each.actualMinor]),
  );
  const after = [...taken].flatMap(([id, minor]) => {
    const line = lines.get(id);
    const leftMinor = (left.get(id) ?? 0) - minor;
    return line === undefined ? [] : [[id, { line, leftMinor }] as const];
  });
  return new Map(after);
}

/** What is left in a line, or how much it is over; of income, what is to come. */
export function sayLeft(reader: Reader, { line, leftMinor }: LineAfter): HtmlValue {
  const whole = reader.whole(Math.abs(leftMinor));
  if (line.kind === 'income') {
    return `${whole} ${leftMinor > 0 ? KINDS.income.over : KINDS.income.left}`;
  }
  return leftMinor < 0 ? html`<span class="over">${whole} over</span>` : whole;
}

/** The days on which no project runs, apart from archived ones. */
export function listDaysWithoutProject(visit: Visit, days: readonly string[]): readonly string[] {
  const all = listAll((page) => listProjects(visit.access, page));
  return days.filter((day) => !all.some((each) => each.archivedAtMs === null && holds(each, day)));
}

/** How many transactions are allocated to a line, unless many, as a link; undefined if none is. */
export function linkAllocated(visit: Visit, project: string, { id }: { id: number }) {
  const filters = { project, line: formatId('bln', id) };
  const counting = countTransactions(visit.access, choiceOf(filters, visit.reader));
  const { count, isCapped } = finish(counting);
  if (count === 0) return undefined;
  const shown = isCapped ? 'transactions' : visit.reader.count(count, 'transaction');
  return html`<a href="${listPath(PATHS.list, filters)}">${shown}</a>`;
}

/**
 * Says of each of these transactions its line, or the first of several. Where filters of a list ask
 * for some allocations, the first of these, with their part unless they get all.
 */
export function sayAllocated(
  { access, reader }: Visit,
  transactions: readonly TransactionRecord[],
  filters: Filters = {},
): (transaction: TransactionRecord) => HtmlValue {
  const ids = transactions.map(({ id }) => id);
  const shares = listShares(access, ids, choiceOf(filters, reader));
  return ({ id, amountMinor }) => {
    const own = shares.filter(({ transactionId }) => transactionId === id);
    const wanted = own.filter(({ isMatch }) => isMatch);
    const [first] = wanted.length > 0 ? wanted : own;
    if (first === undefined) return undefined;
    const others = own.length - Math.max(wanted.length, 1);
    const partMinor = wanted.reduce((sum, each) => sum + each.amountMinor, 0);
    const part = partMinor !== amountMinor && html`: <b>${reader.money(partMinor)}</b>`;
    return html`${typed(nameLine(first))}${wanted.length > 0 && part}${
      others > 0 && ` and ${others} more`
    }`;
  };
}

/**
 * A link that makes a rule of an allocation by hand, for whoever may. Undefined without one, and if
 * the rule could not allocate the transaction: of an archived project, or of other days.
 */
export function ruleLink(visit: Visit, transaction: TransactionRecord): Html | undefined {
  const { id, status } = transaction;
  if (!visit.may('rules') || status !== 'allocated') return undefined;
  const page = { limit: ALLOCATED_LINES };
  const shares = listTransactionAllocations(visit.access, formatId('txn', id), page).items;
  if (shares.length > RULE_LIMITS.shares || shares.some(({ rule }) => rule !== null))
    return undefined;
  // A rule names each line once, and has no share of 0.
  const amounts = new Map<number, number>();
  for (const { budgetLineId: line, amountMinor } of shares) {
    amounts.set(line, (amounts.get(line) ?? 0) + amountMinor);
  }
  const inUse = { isArchived: false, date: transaction.date };
  const lines = [...mapBudgetLines(visit.access, amounts.keys(), inUse).values()];
  if (lines.length < amounts.size) return undefined;
  const weights = shareByWeight(WHOLE, [...amounts.values()]);
  const parts = [...amounts.keys()]
    .map((line, at) => [line, weights[at] ?? 0] as const)
    .filter(([, weight]) => weight > 0)
    .map(([line, weight], at, { length }): [string, string][] => [
      ['line', formatId('bln', line)],
      ['amount', at === length - 1 ? '' : `${weight / 100}%`],
    ]);
  const starts = lines.map(({ startDate }) => startDate).sort();
  const ends = lines.map(({ endDate }) => endDate).sort();
  const path = newRulePath(transaction, [
    ['from', starts.at(-1) ?? ''],
    ['until', ends[0] ?? ''],
    ...parts.flat(),
  ]);
  return html` <a href="${path}">Make a rule of this</a>`;
}

/** The page of a new rule, with what transactions like this one have. */
export function newRulePath(
  { contact, description, amountMinor }: RuledTransaction,
  more: readonly [name: string, value: string][] = [],
): string {
  const query = new URLSearchParams([
    contact === null ? ['description', description] : ['contact', contact],
    ['direction', amountMinor < 0 ? 'in' : 'out'],
    ...more,
  ]);
  return `/rules/new?${query}`;
}

/** What a field for a line needs. */
interface LineField {
  /** Attributes of the control, such as its name and what describes it. */
  readonly attributes: Html;
  /** What was chosen or typed before. */
  readonly value?: string | undefined;
  /** Undefined: a text field takes a code or a name. */
  readonly lines: readonly LineChoice[] | undefined;
  /** Lines of other days are not offered in a text field. */
  readonly day?: string | undefined;
  /** The lines that come first. */
  readonly likely?: readonly LineChoice[];
  /** Whether it is for money in: then the lines for income of each project come first. */
  readonly isMoneyIn?: boolean;
  /** Whether the form has a list of these lines already: the script uses it here too. */
  readonly isListed?: boolean;
}

/** A list of the lines by project, or a text field. */
export function lineControl(field: LineField): Html {
  const { attributes, value = '', lines, likely = [], isMoneyIn = false, isListed, day } = field;
  if (lines === undefined) {
    const first = likely.map((line) => html`<option value="${nameLine(line)}">\n`);
    return html`<input ${attributes} value="${value}" autocomplete="off"
list="likely-lines" data-lines="${day}"
placeholder="Code or name of a line">
<datalist id="likely-lines">${first}</datalist>`;
  }
  if (isListed === true) {
    const chosen = lines.find(({ id }) => formatId('bln', id) === value);
    return html`<input ${attributes} value="${chosen === undefined ? value : labelOf(chosen)}"
autocomplete="off" data-line="${chosen && value}">`;
  }
  const option = (line: LineChoice) => {
    const id = formatId('bln', line.id);
    const selected = id === value && html` selected`;
    // Without an end, as HTML allows: a page can have 300 of them.
    return html`<option value="${id}"${selected}>${nameLine(line)}`;
  };
  const isLikely = new Set(likely.map(({ id }) => id));
  const projects = new Map<string, Record<LineKind, LineChoice[]>>();
  for (const line of lines.filter(({ id }) => !isLikely.has(id))) {
    const project = projects.get(line.projectName) ?? { income: [], expense: [] };
    projects.set(line.projectName, project);
    project[line.kind].push(line);
  }
  const groups = [...projects].flatMap(([name, { income, expense }]) => {
    const ways = [[name, expense] as const, [`${name}: income`, income] as const];
    return (isMoneyIn ? ways.reverse() : ways).filter(([, group]) => group.length > 0);
  });
  // The script offers in each row of a list the lines of its day.
  const daysOf = ([line]: readonly LineChoice[]) =>
    line && html` data-days="${line.startDate} ${line.endDate}"`;
  const groupOf = (name: string, group: readonly LineChoice[], days?: Html) =>
    html`<optgroup label="${name}"${days}>${group.map(option)}</optgroup>\n`;
  return html`<select ${attributes} data-find>
<option value="">Choose a budget line</option>
${likely.length > 0 && groupOf('Likely', likely)}${groups.map(([name, group]) =>
  groupOf(name, group, daysOf(group)),
)}</select>`;
}

/** What a line is for: lines that are open on its day are offered, and it keeps what it has. */
type LineOwner = Pick<TransactionRecord, 'id' | 'date'>;

/**
 * The line that was chosen from the list, or typed as its code or its name. Refuses with
 * `invalid_input` an unknown line, one that is not offered, and a text that fits several.
 */
export function readLineField(
  { access, reader }: Pick<Visit, 'access' | 'reader'>,
  text: string,
  owner?: LineOwner,
): LineChoice {
  const typed = text.trim();
  if (typed === '') throw new Failure('invalid_input', 'Choose a budget line.');
  const number = readId('bln', typed);
  const find = (filter: Wanted): readonly LineChoice[] => {
    const chosen = mapBudgetLines(access, number === undefined ? [] : [number], filter);
    return chosen.size > 0 ? [...chosen.values()] : findTyped(access, typed, filter);
  };
  // First what the page itself has put into the field.
  const kept = owner === undefined ? [] : listKept(access, owner);
  let found: readonly LineChoice[] = kept.filter((line) => {
    return line.id === number || [nameLine(line), labelOf(line)].includes(typed);
  });
  if (found.length === 0) found = find({ ...OFFERED, date: owner?.date });
  if (found.length === 0) {
    found = kept.filter(({ code, name }) => code === typed || isSame(name, typed));
  }
  const [line, ...others] = found;
  if (line === undefined) {
    const date = number === undefined ? owner?.date : undefined;
    const [archived] = find({ isArchived: true, date });
    const [other] = archived === undefined ? find(OFFERED) : [];
    const why = archived ? sayArchived(archived) : other && sayOutside(other, reader);
    throw new Failure('invalid_input', why ?? `No budget line matches "${typed}".`);
  }
  if (others.length === 0) return line;
  const labels = found.slice(0, 4).map(labelOf);
  const message = `"${typed}" fits several budget lines, such as ${labels.join('; ')}.`;
  throw new Failure('invalid_input', `${message} Type one of these in full.`);
}

/** Which lines a text is to find. */
type Wanted = Pick<LineFilter, 'date' | 'isArchived'>;

/** The lines to which a transaction is allocated. */
function listKept(access: Access, { id }: LineOwner): readonly LineChoice[] {
  const lines = listShares(access, [id]).map(({ budgetLineId }) => budgetLineId);
  return [...mapBudgetLines(access, lines).values()];
}

/** A line with its project, whose name no other project has. */
export function labelOf(line: LineChoice): string {
  return `${nameLine(line)} (${line.projectName})`;
}

function sayArchived(line: LineChoice): string {
  return `${nameLine(line)} is a line of ${line.projectName}, which is archived. Choose another.`;
}

function sayOutside(line: LineChoice, reader: Reader): string {
  const [first, last] = [line.startDate, line.endDate].map((day) => reader.dayText(day));
  const days = `which runs from ${first} to ${last}`;
  return `${nameLine(line)} is a line of ${line.projectName}, ${days}. Choose another.`;
}

/**
 * Lines with this code, or this code and name, or this name, or these with their project; else
 * those that have the text in them.
 */
function findTyped(access: Access, typed: string, filter: Wanted): readonly LineChoice[] {
  const byCode = listBudgetLines(access, { ...filter, code: typed }).items;
  if (byCode.length > 0) return byCode;
  const wish = { ...filter, search: typed };
  const read = (page: PageRequest) => listBudgetLines(access, { ...wish, ...page });
  const found = fillPage({ limit: PAGE_ITEMS }, read).items;
  const exact = [
    (line: LineChoice) => line.code !== null && nameLine(line) === typed,
    (line: LineChoice) => isSame(line.name, typed),
    (line: LineChoice) => labelOf(line) === typed,
  ];
  const best = exact.map((is) => found.filter(is)).find((lines) => lines.length > 0);
  return best ?? found;
}

function isSame(name: string, typed: string): boolean {
  return foldCase(name) === foldCase(typed);
}

/** A budget line and its share of a transaction, as typed into a form. */
export interface TypedShare {
  readonly line: string;
  readonly amount: string;
}

interface ShareRow {
  readonly at: number;
  readonly faults: FormFaults;
  /** The lines to choose from. */
  readonly offer: Pick<LineField, 'lines' | 'likely' | 'isMoneyIn' | 'day'>;
  readonly isOnly: boolean;
  /** Whether it is money out on a line for income. */
  readonly isLower: boolean;
  /** What the second field has: an amount. */
  readonly word?: string;
}

const LOWER = 'Money out on an income line: it lowers what is received.';

/** A row of the form, with what is wrong with its line and its amount. */
export function shareRow({ line, amount }: TypedShare, row: ShareRow): Html {
  const { at, faults, offer, isOnly, isLower, word = 'Amount' } = row;
  const wrong = [`line-${at}`, `amount-${at}`].filter((name) => faults[name] !== undefined);
  const mark = (name: string) =>
    wrong.includes(name) && html` aria-invalid="true" aria-describedby="${name}-fault"`;
  const attributes = html`id="line-${at}" name="line" aria-label="Budget line ${at + 1}"${mark(
    `line-${at}`,
  )}`;
  return html`<tr>
<td class="line">${lineControl({ attributes, value: line, ...offer, isListed: at > 0 })}${wrong.map(
    (name) => html`<span class="fault" id="${name}-fault">${faults[name]}</span>`,
  )}${isLower && html`<span class="hint">${LOWER}</span>`}</td>
<td class="value" data-label="${word}"><input id="amount-${at}" name="amount" inputmode="decimal"
autocomplete="off" aria-label="${word} ${at + 1}" value="${amount}"${mark(`amount-${at}`)}></td>
<td class="gone">${
    !isOnly &&
    html`<button class="button plain" name="do" value="remove-${at}" aria-label="Remove line ${
      at + 1
    }">×</button>`
  }</td></tr>
`;
}
