/**
 * The column that says whether a payment was made. Words that this file does not have, such as
 * `Declined` next month, are rejected: what they mean nobody has said.
 */

import { type NotRowRule, withoutDay } from '../push/not-rows.ts';
import { isUnpaidWord } from './closing-words.ts';
import type { ColumnFacts } from './column-facts.ts';
import { type Facts, titleOf } from './facts.ts';
import { rolesOf } from './header-words.ts';
import type { Found } from './mapping-document.ts';

type Status = Found['status'];

/** More words than these are no status. */
const WORDS = 6;

/** What a bank says of a payment that was made. */
const PAID_WORDS = new Set(
  (
    'completed|complete|paid|paid out|posted|cleared|settled|booked|processed|success|successful|' +
    'succeeded|executed|done|gebucht|erfolgreich|ausgeführt|abgeschlossen|udført|gennemført|' +
    'bogført|utförd|bokförd|utført|bokført|uitgevoerd|verwerkt|geboekt|exécuté|effectué|payé|' +
    'ejecutado|realizado|pagado|concluído|efetuado|pago|eseguito|contabilizzato|zrealizowana|' +
    'zaksięgowana|tapahtunut'
  ).split('|'),
);

/** Whether a word of a status says that the payment was made. */
export function isPaidWord(word: string): boolean {
  return PAID_WORDS.has(word.trim().toLowerCase().replaceAll('_', ' '));
}

/** The only column named so of few words, one of which says paid or not; some rows may be blank. */
export function findStatusColumn(facts: Facts): ColumnFacts | undefined {
  const found = facts.columns.filter(({ name, filled, letters, values }) => {
    const isWords = filled > 0 && letters === filled && values !== undefined;
    if (!isWords || values.size > WORDS || !rolesOf(name).has('status')) return false;
    // A state may be Texas.
    return [...values.keys()].some((each) => isPaidWord(each) || isUnpaidWord(each));
  });
  const [only, second] = found;
  return second === undefined ? only : undefined;
}

/** The status of rows, where it stands on all of them. */
export function findStatus(facts: Facts): Status {
  const column = findStatusColumn(facts);
  if (column === undefined || column.filled < facts.rows) return undefined;
  return { column: titleOf(column.index, facts), is: [...(column.values?.keys() ?? [])].sort() };
}

/** The words of rows; undefined where none is left. */
export function withoutNotRows(status: Status, rules: readonly NotRowRule[]): Status {
  if (status === undefined) return undefined;
  const { column } = status;
  const isLeftOut = (word: string) =>
    rules.some((rule) => {
      return 'column' in rule && rule.column === column && withoutDay(rule.is) === withoutDay(word);
    });
  const is = status.is.filter((word) => !isLeftOut(word));
  return is.length === 0 ? undefined : { column, is };
}
