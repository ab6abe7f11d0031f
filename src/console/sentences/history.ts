/** What the changes in the audit log are, in words. */

import type { AuditChange, AuditValue } from '../../core/audit.ts';
import { ROW_MEMBERS, STORED_MEMBERS } from '../../core/row-members.ts';
import type { RuleConditions } from '../../core/rules.ts';
import { STATUSES } from '../../core/transactions.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { statusWord, typed } from '../components/elements.ts';
import { SOURCES } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';

/** What is needed to write values as the reader does. */
export interface Words {
  readonly reader: Reader;
  /** The name of a budget line. */
  nameOfLine(id: string): string;
  /** The name of anything else, such as a project; undefined if it is gone. */
  shown(id: string): HtmlValue | undefined;
}

/** Months of one change that are written. */
const SHOWN_MONTHS = 6;

/** What a change changed: a line for each member, with before and after. */
export function changeList({ subject, before, after }: AuditChange, words: Words): Html {
  const members = Object.keys(after ?? before ?? {}).filter((name) => MEMBERS[name] !== null);
  // Of what is new or gone, what it never had is not worth a line, nor where it was among others.
  const isWhole = before === null || after === null;
  const isRule = subject.startsWith('rul_');
  const lines = members.map((name) => {
    if (name === 'budgetMinor') return sayBudget(before?.[name], after?.[name], words);
    // The log counts rules from 1, and lines from 0.
    const key = isRule && name === 'position' ? 'order' : name;
    const [label, say = sayText] = MEMBERS[key] ?? ([name] as const);
    const [from, to] = [before, after].map((state) => sayMember(state?.[name], say, words));
    if (isWhole && (name === 'position' || from === to)) return undefined;
    return changeLine(label, from, to);
  });
  return html`<ul class="changes">\n${lines}</ul>`;
}

function changeLine(name: string, from: HtmlValue, to: HtmlValue): Html {
  return html`<li><span class="soft">${name}</span> ${from} → ${to}</li>\n`;
}

type Say = (value: AuditValue, words: Words) => HtmlValue;
/** A member of a state: what it is called, and how its value is written. */
type Member = readonly [name: string, say?: Say];

/** Null: another member says the same. */
const MEMBERS: Readonly<Record<string, Member | null>> = {
  ...Object.fromEntries(
    STORED_MEMBERS.map(({ field, name }) => [name, [ROW_MEMBERS[field].title]]),
  ),
  name: ['Name'],
  amountMinor: ['Amount', (value, { reader }) => reader.money(Number(value))],
  date: ['Date', sayDay],
  status: ['Status', sayStatus],
  archived: ['Archived'],
  allocations: ['Allocated to', sayShares],
  excluded: ['Excluded', (value) => typed(String(memberOf(value, 'reason') ?? ''))],
  allocatedMinor: null,
  review: null,
  recoded: ['Recoded', () => 'yes'],
  startDate: ['First day', sayDay],
  endDate: ['Last day', sayDay],
  budgetMode: ['The budget is given', (value) => (value === 'total' ? 'as one total' : 'by month')],
  parentProjectId: ['Part of', (value, words) => words.shown(String(value)) ?? sayText(value)],
  funder: ['Funder'],
  codes: ['Project codes'],
  tolerancePercent: ['Asks for reasons', (value) => `beyond ${String(value)}%`],
  code: ['Code'],
  category: ['Category'],
  kind: ['Kind'],
  position: ['Place among the lines', (value, { reader }) => reader.count(Number(value) + 1)],
  accountCodes: ['Account codes'],
  order: ['Order'],
  on: ['On'],
  from: ['From', sayDay],
  until: ['Until', sayDay],
  conditions: ['Fits', (value, { reader }) => sayConditions(reader, value as RuleConditions)],
  shares: ['Goes to', sayShares],
  automatic: ['Run after each push and import'],
  byAccountCode: ['Allocate by account code'],
  email: ['Email'],
  role: ['Role'],
  scopes: ['Scopes'],
  display: ['Begins with'],
  expiresAt: ['Expires', sayLastDay],
  revokedAt: ['Revoked', sayDayAt],
  baseCurrency: ['Currency'],
  plan: ['Plan'],
  timeZone: ['Time zone'],
  letterhead: ['Letterhead'],
  secondFactorRequired: ['Second factor required'],
};

const NOTHING = 'nothing';

/** A budget: the months that differ, or the total. */
function sayBudget(
  before: AuditValue | undefined,
  after: AuditValue | undefined,
  words: Words,
): HtmlValue {
  const [from, to] = [monthsOf(before), monthsOf(after)];
  const say = (minor: number | undefined) => {
    return minor === undefined ? NOTHING : words.reader.money(minor);
  };
  if (from === undefined || to === undefined) {
    const [total, other] = [totalOf(before), totalOf(after)];
    return total === other ? undefined : changeLine('Budget', say(total), say(other));
  }
  const months = [...new Set([...from.keys(), ...to.keys()])].sort();
  const changed = months.filter((month) => from.get(month) !== to.get(month));
  const more = changed.length - SHOWN_MONTHS;
  const lines = changed.slice(0, SHOWN_MONTHS).map((month) => {
    return changeLine(sayMonth(month, words), say(from.get(month)), say(to.get(month)));
  });
  return html`${lines}${
    more > 0 && html`<li class="soft">And ${words.reader.count(more, 'more month')}.</li>\n`
  }`;
}

/** The amounts by month, none for nothing; undefined for a total. */
function monthsOf(value: AuditValue | undefined): Map<string, number> | undefined {
  if (value === undefined || value === null) return new Map();
  if (typeof value !== 'object') return undefined;
  return new Map(Object.entries(value).map(([month, minor]) => [month, Number(minor)]));
}

function totalOf(value: AuditValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  const months = monthsOf(value);
  if (months === undefined || months.size === 0) return undefined;
  return [...months.values()].reduce((sum, minor) => sum + minor, 0);
}

function sayMonth(month: string, { reader }: Words): string {
  const startDate = `${month}-01`;
  const name = reader.period({ key: month, startDate, endDate: startDate });
  return `Budget, ${name} ${month.slice(0, 4)}`;
}

function sayMember(value: AuditValue | undefined, say: Say, words: Words): HtmlValue {
  const isEmpty = Array.isArray(value) && value.length === 0;
  if (value === undefined || value === null || value === '' || isEmpty) return NOTHING;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return say(value, words);
}

function sayDay(value: AuditValue, { reader }: Words): HtmlValue {
  return reader.day(String(value));
}

function sayDayAt(value: AuditValue, { reader }: Words): HtmlValue {
  return reader.dayAt(Date.parse(String(value)));
}

/** What is valid through a day ends at the start of the next. */
function sayLastDay(value: AuditValue, { reader }: Words): HtmlValue {
  return reader.dayAt(Date.parse(String(value)) - 1);
}

function sayStatus(value: AuditValue): string {
  const status = STATUSES.find((each) => each === value);
  return status === undefined ? String(value) : statusWord(status);
}

/** A text, or several in a list or in an object such as a funder. */
function sayText(value: AuditValue): Html {
  if (typeof value === 'string') return typed(value);
  const parts = Object.values(value ?? {}).filter((part) => part !== null);
  const areTexts = parts.length > 0 && parts.every((part) => typeof part === 'string');
  return typed(areTexts ? parts.join(', ') : JSON.stringify(value));
}

/** Allocations, or the shares of a rule. */
function sayShares(shares: AuditValue, words: Words): HtmlValue {
  if (!Array.isArray(shares)) return sayText(shares);
  return shares.map((share: AuditValue, at) => {
    const minor = memberOf(share, 'amountMinor');
    const percent = memberOf(share, 'percent') ?? null;
    const part = percent === null ? 'the rest' : `${String(percent)}%`;
    const line = words.nameOfLine(String(memberOf(share, 'budgetLineId') ?? ''));
    return html`${at > 0 && ', '}${typed(line)} ${
      minor === undefined ? shares.length > 1 && part : words.reader.money(Number(minor))
    }`;
  });
}

/** The conditions of a rule, in words. */
export function sayConditions(
  reader: Reader,
  { contact, description, accountCode, projectCode, amount, ...others }: RuleConditions,
): HtmlValue {
  const { direction, provider } = others;
  const text = (what: string, { is, ...other }: { is?: string | undefined }, how: string) => {
    const value = is ?? Object.values(other).join('');
    return html`${what} ${is === undefined ? how : 'is'} <b>${typed(value)}</b>`;
  };
  const money = (minor: number | undefined) => (minor === undefined ? '' : reader.money(minor));
  const parts = [
    contact && text('contact', contact, 'contains'),
    description && text('description', description, 'contains'),
    accountCode && text('account code', accountCode, 'begins with'),
    projectCode && text('project code', projectCode, ''),
    amount &&
      html`amount <b>${amount.fromMinor !== undefined && `from ${money(amount.fromMinor)} `}${
        amount.toMinor !== undefined && `up to ${money(amount.toMinor)}`
      }</b>`,
    direction && html`money goes <b>${direction}</b>`,
    provider && html`source is <b>${SOURCES[provider]}</b>`,
  ].filter((part) => part !== undefined);
  return html`${parts.map((part, at) => html`${at > 0 && ' and '}${part}`)}`;
}

export function memberOf(value: AuditValue, name: string): AuditValue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return (value as { readonly [member: string]: AuditValue })[name];
}
