/**
 * Finds the column of the date. Columns with the same dates count as one. Of different ones the
 * booking date is usual, or else the first; asked only when another date is of another month.
 */

import type { CsvRecord } from '../reading/csv-records.ts';
import { type DateKind, dateKindOf } from '../vocabulary/date-names.ts';
import { saidAbout, useColumn } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { chooseFormat, isDateColumn, sampleOf } from './dates.ts';
import { type Context, type Facts, findSaid } from './facts.ts';
import {
  ask,
  choice,
  type Decision,
  type Finding,
  isAsked,
  proven,
  quote,
  show,
  stated,
  titlesOf,
} from './found.ts';

/** A column with this share of dates is a candidate. */
const RIVAL_SHARE = 0.5;
/** More columns of dates than this are not those of a payment. */
const MOST_COLUMNS = 10;

/** Works out the column of the date. Throws FileError. */
export async function inspectDateColumn(context: Context): Promise<Decision<ColumnFacts>> {
  const { columns, rows } = context.facts;
  const said = findSaid('date', context);
  if (said !== undefined) return stated(said, ...saidAbout(context.answers, 'date'));
  const found = columns.filter((column) => isDateColumn(column, rows, RIVAL_SHARE));
  const all = found.length > 0 ? found : columns.filter(isYearless);
  const named = all.filter(({ name }) => dateKindOf(name) !== 'other');
  const candidates = named.length > 0 ? named : all;
  const decision = await chooseColumn(candidates, context);
  const varied = candidates.filter((column) => !isOfFile(column));
  const isLess = varied.length < candidates.length;
  return isAsked(decision) && isLess && varied.some((column) => isDateColumn(column, rows))
    ? chooseColumn(varied, context)
    : decision;
}

/** The same date in every row is that of the file, unless its name says that it is a payment's. */
function isOfFile({ name, filled, values }: ColumnFacts): boolean {
  const kind = dateKindOf(name);
  return filled > 1 && values?.size === 1 && (kind === undefined || kind === 'value');
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
  for (const column of [...candidates].sort(byFitness(context.facts.rows))) {
    if (kept.every((other) => pairOf(column, other)?.differ)) kept.push(column);
  }
  const [usual = only, ...others] = kept;
  if (others.length === 0) {
    const names = titlesOf(candidates).join(' and ');
    return proven(usual, sampleOf(usual), `${names} have the same dates in every row`);
  }
  const pairs = others.flatMap((other) => pairOf(usual, other) ?? []);
  const apart = pairs.find((pair) => pair.apart !== undefined);
  if (apart !== undefined) return askColumn(kept, apart);
  const isBooking = dateKindOf(usual.name) === 'booking';
  const are = others.length === 1 ? 'is' : 'are';
  const because =
    `${isBooking ? 'the booking date is usual; ' : ''}${titlesOf(others).join(' and ')} ` +
    `${are} never of another month`;
  const { value, evidence } = proven(usual, sampleOf(usual), because);
  return {
    value,
    evidence: { ...evidence, instead: others.map((other) => useColumn('date', other)) },
  };
}

function proveOnly(only: ColumnFacts, { columns, rows }: Facts): Finding<ColumnFacts> {
  const sample = sampleOf(only);
  const dated = columns.filter((column) => isDateColumn(column, rows, RIVAL_SHARE));
  if (dated.length === 0) return proven(only, sample, `by its name: ${quote(only.name)}`);
  const others = titlesOf(dated.filter((column) => column !== only)).join(' and ');
  const which =
    others === ''
      ? 'the only column with dates'
      : `the dates in ${others} are not those of the payments`;
  return proven(only, sample, `${which}; ${show(sample)}`);
}

/** What is preferred: the days on which payments are booked, or else the first known ones. */
const PREFERRED: readonly (DateKind | undefined)[] = ['booking', 'payment', 'purchase', undefined];

/** Columns without a date in many rows come last. */
function byFitness(rows: number) {
  const placeOf = (column: ColumnFacts) => {
    const place = isOfFile(column) ? -1 : PREFERRED.indexOf(dateKindOf(column.name));
    const isFull = isDateColumn(column, rows);
    return (place < 0 ? PREFERRED.length : place) + (isFull ? 0 : PREFERRED.length + 1);
  };
  return (one: ColumnFacts, other: ColumnFacts) => placeOf(one) - placeOf(other);
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
  const found = await facts.collect(JSON.stringify(['dates', names]), () => {
    const pairs = columns.flatMap((one, at): Pair[] => {
      return columns.slice(at + 1).map((other) => ({ columns: [one, other] }));
    });
    const dayOf = (column: ColumnFacts, { fields }: CsvRecord) => {
      const text = (fields[column.index] ?? '').trim();
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
  return (...two: readonly (ColumnFacts | undefined)[]) => {
    return found.pairs.find(
      ({ columns: [one, other] }) => two.includes(one) && two.includes(other),
    );
  };
}

function askColumn(columns: Columns, { differ, apart }: Partial<Pair> = {}) {
  const which = `Which date is the date of the payment: ${titlesOf(columns).join(' or ')}?`;
  const where = apart && `In line ${apart.line} they are of different months.`;
  const choices = columns.map((column) => choice(useColumn('date', column)));
  const { questions } = ask('date', [which, where ?? []].flat().join(' '), choices);
  return { questions: questions.map((question) => ({ ...question, record: apart ?? differ })) };
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
