/**
 * Finds the columns of the texts and codes of a row, and where its externalId comes from. A column
 * is the id only if its name says so and no value repeats, because rows with the same id become one
 * transaction. Otherwise push makes the id.
 */

import { count } from '../../core/counts.ts';
import {
  forEachRare,
  type RareField,
  ROW_MEMBERS,
  type TEXT_FIELDS,
} from '../../core/row-members.ts';
import { hasCash, rankMember } from '../vocabulary/members.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Context, type Facts, findNamed } from './facts.ts';
import {
  ask,
  choice,
  type Decision,
  type Finding,
  proof,
  proven,
  quote,
  show,
  titlesOf,
  useColumn,
} from './found.ts';
import type { Signed } from './sides.ts';
import { isBookedId } from './statuses.ts';

/** How a field finds its columns: which can have it, and which of these has it, or a question. */
interface FieldRule {
  readonly fits: (column: ColumnFacts) => boolean;
  readonly choose: (fitting: Columns, facts: Facts, own?: ColumnFacts) => Decision<Columns>;
}

const FIELDS: Readonly<Record<(typeof TEXT_FIELDS)[number], FieldRule>> = {
  description: { fits: isText, choose: chooseDescription },
  contact: { fits: isText, choose: chooseContact },
  accountCode: {
    fits: (column) => column.longest <= ROW_MEMBERS.accountCode.most && !isOther(column),
    choose: chooseAccountCode,
  },
  ...forEachRare((field) => byName(field, () => true)),
  reference: byName('reference', ({ isCounter, values, filled }) => {
    // What is the same on every row, or numbers the rows, finds no payment.
    return !isCounter && (filled < 3 || values?.size !== 1);
  }),
  bankAccount: byName('bankAccount', ({ filled, rows, values }, isWeak) => {
    // The accounts of others differ from row to row, or are blank on some.
    if (filled < rows || values === undefined || hasNoCash(values)) return false;
    return !isWeak || values.size * (values.size > 1 ? 3 : 2) <= rows;
  }),
};

/** Works out the columns of a field, in the order to join them; never one of `taken`. */
export function inspectText(
  field: (typeof TEXT_FIELDS)[number],
  context: Context & { readonly sign?: Finding<Signed> | undefined },
  taken: Columns,
): Decision<Columns> {
  const said = findNamed(context, field);
  if (said !== undefined && (said.value.length > 0 || field !== 'description')) return said;
  const { fits, choose } = FIELDS[field];
  const own = findOwn(context.facts, context.sign?.value);
  const free = context.facts.columns.filter((column) => {
    const isFree = column.filled > 0 && !taken.includes(column) && fits(column);
    return isFree && (column !== own || field !== 'accountCode');
  });
  return choose(free, context.facts, own);
}

/**
 * The code of the account that the whole file is of. In books with money out as a credit that is
 * one with cash, and not what the payments were for.
 */
function findOwn({ columns }: Facts, sign: Signed | undefined): ColumnFacts | undefined {
  const [out] = sign?.shape.kind === 'two' ? sign.columns : [];
  if (out?.roles.has('credit') !== true) return undefined;
  return columns.find(({ roles, values }) => roles.has('accountCode') && values?.size === 1);
}

function isText(column: ColumnFacts): boolean {
  return column.letters >= column.filled / 2 && !isOther(column);
}

/** Dates, currency codes and words such as debit do not describe a payment. */
function isOther(column: ColumnFacts): boolean {
  if (column.hasDates() || column.isCurrency) return true;
  return (column.numbers.isNumeric && column.letters > 0) || column.pair !== undefined;
}

/** The columns named as a description, and others with text where they are blank. */
function chooseDescription(free: Columns, facts: Facts): Decision<Columns> {
  const ranked = (rank: ColumnFacts['textRank']) =>
    free.filter(({ textRank }) => textRank === rank);
  const named = facts.telling.filter((column) => free.includes(column));
  const most = countTexts([...named, ...ranked('other')]);
  const isSure = (column: ColumnFacts) => isTelling(column, most);
  // Another one is better only if it has more than a few kinds of payments.
  const isBetter = (column: ColumnFacts) => column === named[0] || countTexts([column]) > KINDS;
  const sure = named.find((column) => isSure(column) && isBetter(column)) ?? named[0];
  const best = named.filter(({ textRank }) => textRank === sure?.textRank);
  // A column `Details` with few words, beside another description, has the kinds of payments.
  const plain = best.filter(({ roles, values }) => !roles.has('indicator') || values === undefined);
  const chosen = [onlyVaried(plain), best].find((some) => some.length > 0) ?? [];
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
  const evidence = facts.proveByNames(chosen);
  return { value, evidence: { ...evidence, ...(isPlain ? {} : other) } };
}

/** Columns whose text differs between rows, or all columns if none does. */
function onlyVaried(columns: Columns): Columns {
  const varied = columns.filter((column) => column.isVaried);
  return varied.length > 0 ? varied : columns;
}

/** The columns without a name behind a named one: they continue it. */
function listBehind({ index, name }: ColumnFacts, { columns }: Facts, free: Columns) {
  const behind = name === '' ? [] : columns.slice(index + 1);
  const end = behind.findIndex((column) => column.name !== '');
  return free.filter((column) => behind.slice(0, end < 0 ? undefined : end).includes(column));
}

/** How many different texts the column in words has that has the most. */
function countTexts(columns: Columns): number {
  const counts = columns
    .filter((each) => each.isWorded)
    .map(({ values }) => values?.size ?? Infinity);
  return Math.max(0, ...counts);
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

/** Whether a column tells payments apart, in words; not if a better one has the `most` texts. */
function isTelling(column: ColumnFacts, most = 0): boolean {
  const { values, filled } = column;
  const isFew = values !== undefined && values.size <= KINDS && most >= values.size * TIMES;
  const isRich = values === undefined || (!isFew && values.size * SHARED_BY >= filled);
  return column.isVaried && isRich && column.isWorded;
}

/**
 * The surest columns with a text in the rows in which those named as a description have none, and
 * the one whose texts differ most if none of those tells payments apart.
 */
function fillGaps(parties: Columns, others: Columns, { untold, rows }: Facts, isTold: boolean) {
  // More different and longer texts come first.
  const weigh = ({ values, prose, proseLength }: ColumnFacts) =>
    ((values?.size ?? 50) * proseLength) / prose;
  const sorted = others
    .filter((each) => each.isWorded)
    .sort((one, other) => weigh(other) - weigh(one));
  const worded = [...parties.filter((each) => each.isWorded), ...sorted];
  const found: ColumnFacts[] = [];
  for (const column of [...worded.filter((each) => each.isVaried), ...worded]) {
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

/** No column has texts that tell payments apart. */
function askDescription(free: Columns) {
  const text = 'No column is named as the description. Which one says what each payment was for?';
  const named = free.filter(({ textRank }) => textRank !== 'none');
  const choices = named.map((column) => choice(useColumn('description', column)));
  return ask('description', text, choices, 'joined descriptions');
}

function chooseContact(
  free: Columns,
  facts: Facts,
  own: ColumnFacts | undefined,
): Decision<Columns> {
  const isContact = ({ roles }: ColumnFacts) => roles.has('contact');
  const isSpecial = ({ words }: ColumnFacts) => !NAMES.has(words);
  // Account numbers are nobody's name. In a file of one account, neither is its name on every row.
  const isOwn = ({ values }: ColumnFacts) => own !== undefined && values?.size === 1;
  const all = free.filter((column) => isContact(column) && column.isWorded && !isOwn(column));
  const isKnown = (column: ColumnFacts) => all.includes(column) || isOtherName(column);
  const others = facts.columns.filter((column) => {
    return isContact(column) && isSpecial(column) && isKnown(column);
  });
  // The same name on every row can be the account's own.
  const found = onlyVaried(others.length > 0 ? all.filter(isSpecial) : all);
  const [only, second] = found;
  if (only === undefined) return { value: [], evidence: { missing: 'contact' } };
  const evidence = facts.proveByNames(found);
  // Payer and payee: one of them is the owner of the account, on each row another one.
  const instead = second && [useColumn('contact', only)];
  return { value: found, evidence: instead ? { ...evidence, instead } : evidence };
}

/** The owner of the account, if the file also has a column, perhaps blank, for the other side. */
const NAMES: ReadonlySet<string> = new Set('name namn navn naam nom nome nombre'.split(' '));

/** Whether a column is blank, and named as the name of the other side: `Naam tegenpartij`. */
function isOtherName({ filled, words }: ColumnFacts): boolean {
  return filled === 0 && words.split(' ').some((word) => NAMES.has(word));
}

function chooseAccountCode(free: Columns, facts: Facts): Decision<Columns> {
  const isOfLedger = (column: ColumnFacts) =>
    rankMember('bankAccount', column) !== undefined && hasNoCash(column.values);
  const coded = free.filter(({ roles }) => roles.has('accountCode'));
  const found = onlyVaried(coded.length > 0 ? coded : free.filter(isOfLedger));
  const [only, second] = found;
  if (only === undefined) return { value: [], evidence: { missing: 'accountCode' } };
  if (second === undefined) return { value: found, evidence: facts.proveByNames(found) };
  const names = titlesOf(found).join(', ');
  const text = `Several columns could be the account code: ${names}. Which one is right?`;
  const choices = found.map((column) => choice(useColumn('accountCode', column)));
  const none = choice({ kind: 'column', use: 'accountCode', column: null }, 'none of them');
  return ask('accountCode', text, [...choices, none]);
}

/** Whether these are names of accounts that have no cash, such as `Expenses:Rent`. */
function hasNoCash(values: ColumnFacts['values']): boolean {
  return values !== undefined && [...values.keys()].every((name) => hasCash(name) === false);
}

/** The account of the whole file is the surest. */
const OWN = { rank: -1, isWeak: false };

/** A field that only names find, the surest first, if the values are codes that it can have. */
function byName(
  field: RareField,
  isFit: (column: ColumnFacts, isWeak: boolean) => boolean,
): FieldRule {
  const choose = (fitting: Columns, facts: Facts, own?: ColumnFacts) => {
    const named = fitting.flatMap((column) => {
      const isOwn = column === own && field === 'bankAccount';
      const name = isOwn ? OWN : rankMember(field, column);
      return name && isFit(column, name.isWeak) ? [{ column, rank: name.rank }] : [];
    });
    named.sort((one, two) => one.rank - two.rank || two.column.filled - one.column.filled);
    const [best, ...others] = named.map(({ column }) => column);
    if (best === undefined) return { value: [], evidence: { missing: field } };
    const instead = others.map((column) => useColumn(field, column));
    return { value: [best], evidence: { ...facts.proveByNames([best]), instead } };
  };
  return { fits: (column) => hasCodes(column, ROW_MEMBERS[field].most), choose };
}

/** Whether a column can have codes: no dates, amounts or rounded numbers. */
function hasCodes(column: ColumnFacts, longest: number): boolean {
  const { numbers, isNamedAmount, isCurrency, isRounded } = column;
  if (column.longest > longest || isCurrency || isRounded || isNamedAmount) return false;
  return !column.hasDates() && (!numbers.isNumeric || numbers.isPlain);
}

/** Works out the id; `taken` are the columns of the date, amount and description. */
export function inspectIdentity(context: Context, taken: Columns): Finding<ColumnFacts | null> {
  const { facts, answers } = context;
  const said = findNamed(context, 'externalId');
  if (said !== undefined) return { ...said, value: said.value[0] ?? null };
  const isBooked = answers.lines.some(({ text, isRow }) => text === '' && !isRow);
  const unique = facts.columns.filter((column) => {
    const { isUnique, isCounter, isRounded, filled, rows } = column;
    const isFull = filled === rows || (isBooked && isBookedId(column, facts));
    return isUnique && isFull && !isCounter && !isRounded && !taken.includes(column);
  });
  const [only, ...more] = unique.filter(({ roles }) => roles.has('id'));
  if (only !== undefined && more.length === 0) return proveUnique(only, facts);
  const names = titlesOf(unique).join(' or ');
  const why = names === '' ? 'no column identifies each payment' : `payments can share a ${names}`;
  const because = `${why}, so budgetd makes an id, always the same for the same row`;
  const instead = unique.map((column) => useColumn('externalId', column));
  return { value: null, evidence: proof(undefined, because, instead) };
}

function proveUnique(column: ColumnFacts, { layout }: Facts): Finding<ColumnFacts | null> {
  const { name, filled, firstText } = column;
  const where = `from the column name in line ${layout.headerLine.value} (${quote(name)})`;
  return proven(column, firstText, `${where}, and no value repeats in ${count(filled, 'row')}`);
}
