/** Finds the columns of the description, the contact and the account code. */

import { useColumn } from './answers.ts';
import { type ColumnFacts, type Columns, READ_CELLS, titlesOf } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Context, type Facts, NAMED_RANKS, provenByNames, requireColumn } from './facts.ts';
import { ask, choice, type Decision, proof, show, stated } from './found.ts';
import type { Role } from './vocabulary/column-names.ts';
import type { TextRank } from './vocabulary/texts.ts';

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

/** The columns named as a description, and others with text where they are blank. */
function inspectDescription(facts: Facts, free: Columns): Decision<Columns> {
  const ranked = (rank: TextRank) => free.filter(({ textRank }) => textRank === rank);
  const named = NAMED_RANKS.flatMap(ranked);
  const best = named.filter(({ textRank }) => textRank === named[0]?.textRank);
  // A column `Details` with few words, beside another description, has the kinds of payments.
  const plain = best.filter(({ roles, values }) => !roles.has('indicator') || values === undefined);
  const first = [plain.filter(isTelling), plain, best].find((some) => some.length > 0) ?? [];
  const value = first.some(({ filled }) => filled === facts.rows)
    ? first
    : [...new Set([...first, ...named, ...fillGaps(ranked('party'), ranked('other'), facts)])];
  const [only, second] = value;
  if (only === undefined) return askDescription(free);
  const { firstText, firstBlankLine: line, title, name: text } = only;
  const instead = [useColumn('description', { title: 'COLUMN' })];
  if (first.length === 0) {
    const because = `no column is named as the description; ${show(firstText)} there`;
    return { value, evidence: { ...proof(firstText, because), instead } };
  }
  if (line !== undefined && second !== undefined) {
    const because = `joined because ${title} is empty in line ${line}`;
    return { value, evidence: { line, text, because, instead } };
  }
  const isSure = second === undefined && only.roles.has('description');
  return { value, evidence: { ...provenByNames(first, facts), ...(isSure ? {} : { instead }) } };
}

/** Whether a column does not have the same text on every row. */
function isTelling({ values, filled }: ColumnFacts): boolean {
  return filled === 1 || values?.size !== 1;
}

/** The surest columns with a text in the rows in which those named as a description have none. */
function fillGaps(parties: Columns, others: Columns, { untold }: Facts): ColumnFacts[] {
  // More different and longer texts come first.
  const weigh = ({ values, prose, proseLength }: ColumnFacts) =>
    ((values?.size ?? 50) * proseLength) / prose;
  const isWorded = ({ prose, filled }: ColumnFacts) => prose >= Math.min(filled, READ_CELLS) / 2;
  const sorted = others.filter(isWorded).sort((one, other) => weigh(other) - weigh(one));
  const worded = [...parties.filter(isWorded), ...sorted];
  const found: ColumnFacts[] = [];
  for (const column of [...worded.filter(isTelling), ...worded]) {
    if (untold === 0 || found.some((each) => each.untold === untold)) break;
    if (column.untold >= untold / 2) found.push(column);
  }
  return found;
}

function inspectOptional(
  field: 'contact' | 'accountCode',
  facts: Facts,
  free: Columns,
): Decision<Columns> {
  const all = withRole(free, field);
  const special = all.filter(({ words }) => !NAMES.has(words));
  const best = special.length > 0 ? special : all;
  // The same name on every row can be the account's own.
  const found = best.some(isTelling) ? best.filter(isTelling) : best;
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
  return columns.map((column) => choice(useColumn(field, column)));
}

const WORDS = { contact: 'contact', accountCode: 'account code' } as const;

function askOne(field: 'contact' | 'accountCode', columns: Columns) {
  const names = titlesOf(columns).join(', ');
  const text = `Several columns could be the ${WORDS[field]}: ${names}. Which one is right?`;
  const choices = choicesOf(field, columns);
  const none = choice({ kind: 'column', use: field, column: null }, 'none of them');
  return ask(field, text, [...choices, none]);
}

/** No column has texts that tell payments apart. */
function askDescription(free: Columns) {
  const text = 'No column is named as the description. Which one says what each payment was for?';
  const choices = choicesOf(
    'description',
    free.filter(({ textRank }) => textRank !== 'none'),
  );
  return ask('description', text, choices, 'joined descriptions');
}
