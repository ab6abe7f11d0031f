/** Money out and money in as two columns. The names debit and credit need proof. */

import type { Answers } from './answers.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { provenByNames } from './facts.ts';
import {
  AnswerError,
  type Asked,
  ask,
  type Decision,
  type Evidence,
  proof,
  quote,
  show,
  stated,
  titlesOf,
} from './found.ts';
import type { Pair } from './pairs.ts';
import {
  chooseOut,
  findEffect,
  lowersBalance,
  proveByBalance,
  proveByStatement,
  type SignContext,
  type Signed,
} from './sign-context.ts';

/** Two columns: the first is money out or debit. */
export function inspectTwo(context: SignContext, pair: Pair): Decision<Signed> {
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
  const isAgainst = findEffect(context, pair)?.effect === 'takes';
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
  if (out.roles.has('out') || into.roles.has('in')) return provenByNames(pair, context.facts);
  const { relations, facts } = context;
  const proven = proveByBankSigns(pair) ?? proveByBalance(pair, relations, facts);
  const isUsual = out.roles.has('debit') && !lowersBalance(pair, relations);
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
