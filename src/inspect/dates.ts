/** Finds the column of the date, and its format. */

import type { DateFormat } from '../rows/date-formats.ts';
import { explainDoubt } from '../rows/months.ts';
import { type AnswerOf, saidAbout, useColumn } from './answers.ts';
import { type ColumnFacts, type Columns, titlesOf } from './column-facts.ts';
import { type DateCandidate, proveDate } from './date-column.ts';
import { type Context, findSaid } from './facts.ts';
import { AnswerError, ask, choice, type Decision, proven, quote, show, stated } from './found.ts';

/** The share of cells that must be dates: the others are typing mistakes, and are rejected. */
const SHARE = 0.8;
/** A column with this share of dates is a second candidate. */
const RIVAL_SHARE = 0.5;

/** Whether a column has dates. Six digits are dates only if the header says so. */
export function isDateColumn(
  { dates, roles }: ColumnFacts,
  rows: number,
  share: number = SHARE,
): boolean {
  if (dates.readable === 0 || dates.readable < rows * share) return false;
  return !dates.isSixDigits || roles.has('date');
}

/** Works out the column of the date: two candidates are always a question. */
export function inspectDateColumn(context: Context): Decision<ColumnFacts> {
  const said = findSaid('date', context);
  if (said !== undefined) return stated(said, ...saidAbout(context.answers, 'date'));
  const { columns, rows } = context.facts;
  const found = columns.filter((column) => isDateColumn(column, rows, RIVAL_SHARE));
  const candidates = found.length > 0 ? found : columns.filter(isYearless);
  const [only, second] = candidates;
  if (only === undefined) return askAnyColumn(columns);
  if (second !== undefined) return askColumn(candidates);
  const sample = sampleOf(only);
  const because =
    found.length > 0
      ? `the only column with dates; ${show(sample)}`
      : `by its name: ${quote(only.name)}`;
  return proven(only, sample, because);
}

/** Dates without a year, such as `3101`: only the name shows that they are dates. */
function isYearless({ roles, numbers, filled }: ColumnFacts): boolean {
  const isDigits = numbers.numbers === filled && filled > 0 && numbers.isPlain;
  // Three or four digits are day and month, five a day number; more are something else.
  return isDigits && /^\d{3,5}$/.test(numbers.first?.text ?? '') && roles.has('date');
}

function sampleOf({ dates, numbers }: ColumnFacts) {
  return dates.sample ?? numbers.first;
}

function askColumn(candidates: Columns) {
  const names = titlesOf(candidates);
  const text = `Which date is the date of the payment: ${names.join(' or ')}?`;
  const choices = candidates.map((column) => {
    return choice(useColumn('date', column), show(column.dates.sample));
  });
  return ask('date', text, choices);
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

/** Works out the format of dates. Throws AnswerError for an answer that the file contradicts. */
export function inspectDateFormat(column: ColumnFacts, { answers }: Context): Decision<DateFormat> {
  const all = column.dates.listCandidates();
  const candidates = all.filter(({ readable }) => readable > 0);
  const found = decide(all);
  const said = answers.last.dateFormat;
  if (said === undefined) return found ?? askFormat(column, candidates);
  // If two formats occur, the user can choose either: the other rows are rejected.
  const isOffered = candidates.some((each) => each.format.text === said.dateFormat.text);
  if (found !== undefined || !isOffered) refuseWrong(said, column, found);
  return stated(said.dateFormat, said);
}

type ProvenFormat = ReturnType<typeof proveDate>;

function decide(candidates: readonly DateCandidate[]): ProvenFormat | undefined {
  const [best, ...rivals] = candidates;
  if (best === undefined || best.readable === 0 || best.against !== undefined) return undefined;
  if (rivals.some((rival) => rival.readable === best.readable)) return undefined;
  return proveDate(best, rivals[0]);
}

function refuseWrong(
  said: AnswerOf<'dateFormat'>,
  { dates }: ColumnFacts,
  found: ProvenFormat | undefined,
): void {
  const { dateFormat } = said;
  const { text, line } = found?.evidence ?? {};
  const sample = text || dates.sample?.text;
  if (sample === undefined || dateFormat.read(sample) !== undefined) return;
  const shown = show({ line: line ?? dates.sample?.line ?? 0, text: sample });
  const doubt = explainDoubt(sample, dateFormat.text);
  throw new AnswerError(said, `: ${shown}, which is not ${dateFormat.text}.${doubt}`);
}

/** 1 January 1970 as a day number in spreadsheets. */
const SERIAL_OF_1970 = 25_569;

function askFormat(column: ColumnFacts, candidates: readonly DateCandidate[]) {
  const { line, text: cell } = sampleOf(column) ?? { line: undefined, text: '' };
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
    return ask('dateFormat', `${dates} ${what} (${shown}). What is their format?`, [], other);
  }
  const beaten = candidates.find((each) => each.against !== undefined)?.against;
  const mixed = beaten === undefined ? '' : ` Line ${beaten.line} rules one out.`;
  const choices = candidates.map(({ format }) => {
    const day = format.read(cell) ?? 'not a real date, and is rejected';
    return choice({ kind: 'dateFormat', dateFormat: format }, `${shown} is ${day}`);
  });
  const text = `${dates} can have more than one format.${mixed} Which one is right?`;
  return ask('dateFormat', text, choices);
}
