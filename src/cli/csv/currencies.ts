/** Whether a file is in one currency: amounts of several would be added up as if they were one. */

import { count as countRows } from '../amounts.ts';
import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type Facts, requireColumn, titleOf } from './facts.ts';
import { type Answer, type Choice, quote, stated } from './found.ts';
import { rolesOf } from './header-words.ts';

/** The column that says the currency and the one that is taken; undefined where none says it. */
export type CurrencyGuard = { readonly column: number; readonly is: string } | undefined;

/** Works out the currency of the rows from a column of codes. */
export function inspectCurrency(
  facts: Facts,
  answers: Answers,
  amounts: readonly number[],
): Answer<CurrencyGuard> {
  const [said] = answers.columns.get('currency') ?? [];
  const column =
    said === undefined
      ? findColumn(facts, amounts, answers)
      : facts.columns[requireColumn(said, facts)];
  if (column === undefined) {
    const because = 'no column says a currency on every row';
    return { value: undefined, evidence: { line: null, text: '', because } };
  }
  const name = titleOf(column.index, facts);
  const values = [...(column.values?.values() ?? [])];
  if (answers.currency !== undefined && column.values?.has(answers.currency) === true) {
    return stated({ column: column.index, is: answers.currency }, `--currency ${answers.currency}`);
  }
  const [only, second] = values;
  if (only !== undefined && second === undefined) {
    const because = `${name} says ${only.text} on every row`;
    const evidence = { line: only.line, text: only.text, because };
    return { value: { column: column.index, is: only.text }, evidence };
  }
  const choices = values.map(({ text, count, line }): Choice => {
    return {
      option: ['currency', text],
      meaning: `${countRows(count, 'row')}, line ${line} the first`,
    };
  });
  const several = `${name} says more than one currency`;
  const text = `${several}. Which is the organisation's? The others are rejected.`;
  const other = '--map currency= where the amounts are of one currency all the same';
  return { question: { id: 'currency', text, choices, other } };
}

/** The column of codes beside the amount, or the only one. */
function findColumn(
  { columns, rows }: Facts,
  amounts: readonly number[],
  answers: Answers,
): ColumnFacts | undefined {
  if (answers.columns.has('currency')) return undefined;
  const found = columns.filter((column) => column.isCurrency && column.filled === rows);
  const beside = found.filter(({ index }) => {
    return amounts.some((amount) => Math.abs(amount - index) === 1);
  });
  const named = found.filter(({ name }) => rolesOf(name).has('currency'));
  const [only, second] = found;
  if (second === undefined) return only;
  return [beside, named].find((some) => some.length === 1)?.[0] ?? beside[0] ?? only;
}

/** The one currency that stands in the amounts' own cells. */
export function inspectCellCurrency(
  columns: readonly ColumnFacts[],
  answers: Answers,
): Answer<string | undefined> {
  const seen = new Map(columns.flatMap(({ numbers }) => [...numbers.currencies]));
  if (answers.currency !== undefined && seen.has(answers.currency)) {
    return stated(answers.currency, `--currency ${answers.currency}`);
  }
  const [first, second] = [...seen];
  if (first === undefined) {
    const because = 'no currency stands in the amounts';
    return { value: undefined, evidence: { line: null, text: '', because } };
  }
  const [currency, { line, text }] = first;
  if (second === undefined) {
    const because = `line ${line} has ${quote(text)}`;
    return { value: currency, evidence: { line, text, because } };
  }
  const choices = [...seen].map(([each, where]): Choice => {
    return { option: ['currency', each], meaning: `line ${where.line} has ${quote(where.text)}` };
  });
  const sentence = 'Amounts are in more than one currency. Which one? The others are rejected.';
  return { question: { id: 'currency', text: sentence, choices } };
}
