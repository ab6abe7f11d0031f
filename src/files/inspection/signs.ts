/**
 * Which amounts are money out: by two columns, by words or marks, or by their sign. Proof of a sign
 * is the name of the column, or a bank's words for payments that always appear with the same sign.
 * Usual, and said to be so, is what kind of file it is. Anything else is asked: a falling balance
 * can be a bank account, or what is left of a debt.
 */

import { wholeRolesOf } from '../vocabulary/column-names.ts';
import {
  type DirectionPair,
  findNamedPair,
  isDirection,
  isSure,
  LOOSE_NAMES,
  sideOf,
} from '../vocabulary/directions.ts';
import { findPayments } from '../vocabulary/files.ts';
import { hasCash, rankMember } from '../vocabulary/members.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { type Facts, findSaid } from './facts.ts';
import {
  AnswerError,
  type Asked,
  ask,
  type Choice,
  choice,
  type Decision,
  type Finding,
  proof,
  proven,
  quote,
  type Seen,
  type StepOutcome,
  stated,
  titlesOf,
  useColumn,
} from './found.ts';
import {
  findAgainst,
  inspectTwo,
  inspectWords,
  readCredit,
  type SignContext,
  type Signed,
  sayOut,
} from './sides.ts';
import { SignCount } from './sign-count.ts';
import type { Marked } from './trial.ts';

/** Works out the shape and its sign. Throws AnswerError for an answer that does not fit. */
export async function inspectSign(context: SignContext): Promise<Decision<Signed>> {
  const [amount, second] = context.amounts.value;
  if (second !== undefined) return inspectTwo(context, [amount, second]);
  const indicator = findIndicator(context);
  if (indicator !== undefined) return inspectWords(context, amount, indicator);
  const isMarked = [...amount.numbers.marks.keys()].some((mark) => mark !== '');
  return isMarked ? inspectWords(context, amount) : inspectSigned(context, amount);
}

/** Whether a balance, or a bank's words, show that the other side is money out. */
export async function contradictsSign(context: SignContext, signed: Signed): Promise<boolean> {
  const { relations } = context;
  const { shape } = signed;
  const isWorded = shape.kind === 'indicator';
  const own = isWorded ? await relations.withCredit(readCredit(signed)) : relations;
  if (findAgainst(signed, own) !== undefined) return true;
  if (shape.kind !== 'signed') return false;
  // Words for both sides show whether money out is negative, unless they do not agree.
  const first = firstOf(listWorded(context).filter(({ isBoth }) => isBoth));
  return first !== undefined && (first.outSign === 'negative') !== shape.isTurned;
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
  below,
}: SignContext & {
  readonly sign?: Finding<Signed> | undefined;
  readonly below?: Finding<Columns | undefined> | undefined;
}): Promise<StepOutcome<readonly Marked[]>> {
  if (answers.last.everyLine !== undefined) return [];
  const [first] = below?.value ?? [];
  const mixed = first && askFirstLines(facts, first);
  if (mixed !== undefined) return mixed;
  const isWorded = sign?.value.shape.kind === 'indicator';
  const own = isWorded ? await relations.withCredit(readCredit(sign.value)) : relations;
  const found = findCashless(facts, own.isDoubleEntry);
  const [others] = found;
  const isSaid = answers.lines.some(({ text }) => others?.words.includes(text));
  if (!own.isDoubleEntry || isSaid) return found;
  const names = titlesOf(amounts.value).join(' and ');
  const why = 'as in a journal with both sides of each entry, which cancel each other out';
  const text = `${names} adds up to 0 on every day, ${why}. Is every line a payment?`;
  const every = choice({ kind: 'everyLine' }, 'yes: send every line');
  const choices = [...(others === undefined ? [] : [leaveOut(others)]), every];
  return ask('doubleEntry', text, choices, 'one account');
}

/**
 * Asks when the first lines of entries are of several accounts and one of these is not known to
 * have cash: then they are not the payments.
 */
function askFirstLines({ rows }: Facts, { title, values }: ColumnFacts): Asked | undefined {
  const names = [...(values?.keys() ?? [])];
  const other = names.find((name) => !hasCash(name));
  if (rows < 2 || (values !== undefined && (names.length < 2 || other === undefined))) return;
  const { line } = (other && values?.get(other)) || {};
  const seen = other === undefined ? '' : `, such as ${quote(other)} in line ${line}`;
  const text = `The first lines of the entries are of several accounts in ${title}${seen}.`;
  const every = choice({ kind: 'everyLine' }, 'yes: send every line');
  return ask('doubleEntry', `${text} Are these the payments?`, [every], 'one account');
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

type Sign = 'negative' | 'positive';

/** Works out which sign is money out. Throws AnswerError for an answer that does not fit. */
function inspectSigned(context: SignContext, amount: ColumnFacts): Decision<Signed> {
  const signed = (outSign: Sign): Signed => {
    return { columns: [amount], shape: { kind: 'signed', isTurned: outSign === 'negative' } };
  };
  const unsigned = askUnsigned(context, amount);
  if (unsigned !== undefined) return unsigned;
  const said = context.answers.last.moneyOut;
  if (said !== undefined) {
    const { moneyOut } = said;
    if (moneyOut === 'negative' || moneyOut === 'positive') return stated(signed(moneyOut), said);
    throw new AnswerError(said, ` must be negative or positive here, not "${moneyOut}".`);
  }
  const found =
    proveAsOwn(context.facts) ??
    proveByName(context.facts, amount) ??
    proveByWords(context) ??
    proveByPayments(context, amount) ??
    proveByUse(context, amount);
  if (found === undefined) return askSigned(context, amount);
  const value = signed(found.value);
  const against = findAgainst(value, context.relations);
  return against === undefined ? { ...found, value } : askSigned(context, amount, against);
}

/** Asks when a balance rises and falls by amounts of one sign: the sign shows nothing then. */
function askUnsigned(context: SignContext, amount: ColumnFacts): Asked | undefined {
  const { relations } = context;
  if (amount.numbers.negatives > 0 && amount.numbers.positives > 0) return undefined;
  for (const balance of relations.others) {
    const seen = relations.unsignedOf(amount, balance);
    if (seen === undefined) continue;
    const goes = `${balance.title} rises by some amounts in ${amount.title} and falls by others`;
    const text = `${goes} (line ${seen.line}), but no sign shows which. Which column does?`;
    return ask('moneyOut', text, listIndicators(context), 'indicator', 'signs');
  }
  return undefined;
}

/** A file with the columns of a pushed row has its signs. */
function proveAsOwn({ isOwn, layout }: Facts): Finding<Sign> | undefined {
  const because = 'the columns have the names of a pushed row, where money out is positive';
  const seen = { line: layout.headerLine.value, text: '' };
  return isOwn
    ? { value: 'positive', evidence: proof(seen, because, [sayOut('negative')]) }
    : undefined;
}

/** The name of the column, such as `Withdrawals`, when all its amounts have one sign. */
function proveByName(facts: Facts, amount: ColumnFacts): Finding<Sign> | undefined {
  const { name, words, numbers } = amount;
  // Of `Total paid out`, only a part is known, which can be a loose one.
  const roles = wholeRolesOf(name) ?? new Set();
  if (roles.has('out') === roles.has('in') || LOOSE_NAMES.has(words)) return undefined;
  const isNegative = numbers.negatives > 0;
  if (isNegative && numbers.positives > 0) return undefined;
  const value = isNegative === roles.has('out') ? 'negative' : 'positive';
  return { value, evidence: facts.proveByNames([amount]) };
}

/** Words such as direct debit that always have one sign; no proof if columns disagree. */
function proveByWords(context: SignContext): Finding<Sign> | undefined {
  const { facts } = context;
  const isBank = facts.statement?.isCard === false;
  const found = listWorded(context).filter(({ column: { pair }, outSign, isBoth }) => {
    const isClear = pair?.isPlain === true && pair.isLoose !== true;
    if (outSign === 'negative') return isClear || isBoth || isBank;
    // With a plus, debit is money out only at a bank; a direct debit can be one that was collected.
    if (isBank) return isBoth && pair !== undefined && (pair.isPlain || pair.isLoose !== true);
    return isClear || (isBoth && pair?.isPlain === true);
  });
  const first = firstOf(found);
  if (first === undefined) return undefined;
  const { outSign, count, word, column } = first;
  const where = `line ${count.first.line} has ${quote(word)} in ${column.title}`;
  const seen = facts.rowOf(count.first);
  return proven(outSign, seen, `${where}, and all such amounts are ${signOf(count)}`);
}

/** The columns of words for payments, each word with amounts of one sign. */
function listWorded({ relations }: SignContext) {
  return [...relations.words].flatMap(([column, counts]) => {
    const sides = signsOf(counts, column.pair);
    return sides && isSure([...counts.keys()], column) ? [{ ...sides, column }] : [];
  });
}

/** The first one if all agree; undefined if they differ, or the list is empty. */
function firstOf<Found extends { readonly outSign: Sign | undefined }>(found: readonly Found[]) {
  const [first] = found;
  return found.every(({ outSign }) => outSign === first?.outSign) ? first : undefined;
}

/**
 * The sign of amounts with words for money out (or debit), with the first word that shows it, and
 * whether both sides occur: a payment or a deposit alone can be either. Undefined when a side has
 * both signs.
 */
function signsOf(counts: ReadonlyMap<string, SignCount>, pair?: DirectionPair) {
  const found = [...counts].flatMap(([word, count]) => {
    const { negatives, positives } = count;
    const side = sideOf(word, pair);
    if (side === undefined || negatives + positives === 0) return [];
    const outSign: Sign = negatives > 0 === (side === 'out') ? 'negative' : 'positive';
    return [{ word, count, side, outSign: negatives > 0 && positives > 0 ? undefined : outSign }];
  });
  const first = firstOf(found);
  if (first?.outSign === undefined) return undefined;
  const isBoth = found.some(({ side }) => side !== first.side);
  return { ...first, outSign: first.outSign, isBoth };
}

/** In a list of payments, amounts are money out; the others, such as credit notes, are fewer. */
function proveByPayments({ facts }: SignContext, amount: ColumnFacts): Finding<Sign> | undefined {
  const { columns, layout } = facts;
  const { positives, negatives, isMixed } = amount.numbers;
  const { named, isSpending } = findPayments(columns) ?? {};
  if (named === undefined || columns.some(({ roles }) => roles.has('balance'))) return undefined;
  if (positives === negatives || (isMixed && isSpending !== true)) return undefined;
  const outSign: Sign = positives > negatives ? 'positive' : 'negative';
  const share = `${shareOf(amount, outSign)} amounts are ${outSign}`;
  const because = `the file is a list of payments (${quote(named.name)}), and ${share}`;
  const seen = { line: layout.headerLine.value, text: named.name };
  const evidence = proof(seen, because, [sayOut(opposite(outSign))]);
  return { value: outSign, evidence };
}

/**
 * Banks have money out negative, also in a file with more money in. Elsewhere most
 * amounts must be negative: on a card or a debt with positive purchases, most are positive. Books
 * can have either sign, and so can a file whose words or balance contradict.
 */
function proveByUse(context: SignContext, amount: ColumnFacts): Finding<Sign> | undefined {
  const { facts, relations } = context;
  const { positives, negatives, forms } = amount.numbers;
  if (facts.isBooks) return undefined;
  const usual = (seen: Seen | undefined, because: string): Finding<Sign> => {
    return { value: 'negative', evidence: proof(seen, because, [sayOut('positive')]) };
  };
  const statement = facts.statement;
  const balance = relations.proveAccount([amount]);
  const others = listWorded(context).filter(({ outSign }) => outSign === 'positive');
  // Single kinds of payment, such as card payments, can all have been paid back.
  const isAgainst = others.some(({ column: { pair }, isBoth }) => isBoth || pair !== undefined);
  if (!isAgainst && statement?.isCard === false && (negatives > 0 || balance !== undefined)) {
    return usual(statement, `${statement.because}: money out is negative there`);
  }
  const isOther = others.length > 0 || relations.isLowered([amount]);
  if (negatives === 0 || isOther) return undefined;
  if (negatives <= positives) return undefined;
  const because = `${shareOf(amount, 'negative')} amounts are negative, as in most bank files`;
  return usual(forms.values().next().value, because);
}

/** The sign of amounts that all have the same. */
function signOf({ negatives }: SignCount): Sign {
  return negatives > 0 ? 'negative' : 'positive';
}

/** `all` or `12 of 15`. */
function shareOf({ numbers: { positives, negatives } }: ColumnFacts, sign: Sign): string {
  const [own, all] = [sign === 'positive' ? positives : negatives, positives + negatives];
  return own === all ? 'all' : `${own} of ${all}`;
}

function opposite(sign: Sign): Sign {
  return sign === 'negative' ? 'positive' : 'negative';
}

function askSigned(context: SignContext, amount: ColumnFacts, against?: string) {
  const sums = context.relations.sums.get(amount) ?? new SignCount({ line: 0, fields: [] });
  const isSigned = sums.negatives > 0 && sums.positives > 0;
  const all = sums.negatives > 0 ? 'negative' : 'positive';
  const worded = listWorded(context).find(
    ({ column, isBoth }) => isBoth || column.pair !== undefined,
  );
  const shown = worded
    ? `All with ${quote(worded.word)} are ${signOf(worded.count)}`
    : 'The file does not show it';
  const why = against === undefined ? shown : `${against} contradicts the rest`;
  const text = isSigned
    ? `Which amounts in ${amount.title} are money out? ${why}.`
    : `All amounts in ${amount.title} are ${all}. Is that money out or money in?`;
  const signs = [
    choice(sayOut('negative'), `money out: ${sums.show('negative')} (usual in bank files)`),
    choice(sayOut('positive'), `money out: ${sums.show('positive')} (usual in payment lists)`),
  ];
  const sides = [choice(sayOut(all), 'money out'), choice(sayOut(opposite(all)), 'money in')];
  const choices = isSigned ? signs : [...sides, ...listIndicators(context)];
  return ask('moneyOut', text, choices, 'indicator');
}

/** Columns whose words may show the direction of each amount when no sign does. */
function listIndicators({ facts, relations }: SignContext): Choice[] {
  return [...relations.words.keys()].flatMap((column) => {
    const { roles, filled, values } = column;
    const own = [...(values?.keys() ?? [])];
    const isNamed = roles.has('indicator') && !roles.has('description');
    const isWord = (word: string) => word.length > 2 && isDirection(word);
    const isKnown = isNamed || own.some(isWord);
    if (filled !== facts.rows || own.length < 2 || own.length > 12 || !isKnown) return [];
    const shown = own
      .slice(0, 3)
      .map((word) => quote(word))
      .join(', ');
    const meaning = `the words in it show the direction: ${shown}${own.length > 3 ? ' …' : ''}`;
    return [choice(useColumn('indicator', column), meaning)];
  });
}
