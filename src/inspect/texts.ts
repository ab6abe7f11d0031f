/** Finds the columns of the description, the contact and the account code. */

import { useColumn } from './answers.ts';
import { type ColumnFacts, type Columns, titlesOf } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Context, type Facts, provenByNames, requireColumn } from './facts.ts';
import { ask, choice, type Decision, show, stated } from './found.ts';
import type { Role } from './vocabulary/column-names.ts';

/** The text fields of a row, in the order in which they choose their columns. */
export type TextField = 'description' | 'contact' | 'accountCode';

/** Works out the columns of a text field, in the order to join them; never one of `taken`. */
export function inspectText(
  field: TextField,
  { facts, answers }: Context,
  taken: Columns,
): Decision<Columns> {
  const said = answers.columns.get(field);
  const names = said?.flatMap(({ column }) => column ?? []) ?? [];
  if (said !== undefined && (names.length > 0 || field !== 'description')) {
    const columns = names.map((name) => requireColumn(name, facts));
    return stated(columns, ...said);
  }
  const free = facts.columns.filter((column) => {
    const isWords = field === 'accountCode' || column.letters >= column.filled / 2;
    return column.filled > 0 && isWords && !taken.includes(column) && !isNoText(column, facts);
  });
  if (field === 'description') return inspectDescription(facts, free);
  return inspectOptional(field, facts, free);
}

/** Dates, currency codes and words such as debit do not describe a payment. */
function isNoText(column: ColumnFacts, { rows }: Facts): boolean {
  if (isDateColumn(column, rows) || column.isCurrency) return true;
  if (column.numbers.isNumeric && column.letters > 0) return true;
  return column.pair !== undefined;
}

function inspectDescription(facts: Facts, free: Columns): Decision<Columns> {
  const first = withRole(free, 'description');
  const second = withRole(free, 'description2');
  const best = first.length > 0 ? first : second;
  const [only, other] = best;
  if (only === undefined) return askDescription(facts, free);
  if (other !== undefined) return askOne('description', best);
  // A row without a description is rejected, so a second column fills the gaps.
  const more = only.filled < facts.rows ? second.filter((column) => column !== only) : [];
  const value = [only, ...more];
  if (more.length === 0) return { value, evidence: provenByNames([only], facts) };
  const { title, firstBlankLine: line, name: text } = only;
  const because = `joined because ${title} is empty in line ${line}`;
  return { value, evidence: { line: line ?? null, text, because } };
}

function inspectOptional(
  field: 'contact' | 'accountCode',
  facts: Facts,
  free: Columns,
): Decision<Columns> {
  const all = withRole(free, field);
  const special = all.filter(({ words }) => !NAMES.has(words));
  const found = special.length > 0 ? special : all;
  const [only, second] = found;
  if (second !== undefined) return askOne(field, found);
  if (only === undefined) return { value: [], evidence: { missing: field } };
  return { value: [only], evidence: provenByNames([only], facts) };
}

/** Names that say less than others do; usually the payee's. */
const NAMES: ReadonlySet<string> = new Set('name namn navn naam nom nome nombre'.split(' '));

function withRole(columns: Columns, role: Role): ColumnFacts[] {
  return columns.filter(({ roles }) => roles.has(role));
}

function choicesOf(field: TextField, columns: Columns) {
  return columns.map((column) => {
    const [first] = column.values?.values() ?? [];
    return choice(useColumn(field, column), show(first ?? column.firstText));
  });
}

const WORDS: Readonly<Record<TextField, string>> = {
  description: 'description',
  contact: 'contact',
  accountCode: 'account code',
};

function askOne(field: TextField, columns: Columns) {
  const names = titlesOf(columns).join(', ');
  const text = `Several columns could be the ${WORDS[field]}: ${names}. Which one is right?`;
  const choices = choicesOf(field, columns);
  if (field === 'description') return ask(field, text, choices, 'joined descriptions');
  const none = choice({ kind: 'column', use: field, column: null }, 'none of them');
  return ask(field, text, [...choices, none]);
}

/** No column is named as the description, so any column with words could be it. */
function askDescription({ rows }: Facts, free: Columns) {
  const worded = free.filter(({ letters, filled, values }) => {
    const isConstant = values?.size === 1 && filled > 1;
    return letters > 0 && filled >= rows / 2 && !isConstant;
  });
  const text = 'No column is named as the description. Which one says what each payment was for?';
  const choices = choicesOf('description', worded.length > 0 ? worded : free);
  return ask('description', text, choices, 'joined descriptions');
}
