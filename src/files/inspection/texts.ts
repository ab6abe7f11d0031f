/** Finds the columns of the description, the contact and the account code. */

import { CHARACTERS } from '../../core/limits.ts';
import type { Role } from '../vocabulary/column-names.ts';
import type { TextRank } from '../vocabulary/texts.ts';
import { useColumn } from './answers.ts';
import { type ColumnFacts, type Columns, READ_CELLS } from './column-facts.ts';
import { isDateColumn } from './dates.ts';
import { type Context, type Facts, findSaidColumns, NAMED_RANKS, provenByNames } from './facts.ts';
import { ask, choice, type Decision, proof, show, titlesOf } from './found.ts';

/** The text fields of a row, in the order in which they choose their columns. */
type TextField = 'description' | 'contact' | 'accountCode';

/** Works out the columns of a text field, in the order to join them; never one of `taken`. */
export function inspectText(field: TextField, context: Context, taken: Columns): Decision<Columns> {
  const { facts } = context;
  const said = findSaidColumns(field, context);
  if (said !== undefined && (said.value.length > 0 || field !== 'description')) return said;
  const free = facts.columns.filter((column) => {
    const isCode = field === 'accountCode';
    const isWords = isCode
      ? column.longest <= CHARACTERS.accountCode
      : column.letters >= column.filled / 2;
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
  const most = countTexts([...named, ...ranked('other')]);
  const isSure = (column: ColumnFacts) => isTelling(column, most);
  // Another one is better only if it has more than a few kinds of payments.
  const isBetter = (column: ColumnFacts) => column === named[0] || countTexts([column]) > KINDS;
  const sure = named.find((column) => isSure(column) && isBetter(column)) ?? named[0];
  const best = named.filter(({ textRank }) => textRank === sure?.textRank);
  // A column `Details` with few words, beside another description, has the kinds of payments.
  const plain = best.filter(({ roles, values }) => !roles.has('indicator') || values === undefined);
  const chosen = [plain.filter(isVaried), plain, best].find((some) => some.length > 0) ?? [];
  const first = chosen.flatMap((column) => [column, ...listBehind(column, facts, free)]);
  const isFull = first.some((column) => {
    const { filled, letters } = column;
    return filled === facts.rows && letters >= filled * WORDED && isSure(column);
  });
  const gaps = () => fillGaps(ranked('party'), ranked('other'), facts, named.some(isSure));
  const value = isFull ? first : [...new Set([...first, ...named, ...gaps()])];
  const [only, second] = value;
  if (only === undefined) return askDescription(free);
  const { firstText, firstBlankLine: line, title, name: text } = only;
  const other = { otherColumn: 'description' } as const;
  if (first.length === 0) {
    const because = `no column is named as the description; ${show(firstText)} there`;
    return { value, evidence: { ...proof(firstText, because), ...other } };
  }
  if (second !== undefined && !isFull) {
    const where = line === undefined ? 'says too little' : `is empty in line ${line}`;
    return {
      value,
      evidence: { line: line ?? null, text, because: `joined because ${title} ${where}`, ...other },
    };
  }
  const isPlain = second === undefined && only.roles.has('description');
  const evidence = provenByNames(chosen, facts);
  return { value, evidence: { ...evidence, ...(isPlain ? {} : other) } };
}

/** The columns without a name behind a named one: they continue it. */
function listBehind({ index, name }: ColumnFacts, { columns }: Facts, free: Columns) {
  const behind = name === '' ? [] : columns.slice(index + 1);
  const end = behind.findIndex((column) => column.name !== '');
  return free.filter((column) => behind.slice(0, end < 0 ? undefined : end).includes(column));
}

/** How many different texts the column in words has that has the most. */
function countTexts(columns: Columns): number {
  const counts = columns.filter(isWorded).map(({ values }) => values?.size ?? Infinity);
  return Math.max(0, ...counts);
}

/** Whether a column does not have the same text on every row. */
function isVaried({ values, filled }: ColumnFacts): boolean {
  return filled === 1 || values?.size !== 1;
}

/** If more rows than this have each text, it hardly tells payments apart. */
const SHARED_BY = 50;
/** So few texts are kinds of payments if another column has this many times as many. */
const KINDS = 2;
const TIMES = 4;
/** Texts as short as these on average are a yes or a no. */
const FLAG = 5;
/** In so few rows the same text may be a chance. */
const FEW_ROWS = 3;
/** The share of cells with words, not dashes, in a column that describes all payments. */
const WORDED = 0.8;

/** Whether half of the cells are words, apart from codes and addresses. */
function isWorded({ prose, filled }: ColumnFacts): boolean {
  return prose >= Math.min(filled, READ_CELLS) / 2;
}

/** Whether a column tells payments apart, in words; not if a better one has the `most` texts. */
function isTelling(column: ColumnFacts, most = 0): boolean {
  const { values, filled } = column;
  const isFew = values !== undefined && values.size <= KINDS && most >= values.size * TIMES;
  const isRich = values === undefined || (!isFew && values.size * SHARED_BY >= filled);
  return isVaried(column) && isRich && isWorded(column);
}

/**
 * The surest columns with a text in the rows in which those named as a description have none, and
 * the one whose texts differ most if none of those tells payments apart.
 */
function fillGaps(
  parties: Columns,
  others: Columns,
  { untold, rows }: Facts,
  isTold: boolean,
): ColumnFacts[] {
  // More different and longer texts come first.
  const weigh = ({ values, prose, proseLength }: ColumnFacts) =>
    ((values?.size ?? 50) * proseLength) / prose;
  const sorted = others.filter(isWorded).sort((one, other) => weigh(other) - weigh(one));
  const worded = [...parties.filter(isWorded), ...sorted];
  const found: ColumnFacts[] = [];
  for (const column of [...worded.filter(isVaried), ...worded]) {
    if (untold === 0 || found.some((each) => each.untold === untold)) break;
    if (column.untold >= untold / 2) found.push(column);
  }
  const best = sorted.find((column) => {
    const { filled, prose, proseLength, roles } = column;
    const isFlag = roles.has('status') || proseLength < prose * FLAG;
    return !isFlag && isTelling(column) && filled >= rows / 2;
  });
  return isTold || best === undefined || rows < FEW_ROWS ? found : [...found, best];
}

function inspectOptional(
  field: 'contact' | 'accountCode',
  facts: Facts,
  free: Columns,
): Decision<Columns> {
  const isSpecial = ({ words }: ColumnFacts) => !NAMES.has(words);
  // Account numbers are nobody's name.
  const isName = (column: ColumnFacts) => field !== 'contact' || isWorded(column);
  const all = withRole(free, field).filter(isName);
  const isOther = (column: ColumnFacts) => all.includes(column) || isOtherName(column);
  const others = withRole(facts.columns, field).filter(isSpecial).filter(isOther);
  const best = others.length > 0 ? all.filter(isSpecial) : all;
  // The same name on every row can be the account's own.
  const found = best.some(isVaried) ? best.filter(isVaried) : best;
  const [only, second] = found;
  if (only === undefined) return { value: [], evidence: { missing: field } };
  const evidence = provenByNames(found, facts);
  if (second === undefined) return { value: found, evidence };
  if (field === 'accountCode') return askAccountCode(found);
  // Payer and payee: one of them is the owner of the account, on each row another one.
  return { value: found, evidence: { ...evidence, instead: [useColumn(field, only)] } };
}

/** The owner of the account, if the file also has a column, perhaps blank, for the other side. */
const NAMES: ReadonlySet<string> = new Set('name namn navn naam nom nome nombre'.split(' '));

/** Whether a column is blank, and named as the name of the other side: `Naam tegenpartij`. */
function isOtherName({ filled, words }: ColumnFacts): boolean {
  return filled === 0 && words.split(' ').some((word) => NAMES.has(word));
}

function withRole(columns: Columns, role: Role): ColumnFacts[] {
  return columns.filter(({ roles }) => roles.has(role));
}

function choicesOf(field: TextField, columns: Columns) {
  return columns.map((column) => choice(useColumn(field, column)));
}

function askAccountCode(columns: Columns) {
  const names = titlesOf(columns).join(', ');
  const text = `Several columns could be the account code: ${names}. Which one is right?`;
  const choices = choicesOf('accountCode', columns);
  const none = choice({ kind: 'column', use: 'accountCode', column: null }, 'none of them');
  return ask('accountCode', text, [...choices, none]);
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
