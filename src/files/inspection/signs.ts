/**
 * Which amounts are money out: by two columns, by a column of words, by marks in the cells, or by
 * the sign. The names debit and credit of two columns need proof.
 */

import { findNamedPair, isSure, sideOf } from '../vocabulary/directions.ts';
import { hasCash, rankMember } from '../vocabulary/members.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Facts, findSaid } from './facts.ts';
import {
  AnswerError,
  type Answers,
  type Asked,
  ask,
  type Choice,
  choice,
  type Decision,
  type Evidence,
  type Finding,
  type Outcome,
  proof,
  quote,
  show,
  stated,
  titlesOf,
} from './found.ts';
import type { Pair } from './pairs.ts';
import { chooseOut, proveByStatement, type SignContext, type Signed } from './sign-context.ts';
import { inspectSigned, isTurnedByWords, signsOf } from './signed-amounts.ts';
import type { Marked } from './trial.ts';
import { inspectWords, readCredit } from './worded-signs.ts';

/** Works out the shape and its sign. Throws AnswerError for an answer that does not fit. */
export async function inspectSign(context: SignContext): Promise<Decision<Signed>> {
  const [amount, second] = context.amounts.columns;
  if (second !== undefined) return inspectTwo(context, [amount, second]);
  const indicator = findIndicator(context);
  if (indicator !== undefined) return inspectWords(context, amount, indicator);
  const isMarked = [...amount.numbers.marks.keys()].some((mark) => mark !== '');
  return isMarked ? inspectWords(context, amount) : inspectSigned(context, amount);
}

/** Whether a balance, or a bank's words, show that the other side is money out. */
export async function contradictsSign(context: SignContext, signed: Signed): Promise<boolean> {
  const { relations } = context;
  const { columns, shape } = signed;
  if (shape.kind === 'two') return context.relations.effectOf(columns)?.effect === 'takes';
  if (shape.kind === 'indicator') {
    const own = await relations.withCredit(readCredit(signed));
    return own.effectOf(columns.slice(0, 1))?.effect === 'takes';
  }
  const wrong = shape.isTurned ? 'takes' : 'adds';
  return (
    context.relations.effectOf(columns)?.effect === wrong ||
    isTurnedByWords(context) === !shape.isTurned
  );
}

/** A column whose words mean out or in; undefined when the sign of the amount agrees with it. */
function findIndicator(context: SignContext): ColumnFacts | undefined {
  const said = findSaid(context, 'indicator');
  if (said !== undefined) return said.value[0];
  const isBank =
    context.facts.statement?.isCard === false ||
    context.facts.columns.some(({ roles }) => roles.has('balance'));
  for (const [column, counts] of context.relations.words) {
    const { name, roles } = column;
    const words = [...counts.keys()].filter((word) => word !== '');
    const isSigned = [...counts.values()].some(({ negatives }) => negatives > 0);
    const isDirection = !isSigned && roles.has('indicator');
    const pair = column.pair ?? (isDirection ? findNamedPair(words) : undefined);
    if (pair === undefined) continue;
    const sides = new Set(words.flatMap((word) => sideOf(word, pair) ?? []));
    // Words of one side with both signs are payments made and received, or paid back.
    const isEither = sides.size === 1;
    // At a bank, payments of a month can all be credits; with debits, their amounts have signs. A
    // category such as income has other words in the next file.
    const isNamed = roles.has('indicator') || (!isBank && pair.isLoose !== true);
    const isFound = isSigned
      ? !isEither && signsOf(counts, pair) === undefined
      : sides.size === 2 || name === '' || (isNamed && isSure(words, column));
    if (isFound) return column;
  }
  return undefined;
}

/**
 * The accounts whose lines are not payments; asks when every day adds up to 0, as in a journal with
 * both sides of its entries: money out of one account goes into another.
 */
export async function inspectCashless({
  facts,
  answers,
  amounts,
  relations,
  sign,
}: SignContext & { readonly sign?: Finding<Signed> | undefined }): Promise<
  Outcome<readonly Marked[]>
> {
  if (answers.last.everyLine !== undefined) return [];
  const isWorded = sign?.value.shape.kind === 'indicator';
  const own = isWorded ? await relations.withCredit(readCredit(sign.value)) : relations;
  const found = findCashless(facts, own.isDoubleEntry);
  const [others] = found;
  const isSaid = answers.lines.some(({ text }) => others?.words.includes(text));
  if (!own.isDoubleEntry || isSaid) return found;
  const names = titlesOf(amounts.columns).join(' and ');
  const why = 'as in a journal with both sides of each entry, which cancel each other out';
  const text = `${names} adds up to 0 on every day, ${why}. Is every line a payment?`;
  const every = choice({ kind: 'everyLine', isEveryLine: true }, 'yes: send every line');
  const choices = [...(others === undefined ? [] : [leaveOut(others)]), every];
  return ask('doubleEntry', text, choices, 'one account');
}

/** The choice of the accounts that have cash. */
function leaveOut({ column, words }: Marked): Choice {
  const kept = [...(column.values?.keys() ?? [])].filter((name) => !words.includes(name));
  const names = kept.map((name) => quote(name)).join(', ');
  return {
    answers: words.map((text) => ({ kind: 'line', text, isRow: false })),
    meaning: `no: only the lines with ${names} in ${column.title}`,
  };
}

/** The accounts without cash in a column with others, which in a journal are all known ones. */
function findCashless({ columns }: Facts, isJournal: boolean) {
  return columns.flatMap((column) => {
    const names = [...((rankMember('bankAccount', column) && column.values?.keys()) ?? [])];
    const words = names.filter((name) => (isJournal ? !hasCash(name) : hasCash(name) === false));
    const isAny = words.length > 0 && names.some((name) => hasCash(name));
    return isAny ? [{ kind: 'cashless' as const, column, words }] : [];
  });
}

/** Two columns: the first is money out or debit. */
function inspectTwo(context: SignContext, pair: Pair): Decision<Signed> {
  const { amounts, answers } = context;
  const [first, second] = pair;
  if ('said' in amounts.evidence) {
    return { value: signTwo(answers, pair), evidence: amounts.evidence };
  }
  const said = answers.last.moneyOut;
  if (said !== undefined) {
    const titles = titlesOf(pair);
    const at = titles.findIndex((title) => title.toLowerCase() === said.moneyOut.toLowerCase());
    if (at < 0) throw new AnswerError(said, ` must be ${titles.join(' or ')} here.`);
    const order: Pair = at === 0 ? pair : [second, first];
    return askMixed(order) ?? stated(signTwo(answers, order), said);
  }
  const evidence = proveTwo(context, pair);
  const isAgainst = context.relations.effectOf(pair)?.effect === 'takes';
  if (evidence === undefined || isAgainst) return askTwo(context, pair);
  return askMixed(pair) ?? { value: signTwo(answers, pair), evidence };
}

/**
 * Money out and money in; undefined for one column. A column with negative amounts only is
 * reversed, so that its own side is positive.
 */
export function signTwo(answers: Answers, pair: Pair): Signed;
export function signTwo(answers: Answers, columns: Columns): Signed | undefined;
export function signTwo(answers: Answers, [out, into]: Columns): Signed | undefined {
  if (out === undefined || into === undefined) return undefined;
  const isTurned = ({ numbers }: ColumnFacts) =>
    !numbers.isMixed && numbers.negatives > numbers.positives;
  const isSaid = (use: 'out' | 'in') => answers.columns.get(use)?.[0]?.isTurned === true;
  const isOutTurned = isSaid('out') || isTurned(out);
  const isInTurned = isSaid('in') || isTurned(into);
  return { columns: [out, into], shape: { kind: 'two', isOutTurned, isInTurned } };
}

/** Asks which sign of a column was paid back when the column has many of both. */
function askMixed([out, into]: Pair): Asked | undefined {
  const mixed = [out, into].filter(({ numbers }) => numbers.isMixed);
  const [first] = mixed;
  if (first === undefined) return undefined;
  const waysOf = (column: ColumnFacts) => (mixed.includes(column) ? [false, true] : [false]);
  const choices = waysOf(out).flatMap((isOutTurned) =>
    waysOf(into).map((isInTurned) => {
      const isBelow = first === out ? isOutTurned : isInTurned;
      const [own, back] = isBelow ? ['below', 'above'] : ['above', 'below'];
      const side = first === out ? 'out' : 'in';
      const answers = [useTurned('out', out, isOutTurned), useTurned('in', into, isInTurned)];
      return { answers, meaning: `${own} zero is money ${side}, ${back} is paid back` };
    }),
  );
  const seen = first.numbers.forms.values().next().value;
  const text = `${first.title} has amounts above and below zero (${show(seen)}).`;
  return ask('moneyOut', `${text} Which ones were paid back?`, choices);
}

function useTurned(use: 'out' | 'in', { title: column }: ColumnFacts, isTurned: boolean) {
  return { kind: 'column', use, column, isTurned } as const;
}

function proveTwo(context: SignContext, pair: Pair): Evidence | undefined {
  const [out, into] = pair;
  if (out.roles.has('out') || into.roles.has('in')) return context.facts.proveByNames(pair);
  const { relations, facts } = context;
  const proven = proveByBankSigns(pair) ?? relations.proveAccount(pair);
  const isUsual = out.roles.has('debit') && !relations.isLowered(pair);
  return proven ?? (isUsual ? proveByStatement(facts, into.title) : undefined);
}

/** A negative debit next to a positive credit is from a bank: books have no signs. */
function proveByBankSigns([out, into]: Pair): Evidence | undefined {
  const [debit, credit] = [out.numbers, into.numbers];
  if (debit.negatives === 0 || debit.positives > 0 || credit.negatives > 0) return undefined;
  const seen = debit.forms.values().next().value;
  return proof(seen, `${quote(out.title)} is always negative, which is usual only at banks`);
}

function askTwo({ relations }: SignContext, pair: Pair) {
  const titles = titlesOf(pair).join(' or ');
  const text = `Which column is money out: ${titles}? The names can mean either.`;
  const notes = ['if the file is from a bank, or a cost ledger', 'if it is from your own books'];
  const choices = pair.map((column, at) => {
    const all = relations.sums.get(column)?.shown;
    return chooseOut(column.title, `${all}; ${notes[at]}`);
  });
  return ask('moneyOut', text, choices);
}
