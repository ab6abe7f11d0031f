/** Finds the column of the date, and its format. */

import type { DateFormat } from '../rows/date-formats.ts';
import { explainDoubt } from '../rows/months.ts';
import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type DateCandidate, proveDate } from './date-column.ts';
import { type Facts, requireColumn, titleOf } from './facts.ts';
import { type Answer, AnswerError, type Finding, type Question, quote, stated } from './found.ts';
import { rolesOf } from './header-words.ts';

/** The share of cells that must be dates: the others are typing mistakes, and are rejected. */
const SHARE = 0.8;
/** A column with this share of dates is a second candidate. */
const RIVAL_SHARE = 0.5;

/** Whether a column has dates. Six digits are dates only if the header says so. */
export function isDateColumn(
  { dates, name }: ColumnFacts,
  rows: number,
  share: number = SHARE,
): boolean {
  if (dates.readable === 0 || dates.readable < rows * share) return false;
  return !dates.isSixDigits || rolesOf(name).has('date');
}

/** Works out the column of the date: two candidates are always a question. */
export function inspectDateColumn(facts: Facts, answers: Answers): Answer<number> {
  const [said] = answers.columns.get('date') ?? [];
  if (said !== undefined) return stated(requireColumn(said, facts), `--map date=${said}`);
  const found = facts.columns.filter((column) => isDateColumn(column, facts.rows, RIVAL_SHARE));
  const candidates = found.length > 0 ? found : listYearless(facts);
  const [only, second] = candidates;
  if (only === undefined) return { question: askAnyColumn(facts) };
  if (second !== undefined) return { question: askColumn(candidates, facts) };
  const sample = only.dates.sample ?? only.numbers.first;
  const because =
    found.length > 0
      ? `the only column with dates; line ${sample?.line} has ${quote(sample?.text ?? '')}`
      : `by its name: ${quote(only.name)}`;
  const evidence = { line: sample?.line ?? null, text: sample?.text ?? '', because };
  return { value: only.index, evidence };
}

/** Columns of dates without a year, such as `3101`: only the name shows that they are dates. */
function listYearless({ columns }: Facts): ColumnFacts[] {
  return columns.filter(({ name, numbers, filled }) => {
    const isDigits = numbers.numbers === filled && filled > 0 && numbers.isPlain;
    // Three or four digits are day and month, five a day number; more are something else.
    const isShort = /^\d{3,5}$/.test(numbers.first?.text ?? '');
    return isDigits && isShort && rolesOf(name).has('date');
  });
}

function askColumn(candidates: readonly ColumnFacts[], facts: Facts): Question {
  const names = candidates.map(({ index }) => titleOf(index, facts));
  const text = `Which date is the date of the payment: ${names.join(' or ')}?`;
  const choices = candidates.map(({ dates, index }) => {
    const { line, text: cell } = dates.sample ?? { line: 0, text: '' };
    const option = ['map', `date=${titleOf(index, facts)}`] as const;
    return { option, meaning: `line ${line} has ${quote(cell)}` };
  });
  return { id: 'date', text, choices };
}

function askAnyColumn(facts: Facts): Question {
  const text = 'No column has dates that can be read. Which one is it, and in what format?';
  const other = '--map date=COLUMN:FORMAT, such as DD/MM/YYYY';
  const named = facts.columns.filter(({ name }) => rolesOf(name).has('date'));
  const choices = named.map(({ index, numbers }) => {
    const option = ['map', `date=${titleOf(index, facts)}`] as const;
    return { option, meaning: `it has ${quote(numbers.first?.text ?? '')}` };
  });
  return { id: 'date', text, choices, other };
}

/** Works out the format of dates. Throws AnswerError for an answer that the file contradicts. */
export function inspectDateFormat(
  index: number,
  facts: Facts,
  answers: Answers,
): Answer<DateFormat> {
  const column = facts.columns[index];
  const all = column?.dates.listCandidates() ?? [];
  const candidates = all.filter(({ readable }) => readable > 0);
  const proven = decide(all);
  const { dateFormat } = answers;
  if (dateFormat !== undefined) {
    // If two formats occur, the user can choose either: the other rows are rejected.
    const isOffered = candidates.some(({ format }) => format.text === dateFormat.text);
    if (proven !== undefined || !isOffered) refuseWrong(dateFormat, column, proven);
    return stated(dateFormat, `--date-format ${dateFormat.text}`);
  }
  return proven ?? { question: askFormat(index, facts, candidates) };
}

function decide(candidates: readonly DateCandidate[]): Finding<DateFormat> | undefined {
  const [best, ...rivals] = candidates;
  if (best === undefined || best.readable === 0 || best.against !== undefined) return undefined;
  if (rivals.some((rival) => rival.readable === best.readable)) return undefined;
  return { value: best.format, evidence: proveDate(best, rivals[0]) };
}

function refuseWrong(
  format: DateFormat,
  column: ColumnFacts | undefined,
  proven: Finding<DateFormat> | undefined,
): void {
  const sample = proven?.evidence.text || column?.dates.sample?.text;
  if (sample === undefined || format.read(sample) !== undefined) return;
  const line = proven?.evidence.line ?? column?.dates.sample?.line;
  const doubt = format.text.includes('@') ? undefined : explainDoubt(sample);
  const why = doubt === undefined ? '' : ` ${doubt}`;
  const text = `line ${line} has ${quote(sample)}, which is not ${format.text}.${why}`;
  throw new AnswerError(`--date-format: ${text}`);
}

/** 1 January 1970 as a day number in spreadsheets. */
const SERIAL_OF_1970 = 25_569;

function askFormat(index: number, facts: Facts, candidates: readonly DateCandidate[]): Question {
  const column = facts.columns[index];
  const name = titleOf(index, facts);
  const sample = column?.dates.sample ?? column?.numbers.first;
  const shown = `line ${sample?.line}: ${quote(sample?.text ?? '')}`;
  if (candidates.length === 0 && /^[2-7]\d{4}$/.test(sample?.text ?? '')) {
    const day = new Date((Number(sample?.text) - SERIAL_OF_1970) * 86_400_000);
    const is = `${shown} is ${day.toISOString().slice(0, 10)}`;
    const text = `The dates in ${name} are day numbers from a spreadsheet (${is}).`;
    const way = 'Format the column as dates in the spreadsheet, and save the file again.';
    return { id: 'dateFormat', text: `${text} ${way}`, choices: [] };
  }
  if (candidates.length === 0) {
    const isYearless = /^\d{3,4}$/.test(sample?.text ?? '');
    const what = isYearless ? 'have no year' : 'have an unknown format';
    const text = `The dates in ${name} ${what} (${shown}). What is their format?`;
    const other = `--date-format ${isYearless ? 'DDMM@2016' : 'FORMAT, such as DD/MM/YYYY'}`;
    return { id: 'dateFormat', text, choices: [], other };
  }
  const beaten = candidates.find((each) => each.against !== undefined);
  const mixed = beaten === undefined ? '' : ` Line ${beaten.against?.line} rules one out.`;
  const text = `The dates in ${name} can have more than one format.${mixed} Which one is right?`;
  const choices = candidates.map(({ format }) => {
    const day = sample === undefined ? undefined : format.read(sample.text);
    const meaning = `${shown} is ${day ?? 'not a real date, and is rejected'}`;
    return { option: ['date-format', format.text] as const, meaning };
  });
  return { id: 'dateFormat', text, choices };
}
