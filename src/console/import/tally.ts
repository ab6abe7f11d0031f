/** What became of the rows of a file, or would become of them. */

import type { ValidRow } from '../../core/row-members.ts';
import type { Entry, FieldNames, Inspection } from '../../files/index.ts';
import { type ColumnProblem, FirstFew, splitProblem } from '../../files/index.ts';
import type { Pushes } from '../../operations/audit.ts';
import { digestOf } from '../session/outcomes.ts';

/** How many rows of each kind a page shows. */
const LARGEST = 2;
const MONEY_IN = 3;
const NAMELESS = 1;
const SHOWN = 50;

/** What a file says, and what an import would do. */
export interface Looked {
  readonly inspection: Inspection;
  /** When the mapping was saved with which the file was read, if one was. */
  readonly savedAtMs: number | undefined;
  /** Set when no question is open. */
  readonly tally: Tally | undefined;
  /**
   * For each entry of the file, in their order, the line of the later row that has its id and
   * replaces it, else 0. Undefined if no row is replaced.
   */
  readonly replacedBy: Uint32Array | undefined;
}

/** Tells readings of a file apart: it has the totals that a page showed as long as this is so. */
export function readingOf({ inspection }: Looked): string {
  return digestOf(inspection.mapping);
}

/** What an import did, and the pushes in which it did that. */
export interface Imported {
  readonly tally: Tally;
  readonly pushes: Pushes;
}

/** A row as it is in the file. */
interface WrittenRow {
  readonly line: number;
  readonly values: readonly string[];
}

/** A row that would be rejected, or was. */
interface Rejected extends WrittenRow {
  readonly problems: readonly ColumnProblem[];
}

/** A row that is not stored, because a later one has its id. */
interface Replaced extends WrittenRow {
  readonly byLine: number;
}

/** A new row whose id a transaction from elsewhere has. */
interface Doubtful {
  readonly line: number;
  readonly row: ValidRow;
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
  readonly rejected = new FirstFew<Rejected>(SHOWN);
  readonly replaced = new FirstFew<Replaced>(SHOWN);
  readonly doubtful = new FirstFew<Doubtful>(SHOWN);
  /** Lines that are not rows, each with the reason. */
  remarks: readonly string[] = [];

  get rows(): number {
    const stored = this.created + this.updated + this.unchanged;
    return stored + this.rejected.total + this.replaced.total;
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

  refuse({ problems, ...entry }: Entry, names: FieldNames): void {
    this.rejected.add(() => {
      return { ...written(entry), problems: problems.map((each) => splitProblem(each, names)) };
    });
  }

  replace(entry: Entry, byLine: number): void {
    this.replaced.add(() => ({ ...written(entry), byLine }));
  }
}

function written({ line, original }: Pick<Entry, 'line' | 'original'>): WrittenRow {
  return { line, values: 'fields' in original ? original.fields : [] };
}

/** Keeps the few items with the lowest marks, in their order. */
function keep<Item>(items: Item[], most: number, item: Item, mark: (item: Item) => number): void {
  const at = items.findIndex((other) => mark(item) < mark(other));
  items.splice(at < 0 ? items.length : at, 0, item);
  items.length = Math.min(items.length, most);
}
