/** Finds the currency of a file: amounts in several would be added up as if they were one. */

import { count as countRows } from '../core/counts.ts';
import { canBeSame, codesOf, currencyOfName } from '../rows/currency-signs.ts';
import type { Answers } from './answers.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type Facts, requireColumn, titleOf } from './facts.ts';
import { type Answer, AnswerError, type Choice, type Question, quote, stated } from './found.ts';
import { rolesOf } from './header-words.ts';

/** The column of the currency and the accepted value; undefined if there is no such column. */
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
    const because = 'no column has a currency on every row';
    return { value: undefined, evidence: { line: null, text: '', because } };
  }
  const name = titleOf(column.index, facts);
  const values = [...(column.values?.values() ?? [])];
  const named = listNamed(
    amounts.flatMap((index) => facts.columns[index] ?? []),
    facts,
  );
  if (
    answers.currency !== undefined &&
    named.has(answers.currency) &&
    !column.values?.has(answers.currency)
  ) {
    return stated(undefined, `--currency ${answers.currency}`);
  }
  if (answers.currency !== undefined && column.values?.has(answers.currency) === true) {
    return stated({ column: column.index, is: answers.currency }, `--currency ${answers.currency}`);
  }
  const [only, second] = values;
  if (only !== undefined && second === undefined) {
    const other = [...named].find(([each]) => !canBeSame(each, only.text));
    if (other !== undefined) return { question: askWhich(other, name, only.text) };
    const because = `${name} has ${only.text} on every row`;
    const evidence = { line: only.line, text: only.text, because };
    return { value: { column: column.index, is: only.text }, evidence };
  }
  const choices = values.map(({ text, count, line }): Choice => {
    return {
      option: ['currency', text],
      meaning: `${countRows(count, 'row')}, the first in line ${line}`,
    };
  });
  const several = `${name} has more than one currency`;
  const text = `${several}. Which one is the organisation's? The other rows are rejected.`;
  const other = '--map currency= if all amounts are in one currency anyway';
  return { question: { id: 'currency', text, choices, other } };
}

/** The column of codes next to the amount, or the only one. */
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

function askWhich([inName, { text }]: [string, Where], name: string, inColumn: string): Question {
  return {
    id: 'currency',
    text: `The header ${quote(text)} says ${inName}, but ${name} says ${inColumn}. Which is right?`,
    choices: [
      { option: ['currency', inName], meaning: `the amounts are in ${inName}; ${name} is ignored` },
      { option: ['currency', inColumn], meaning: `the amounts are in ${inColumn}` },
    ],
  };
}

interface Where {
  readonly line: number;
  readonly text: string;
}

/** The currencies in the names of columns. */
function listNamed(columns: readonly ColumnFacts[], { layout }: Facts): Map<string, Where> {
  const line = layout.headerLine.value;
  return new Map(
    columns.flatMap(({ name: text }) => {
      const currency = line === 0 ? undefined : currencyOfName(text);
      return currency === undefined ? [] : [[currency, { line, text }]];
    }),
  );
}

/** The currency that the names and cells of the amount columns state. */
export function inspectCellCurrency(
  columns: readonly ColumnFacts[],
  facts: Facts,
  answers: Answers,
): Answer<string | undefined> {
  const seen = listNamed(columns, facts);
  for (const [currency, where] of columns.flatMap(({ numbers }) => [...numbers.currencies])) {
    if (![...seen.keys()].some((each) => canBeSame(each, currency))) seen.set(currency, where);
  }
  const { currency: said } = answers;
  const [first, second] = [...seen];
  if (said !== undefined) {
    if (seen.has(said)) return stated(said, `--currency ${said}`);
    const isOfColumn = facts.columns.some(({ values }) => values?.has(said) === true);
    if (isOfColumn) return stated(undefined, `--currency ${said}`);
    if (first === undefined) return stated(readCurrency(said), `--currency ${said}`);
    const states = `the file says ${first[0]}: line ${first[1].line} has ${quote(first[1].text)}`;
    throw new AnswerError(`--currency ${said}: ${states}.`);
  }
  if (first === undefined) {
    const because = 'to state it, add for example --currency GBP';
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
  const sentence =
    'The amounts are in more than one currency. Which one do you want? The others are rejected.';
  return { question: { id: 'currency', text: sentence, choices } };
}

function readCurrency(text: string): string {
  if (codesOf(text).length > 0) return text;
  throw new AnswerError(`--currency: "${text}" is not an ISO 4217 currency code such as GBP.`);
}
