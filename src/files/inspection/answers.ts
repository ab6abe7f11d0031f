/**
 * The answers that a user can give about a file. A door turns its own words into these values:
 * the command line its options, a page its form fields.
 */

import type { RowField } from '../../core/row-members.ts';
import type { Encoding } from '../text/encodings.ts';
import type { DateFormat } from '../values/date-formats.ts';
import type { DecimalSign } from '../values/decimals.ts';

/** What a column can be: a field of a row, or what the amount needs. */
export type ColumnUse = RowField | 'out' | 'in' | 'indicator' | 'currency';

/** One answer. A later one replaces an earlier one to the same question. */
export type Answer =
  /** Null: there is no such column; for the externalId: push makes it. */
  | {
      readonly kind: 'column';
      readonly use: ColumnUse;
      readonly column: string | null;
      /** For `out` and `in`: the column has negative amounts. */
      readonly isTurned?: boolean;
    }
  | { readonly kind: 'encoding'; readonly encoding: Encoding }
  | { readonly kind: 'delimiter'; readonly delimiter: string }
  /** The sheet of a workbook; each account of a statement. */
  | { readonly kind: 'sheet'; readonly sheet: string }
  | { readonly kind: 'bankAccounts'; readonly bankAccount: string }
  /** Null: there is no header. */
  | { readonly kind: 'header'; readonly header: number | null }
  | { readonly kind: 'dateFormat'; readonly dateFormat: DateFormat }
  | { readonly kind: 'decimal'; readonly decimal: DecimalSign }
  /** `negative`, `positive`, a column, or words; the empty text is an amount without a mark. */
  | { readonly kind: 'moneyOut'; readonly moneyOut: string }
  | { readonly kind: 'currency'; readonly currency: string }
  /** Whether lines with this value are rows. */
  | { readonly kind: 'line'; readonly text: string; readonly isRow: boolean }
  /** Every line is a payment, also if they cancel each other out, or many will be rejected. */
  | { readonly kind: 'everyLine'; readonly isEveryLine: true };

export type AnswerOf<Kind extends Answer['kind']> = Extract<Answer, { readonly kind: Kind }>;

/** All answers about one file. */
export interface Answers {
  /** The last answer of each kind that can be given only once. */
  readonly last: { readonly [Kind in Exclude<Answer['kind'], 'column' | 'line'>]?: AnswerOf<Kind> };
  /** Several columns of the description are joined; any other use has one answer. */
  readonly columns: ReadonlyMap<ColumnUse, readonly AnswerOf<'column'>[]>;
  readonly lines: readonly AnswerOf<'line'>[];
}

/** Sorts answers by what they are about. */
export function collectAnswers(given: readonly Answer[]): Answers {
  const columns = new Map<ColumnUse, readonly AnswerOf<'column'>[]>();
  const lines: AnswerOf<'line'>[] = [];
  let last: Answers['last'] = {};
  for (const answer of given) {
    if (answer.kind === 'line') lines.push(answer);
    else if (answer.kind !== 'column') last = { ...last, [answer.kind]: answer };
    else {
      const { use, column } = answer;
      const before = use === 'description' && column !== null ? (columns.get(use) ?? []) : [];
      columns.set(use, [...before.filter((each) => each.column !== null), answer]);
    }
  }
  return { last, columns, lines };
}

/** The answer that a column of the file has this use. */
export function useColumn(use: ColumnUse, { title }: { readonly title: string }): Answer {
  return { kind: 'column', use, column: title };
}

/** The answers that were given about these uses. */
export function saidAbout({ columns }: Answers, ...uses: readonly ColumnUse[]): Answer[] {
  return uses.flatMap((use) => columns.get(use) ?? []);
}
