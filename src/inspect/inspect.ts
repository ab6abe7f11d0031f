/**
 * Works out how to read a CSV file. Each step is proven by a line of the file, was answered by the
 * user, or becomes a question. This module knows files and answers, but not command-line options,
 * terminals or how findings are shown.
 */

import type { DateFormat } from '../rows/date-formats.ts';
import type { Encoding } from '../rows/encodings.ts';
import {
  type AmountColumns,
  askAddition,
  askAmount,
  chooseAmounts,
  decideAmounts,
} from './amounts.ts';
import type { Answers } from './answers.ts';
import { type Check, checkFile, inspectNotRows } from './check.ts';
import { type CurrencyGuard, inspectCellCurrency, inspectCurrency } from './currencies.ts';
import { inspectDateColumn, inspectDateFormat, isDateColumn } from './dates.ts';
import { inspectDecimal, type Signs } from './decimals.ts';
import { askDoubleEntry } from './double-entry.ts';
import { inspectEncoding } from './encoding.ts';
import { type Facts, gatherFacts, requireColumn, titleOf } from './facts.ts';
import type { Answer, Evidence, Finding, Question } from './found.ts';
import { type Identity, inspectIdentity } from './identities.ts';
import { inspectLayout, type Layout } from './layout.ts';
import { type Found, toDocument } from './mapping-document.ts';
import { type CellReader, numberReader, relate } from './relations.ts';
import { inspectSign, type Signed } from './signs.ts';
import type { CsvSource } from './source.ts';
import { findPaidColumns, findStatus, withoutNotRows } from './statuses.ts';
import { inspectText, type TextField } from './texts.ts';

/** Columns as the mapping names them, with the evidence for them. */
export interface Named {
  readonly columns: readonly string[];
  readonly evidence: Evidence;
}

/** What is known about a file so far. */
export interface Inspection {
  readonly name: string;
  readonly encoding?: Finding<Encoding>;
  readonly layout?: Layout;
  /** Records that contain a date and an amount. */
  readonly rows?: number;
  readonly date?: Named;
  readonly dateFormat?: Finding<DateFormat>;
  readonly amount?: Named;
  readonly decimal?: Finding<Signs>;
  readonly sign?: Finding<Signed>;
  readonly cellCurrency?: Finding<string | undefined>;
  readonly currency?: Finding<CurrencyGuard>;
  readonly texts?: Readonly<Partial<Record<TextField, Named>>>;
  readonly externalId?: Finding<Identity>;
  /** What push will do with the file; set when no question is open. */
  readonly check?: Check;
  /** The mapping file; set when no question is open. */
  readonly mapping?: Readonly<Record<string, unknown>>;
  readonly found?: Found;
  readonly questions: readonly Question[];
}

/** What an inspection needs besides the file. */
export interface InspectOptions {
  readonly answers: Answers;
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/** Inspects a file. Throws FileError, and AnswerError for an answer that the file contradicts. */
export async function inspectCsv(
  source: CsvSource,
  { answers, lastDay }: InspectOptions,
): Promise<Inspection> {
  const { name } = source;
  const encoding = await inspectEncoding(source, answers);
  if (encoding.question !== undefined) return { name, questions: [encoding.question] };
  const laidOut = await inspectLayout(source, encoding.value, answers);
  if ('question' in laidOut) return { name, encoding, questions: [laidOut.question] };
  const { layout } = laidOut;
  const cut = { encoding: encoding.value, delimiter: layout.delimiter.value };
  const facts = await gatherFacts(source, cut, layout, lastDay);
  const columns = await inspectColumns(facts, answers);
  const known = { name, encoding, layout, rows: facts.rows, ...columns };
  const found = columns.questions.length > 0 ? undefined : gather(facts, known);
  if (found === undefined) return known;
  const paid = findPaidColumns(facts, found);
  const { rules, questions } = await inspectNotRows(source, found, answers, paid);
  if (questions.length > 0) return { ...known, questions };
  const whole = { ...found, notRows: rules, status: withoutNotRows(found.status, rules) };
  const check = await checkFile(source, whole);
  return { ...known, check, found: whole, mapping: toDocument(whole) };
}

type Columns = Pick<
  Inspection,
  | 'date'
  | 'dateFormat'
  | 'amount'
  | 'decimal'
  | 'sign'
  | 'cellCurrency'
  | 'currency'
  | 'texts'
  | 'externalId'
> & { readonly questions: readonly Question[] };

async function inspectColumns(facts: Facts, answers: Answers): Promise<Columns> {
  const questions: Question[] = [];
  const settle = <Value>(answer: Answer<Value>): Finding<Value> | undefined => {
    if (answer.question === undefined) return answer;
    questions.push(answer.question);
    return undefined;
  };
  const date = settle(inspectDateColumn(facts, answers));
  const dateFormat = date && settle(inspectDateFormat(date.value, facts, answers));
  const amounts = await inspectAmounts(facts, answers, dayReader(facts, date, dateFormat));
  questions.push(...amounts.questions);
  const indexes = amounts.columns?.indexes ?? [];
  const taken = [...(date === undefined ? [] : [date.value]), ...indexes];
  const signed = amounts.sign?.value.indexes ?? indexes;
  const texts: Partial<Record<TextField, Named>> = {};
  const used = [...taken, ...signed];
  for (const field of ['description', 'contact', 'accountCode'] as const) {
    const text = settle(inspectText(field, facts, answers, used));
    if (text === undefined) continue;
    used.push(...text.value);
    texts[field] = name(text.value, text.evidence, facts);
  }
  const currency = settle(inspectCurrency(facts, answers, indexes));
  const described = texts.description?.columns ?? [];
  const own = described.map((each) => requireColumn(each, facts));
  const externalId = settle(inspectIdentity(facts, answers, [...taken, ...own]));
  return {
    questions,
    texts,
    ...(date === undefined ? {} : { date: name([date.value], date.evidence, facts) }),
    ...(dateFormat === undefined ? {} : { dateFormat }),
    ...amounts.known,
    ...(currency === undefined ? {} : { currency }),
    ...(externalId === undefined ? {} : { externalId }),
  };
}

function name(indexes: readonly number[], evidence: Evidence, facts: Facts): Named {
  return { columns: indexes.map((index) => titleOf(index, facts)), evidence };
}

/** Reads a record's date, only to see whether dates ascend: any date column will do. */
function dayReader(
  { columns, rows }: Facts,
  date: Finding<number> | undefined,
  format: Finding<DateFormat> | undefined,
): CellReader['days'] {
  const column =
    date === undefined ? columns.find((each) => isDateColumn(each, rows)) : columns[date.value];
  if (column === undefined) return () => [];
  const candidates = column.dates.listCandidates().filter(({ readable }) => readable > 0);
  const formats = format === undefined ? candidates.map((each) => each.format) : [format.value];
  return (fields) => {
    const text = (fields[column.index] ?? '').trim();
    return formats.map((each) => each.read(text));
  };
}

interface Amounts {
  readonly columns?: AmountColumns;
  readonly sign?: Finding<Signed>;
  readonly known: Pick<Inspection, 'amount' | 'decimal' | 'sign' | 'cellCurrency'>;
  readonly questions: readonly Question[];
}

/** In this order: arithmetic needs the decimal separator, and signs need the arithmetic. */
async function inspectAmounts(
  facts: Facts,
  answers: Answers,
  days: CellReader['days'],
): Promise<Amounts> {
  const chosen = chooseAmounts(facts, answers);
  if ('question' in chosen) return { known: {}, questions: [chosen.question] };
  const own = chosen.indexes.flatMap((index) => facts.columns[index] ?? []);
  const decimal = inspectDecimal(
    own.map(({ numbers }) => numbers),
    answers,
  );
  if (decimal.question !== undefined) {
    const known = { amount: name(chosen.indexes, chosen.evidence, facts) };
    return {
      columns: chosen,
      known: chosen.kind === 'undecided' ? {} : known,
      questions: [decimal.question],
    };
  }
  const read = { number: numberReader(decimal.value), days };
  const relations = await relate(facts, chosen.indexes, read);
  const columns = decideAmounts(chosen, relations, facts);
  if (columns === undefined) return { known: { decimal }, questions: [askAmount(facts, chosen)] };
  const again = columns === chosen ? relations : await relate(facts, columns.indexes, read);
  const isSaid = answers.columns.has('amount') || answers.columns.has('out');
  const addition = isSaid ? undefined : askAddition(columns, again, facts);
  if (addition !== undefined) return { columns, known: { decimal }, questions: [addition] };
  const amount = name(columns.indexes, columns.evidence, facts);
  const currency = inspectCellCurrency(
    columns.indexes.flatMap((index) => facts.columns[index] ?? []),
    facts,
    answers,
  );
  const context = { facts, answers, columns, relations: again, read };
  const sign = await inspectSign(context);
  const found = sign.question === undefined ? { sign } : {};
  const both = await askDoubleEntry(context, found.sign?.value);
  const asked = [currency.question, sign.question, both];
  const questions = asked.filter((each) => each !== undefined);
  const cell = currency.question === undefined ? { cellCurrency: currency } : {};
  return { columns, ...found, known: { amount, decimal, ...found, ...cell }, questions };
}

/** Everything a mapping needs; undefined while a part is missing. */
function gather(facts: Facts, known: Omit<Inspection, 'found'>): Found | undefined {
  const { encoding, layout, date, dateFormat, decimal, sign, texts, externalId } = known;
  if (encoding === undefined || layout === undefined || date === undefined) return undefined;
  if (dateFormat === undefined || decimal === undefined || sign === undefined) return undefined;
  if (externalId === undefined || texts?.description === undefined) return undefined;
  const columns = sign.value.indexes.map((index) => titleOf(index, facts));
  const numbers = sign.value.indexes.flatMap((index) => facts.columns[index]?.numbers ?? []);
  const negative = (['trailing minus', 'brackets'] as const).filter((form) =>
    numbers.some(({ forms }) => forms.has(form)),
  );
  const guard = known.currency?.value;
  const identity = externalId.value;
  const isHeaderless = layout.headerLine.value === 0;
  const shape = { columns: layout.names.length, skipLines: layout.firstRowLine - 1 };
  return {
    encoding: encoding.value,
    delimiter: layout.delimiter.value,
    headerless: isHeaderless ? shape : undefined,
    signs: decimal.value,
    date: { column: date.columns[0] ?? '', format: dateFormat.value },
    amount: {
      columns,
      shape: sign.value.shape,
      negative,
      currency: known.cellCurrency?.value,
    },
    texts: {
      description: texts.description.columns,
      contact: texts.contact?.columns ?? [],
      accountCode: texts.accountCode?.columns ?? [],
    },
    externalId: 'column' in identity ? titleOf(identity.column, facts) : undefined,
    currency:
      guard === undefined ? undefined : { column: titleOf(guard.column, facts), is: guard.is },
    status: findStatus(facts),
    notRows: [],
  };
}
