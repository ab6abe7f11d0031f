/**
 * Works out how to read a CSV file. Each step is proven by a line of the file, was answered by the
 * user, or becomes a question. This module knows bytes and answers, but not command-line options,
 * terminals or how findings are shown.
 */

import { YEARS } from '../../core/limits.ts';
import { RARE } from '../../core/row-members.ts';
import type { Table } from '../formats/table.ts';
import type { Mapping } from '../mapping/mapping.ts';
import { isPauseDue, paced, pause } from '../pace.ts';
import { ReadingError } from '../problems.ts';
import type { FileSource } from '../text/text.ts';
import { inspectCellCurrency, inspectCurrency, inspectSeparators } from './amount-cells.ts';
import { decideAmounts, inspectAddition } from './amount-sums.ts';
import { type AmountColumns, chooseAmounts } from './amounts.ts';
import { inspectBelow } from './below.ts';
import { type Check, checkFile } from './check.ts';
import type { Columns } from './column-facts.ts';
import { inspectDateColumn, inspectDateFormat } from './dates.ts';
import { inspectEncoding } from './encoding.ts';
import { withExamples } from './examples.ts';
import { Facts, findSaid } from './facts.ts';
import {
  type Answer,
  AnswerError,
  type Answers,
  collectAnswers,
  type Finding,
  isAsked,
  type Question,
  type StepOutcome,
} from './found.ts';
import { inspectLayout, type Layout } from './layout.ts';
import { answersOf, listRests, makeMapping, type Parts } from './mapping.ts';
import { askRejected, inspectNotRows, type Unruled } from './not-payments.ts';
import { type Relations, relate } from './relations.ts';
import { contradictsSign, inspectCashless, inspectSign } from './signs.ts';
import { withoutNotRows } from './statuses.ts';
import { inspectIdentity, inspectText } from './texts.ts';
import type { Marked } from './trial.ts';

/** What the steps find out, each under its name. */
interface Found extends Parts {
  readonly layout: Layout;
  /** The amounts by their names, those that arithmetic leaves, and their relations. */
  readonly candidates: AmountColumns;
  readonly amounts: AmountColumns;
  readonly relations: Relations;
  readonly amount: Finding<Columns>;
  /** The accounts whose lines are not payments. */
  readonly cashless: readonly Marked[];
  readonly draft: Mapping;
  readonly unruled: Unruled;
  /** What push will do with the file. */
  readonly check: Check;
  /** How to read the file. */
  readonly mapping: Mapping;
}

/** What was given, and what was found so far. */
interface Known extends Partial<Found> {
  readonly source: FileSource;
  readonly given: readonly Answer[];
  readonly answers: Answers;
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/** A step: what it finds, what it needs for that, and how it finds it or asks instead. */
interface Step {
  readonly name: keyof Found;
  readonly needs: readonly (keyof Found)[];
  readonly find: (known: never) => StepOutcome<object> | Promise<StepOutcome<object>>;
}

function step<Name extends keyof Found, Needed extends keyof Found>(
  name: Name,
  needs: readonly Needed[],
  find: (
    known: Known & Pick<Found, Needed>,
  ) => StepOutcome<Found[Name]> | Promise<StepOutcome<Found[Name]>>,
): Step {
  return { name, needs, find };
}

const PARTS = [
  ...['encoding', 'layout', 'facts', 'date', 'dateFormat', 'decimal', 'sign', 'cashless'],
  ...['cellCurrency', 'currency', 'description', 'contact', 'accountCode', 'externalId'],
  ...[...RARE, 'below'],
] as (keyof Found)[];

/** Every step, in order: also the later ones if an earlier one asks, to ask everything at once. */
const STEPS: readonly Step[] = [
  step('encoding', [], inspectEncoding),
  step('layout', ['encoding'], inspectLayout),
  step('facts', ['encoding', 'layout'], (known) => {
    const { source, layout, encoding, lastDay } = known;
    const cut = { encoding: encoding.value, delimiter: layout.delimiter.value };
    const plan = (facts: Facts) => planReading({ ...known, facts });
    return Facts.gather({ source, layout, cut }, lastDay, plan);
  }),
  step('date', ['facts'], inspectDateColumn),
  step('dateFormat', ['facts', 'date'], inspectDateFormat),
  step('candidates', ['facts'], chooseAmounts),
  step('decimal', ['facts', 'candidates'], (known) =>
    inspectSeparators(known.candidates.value, known),
  ),
  step('amounts', ['facts', 'candidates', 'decimal'], decideAmounts),
  step('relations', ['facts', 'decimal', 'amounts'], (known) => relate(known, known.amounts.value)),
  step('amount', ['facts', 'decimal', 'amounts', 'relations'], inspectAddition),
  step('cellCurrency', ['facts', 'amounts', 'amount'], inspectCellCurrency),
  step('sign', ['facts', 'amounts', 'relations', 'amount'], inspectSign),
  step('below', ['facts', 'date', 'amounts', 'decimal'], inspectBelow),
  step('cashless', ['facts', 'amounts', 'relations', 'amount'], inspectCashless),
  ...stepsOfTexts('description', 'contact'),
  step('accountCode', ['facts'], (known) => {
    const [code] = known.below?.value ?? [];
    const isSaid = known.answers.columns.has('accountCode');
    return code && known.below && !isSaid
      ? { value: [code], evidence: known.below.evidence }
      : inspectText('accountCode', known, takenOf(known));
  }),
  step('currency', ['facts'], (known) => inspectCurrency(known, ownAmounts(known))),
  step('externalId', ['facts'], ({ sign: _, ...known }) =>
    inspectIdentity(known, [...fixedOf(known), ...(known.description?.value ?? [])]),
  ),
  ...stepsOfTexts(...RARE),
  step('draft', PARTS, (known) => makeMapping(known as Known & Parts)),
  step(
    'unruled',
    ['facts', 'date', 'amounts', 'relations', 'sign', 'cashless', 'draft'],
    inspectNotRows,
  ),
  step('check', ['draft', 'unruled'], (known) => {
    const { rules, check } = known.unruled;
    return checkFile(known.source, withRules(known), rules.length === 0 ? check : undefined);
  }),
  step('mapping', ['date', 'draft', 'unruled', 'check'], (known) => {
    const { answers, check } = known;
    const rests = () => listRests(known as Known & Parts, answers, check);
    return askRejected(answers, check, known.date.value) ?? { ...withRules(known), rests: rests() };
  }),
];

function stepsOfTexts(...fields: readonly Parameters<typeof inspectText>[0][]): Step[] {
  return fields.map((field) =>
    step(field, ['facts'], (known) => inspectText(field, known, takenOf(known))),
  );
}

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

/** Whether the first rows of a file show that the other side is money out than a mapping says. */
export async function hasOtherSign(source: FileSource, mapping: Mapping): Promise<boolean> {
  const { answers: given, shape } = answersOf(mapping);
  const begin = { source, given, lastDay: `${YEARS.last}-12-31`, answers: collectAnswers(given) };
  let known: Known;
  try {
    known = (await takeSteps(begin, 'amount')).known;
  } catch (error) {
    // An answer that does not fit these rows is to be asked for again.
    if (error instanceof AnswerError) return true;
    throw error;
  }
  const { amounts, relations, facts } = known;
  if (amounts === undefined || relations === undefined || facts === undefined) return false;
  const context = { facts, amounts, relations, answers: begin.answers };
  const words =
    shape.kind === 'indicator' && !shape.isInCell ? findSaid(context, 'indicator')?.value : [];
  const columns = [...amounts.value, ...(words ?? [])];
  return contradictsSign(context, { columns, shape });
}

type Shown = Omit<Parts, 'below' | 'facts'>;

/** What is known about a file. */
export interface Inspection extends Readonly<{ [Name in keyof Shown]?: Shown[Name] | undefined }> {
  readonly name: string;
  readonly questions: readonly Question[];
  /** What a file that is not text says besides its rows. */
  readonly table?: Omit<Table, 'open'> | undefined;
  readonly layout?: Layout | undefined;
  readonly facts?: Pick<Facts, 'columns' | 'rows' | 'samples'> | undefined;
  readonly amount?: Finding<Columns> | undefined;
  /** How to read the file; set when no question is open. */
  readonly mapping?: Mapping | undefined;
  /** What push will do with the file; set when no question about its columns is open. */
  readonly check?: Check | undefined;
}

/** Inspects a file. Throws FileError, and AnswerError for an answer that the file contradicts. */
export async function inspectCsv(
  source: FileSource,
  { answers: given, lastDay }: { readonly answers: readonly Answer[]; readonly lastDay: string },
): Promise<Inspection> {
  const begin = { source, given, lastDay, answers: collectAnswers(given) };
  return { ...(await askAll(begin, ROUNDS)), name: source.name };
}

/** Takes all steps; the questions are those that are open, and those that any answer leads to. */
async function askAll(begin: Known, rounds: number): Promise<Omit<Inspection, 'name'>> {
  const { known, questions } = await takeSteps(begin);
  const { candidates, ...found } = known;
  const { facts, decimal, given } = found;
  // Which columns they are is shown, and no other field takes them, while the decimals are open.
  const shown = decimal === undefined && candidates?.isOpen !== true ? candidates : undefined;
  const all = { amount: shown, ...found, amounts: found.amounts ?? shown };
  const asked: Question[] = [];
  for await (const each of paced(questions)) {
    asked.push(facts === undefined ? each : await withExamples(each, { facts, given }, all));
  }
  const later = rounds > 1 && facts !== undefined ? await lookAhead(known, asked, rounds - 1) : [];
  // Neither the file nor what was collected from its rows need stay.
  const { source: _, facts: own, relations: __, unruled: ___, ...rest } = all;
  const { columns = [], rows = 0, samples = [] } = own ?? {};
  const kept = own && { columns, rows, samples };
  return { ...rest, facts: kept, questions: [...asked, ...later] };
}

/** More ways to answer take too long to try. */
const WAYS = 8;

/** Every step that comes after the facts, which no answer to a later question changes. */
const UNKNOWN = Object.fromEntries(STEPS.slice(3).map(({ name }) => [name, undefined]));

/** The questions that come next whatever is answered to these, so that all are asked at once. */
async function lookAhead(known: Known, open: readonly Question[], rounds: number) {
  const first = open.map(({ choices: [one] }) => one?.answers);
  // Which side is money out changes no question about anything else.
  const others = open.flatMap(({ kind, choices }, at) => {
    const own = kind === 'moneyOut' ? [] : choices.slice(1);
    return own.map(({ answers }) => first.map((one, other) => (other === at ? answers : one)));
  });
  const isLong = others.length > 0 && known.facts?.isShort === false;
  if (open.length === 0 || first.includes(undefined) || isLong || others.length > WAYS) return [];
  // Most often only the side is open: then nothing but that is worked out again.
  const again = open.every(isOfSide) ? { cashless: undefined } : UNKNOWN;
  const look = async (more: typeof first) => {
    const given = [...known.given, ...more.flatMap((answers) => answers ?? [])];
    const begin = { ...known, ...again, given, answers: collectAnswers(given) };
    return (await askAll(begin, rounds)).questions;
  };
  try {
    let found = await look(first);
    // What is asked about the side itself depends on which one it is.
    if (open.some(isOfSide)) found = found.filter((question) => !isOfSide(question));
    for (const each of others) {
      if (found.length === 0) break;
      const keys = (await look(each)).map(keyOf);
      found = found.filter((question) => keys.includes(keyOf(question)));
    }
    return found;
  } catch (error) {
    // One of the answers is wrong, which is said once it is given.
    if (!(error instanceof ReadingError || error instanceof AnswerError)) throw error;
    return [];
  }
}

/** Whether a question is about the side of the amounts. */
function isOfSide({ kind, choices }: Question): boolean {
  const all = choices.flatMap(({ answers }) => answers);
  return kind === 'moneyOut' || all.some((answer) => answer.kind === 'moneyOut');
}

/** What a question asks, whatever the amounts are called in it. */
function keyOf({ kind, text, choices }: Question): string {
  const answers = choices.map((each) => each.answers);
  const isOfAmounts = kind === 'moneyOut' || kind === 'doubleEntry';
  return JSON.stringify([kind, isOfAmounts ? '' : text, answers]);
}

/**
 * The mapping with rules for the lines that are not rows; a later file's lines of an account that
 * is unknown are rejected.
 */
function withRules({ draft, unruled, cashless = [] }: Pick<Found, 'draft' | 'unruled'> & Known) {
  const { notRows: before = [] } = draft;
  const all = [...before, ...unruled.rules];
  const others = cashless.find(({ column }) => all.some((rule) => rule.column === column.title));
  const names = [...(others?.column.values?.keys() ?? [])].sort();
  const status = draft.status ?? (others && { column: others.column.title, is: names });
  const notRows = all.length === 0 ? undefined : all;
  return { ...draft, notRows, status: withoutNotRows(status, all) };
}

/** The amounts, or while the decimals are open those that it can be. */
function ownAmounts({ decimal, candidates, amounts }: Known): Columns {
  return (decimal === undefined ? candidates : amounts)?.value ?? [];
}

/** The columns of the date and the amount, and those that answers name for other members. */
function fixedOf(known: Known & Pick<Found, 'facts'>): Columns {
  const { date, sign } = known;
  const own = [date?.value ?? [], ...ownAmounts(known), ...(sign?.value.columns ?? [])];
  return [...own.flat(), ...(findSaid(known, ...RARE)?.value ?? [])];
}

/** The columns of all members so far: a contact that describes payments is the contact too. */
function takenOf(known: Known & Pick<Found, 'facts'>): Columns {
  const { description, contact, accountCode, externalId, currency } = known;
  const isSaid = known.answers.columns.has('description');
  const texts = description?.value.filter(({ roles }) => isSaid || !roles.has('contact'));
  const others = [contact, accountCode, externalId, ...RARE.map((field) => known[field])];
  const found = [texts, currency?.value?.column, ...others.map((each) => each?.value)];
  return [...fixedOf(known), ...found.flatMap((each) => each ?? [])];
}
