/** A column of dates: which formats can read its cells, and which line decides between them. */

import {
  isDoubtfulMonth,
  languagesOfMonth,
  MONTH_LANGUAGES,
  type MonthLanguage,
} from '../../core/months.ts';
import { remembered } from '../../core/remembered.ts';
import { type DateFormat, readDateFormat } from '../values/date-formats.ts';
import { type DateOrder, type DateShape, formatOf, shapeOf } from './date-shapes.ts';
import { type Proof, proven, type Seen, show } from './found.ts';

/** What a format with the name of a month can end in: the language, if it matters. */
const SUFFIXES = ['', ...MONTH_LANGUAGES.map((each) => `@${each}`)];

/** The evidence for and against one order of day, month and year. */
interface Tally {
  /** How many cells it can read. */
  readable: number;
  /** The first line that it cannot read but another order can. */
  against: Seen | undefined;
  /** Whether that line would be a date in the future. */
  isFuture: boolean;
  /** The earliest and the latest date that it reads. */
  from: string | undefined;
  to: string | undefined;
}

/** A possible format, with its evidence. */
export interface DateCandidate extends Readonly<Tally> {
  readonly format: DateFormat;
  readonly order: DateOrder;
  /** A line that shows the language of the months, if the format states one. */
  readonly month: Seen | undefined;
}

interface ShapeTally {
  /** Its place among all. */
  readonly at: number;
  readonly key: string;
  isShort: boolean;
  cells: number;
  /** Cells that are a date in some order. */
  days: number;
  readonly first: Seen;
  /** The first cell that is a different date in each order. */
  doubtful: Seen | undefined;
  readonly orders: Map<DateOrder, Tally>;
}

/** The languages that the month names in one column can be in. */
class MonthLanguages {
  readonly #languages = new Set<MonthLanguage>(MONTH_LANGUAGES);
  readonly #known = new Set<string>();
  /** The first cell that shows the language. */
  proof: Seen | undefined;
  /** The first cell whose month name means another month in another language. */
  doubtful: Seen | undefined;

  /** A cell with the name of a month. */
  add(text: string, line: number): void {
    for (const [word] of text.matchAll(/\p{L}+/gu)) {
      if (this.#known.has(word)) continue;
      const languages = languagesOfMonth(word);
      if (languages === undefined) continue;
      this.#known.add(word);
      if (isDoubtfulMonth(word)) this.doubtful ??= { line, text };
      else this.proof ??= { line, text };
      for (const each of this.#languages)
        if (!languages.includes(each)) this.#languages.delete(each);
    }
  }

  /** The suffixes that a format needs: one is proven, several must be asked. */
  listSuffixes(): string[] {
    const languages = [...this.#languages];
    const isSaid = languages.length === 1 || (this.doubtful !== undefined && languages.length > 1);
    return isSaid ? languages.map((each) => `@${each}`) : [''];
  }
}

/** Facts about the dates in one column. */
export class DateColumn {
  /** The last date that a payment can have: a later one shows that a format is wrong. */
  readonly #lastDay: string;
  readonly #shapes = new Map<string, ShapeTally>();
  /** The shape of most cells. */
  #main: ShapeTally | undefined;
  readonly #formats = new Map<string, readonly DateFormat[]>();
  #names: MonthLanguages | undefined;

  constructor(lastDay: string) {
    this.#lastDay = lastDay;
  }

  /** A cell that is not blank. */
  add(text: string, line: number): void {
    const read = this.#readings(text);
    if (read === undefined) return;
    const { shape, readings, isDay } = read;
    if (this.#shapes.size > 20 && !this.#shapes.has(shape.key)) return;
    const tally = this.#shapes.get(shape.key) ?? newTally(shape, { line, text }, this.#shapes.size);
    this.#shapes.set(shape.key, tally);
    tally.cells += 1;
    const main = this.#main ?? tally;
    const isFirst = tally.cells > main.cells || (tally.cells === main.cells && tally.at <= main.at);
    if (isFirst) this.#main = tally;
    if (shape.key.includes('N')) this.#months.add(text, line);
    tally.isShort ||= shape.isShort;
    if (isDay) tally.days += 1;
    if (tally.doubtful === undefined && readings.length > 1) {
      const days = new Set(readings.map(({ day }) => day));
      if (days.size === readings.length && !days.has(undefined)) tally.doubtful = { line, text };
    }
    for (const { order, day, isFuture } of readings) {
      const own = tally.orders.get(order);
      if (own === undefined) continue;
      if (day !== undefined) {
        own.readable += 1;
        if (own.from === undefined || day < own.from) own.from = day;
        if (own.to === undefined || day > own.to) own.to = day;
      } else if (own.against === undefined && isDay) {
        own.against = { line, text };
        own.isFuture = isFuture;
      }
    }
  }

  /** The shape of a cell and its day in each order; the same days occur many times. */
  readonly #readings = remembered((text) => {
    const shape = shapeOf(text);
    if (shape === undefined) return undefined;
    const readings = shape.orders.map((order) => {
      const day = this.#read(text, shape.key, order);
      const isFuture = day !== undefined && day > this.#lastDay;
      return { order, day: isFuture ? undefined : day, isFuture };
    });
    return { shape, readings, isDay: readings.some(({ day }) => day !== undefined) };
  });

  /** How many cells of the most common shape are dates in some order. */
  get readable(): number {
    return this.#main?.days ?? 0;
  }

  get isSixDigits(): boolean {
    return this.#main?.key.startsWith('6') === true;
  }

  /** The first cell that can be two dates, or else the first one that looks like a date. */
  get sample(): Seen | undefined {
    const main = this.#main;
    return this.#names?.doubtful ?? main?.doubtful ?? main?.first;
  }

  /** Every format for the shape of its cells, the one that reads most cells first. */
  listCandidates(): DateCandidate[] {
    const tally = this.#main;
    if (tally === undefined) return [];
    const found = [...tally.orders].flatMap(([order, own]) => {
      const { key } = tally;
      if (isUnheardOf(order, tally)) return [];
      const suffixes = key.includes('N') ? this.#months.listSuffixes() : [''];
      return suffixes.flatMap((suffix) => {
        const format = readDateFormat(formatOf(key, order, tally.isShort) + suffix);
        const month = suffix === '' ? undefined : this.#months.proof;
        return format === undefined ? [] : [{ format, order, month, ...own }];
      });
    });
    return found.sort((one, other) => other.readable - one.readable);
  }

  /** The names of months; most columns have none. */
  get #months(): MonthLanguages {
    this.#names ??= new MonthLanguages();
    return this.#names;
  }

  /** Reads a cell in any language, with one or two digits: which, is known only at the end. */
  #read(text: string, key: string, order: DateOrder): string | undefined {
    const id = `${key} ${order}`;
    let formats = this.#formats.get(id);
    if (formats === undefined) {
      const plain = formatOf(key, order, true);
      const suffixes = key.includes('N') ? SUFFIXES : [''];
      formats = suffixes.flatMap((suffix) => readDateFormat(plain + suffix) ?? []);
      this.#formats.set(id, formats);
    }
    for (const format of formats) {
      const day = format.read(text);
      if (day !== undefined) return day;
    }
    return undefined;
  }
}

/**
 * With dots the day comes first. `16.01.31` and `16-Jan-31` can start with the year if the years
 * at the end would be spread widely.
 */
function isUnheardOf(order: DateOrder, { key, orders }: ShapeTally): boolean {
  const isDotted = /^(?:ddd )?#\. ?#\./.test(key) && !orders.get('DMY')?.against;
  if (isDotted && (order === 'DMY' || orders.get(order)?.against)) return false;
  if (!isDotted && (order !== 'YMD' || !/^(?:ddd )?#\D*N/.test(key))) return false;
  const isByYear =
    spanOf(orders.get('DMY')) >= SPREAD_DAYS && spanOf(orders.get('YMD')) < SPREAD_DAYS;
  return order !== 'YMD' || !isByYear;
}

const SPREAD_DAYS = 730;

function spanOf(tally: Tally | undefined): number {
  if (tally?.from === undefined || tally.to === undefined) return 0;
  return (Date.parse(tally.to) - Date.parse(tally.from)) / 86_400_000;
}

function newTally(shape: DateShape, first: Seen, at: number): ShapeTally {
  const none = { readable: 0, against: undefined, isFuture: false, from: undefined, to: undefined };
  const orders = new Map(shape.orders.map((order) => [order, { ...none }]));
  return {
    at,
    key: shape.key,
    isShort: false,
    cells: 0,
    days: 0,
    first,
    doubtful: undefined,
    orders,
  };
}

/** Which part rules out an order: `there is no month 31`; undefined when none does. */
function explainPart(text: string, order: DateOrder): string | undefined {
  const parts = text.match(/\d+/g) ?? [];
  if (parts.length < 3) return undefined;
  const at = order.indexOf('M');
  const month = parts[at];
  if (month === undefined || month.length > 2 || Number(month) <= 12) return undefined;
  return `there is no month ${month}, so ${month} is the day`;
}

/** The line that proves a format rather than another. */
export function proveDate(
  { format, month }: DateCandidate,
  rival: DateCandidate | undefined,
): { readonly value: DateFormat; readonly evidence: Proof } {
  const against = rival?.against;
  if (against === undefined && month !== undefined) {
    return proven(format, month, `${show(month)}, which shows the language`);
  }
  if (rival === undefined || against === undefined) {
    return proven(format, undefined, 'every date has this format');
  }
  const why = rival.isFuture
    ? `as ${rival.format.text} it would be in the future`
    : (explainPart(against.text, rival.order) ??
      `as ${rival.format.text} it would not be a real date`);
  return proven(format, against, `${show(against)}: ${why}`);
}
