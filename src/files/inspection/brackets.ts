/**
 * Finds lines that frame the payments of a file: its opening and closing balance, and turnovers.
 */

import { type Millionths, plus } from '../values/exact-sums.ts';

/**
 * A line with a date and an amount. Some repeat what the payments between them add up to: an
 * opening and a closing balance, and turnovers. Arithmetic finds them in any language: the opening
 * balance and all payments together are the closing balance.
 */
interface BracketLine {
  readonly line: number;
  readonly fields: readonly string[];
  readonly amount: Millionths;
  /** Set if its words say that it is a balance or a sum, or a running balance leaves it out. */
  readonly named: 'opening' | 'closing' | 'any' | undefined;
}

/** The lines that are not payments. */
export interface Brackets {
  /** The opening and the closing balance, and turnovers. */
  readonly lines: readonly BracketLine[];
  /** How many payments they are about, and whether one balance is above and one below them. */
  readonly payments: number;
  readonly isAround: boolean;
  /** Whether these go both out and in: the sum of a list of payments can also be a payment. */
  readonly isBothWays: boolean;
}

/** How many unnamed lines at each end of a file, and how many named ones, can be brackets. */
const EDGE = 4;
const NAMED = 12;
/** Fewer payments can add up to another one by chance. */
const LEAST_PAYMENTS = 2;

/** The amounts of some payments. */
interface Moved {
  out: Millionths;
  in: Millionths;
  count: number;
}

/** Looks for the lines during one pass over a file. */
export class BracketFinder {
  readonly #first: BracketLine[] = [];
  /** The last ones, each in the place of an earlier one. */
  readonly #last: BracketLine[] = [];
  #place = 0;
  readonly #named: BracketLine[] = [];
  readonly #moved: Moved = { out: 0, in: 0, count: 0 };
  readonly #ends: BracketLine[] = [];

  /** The next line. */
  add(line: BracketLine): void {
    this.#ends[0] ??= line;
    this.#ends[1] = line;
    if (line.named !== undefined) {
      if (this.#named.length < NAMED) this.#named.push(line);
      return;
    }
    move(this.#moved, line.amount, 1);
    if (this.#first.length < EDGE) this.#first.push(line);
    else this.#last[this.#place++ % EDGE] = line;
  }

  /** The brackets, those with the fewest unnamed lines first. */
  *find(): Generator<Brackets> {
    const last = [...this.#last].sort((one, other) => one.line - other.line);
    const unnamed = [...this.#first, ...last].filter(({ amount }) => amount !== 0);
    for (const turnovers of listFew(unnamed)) {
      for (const closing of [...this.#named, ...unnamed]) {
        if (closing.named === 'opening' || turnovers.includes(closing)) continue;
        for (const opening of [...this.#named, ...unnamed]) {
          if (opening.named === 'closing' || opening === closing) continue;
          const found = this.#prove(opening, closing, turnovers);
          if (found !== undefined && !turnovers.includes(opening)) yield found;
        }
      }
    }
  }

  #prove(opening: BracketLine, closing: BracketLine, turnovers: readonly BracketLine[]) {
    const own = [opening, closing, ...turnovers];
    const moved = { ...this.#moved };
    for (const { amount, named } of own) if (!named) move(moved, amount, -1);
    const net = plus(moved.out, moved.in);
    const isLess = moved.count < LEAST_PAYMENTS;
    if (isLess || plus(opening.amount, net) !== closing.amount) return undefined;
    const sums = [moved.out, moved.in, net].flatMap((sum) => [sum, -sum]);
    if (!turnovers.every(({ amount }) => sums.includes(amount))) return undefined;
    const isSum = (each: BracketLine) => !own.includes(each) && sums.includes(each.amount);
    const lines = [...own, ...this.#named.filter(isSum)];
    const isAround = this.#ends.includes(opening) && this.#ends.includes(closing);
    return { lines, payments: moved.count, isAround, isBothWays: moved.out > 0 && moved.in < 0 };
  }
}

/** Adds an amount, or takes it off again. */
function move(moved: Moved, amount: Millionths, times: 1 | -1): void {
  if (amount === 0) return;
  const own = times < 0 ? -amount : amount;
  if (amount > 0) moved.out = plus(moved.out, own);
  else moved.in = plus(moved.in, own);
  moved.count += times;
}

/** None of these lines, each of them alone, and each pair: a turnover for each side. */
function* listFew(lines: readonly BracketLine[]): Generator<readonly BracketLine[]> {
  yield [];
  for (const line of lines) yield [line];
  for (const [at, line] of lines.entries()) {
    for (const other of lines.slice(at + 1)) yield [line, other];
  }
}
