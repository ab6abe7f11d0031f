/**
 * Finds the column that shows whether a payment was made. Words that this file does not contain,
 * such as `Declined` next month, are rejected, because their meaning is unknown.
 */

import type { Mapping, NotRowRule } from '../mapping/mapping.ts';
import { withoutDay } from '../values/date-formats.ts';
import { flagOf, isPaidWord, isStatusWord, isUnpaidWord } from '../vocabulary/not-payments.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Facts } from './facts.ts';

type Status = Mapping['status'];

/** A column with more words than this is not a status. */
const WORDS = 6;

/** Finds these columns; `taken` are those of the date and the amount. */
export function findPaidColumns(facts: Facts, taken: Columns) {
  const found = findStatusColumn(facts);
  const status = found && flagOf(found.name) === 'void' ? undefined : found;
  const ticks = facts.columns.filter((column) => {
    const { name, filled, numbers } = column;
    if (filled === 0 || filled === facts.rows || taken.includes(column)) return false;
    if (isBookedId(column, facts)) return true;
    if (flagOf(name) === 'paid') return !numbers.isNumeric;
    return column === status && listWords(column).some((word) => isPaidWord(word, name));
  });
  return { status, ticks: new Set(ticks) };
}

/** Whether rows that are not booked yet have no id in this column: they have no balance either. */
export function isBookedId({ roles, filled, rows }: ColumnFacts, { columns }: Facts): boolean {
  if (!roles.has('id') || filled === 0 || filled === rows) return false;
  return columns.some((each) => each.roles.has('balance') && each.filled === filled);
}

/**
 * The only column named as a status with few words, one of which means paid or unpaid, or only with
 * words that no other column has; or a column named `Paid`; or one named `Void`, in which another
 * file can have a yes. Some rows may be blank.
 */
function findStatusColumn({ columns }: Facts): ColumnFacts | undefined {
  const found = columns.filter(({ name, roles, filled, letters, values }) => {
    if (values === undefined || values.size > WORDS) return false;
    const flag = flagOf(name);
    if (flag === 'void') return true;
    const isWords = filled > 0 && letters === filled;
    const words = [...values.keys()];
    const isNamed = roles.has('status') || flag === 'paid' || words.every(isStatusWord);
    if (!isWords || !isNamed) return false;
    // A column `State` may contain Texas.
    return words.some((word) => isPaidWord(word, name) || isUnpaidWord(word, flag));
  });
  const kinds = ([undefined, 'paid', 'void'] as const).map((flag) =>
    found.filter(({ name }) => flagOf(name) === flag),
  );
  const [only, second] = kinds.find(({ length }) => length > 0) ?? [];
  return second === undefined ? only : undefined;
}

/** The words of the status, including the empty text if some rows have none. */
export function findStatus(facts: Facts): Status {
  const column = findStatusColumn(facts);
  if (column === undefined) return undefined;
  const blank = column.filled < facts.rows ? [''] : [];
  return { column: column.title, is: [...blank, ...listWords(column)] };
}

function listWords({ values }: ColumnFacts): string[] {
  return [...(values?.keys() ?? [])].sort();
}

/** The status without words of lines that are not rows; undefined if none remains. */
export function withoutNotRows(status: Status, rules: readonly NotRowRule[]): Status {
  if (status === undefined) return undefined;
  const { column } = status;
  const gone = rules.flatMap((rule) => (rule.column === column ? withoutDay(rule.is ?? '') : []));
  const is = [status.is].flat().filter((word) => !gone.includes(withoutDay(word)));
  return is.length === 0 ? undefined : { column, is };
}
