/**
 * Works out how to read a CSV file. Each step is proven by a line of the file, was answered by the
 * user, or becomes a question. This module knows bytes and answers, but not command-line options,
 * terminals or how findings are shown.
 */

import type { Mapping } from '../mapping/mapping.ts';
import { ReadingError } from '../problems.ts';
import type { Source } from '../text/text.ts';
import { type AmountColumns, askAddition, chooseAmounts, decideAmounts } from './amounts.ts';
import { type Answer, type Answers, collectAnswers } from './answers.ts';
import { type Check, checkFile } from './check.ts';
import type { Columns } from './column-facts.ts';
import { inspectCellCurrency, inspectCurrency } from './currencies.ts';
import { inspectDateFormat, isDateColumn } from './dates.ts';
import { inspectEncoding } from './encoding.ts';
import { withExamples } from './examples.ts';
import { type Facts, gatherFacts } from './facts.ts';
import { AnswerError, type Finding, isAsked, type Outcome, type Question } from './found.ts';
import { inspectLayout, type Layout } from './layout.ts';
import { listRests, makeMapping, type Parts } from './mapping.ts';
import { inspectIdentity, inspectMembers, type Members, reservedColumns } from './members.ts';
import { inspectNotRows, type Unruled } from './not-payments.ts';
import { isPauseDue, paced, pause } from './pace.ts';
import { inspectDateColumn } from './payment-date.ts';
import { askRejected } from './rejections.ts';
import { type CellReader, findIdle, type Relations, relate } from './relations.ts';
import { inspectSeparators } from './separators.ts';
import { askDoubleEntry, inspectSign } from './signs.ts';
import { withoutNotRows } from './statuses.ts';
import { inspectText } from './texts.ts';

/** What the steps find out, each under its name. */
interface Found extends Parts {
  readonly layout: Layout;
  /** The amounts by their names, those that arithmetic leaves, and their relations. */
  readonly candidates: AmountColumns;
  readonly amounts: AmountColumns;
  readonly relations: Relations;
  readonly amount: Finding<Columns>;
  /** Set if every line is a payment. */
  readonly isSingle: object;
  readonly draft: Mapping;
  readonly unruled: Unruled;
  /** What push will do with the file. */
  readonly check: Check;
  /** How to read the file. */
  readonly mapping: Mapping;
}

/** What was given, and what was found so far. */
interface Known extends Partial<Found> {
  readonly source: Source;
  readonly given: readonly Answer[];
  readonly answers: Answers;
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/** A step: what it finds, what it needs for that, and how it finds it or asks instead. */
interface Step {
  readonly name: keyof Found;
  readonly needs: readonly (keyof Found)[];
  readonly find: (known: never) => Outcome<object> | Promise<Outcome<object>>;
}

function step<Name extends keyof Found, Needed extends keyof Found>(
  name: Name,
  needs: readonly Needed[],
  find: (
    known: Known & Pick<Found, Needed>,
  ) => Outcome<Found[Name]> | Promise<Outcome<Found[Name]>>,
): Step {
  return { name, needs, find };
}

const PARTS = [
  ...['encoding', 'layout', 'facts', 'date', 'dateFormat', 'decimal', 'sign', 'isSingle'],
  ...['cellCurrency', 'currency', 'description', 'contact', 'accountCode', 'externalId', 'members'],
] as (keyof Found)[];

/** Every step, in order: also the later ones if an earlier one asks, to ask everything at once. */
const STEPS: readonly Step[] = [
  step('encoding', [], ({ source, answers }) => inspectEncoding(source, answers)),
  step('layout', ['encoding'], ({ source, encoding, answers }) =>
    inspectLayout(source, encoding.value, answers),
  ),
  step('facts', ['encoding', 'layout'], (known) => {
    const { source, layout, encoding, lastDay } = known;
    const cut = { encoding: encoding.value, delimiter: layout.delimiter.value };
    const plan = (facts: Facts) => planReading({ ...known, facts });
    return gatherFacts({ source, layout, cut }, lastDay, plan);
  }),
  step('date', ['facts'], inspectDateColumn),
  step('dateFormat', ['facts', 'date'], (known) => inspectDateFormat(known.date.value, known)),
  step('candidates', ['facts'], chooseAmounts),
  step('decimal', ['facts', 'candidates'], (known) =>
    inspectSeparators(known.candidates.columns, known),
  ),
  step('amounts', ['facts', 'candidates', 'decimal'], (known) =>
    decideAmounts(known.candidates, known.facts, relating(known)),
  ),
  step('relations', ['facts', 'decimal', 'amounts'], (known) =>
    relating(known)(known.amounts.columns),
  ),
  step('amount', ['facts', 'decimal', 'amounts', 'relations'], async (known) => {
    const { columns: value, evidence } = known.amounts;
    const asked = await askAddition(known, value, known.relations, relating(known));
    return asked ?? { value, evidence };
  }),
  step('cellCurrency', ['facts', 'amounts', 'amount'], (known) =>
    inspectCellCurrency(known, known.amounts.columns),
  ),
  step('sign', ['facts', 'amounts', 'relations', 'amount'], inspectSign),
  step('isSingle', ['facts', 'amounts', 'relations', 'amount'], async (known) => {
    return (await askDoubleEntry(known, known.sign?.value)) ?? {};
  }),
  step('description', ['facts'], (known) => inspectText('description', known, fixedOf(known))),
  step('contact', ['facts'], (known) => inspectText('contact', known, takenOf(known))),
  step('accountCode', ['facts'], (known) =>
    inspectText('accountCode', known, [...takenOf(known), ...(known.contact?.value ?? [])]),
  ),
  step('currency', ['facts'], (known) => inspectCurrency(known, ownAmounts(known))),
  step('externalId', ['facts'], ({ sign: _, ...known }) =>
    inspectIdentity(known, [...fixedOf(known), ...(known.description?.value ?? [])]),
  ),
  step('members', ['facts', 'externalId'], (known) => {
    const { contact, accountCode, externalId, currency } = known;
    const others = [contact?.value, accountCode?.value, externalId.value, currency?.value?.column];
    return inspectMembers(known, [...takenOf(known), ...others.flatMap((each) => each ?? [])]);
  }),
  step('draft', PARTS, (known) => makeMapping(known as Known & Parts)),
  step('unruled', ['facts', 'date', 'amounts', 'relations', 'sign', 'draft'], (known) => {
    const { facts, draft, date, sign, relations } = known;
    const amounts = sign.value.columns;
    const idle = relations.others.flatMap((each) => {
      return findIdle(facts, relations.balanceOf(known.amounts.columns, each)) ?? [];
    })[0];
    return inspectNotRows({ ...known, mapping: draft, date: date.value, amounts, idle });
  }),
  step('check', ['draft', 'unruled'], ({ source, draft, unruled }) => {
    const { rules, check } = unruled;
    return checkFile(source, withRules(draft, rules), rules.length === 0 ? check : undefined);
  }),
  step('mapping', ['date', 'draft', 'unruled', 'check'], (known) => {
    const { answers, draft, unruled, check } = known;
    const asked = askRejected(answers, check, known.date.value);
    const rests = () => listRests(known as Known & Parts, answers, check);
    return asked ?? { ...withRules(draft, unruled.rules), rests: rests() };
  }),
];

/** Takes all steps that can be taken, or those before one. */
async function takeSteps(given: Known, end?: keyof Found) {
  const questions: Question[] = [];
  let known = given;
  for (const { name, needs, find } of STEPS) {
    if (name === end) break;
    const isOpen = known[name] === undefined && needs.every((each) => known[each] !== undefined);
    if (!isOpen) continue;
    const found = await (find as (own: Known) => ReturnType<Step['find']>)(known);
    if (isPauseDue()) await pause();
    if (isAsked(found)) questions.push(...found.questions);
    else known = { ...known, [name]: found };
  }
  return { known, questions };
}

/** How often open questions are answered for a plan: their answers can lead to others. */
const ROUNDS = 3;

/**
 * Takes the steps with the first rows of a long file, so that what they collect is collected from
 * all rows in one reading; open questions are taken to have their first answers. If the whole file
 * shows something else, what the steps want to know is read again.
 */
async function planReading(known: Known & Pick<Found, 'facts'>): Promise<void> {
  let { given } = known;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      known.facts.forget();
      const tried = await takeSteps({ ...known, given, answers: collectAnswers(given) }, 'check');
      if (tried.known.draft !== undefined) return;
      given = [...given, ...tried.questions.flatMap(({ choices: [one] }) => one?.answers ?? [])];
    }
  } catch (error) {
    // All rows decide what is wrong with the file, or with an answer.
    if (!(error instanceof ReadingError || error instanceof AnswerError)) throw error;
  }
}

type Shown = Omit<Parts, 'members'> & Members;

/** What is known about a file. */
export interface Inspection extends Readonly<{ [Name in keyof Shown]?: Shown[Name] | undefined }> {
  readonly name: string;
  readonly questions: readonly Question[];
  readonly layout?: Layout | undefined;
  readonly amount?: Finding<Columns> | undefined;
  /** How to read the file; set when no question is open. */
  readonly mapping?: Mapping | undefined;
  /** What push will do with the file; set when no question about its columns is open. */
  readonly check?: Check | undefined;
}

/** Inspects a file. Throws FileError, and AnswerError for an answer that the file contradicts. */
export async function inspectCsv(
  source: Source,
  { answers: given, lastDay }: { readonly answers: readonly Answer[]; readonly lastDay: string },
): Promise<Inspection> {
  const begin = { source, given, lastDay, answers: collectAnswers(given) };
  const { known, questions } = await takeSteps(begin);
  const { facts, candidates, decimal, members, ...found } = known;
  // Which columns they are is shown, and no other field takes them, while the decimals are open.
  const shown = decimal === undefined && candidates?.kind !== 'undecided' ? candidates : undefined;
  const amount = shown && { value: shown.columns, evidence: shown.evidence };
  const all = { amount, ...found, amounts: found.amounts ?? shown };
  const asked: Question[] = [];
  for await (const each of paced(questions)) {
    asked.push(facts === undefined ? each : await withExamples(each, { facts, given }, all));
  }
  return { ...all, ...members, facts, decimal, name: source.name, questions: asked };
}

function withRules(draft: Mapping, rules: Unruled['rules']): Mapping {
  const notRows = rules.length === 0 ? undefined : rules;
  return { ...draft, notRows, status: withoutNotRows(draft.status, rules) };
}

/** The amounts, or while the decimals are open those that it can be. */
function ownAmounts({ decimal, candidates, amounts }: Known): Columns {
  return (decimal === undefined ? candidates : amounts)?.columns ?? [];
}

/** The columns of the date and the amount, and those that answers name for other members. */
function fixedOf(known: Known & Pick<Found, 'facts'>): Columns {
  const { date, sign } = known;
  const own = [date?.value ?? [], ...ownAmounts(known), ...(sign?.value.columns ?? [])];
  return [...own.flat(), ...reservedColumns(known)];
}

/** The same with the description: a contact that describes payments is the contact too. */
function takenOf(known: Known & Pick<Found, 'facts'>): Columns {
  const isSaid = known.answers.columns.has('description');
  const texts = known.description?.value ?? [];
  return [...fixedOf(known), ...texts.filter(({ roles }) => isSaid || !roles.has('contact'))];
}

/** What relates columns to the others. */
function relating(known: Known & Pick<Found, 'facts' | 'decimal'>) {
  const reader = readerOf(known);
  return (columns: Columns) => relate(known.facts, columns, reader);
}

/** Reads a record's numbers and its date, only to see whether dates ascend: any column will do. */
function readerOf({
  facts,
  decimal,
  date,
  dateFormat,
}: Parameters<typeof relating>[0]): CellReader {
  const separators = decimal.value;
  const column = date?.value ?? facts.columns.find((each) => isDateColumn(each, facts.rows));
  if (column === undefined) return { separators, days: () => [], key: '' };
  const candidates = column.dates.listCandidates().filter(({ readable }) => readable > 0);
  const formats = dateFormat ? [dateFormat.value] : candidates.map((each) => each.format);
  const days: CellReader['days'] = (fields) => {
    const text = (fields[column.index] ?? '').trim();
    return formats.map((format) => format.read(text));
  };
  return { separators, days, key: [column.index, ...formats.map(({ text }) => text)].join() };
}
