/**
 * Works out how to read a CSV file. Each step is proven by a line of the file, was answered by the
 * user, or becomes a question. This module knows bytes and answers, but not command-line options,
 * terminals or how findings are shown.
 */

import type { Mapping, NotRowRule } from '../rows/mapping.ts';
import { type AmountColumns, askAddition, chooseAmounts, decideAmounts } from './amounts.ts';
import { type Answer, type Answers, collectAnswers } from './answers.ts';
import { type Check, checkFile } from './check.ts';
import type { ColumnFacts } from './column-facts.ts';
import { inspectCellCurrency, inspectCurrency } from './currencies.ts';
import { inspectDateColumn, inspectDateFormat, isDateColumn } from './dates.ts';
import { askDoubleEntry } from './double-entry.ts';
import { inspectEncoding } from './encoding.ts';
import { gatherFacts } from './facts.ts';
import { type Finding, isAsked, type Outcome, type Question } from './found.ts';
import { inspectIdentity } from './identities.ts';
import { inspectLayout, type Layout } from './layout.ts';
import { makeMapping, type Parts } from './mapping.ts';
import { inspectNotRows } from './not-payments.ts';
import { isTurnOver, nextTurn } from './pace.ts';
import { type CellReader, type Relations, relate } from './relations.ts';
import { inspectSeparators } from './separators.ts';
import { inspectSign } from './signs.ts';
import type { Source } from './source.ts';
import { withoutNotRows } from './statuses.ts';
import { inspectText } from './texts.ts';

type Columns = readonly ColumnFacts[];

/** What every step knows. */
interface Given {
  readonly source: Source;
  readonly answers: Answers;
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/** What the steps work out. */
interface Steps extends Parts {
  readonly layout: Layout;
  /** The columns that can be the amount, by their names. */
  readonly candidates: AmountColumns;
  /** How the candidates relate to the other columns. */
  readonly trial: Relations;
  readonly amounts: AmountColumns;
  readonly relations: Relations;
  readonly amount: Finding<Columns>;
  /** Known when the file does not have both sides of its entries, or every line is a payment. */
  readonly oneSided: object;
  /** The mapping without rules for lines that are not rows. */
  readonly draft: Mapping;
  readonly notRows: { readonly rules: readonly NotRowRule[] };
  /** How to read the file; set when no question is open. */
  readonly mapping: Mapping;
  /** What push will do with the file; set when no question is open. */
  readonly check: Check;
}

/** What is known about a file. */
export type Inspection = Partial<Omit<Steps, 'trial' | 'relations' | 'draft' | 'notRows'>> & {
  readonly name: string;
  readonly questions: readonly Question[];
};

/** What an inspection needs besides the file. */
export interface InspectOptions {
  readonly answers: readonly Answer[];
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/** Inspects a file. Throws FileError, and AnswerError for an answer that the file contradicts. */
export async function inspectCsv(source: Source, options: InspectOptions): Promise<Inspection> {
  const { lastDay } = options;
  const known: Known = { source, answers: collectAnswers(options.answers), lastDay };
  const questions: Question[] = [];
  for (const { name, needs, find } of STEPS) {
    if (needs === 'no questions' ? questions.length > 0 : needs.some((each) => !(each in known))) {
      continue;
    }
    if (isTurnOver()) await nextTurn();
    const found = await find(known);
    if (isAsked(found)) questions.push(...found.questions);
    else Object.assign(known, { [name]: found });
  }
  return { name: source.name, questions, ...withAmount(known) };
}

type Known = Given & Partial<Steps>;

interface Step {
  readonly name: keyof Steps;
  /** It runs once these are known, or if no question is open. */
  readonly needs: readonly (keyof Steps)[] | 'no questions';
  readonly find: (known: Known) => Outcome<object> | Promise<Outcome<object>>;
}

function step<Name extends keyof Steps, Need extends keyof Steps>(
  name: Name,
  needs: readonly Need[],
  find: (known: Known & Pick<Steps, Need>) => Outcome<Steps[Name]> | Promise<Outcome<Steps[Name]>>,
): Step {
  return { name, needs, find: (known) => find(known as Known & Pick<Steps, Need>) };
}

/** A step after all others, when they left no question open. */
function lastStep<Name extends keyof Steps>(
  name: Name,
  find: (known: Given & Steps) => Outcome<Steps[Name]> | Promise<Outcome<Steps[Name]>>,
): Step {
  return { name, needs: 'no questions', find: (known) => find(known as Given & Steps) };
}

/** Every step, in order. Each one takes what is known, and returns a finding or questions. */
const STEPS: readonly Step[] = [
  step('encoding', [], ({ source, answers }) => inspectEncoding(source, answers)),
  step('layout', ['encoding'], ({ source, encoding, answers }) =>
    inspectLayout(source, encoding.value, answers),
  ),
  step('facts', ['encoding', 'layout'], ({ source, encoding, layout, lastDay }) => {
    const cut = { encoding: encoding.value, delimiter: layout.delimiter.value };
    return gatherFacts(source, cut, layout, lastDay);
  }),
  step('date', ['facts'], inspectDateColumn),
  step('dateFormat', ['facts', 'date'], (known) => inspectDateFormat(known.date.value, known)),
  step('candidates', ['facts'], chooseAmounts),
  step('decimal', ['candidates'], ({ candidates, answers }) =>
    inspectSeparators(candidates.columns, answers),
  ),
  step('trial', ['facts', 'candidates', 'decimal'], (known) =>
    relate(known.facts, known.candidates.columns, readerOf(known)),
  ),
  step('amounts', ['facts', 'candidates', 'trial'], ({ candidates, trial, facts }) =>
    decideAmounts(candidates, trial, facts),
  ),
  step('relations', ['facts', 'decimal', 'trial', 'amounts'], (known) => {
    const { facts, candidates, amounts, trial } = known;
    return amounts === candidates ? trial : relate(facts, amounts.columns, readerOf(known));
  }),
  step('amount', ['facts', 'amounts', 'relations'], (known) => {
    const { columns, evidence } = known.amounts;
    return askAddition(known, columns, known.relations) ?? { value: columns, evidence };
  }),
  step('cellCurrency', ['facts', 'amount'], (known) =>
    inspectCellCurrency(known, known.amount.value),
  ),
  step('sign', ['facts', 'amounts', 'relations', 'amount'], inspectSign),
  step('oneSided', ['facts', 'amounts', 'relations', 'amount'], async (known) => {
    return (await askDoubleEntry(known, known.sign?.value)) ?? {};
  }),
  step('description', ['facts'], (known) => inspectText('description', known, listUsed(known))),
  step('contact', ['facts'], (known) => inspectText('contact', known, listUsed(known))),
  step('accountCode', ['facts'], (known) => inspectText('accountCode', known, listUsed(known))),
  step('currency', ['facts'], (known) => inspectCurrency(known, listAmounts(known))),
  step('externalId', ['facts'], (known) => {
    const { date, description } = known;
    const own = [date?.value ?? [], listAmounts(known), description?.value ?? []];
    return inspectIdentity(known, own.flat());
  }),
  lastStep('draft', makeMapping),
  lastStep('notRows', (known) => {
    const { draft: mapping, date, sign } = known;
    const columns = { date: date.value, amounts: sign.value.columns };
    return inspectNotRows({ ...known, ...columns, mapping });
  }),
  lastStep('mapping', ({ draft, notRows: { rules } }) => {
    const notRows = rules.length === 0 ? undefined : rules;
    return { ...draft, notRows, status: withoutNotRows(draft.status, rules) };
  }),
  lastStep('check', ({ source, mapping }) => checkFile(source, mapping)),
];

/** Reads a record's numbers and its date, only to see whether dates ascend: any column will do. */
function readerOf({ facts, date, dateFormat, decimal }: Reading): CellReader {
  const separators = decimal.value;
  const column = date?.value ?? facts.columns.find((each) => isDateColumn(each, facts.rows));
  if (column === undefined) return { separators, days: () => [] };
  const candidates = column.dates.listCandidates().filter(({ readable }) => readable > 0);
  const formats =
    dateFormat === undefined ? candidates.map(({ format }) => format) : [dateFormat.value];
  const days: CellReader['days'] = (fields) => {
    const text = (fields[column.index] ?? '').trim();
    return formats.map((format) => format.read(text));
  };
  return { separators, days };
}

type Reading = Pick<Steps, 'facts' | 'decimal'> & Partial<Pick<Steps, 'date' | 'dateFormat'>>;

/** The columns of the amount as far as they are known. */
function listAmounts({ amounts, candidates, decimal }: Known): Columns {
  return amounts?.columns ?? (decimal === undefined ? candidates?.columns : undefined) ?? [];
}

/** The columns that are something else than texts. */
function listUsed(known: Known): Columns {
  const { date, sign, description, contact } = known;
  const texts = [description, contact].flatMap((found) => found?.value ?? []);
  const dates = date === undefined ? [] : [date.value];
  return [...dates, ...listAmounts(known), ...(sign?.value.columns ?? []), ...texts];
}

/** The amount is shown too when only its decimal separator is open. */
function withAmount(known: Known): Partial<Steps> {
  const { candidates, decimal } = known;
  if (candidates === undefined || candidates.kind === 'undecided' || decimal !== undefined) {
    return known;
  }
  const { columns, evidence } = candidates;
  return { ...known, amount: { value: columns, evidence } };
}
