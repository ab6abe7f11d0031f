/**
 * The answers that a user can give about a file. A door turns its own words into these values:
 * the command line its options, a page its form fields.
 */

import type { RowField } from '../core/push.ts';
import type { DateFormat } from '../rows/date-formats.ts';
import type { DecimalSign } from '../rows/decimals.ts';
import type { Encoding } from '../rows/encodings.ts';

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
  /** Null: there is no header. */
  | { readonly kind: 'header'; readonly line: number | null }
  | { readonly kind: 'dateFormat'; readonly format: DateFormat }
  | { readonly kind: 'decimal'; readonly decimal: DecimalSign }
  /** `negative`, `positive`, a column, or words; the empty text is an amount without a mark. */
  | { readonly kind: 'moneyOut'; readonly mark: string }
  | { readonly kind: 'currency'; readonly currency: string }
  /** Whether lines with this value are rows. */
  | { readonly kind: 'line'; readonly text: string; readonly isRow: boolean }
  /** Every line is a payment, also if they cancel each other out. */
  | { readonly kind: 'everyLine' };

/** All answers about one file. */
export interface Answers {
  readonly encoding?: Encoding;
  readonly delimiter?: string;
  readonly header?: number | null;
  readonly dateFormat?: DateFormat;
  readonly decimal?: DecimalSign;
  readonly moneyOut?: string;
  readonly currency?: string;
  readonly isEveryLine?: boolean;
  /** Columns by name; an empty list means that there is no such column. */
  readonly columns: ReadonlyMap<ColumnUse, readonly string[]>;
  /** Which of `out` and `in` have negative amounts. */
  readonly turned: ReadonlySet<ColumnUse>;
  /** Values of lines that are rows (true), or are not. */
  readonly lines: readonly { readonly text: string; readonly isRow: boolean }[];
}

/** Sorts answers by what they are about; several columns of the description are joined. */
export function collectAnswers(given: readonly Answer[]): Answers {
  const columns = new Map<ColumnUse, string[]>();
  const turned = new Set<ColumnUse>();
  const lines: { text: string; isRow: boolean }[] = [];
  let others: Partial<Answers> = {};
  for (const answer of given) {
    if (answer.kind === 'line') lines.push(answer);
    else if (answer.kind === 'everyLine') others = { ...others, isEveryLine: true };
    else if (answer.kind === 'header') others = { ...others, header: answer.line };
    else if (answer.kind === 'dateFormat') others = { ...others, dateFormat: answer.format };
    else if (answer.kind === 'moneyOut') others = { ...others, moneyOut: answer.mark };
    else if (answer.kind !== 'column') {
      const { kind: _, ...own } = answer;
      others = { ...others, ...own };
    } else {
      const { use, column, isTurned } = answer;
      const before = use === 'description' ? (columns.get(use) ?? []) : [];
      columns.set(use, column === null ? [] : [...before, column]);
      if (isTurned === true) turned.add(use);
      else turned.delete(use);
    }
  }
  return { ...others, columns, turned, lines };
}

/** The answer that a column of the file has this use. */
export function useColumn(use: ColumnUse, { title }: { readonly title: string }): Answer {
  return { kind: 'column', use, column: title };
}

/** The answers that were given about these uses. */
export function saidAbout({ columns, turned }: Answers, ...uses: readonly ColumnUse[]): Answer[] {
  return uses.flatMap((use) => {
    const named = columns.get(use);
    const all = named === undefined || named.length > 0 ? (named ?? []) : [null];
    const isTurned = turned.has(use);
    return all.map((column) => ({
      kind: 'column',
      use,
      column,
      ...(isTurned ? { isTurned } : {}),
    }));
  });
}
