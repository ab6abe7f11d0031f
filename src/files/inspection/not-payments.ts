/**
 * Finds lines that are not payments, such as totals and balances, and asks about the rest; asks too
 * before a mapping is written with which payments, or many rows, will be rejected.
 */

import { count, nounFor } from '../../core/counts.ts';
import type { Mapping, NotRowRule } from '../mapping/mapping.ts';
import { isOneOf } from '../reading/csv-values.ts';
import { withoutDay } from '../values/date-formats.ts';
import { isUnpaidWord } from '../vocabulary/not-payments.ts';
import type { Brackets } from './brackets.ts';
import type { Check, Refused } from './check.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import {
  type Answer,
  type Answers,
  type Asked,
  about,
  ask,
  choice,
  type Finding,
  isAsked,
  linesHave,
  type OtherWay,
  type Question,
  quote,
  type StepOutcome,
  useColumn,
} from './found.ts';
import type { SignContext, Signed } from './sides.ts';
import { keep, type Marked, type Readable, type Suspect, tryMapping } from './trial.ts';

/** What a line can be instead of a payment. */
const KINDS = {
  unpaid: 'it was not paid, or not yet',
  balance: 'it is a balance or a total',
  part: 'another line’s amount includes it',
  idle: 'it does not change the balance',
  cashless: 'they do not hold cash',
  neither: 'it is neither money out nor in',
} as const;

type Rules = readonly NotRowRule[];

/** The rules for lines that are not rows, and what push will do without any rule. */
export interface Unruled {
  readonly rules: Rules;
  readonly check: Check | undefined;
}

/** What is known of the amounts before. */
interface Known extends SignContext {
  readonly date: Finding<ColumnFacts>;
  readonly sign: Finding<Signed>;
  readonly cashless: readonly Marked[];
  readonly draft: Mapping;
}

/** Works out the rules for lines that are not rows, or the questions that remain. */
export async function inspectNotRows({
  facts,
  answers,
  relations,
  ...found
}: Known): Promise<StepOutcome<Unruled>> {
  const idle = relations.idleOf(found.amounts.value);
  const known: Readable = {
    facts,
    answers,
    mapping: found.draft,
    date: found.date.value,
    amounts: found.sign.value.columns,
    marked: [
      ...(idle === undefined ? [] : [{ kind: 'idle' as const, ...idle }]),
      ...found.cashless,
      ...listNeither(found.sign.value),
    ],
  };
  const trial = await tryMapping(known);
  const { check, undated, brackets, headings } = trial;
  const rules = new Map(trial.rules);
  const blank = askUndated(known.answers, undated, known.date, trial.otherDates);
  if (blank !== undefined) return blank;
  const proven = await findBrackets([...brackets.find()], known);
  const all = new Map(trial.suspects);
  for (const each of proven.unnamed) keep(all, each);
  const settled = settle([...all.values()], proven.lines, known);
  if (isAsked(settled)) return settled;
  for (const rule of headings.listRules()) rules.set(JSON.stringify(rule), rule);
  return { rules: [...rules.values(), ...settled], check };
}

/** The words in the column of the direction that are of no side. */
function listNeither({ columns: [, indicator], shape }: Signed): Marked[] {
  if (shape.kind !== 'indicator' || indicator?.values === undefined) return [];
  const isOf = (word: string) => isOneOf([...shape.out, ...shape.in], word);
  const words = [...indicator.values.keys()].filter((word) => !isOf(word));
  return words.length === 0 ? [] : [{ kind: 'neither', column: indicator, words }];
}

/** Whether a record has only a date, an amount and this text, and lacks what most payments have. */
function hasOnlyAmount(
  fields: readonly string[],
  text: number,
  { facts, date, amounts }: Readable,
): boolean {
  const others = facts.columns.filter((column) => {
    const isOwn = column === date || amounts.includes(column) || column.isCurrency;
    return !isOwn && column.index !== text;
  });
  const isBlankIn = (column: ColumnFacts) => column.cellOf(fields) === '';
  return others.every(isBlankIn) && others.some(({ filled }) => filled >= facts.rows / 2);
}

/** Fewer payments, in lines that look like their balances, can add up by chance. */
const LEAST_PAYMENTS = 3;

/** The balances and sums that the arithmetic proves, and those that no word names. */
async function findBrackets(all: readonly Brackets[], known: Readable) {
  const isNamed = ({ lines }: Brackets) => lines.every(({ named }) => named !== undefined);
  const isBare = ({ lines }: Brackets) => areBare(lines, known);
  const isShown = ({ lines, isBothWays }: Brackets) =>
    isBothWays || lines.length > 2 || areBalanced(lines, known);
  const isLikely = (found: Brackets) =>
    found.isAround && found.payments >= LEAST_PAYMENTS && isShown(found);
  const found = all.find(isNamed) ?? all.find(isBare) ?? all.find(isLikely);
  if (found === undefined) return { lines: [], unnamed: [] };
  const lines = found.lines.map(({ line }) => line);
  const unnamed = found.lines.filter(({ named }) => named === undefined);
  const labels = await findLabels(unnamed, known);
  if (labels === undefined) return { lines: [], unnamed: [] };
  const isAlone = isBare(found);
  const suspects = unnamed.map(({ line }, at) => {
    return { ...(labels[at] as Label), lines: [line], kind: 'balance' as const, alone: isAlone };
  });
  return { lines: isNamed(found) || isAlone ? lines : [], unnamed: suspects };
}

/** Whether lines lack what all payments have, such as a number. */
function areBare(lines: Brackets['lines'], { facts, date, amounts }: Readable): boolean {
  return facts.columns.some((column) => {
    if (column === date || amounts.includes(column)) return false;
    const isBlank = lines.every(({ fields }) => column.cellOf(fields) === '');
    return isBlank && column.filled > 0 && column.filled >= facts.rows - lines.length;
  });
}

/** Whether another column has the amount of each line too, as a running balance has. */
function areBalanced(lines: Brackets['lines'], { facts, amounts }: Readable): boolean {
  return facts.columns.some((column) => {
    const isAgain = (amount: ColumnFacts, fields: readonly string[]) =>
      amount.cellOf(fields) !== '' && amount.cellOf(fields) === column.cellOf(fields);
    if (amounts.includes(column)) return false;
    return lines.every(({ fields }) => amounts.some((amount) => isAgain(amount, fields)));
  });
}

/** A column and a text that no other line has there. */
type Label = Pick<Suspect, 'column' | 'text'>;

/** What tells each of these lines from all others; undefined if one has no such text. */
async function findLabels(lines: Brackets['lines'], { facts, date, amounts }: Readable) {
  const others = facts.columns.filter((column) => column !== date && !amounts.includes(column));
  const textOf = (fields: readonly string[], { index }: ColumnFacts) =>
    withoutDay(fields[index] ?? '');
  const own = new Set(lines.map(({ line }) => line));
  const shared = new Set<string>();
  const candidates = others.filter((column) =>
    lines.some(({ fields }) => /\p{L}/u.test(textOf(fields, column))),
  );
  const wanted = candidates.map(
    (column) => new Set(lines.map((each) => textOf(each.fields, column))),
  );
  await facts.readEach(({ line, fields }, isRow) => {
    if (!isRow || own.has(line)) return undefined;
    for (const [at, column] of candidates.entries()) {
      const text = textOf(fields, column);
      if (wanted[at]?.has(text)) shared.add(`${column.index} ${text}`);
    }
    return undefined;
  });
  const labels = lines.flatMap(({ fields }): Label[] => {
    const column = candidates.find((each) => {
      const text = textOf(fields, each);
      return /\p{L}/u.test(text) && !shared.has(`${each.index} ${text}`);
    });
    return column ? [{ column: column.index, text: column.cellOf(fields) }] : [];
  });
  return labels.length === lines.length ? labels : undefined;
}

/** The rules for what is proven or was said, or questions about the rest. */
function settle(
  suspects: readonly Suspect[],
  balances: readonly number[],
  known: Readable,
): StepOutcome<Rules> {
  const { facts, answers } = known;
  const rules: NotRowRule[] = [];
  const questions: Question[] = [];
  const cashless: Suspect[] = [];
  for (const suspect of suspects) {
    const { text, alone, lines, count } = suspect;
    const column = facts.columns[suspect.column]?.title ?? `#${suspect.column + 1}`;
    const said = answers.lines.filter((each) => withoutDay(each.text) === withoutDay(text));
    if (said.some(({ isRow }) => isRow)) continue;
    const isOfBrackets = lines.length === count && lines.every((line) => balances.includes(line));
    const isAlone =
      typeof alone === 'boolean' ? alone : hasOnlyAmount(alone, suspect.column, known);
    const isProven = isAlone || isOfBrackets;
    if (said.length > 0 || isProven) rules.push({ column, is: text });
    else if (suspect.kind === 'cashless') cashless.push(suspect);
    else questions.push(...askAbout(suspect, column).questions);
  }
  if (cashless.length > 0) questions.push(...askCashless(cashless, known).questions);
  return questions.length > 0 ? { questions } : rules;
}

/** Asks about all lines of accounts without cash at once. */
function askCashless(cashless: readonly Suspect[], { facts }: Readable) {
  const names = cashless.map(
    ({ text, count: found }) => `${quote(text)} (${count(found, 'line')})`,
  );
  const where = facts.columns[cashless[0]?.column ?? 0]?.title ?? '';
  const text = `Not every account in ${where} has cash: ${names.join(', ')}. Are these payments?`;
  const sayAll = (isRow: boolean): Answer[] =>
    cashless.map((each) => ({ kind: 'line', text: each.text, isRow }));
  const choices = [
    { answers: sayAll(false), meaning: `no: ${KINDS.cashless}` },
    { answers: sayAll(true), meaning: 'yes: send them like every other row' },
  ];
  const lines = cashless.flatMap((each) => each.lines);
  return about(ask('notRow', text, choices, 'one account'), { lines });
}

function askAbout({ text: word, lines, count: found, kind }: Suspect, column: string) {
  const [line] = lines;
  const which = linesHave(found, line);
  const where = kind === 'unpaid' && !isUnpaidWord(word) ? ` in ${column}` : '';
  const says = word === '' ? 'an empty cell' : quote(word);
  const them = found === 1 ? 'Is it a payment?' : 'Are they payments?';
  const text = `${which} ${says}${where}, and also a date and an amount. ${them}`;
  const choices = [
    choice({ kind: 'line', text: word, isRow: false }, `no: ${KINDS[kind]}`),
    choice({ kind: 'line', text: word, isRow: true }, 'yes: send it like every other row'),
  ];
  return about(ask('notRow', text, choices), { lines });
}

/** Fewer rows, or a smaller share of them, are only shown. */
const FEW = 2;
const SHARE = 0.1;

/** What helps if the wrong column was taken for a field. */
const WAYS: Readonly<Record<string, readonly OtherWay[]>> = {
  date: ['any date'],
  amount: ['two amounts'],
  description: ['joined descriptions'],
};

/** Asks whether many rows are rejected rightly; those not in the stated currency are. */
export function askRejected(
  { last }: Answers,
  { rows, refused, refusedCount }: Check,
  date: ColumnFacts,
): Asked | undefined {
  const [first] = refused.flatMap(({ line, problems }) =>
    problems.map((own) => ({ line, ...own })),
  );
  const isFew = refusedCount < FEW || refusedCount < (rows + refusedCount) * SHARE;
  const isSaid = last.currency !== undefined && first?.code === 'other_currency';
  if (first === undefined || isFew || isSaid || last.everyLine !== undefined) return undefined;
  const share = `${refusedCount} of ${count(rows + refusedCount, 'row')}`;
  const why = `the first in line ${first.line}: ${first.message}`;
  const text = `${share} would be rejected, ${why} Leave them out?`;
  const wordOf = ({ fields }: Refused) => date.cellOf(fields);
  // A line without a date belongs to the one above, as the other side of a payment does.
  const words = refused.map(wordOf).filter((word) => word === '' || /^\p{L}+$/u.test(word));
  const nameOf = (word: string) => (word === '' ? `without ${date.title}` : `with ${word}`);
  const choices = [...new Set(words)].map((word) => ({
    ...choice({ kind: 'line', text: word, isRow: false }, `lines ${nameOf(word)} are not payments`),
    examples: showTwo(
      'skipped',
      refused.filter((each) => wordOf(each) === word),
    ),
  }));
  const yes = choice({ kind: 'everyLine' }, 'yes: leave them out and read the rest');
  const all = [...choices, { ...yes, examples: showTwo('rejected', refused) }];
  return ask('rejected', text, all, ...(WAYS[first.field ?? ''] ?? []));
}

/** Asks about rows whose date is blank while another one is filled: some may be pending. */
function askUndated(
  { last, lines }: Answers,
  undated: readonly Refused[],
  date: ColumnFacts,
  others: Columns,
): Asked | undefined {
  const [first] = undated;
  const isSaid = last.everyLine !== undefined || lines.some(({ text }) => text === '');
  if (first === undefined || isSaid) return undefined;
  const have = nounFor(undated.length, 'has', 'have');
  const which = `${count(undated.length, 'row')} (the first in line ${first.line}) ${have}`;
  const text = `${which} another date, but no ${date.title}. Which date counts?`;
  const open = `${date.title}: they are not booked yet`;
  const ways = [
    choice({ kind: 'line', text: '', isRow: false }, open),
    ...others.map((other) => choice(useColumn('date', other), `${other.title}, in every row`)),
  ];
  return about(ask('rejected', text, ways), { lines: [], record: first });
}

/** The first values of two lines that are not sent; of rejected ones also why. */
function showTwo(what: 'skipped' | 'rejected', refused: readonly Refused[]): string[] {
  return refused.slice(0, 2).map(({ line, fields, problems: [problem] }) => {
    const filled = fields.filter((field) => field.trim() !== '').slice(0, 4);
    const shown = filled.map((field) => quote(field, 28)).join(', ');
    const why = what === 'skipped' ? '' : ` – ${problem?.message}`;
    return `line ${line}: ${what}: ${shown}${why}`;
  });
}
