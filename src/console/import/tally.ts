/** What became of the rows of a file, or would become of them. */

import type { ValidRow } from '../../core/row-members.ts';
import type { Inspection } from '../../inspect/inspect.ts';
import { type ColumnProblem, splitProblem } from '../../rows/rejected-rows.ts';
import type { Entry, FieldNames } from '../../rows/rows.ts';

/** How many rows of each kind a page shows. */
const LARGEST = 2;
const MONEY_IN = 3;
const NAMELESS = 1;
const REJECTED_SHOWN = 50;

/** What a file says, and what an import would do. */
export interface Looked {
  readonly inspection: Inspection;
  /** When the mapping was saved with which the file was read, if one was. */
  readonly savedAtMs: number | undefined;
  /** Set when no question is open. */
  readonly tally: Tally | undefined;
}

/** What an import did. */
export interface Imported {
  readonly tally: Tally;
  /** The transactions that it made. */
  readonly createdIds: readonly string[];
}

/** A row that would be rejected, or was. */
export interface Rejected {
  readonly line: number;
  readonly values: readonly string[];
  readonly problems: readonly ColumnProblem[];
}

/** Rows of one direction. */
interface Total {
  count: number;
  sumMinor: number;
}

/** What became of the rows of a file. */
export class Tally {
  created = 0;
  updated = 0;
  unchanged = 0;
  rejected = 0;
  needsReview = 0;
  readonly out: Total = { count: 0, sumMinor: 0 };
  readonly in: Total = { count: 0, sumMinor: 0 };
  /** The earliest and the latest date. */
  from: string | undefined;
  to: string | undefined;
  /** Where a wrong column or sign shows first. */
  readonly largest: ValidRow[] = [];
  readonly moneyIn: ValidRow[] = [];
  readonly nameless: ValidRow[] = [];
  readonly firstRejected: Rejected[] = [];
  /** Lines that are not rows, each with the reason. */
  readonly remarks: readonly string[];

  constructor(remarks: readonly string[]) {
    this.remarks = remarks;
  }

  get rows(): number {
    return this.created + this.updated + this.unchanged + this.rejected;
  }

  take(row: ValidRow): void {
    const { date, amountMinor, contact } = row;
    if (this.from === undefined || date < this.from) this.from = date;
    if (this.to === undefined || date > this.to) this.to = date;
    const total = amountMinor < 0 ? this.in : this.out;
    total.count += 1;
    total.sumMinor += amountMinor;
    if (amountMinor > 0) keep(this.largest, LARGEST, row, ({ amountMinor: own }) => -own);
    if (amountMinor < 0) keep(this.moneyIn, MONEY_IN, row, ({ amountMinor: own }) => own);
    else if (contact === null && this.nameless.length < NAMELESS) this.nameless.push(row);
  }

  refuse({ line, original, problems: all }: Entry, names: FieldNames): void {
    this.rejected += 1;
    if (this.firstRejected.length >= REJECTED_SHOWN) return;
    const values = 'fields' in original ? original.fields : [];
    const problems = all.map((problem) => splitProblem(problem, names));
    this.firstRejected.push({ line, values, problems });
  }
}

/** Keeps the few items with the lowest marks, in their order. */
function keep<Item>(items: Item[], most: number, item: Item, mark: (item: Item) => number): void {
  const at = items.findIndex((other) => mark(item) < mark(other));
  items.splice(at < 0 ? items.length : at, 0, item);
  items.length = Math.min(items.length, most);
}
