/**
 * Finds the column of the date, and its format. Columns with the same dates count as one. Of
 * different ones the booking date is usual, or else the first; asked only when another date is of
 * another month.
 */

import type { CsvRecord } from '../reading/csv-records.ts';
import { type DateFormat, explainDoubt, readDateFormat } from '../values/date-formats.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { DateCandidate } from './date-column.ts';
import { type Context, type Facts, findNamed } from './facts.ts';
import {
  AnswerError,
  type AnswerOf,
  about,
  ask,
  choice,
  type Decision,
  type Finding,
  isAsked,
  proof,
  proven,
  quote,
  show,
  stated,
  titlesOf,
  useColumn,
} from './found.ts';

/** A column with this share of dates is a candidate. */
const RIVAL_SHARE = 0.5;
/** More columns of dates than this are not those of a payment. */
const MOST_COLUMNS = 10;

/** Works out the column of the date. Throws FileError. */
export async function inspectDateColumn(context: Context): Promise<Decision<ColumnFacts>> {
  const { columns } = context.facts;
  const said = findNamed(context, 'date');
  const [named] = said?.value ?? [];
  if (said && named) return { ...said, value: named };
  const found = columns.filter((column) => column.hasDates(RIVAL_SHARE));
  const all = found.length > 0 ? found : columns.filter(isYearless);
  const likely = all.filter(({ dateKind }) => dateKind !== 'other');
  const candidates = likely.length > 0 ? likely : all;
  const decision = await chooseColumn(candidates, context);
  const varied = candidates.filter((column) => !isOfFile(column));
  const isLess = varied.length < candidates.length;
  return isAsked(decision) && isLess && varied.some((column) => column.hasDates())
    ? chooseColumn(varied, context)
    : decision;
}

/** Whether it is the date of the file: one in every row, and not named as a payment's. */
function isOfFile({ dateKind, filled, values }: ColumnFacts): boolean {
  return filled > 1 && values?.size === 1 && (dateKind === undefined || dateKind === 'value');
}

/** Dates without a year, such as `3101`: only the name shows that they are dates. */
function isYearless({ roles, numbers, filled }: ColumnFacts): boolean {
  const isDigits = numbers.numbers === filled && filled > 0 && numbers.isPlain;
  // Three or four digits are day and month, five a day number; more are something else.
  return isDigits && /^\d{3,5}$/.test(numbers.first?.text ?? '') && roles.has('date');
}

async function chooseColumn(candidates: Columns, context: Context): Promise<Decision<ColumnFacts>> {
  const [only, second] = candidates;
  if (only === undefined) return askAnyColumn(context.facts.columns);
  if (second === undefined) return proveOnly(only, context.facts);
  if (candidates.length > MOST_COLUMNS) return askColumn(candidates);
  const pairOf = await compareDates(candidates, context);
  const kept: ColumnFacts[] = [];
  for (const column of [...candidates].sort((one, other) => placeOf(one) - placeOf(other))) {
    if (kept.every((other) => pairOf(column, other)?.differ)) kept.push(column);
  }
  const [usual = only, ...others] = kept;
  if (others.length === 0) {
    const names = titlesOf(candidates).join(' and ');
    return proven(usual, usual.sampleDate, `${names} have the same dates in every row`);
  }
  const pairs = others.flatMap((other) => pairOf(usual, other) ?? []);
  const apart = pairs.find((pair) => pair.apart !== undefined);
  if (apart !== undefined) return askColumn(kept, apart);
  const isBooking = usual.dateKind === 'booking';
  const are = others.length === 1 ? 'is' : 'are';
  const because =
    `${isBooking ? 'the booking date is usual; ' : ''}${titlesOf(others).join(' and ')} ` +
    `${are} never of another month`;
  const instead = others.map((other) => useColumn('date', other));
  return { value: usual, evidence: proof(usual.sampleDate, because, instead) };
}

function proveOnly(only: ColumnFacts, { columns }: Facts): Finding<ColumnFacts> {
  const sample = only.sampleDate;
  const dated = columns.filter((column) => column.hasDates(RIVAL_SHARE));
  if (dated.length === 0) return proven(only, sample, `by its name: ${quote(only.name)}`);
  const others = titlesOf(dated.filter((column) => column !== only)).join(' and ');
  const which =
    others === ''
      ? 'the only column with dates'
      : `the dates in ${others} are not those of the payments`;
  return proven(only, sample, `${which}; ${show(sample)}`);
}

/** What is preferred: the days on which payments are booked, or else the first known ones. */
const PREFERRED: readonly ColumnFacts['dateKind'][] = ['booking', 'payment', 'purchase', undefined];

/** Columns without a date in many rows come last; the only word in one can be that of a balance. */
function placeOf(column: ColumnFacts): number {
  const place = isOfFile(column) ? -1 : PREFERRED.indexOf(column.dateKind);
  const isOther = column.filled === column.rows && column.rows - column.dates.readable === 1;
  const isFull = column.hasDates() || isOther;
  return (place < 0 ? PREFERRED.length : place) + (isFull ? 0 : PREFERRED.length + 1);
}

/** How the dates of two columns differ. */
interface Pair {
  readonly columns: readonly [ColumnFacts, ColumnFacts];
  /** The first record with two dates, and the first with dates of different months. */
  differ?: CsvRecord;
  apart?: CsvRecord;
}

/** Compares them in all rows. */
async function compareDates(columns: Columns, context: Context) {
  const { facts } = context;
  const formats = columns.map((column) => chooseFormat(column, context));
  const names = columns.map(({ index }, at) => [index, formats[at]?.text]);
  const found = await facts.collect(['dates', names], () => {
    const pairs = columns.flatMap((one, at): Pair[] => {
      return columns.slice(at + 1).map((other) => ({ columns: [one, other] }));
    });
    const dayOf = (column: ColumnFacts, { fields }: CsvRecord) => {
      const text = column.cellOf(fields);
      const format = formats[columns.indexOf(column)];
      return format === undefined ? text : (format.read(text) ?? '');
    };
    const add = (record: CsvRecord, isRow: boolean) => {
      for (const pair of isRow ? pairs : []) {
        const [day, other] = [dayOf(pair.columns[0], record), dayOf(pair.columns[1], record)];
        if (day === other || day === '' || other === '') continue;
        pair.differ ??= record;
        if (day.slice(0, 7) !== other.slice(0, 7)) pair.apart ??= record;
      }
      return undefined;
    };
    return { pairs, add };
  });
  return (...two: readonly (ColumnFacts | undefined)[]) =>
    found.pairs.find(({ columns: [one, other] }) => two.includes(one) && two.includes(other));
}

function askColumn(columns: Columns, { differ, apart }: Partial<Pair> = {}) {
  const which = `Which date is the date of the payment: ${titlesOf(columns).join(' or ')}?`;
  const where = apart && `In line ${apart.line} they are of different months.`;
  const choices = columns.map((column) => choice(useColumn('date', column)));
  const text = [which, where ?? []].flat().join(' ');
  return about(ask('date', text, choices), { record: apart ?? differ });
}

function askAnyColumn(columns: Columns) {
  const text = 'No column has dates that can be read. Which one is it, and in what format?';
  const named = columns.filter(({ roles }) => roles.has('date'));
  const choices = named.map((column) => {
    const meaning = `it has ${quote(column.numbers.first?.text ?? '')}`;
    return choice(useColumn('date', column), meaning);
  });
  return ask('date', text, choices, 'any date');
}

/** The format that the user said or the file proves, or else one that is possible. */
function chooseFormat(column: ColumnFacts, context: Context): DateFormat | undefined {
  const candidates = column.dates.listCandidates();
  const said = context.answers.last.dateFormat;
  const isSaid = said !== undefined && isFit(said.dateFormat, candidates);
  return isSaid ? said.dateFormat : (find(column, context)?.value ?? candidates[0]?.format);
}

/** The format that the column proves, or another column whose dates are written alike. */
function find(column: ColumnFacts, { facts }: Context): ProvenFormat | undefined {
  const candidates = column.dates.listCandidates();
  const found = decide(candidates);
  const [best] = candidates;
  if (found !== undefined || best === undefined || best.against !== undefined) return found;
  const others = facts.columns.filter((other) => other.hasDates());
  const proofs = others.flatMap((other) => decide(other.dates.listCandidates()) ?? []);
  const [proof, ...more] = proofs.filter(({ value }) => isFit(value, candidates));
  return more.every(({ value }) => value.text === proof?.value.text) ? proof : undefined;
}

function isFit({ text }: DateFormat, candidates: readonly DateCandidate[]): boolean {
  return candidates.some(({ format, readable }) => readable > 0 && format.text === text);
}

/** Works out the format of dates. Throws AnswerError for an answer that the file contradicts. */
export function inspectDateFormat({
  date,
  ...context
}: Context & { readonly date: { readonly value: ColumnFacts } }): Decision<DateFormat> {
  const column = date.value;
  const all = column.dates.listCandidates();
  const candidates = all.filter(({ readable }) => readable > 0);
  const found = find(column, context);
  const said = context.answers.last.dateFormat;
  if (said === undefined) return found ?? askFormat(column, candidates, context.facts);
  // If two formats occur, the user can choose either: the other rows are rejected.
  if (found !== undefined || !isFit(said.dateFormat, all)) refuseWrong(said, column, found);
  return stated(said.dateFormat, said);
}

type ProvenFormat = ReturnType<typeof proveDate>;

function decide(candidates: readonly DateCandidate[]): ProvenFormat | undefined {
  const [best, ...rivals] = candidates;
  if (best === undefined || best.readable === 0 || best.against !== undefined) return undefined;
  if (rivals.some((rival) => rival.readable === best.readable)) return undefined;
  return proveDate(best, rivals[0]);
}

/** Refuses a format that the file contradicts, or in which it has no date. */
function refuseWrong(
  said: AnswerOf<'dateFormat'>,
  column: ColumnFacts,
  found: ProvenFormat | undefined,
): void {
  const { dateFormat } = said;
  const { line, text } = found?.evidence ?? {};
  const proof = line && text ? [{ line, text }] : [];
  const samples = [column.sampleDate ?? column.firstText ?? [], ...(column.values?.values() ?? [])];
  const [first, ...more] = proof.length > 0 ? proof : samples.flat();
  if (first === undefined) return;
  if ([first, ...more].some((each) => dateFormat.read(each.text) !== undefined)) return;
  const doubt = explainDoubt(first.text, dateFormat.text);
  throw new AnswerError(said, `: ${show(first)}, which is not ${dateFormat.text}.${doubt}`);
}

/** Day and month with each year in the lines above the header, such as `20160131`. */
function chooseYears(cell: string, preamble: readonly CsvRecord[]) {
  const above = preamble.flatMap(({ fields }) => fields).join(' ');
  const years = new Set(above.match(/(?<!\d)20\d{2}(?=(?:[01]\d[0-3]\d)?(?!\d))/g));
  return [...years].flatMap((year) => {
    const dateFormat = readDateFormat(`DMM@${year}`);
    const day = dateFormat?.read(cell);
    return dateFormat && day ? [choice({ kind: 'dateFormat', dateFormat }, `it is ${day}`)] : [];
  });
}

const FIRST = { DMY: 'day', MDY: 'month', YMD: 'year' } as const;

/** 1 January 1970 as a day number in spreadsheets. */
const SERIAL_OF_1970 = 25_569;

function askFormat(column: ColumnFacts, candidates: readonly DateCandidate[], { layout }: Facts) {
  const { line, text: cell } = column.sampleDate ?? { line: undefined, text: '' };
  const shown = `line ${line}: ${quote(cell)}`;
  const dates = `The dates in ${column.title}`;
  if (candidates.length === 0 && /^[2-7]\d{4}$/.test(cell)) {
    const day = new Date((Number(cell) - SERIAL_OF_1970) * 86_400_000);
    const is = `${shown} is ${day.toISOString().slice(0, 10)}`;
    const way = 'Format the column as dates in the spreadsheet, and save the file again.';
    return ask('dateFormat', `${dates} are day numbers from a spreadsheet (${is}). ${way}`, []);
  }
  if (candidates.length === 0) {
    const isYearless = /^\d{3,4}$/.test(cell);
    const what = isYearless ? 'have no year' : 'have an unknown format';
    const other = isYearless ? 'a date format with a year' : 'any date format';
    const choices = isYearless ? chooseYears(cell, layout.preamble) : [];
    return ask('dateFormat', `${dates} ${what} (${shown}). What is their format?`, choices, other);
  }
  const beaten = candidates.find((each) => each.against !== undefined)?.against;
  const mixed = beaten === undefined ? '' : ` Line ${beaten.line} rules one out.`;
  const days = candidates.map(({ format }) => format.read(cell));
  const isSame = new Set(days).size < days.length;
  const choices = candidates.map(({ format, order }, at) => {
    const day = days[at] ?? 'not a real date, and is rejected';
    const first = isSame ? `, and the ${FIRST[order]} comes first` : '';
    return choice({ kind: 'dateFormat', dateFormat: format }, `it is ${day}${first}`);
  });
  const text = `Which date is ${quote(cell)} (${column.title}, line ${line})?${mixed}`;
  return ask('dateFormat', text, choices);
}

/** What rules out an order of the parts, such as a month 31; undefined if both orders fit. */
function explainPart(text: string, order: DateCandidate['order']): string | undefined {
  const parts = text.match(/\d+/g) ?? [];
  if (parts.length < 3) return undefined;
  const at = order.indexOf('M');
  const month = parts[at];
  if (month === undefined || month.length > 2 || Number(month) <= 12) return undefined;
  return `there is no month ${month}, so ${month} is the day`;
}

/** The line that proves a format rather than another. */
function proveDate({ format, month }: DateCandidate, rival: DateCandidate | undefined) {
  const against = rival?.against;
  if (against === undefined && month !== undefined) {
    return proven(format, month, `${show(month)}, which shows the language`);
  }
  if (rival === undefined || against === undefined) {
    return proven(format, undefined, 'every date has this format');
  }
  const why = rival.isFuture
    ? `as ${rival.format.text} it would be in the future`
    : (explainPart(against.text, rival.order) ??
      `as ${rival.format.text} it would not be a real date`);
  return proven(format, against, `${show(against)}: ${why}`);
}
