/** Sums in a pasted table: rows of totals, which do not become lines, and columns of sums. */

import { plainName } from '../../core/months.ts';
import type { Steps } from '../../operations/turns.ts';
import type { Reader } from '../session/reader.ts';
import type { TableRow } from './cells.ts';
import { isWrong, nameColumn, type PastedLayout } from './layout.ts';

/** Differences that are named one by one. */
const NAMED_DIFFERENCES = 3;
/** Earlier totals up to which a total can add up. */
const EARLIER_TOTALS = 20;

/** Whether a text names a total: `TOTAL`, `Total staff costs`, `Sub-total`, `Surplus/(deficit)`. */
export function isTotalName(text: string): boolean {
  return TOTAL.test(wordsOf(text)) || isBalance(text);
}

const TOTAL = new RegExp(
  '^(?:(?:grand|sub|overall|sous) )?(?:(?:sub)?totals?|totaal|totale|summe|gesamt)(?: |$)' +
    '|. (?:totals?|totaal|gesamt)$|^(?:sum|gesamtsumme|zwischensumme|suma|razem|somme)$',
);

/** Whether a text names what is left of income after expenses. */
function isBalance(text: string): boolean {
  return /^(?:net )?(?:surplus|deficit|surplus deficit|balance)$|^net(?: total)?$/.test(
    wordsOf(text),
  );
}

function wordsOf(text: string): string {
  return plainName(text)
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

/** The amount of a cell; undefined if it has none. */
function amountIn({ read }: PastedLayout, { cells }: TableRow, place: number): number | undefined {
  const found = read(cells[place] ?? '');
  return isWrong(found) ? undefined : found;
}

/** A sum of the table that is another one. */
interface Difference {
  /** Its row or its column, whichever differs. */
  readonly at: number;
  readonly saidMinor: number;
  readonly sumMinor: number;
}

/** What a table says of a sum, if that is another one. */
function differenceAt(at: number, saidMinor: number | undefined, sumMinor: number) {
  return saidMinor === undefined || saidMinor === sumMinor ? [] : [{ at, saidMinor, sumMinor }];
}

/** Adds up the lines of a table as they are read, and compares its rows of totals. */
export class TotalRows {
  readonly #layout: PastedLayout;
  readonly #reader: Reader;
  readonly #places: readonly number[];
  /** The sums of all lines so far, and those above earlier totals, the newest first. */
  #sums: readonly number[];
  #earlier: readonly (readonly number[])[];

  constructor(layout: PastedLayout, reader: Reader) {
    this.#layout = layout;
    this.#reader = reader;
    const sums = layout.sums.map(({ at }) => at);
    this.#places = [...new Set([...layout.amounts.values(), ...sums])];
    this.#sums = this.#places.map(() => 0);
    this.#earlier = [this.#sums];
  }

  addLine(row: TableRow): void {
    const amounts = this.#amounts(row);
    this.#sums = this.#sums.map((sum, at) => sum + (amounts[at] ?? 0));
  }

  /** Where a total differs from the lines above it, up to any total before, if it does. */
  compare(row: TableRow, name: string): string | undefined {
    if (isBalance(name)) return undefined;
    const amounts = this.#amounts(row);
    const differences = this.#earlier.map((earlier) => {
      return amounts.flatMap((saidMinor, at) => {
        const sumMinor = (this.#sums[at] ?? 0) - (earlier[at] ?? 0);
        return differenceAt(this.#places[at] ?? 0, saidMinor, sumMinor);
      });
    });
    const [start = this.#sums] = this.#earlier.slice(-1);
    this.#earlier = [this.#sums, ...this.#earlier.slice(0, EARLIER_TOTALS), start];
    const where = (at: number) => nameColumn(this.#layout, at);
    const words = { what: `Row ${row.number}, ${name},`, parts: 'the rows above', where };
    return sayLeast(words, differences, this.#reader);
  }

  /** Whether a row has amounts, and they are the sums of all lines above it. */
  isSum(row: TableRow): boolean {
    const amounts = this.#amounts(row);
    return (
      amounts.some((minor) => minor !== undefined && minor !== 0) &&
      amounts.every((minor, at) => minor === undefined || minor === this.#sums[at])
    );
  }

  #amounts(row: TableRow): readonly (number | undefined)[] {
    return this.#places.map((place) => amountIn(this.#layout, row, place));
  }
}

/** Where columns of sums differ from what they add up, in sentences. */
export function* compareSums(
  layout: PastedLayout,
  lines: readonly TableRow[],
  reader: Reader,
): Steps<readonly string[]> {
  const said: string[] = [];
  for (const { at, groups } of layout.sums) {
    const differences: Difference[][] = [];
    for (const group of groups) {
      const found = lines.flatMap((row) => {
        const amounts = group.map((place) => amountIn(layout, row, place) ?? 0);
        const sumMinor = amounts.reduce((sum, minor) => sum + minor, 0);
        return differenceAt(row.number, amountIn(layout, row, at), sumMinor);
      });
      differences.push(found);
      if (found.length === 0) break;
      yield;
    }
    const where = (number: number) => `row ${number}`;
    const words = { what: nameColumn(layout, at), parts: 'its months', where };
    const difference = sayLeast(words, differences, reader);
    if (difference !== undefined) said.push(difference);
  }
  return said;
}

/** Says where a sum differs, by the reading that fits best; undefined if the sum agrees. */
function sayLeast(
  { what, parts, where }: { what: string; parts: string; where: (at: number) => string },
  differences: readonly (readonly Difference[])[],
  reader: Reader,
): string | undefined {
  const [least = []] = [...differences].sort((one, other) => one.length - other.length);
  if (least.length === 0) return undefined;
  const said = least.slice(0, NAMED_DIFFERENCES).map(({ at, saidMinor, sumMinor }) => {
    const sum = reader.money(sumMinor);
    return `${reader.money(saidMinor)} in ${where(at)}, where ${parts} add up to ${sum}`;
  });
  const more = least.length - said.length;
  return `${what} has ${said.join('; ')}${more > 0 ? `; and ${reader.count(more)} more` : ''}.`;
}
