/** Finds the format of dates. */

import type { CsvRecord } from '../reading/csv-records.ts';
import { type DateFormat, explainDoubt, readDateFormat } from '../values/date-formats.ts';
import type { AnswerOf } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type DateCandidate, proveDate } from './date-column.ts';
import type { Context, Facts } from './facts.ts';
import {
  AnswerError,
  ask,
  choice,
  type Decision,
  quote,
  type Seen,
  show,
  stated,
} from './found.ts';

/** The share of cells that must be dates: the others are typing mistakes, and are rejected. */
const SHARE = 0.8;

/** Whether a column has dates. Six digits are dates only if the header says so. */
export function isDateColumn(
  { dates, roles }: ColumnFacts,
  rows: number,
  share: number = SHARE,
): boolean {
  if (dates.readable === 0 || dates.readable < rows * share) return false;
  return !dates.isSixDigits || roles.has('date');
}

/** A date in a column, to show. */
export function sampleOf({ dates, numbers }: ColumnFacts): Seen | undefined {
  return dates.sample ?? numbers.first;
}

/** The format that the user said or the file proves, or else one that is possible. */
export function chooseFormat(column: ColumnFacts, context: Context): DateFormat | undefined {
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
  const others = facts.columns.filter((other) => isDateColumn(other, facts.rows));
  const proofs = others.flatMap((other) => decide(other.dates.listCandidates()) ?? []);
  const [proof, ...more] = proofs.filter(({ value }) => isFit(value, candidates));
  return more.every(({ value }) => value.text === proof?.value.text) ? proof : undefined;
}

function isFit({ text }: DateFormat, candidates: readonly DateCandidate[]): boolean {
  return candidates.some(({ format, readable }) => readable > 0 && format.text === text);
}

/** Works out the format of dates. Throws AnswerError for an answer that the file contradicts. */
export function inspectDateFormat(column: ColumnFacts, context: Context): Decision<DateFormat> {
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
  const samples = [sampleOf(column) ?? column.firstText ?? [], ...(column.values?.values() ?? [])];
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
