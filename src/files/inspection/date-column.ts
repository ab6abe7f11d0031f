/**
 * A column of dates: the shapes of its cells, the formats that can read them, and the lines that
 * decide between the formats.
 */

import {
  isDoubtfulMonth,
  isMonthName,
  languagesOfMonth,
  MONTH_LANGUAGES,
  type MonthLanguage,
  plainName,
} from '../../core/months.ts';
import { remembered } from '../../core/remembered.ts';
import { type DateFormat, readDateFormat, ZONE_NAME, ZONE_OFFSET } from '../values/date-formats.ts';
import { isDecimal } from '../values/decimals.ts';
import type { Seen } from './found.ts';

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

/** The shape of a cell, its day in each order, and whether it is a day in any. */
interface CellReading {
  readonly shape: DateShape;
  readonly readings: readonly {
    readonly order: DateOrder;
    readonly day: string | undefined;
    /** Whether it would be after the last day, and so is not one. */
    readonly isFuture: boolean;
  }[];
  readonly isDay: boolean;
}

/** Facts about the dates in one column. */
export class DateColumn {
  /** The last date that a payment can have: a later one shows that a format is wrong. */
  readonly #lastDay: string;
  readonly #shapes = new Map<string, ShapeTally>();
  /** The shape of most cells. */
  #main: ShapeTally | undefined;
  readonly #formats = new Map<string, readonly DateFormat[]>();
  /** What the last cell was, which is often the same. */
  #last: { readonly read: CellReading; readonly tally: ShapeTally } | undefined;
  #names: MonthLanguages | undefined;

  constructor(lastDay: string) {
    this.#lastDay = lastDay;
  }

  /** A cell that is not blank. */
  add(text: string, line: number): void {
    const read = this.#readings(text);
    if (read === undefined) return;
    const { shape, readings, isDay } = read;
    const last = this.#last?.read === read ? this.#last.tally : undefined;
    let tally = last ?? this.#shapes.get(shape.key);
    if (tally === undefined) {
      if (this.#shapes.size > 20) return;
      tally = newTally(shape, { line, text }, this.#shapes.size);
      this.#shapes.set(shape.key, tally);
    }
    tally.cells += 1;
    const main = this.#main ?? tally;
    const isFirst = tally.cells > main.cells || (tally.cells === main.cells && tally.at <= main.at);
    if (isFirst) this.#main = tally;
    if (isDay) tally.days += 1;
    if (last === undefined) {
      this.#last = { read, tally };
      this.#look(tally, read, { line, text });
    }
    for (const { order, day } of readings) {
      const own = day === undefined ? undefined : tally.orders.get(order);
      if (own !== undefined) own.readable += 1;
    }
  }

  /** What a cell shows that is not the same as the last one. */
  #look(tally: ShapeTally, { shape, readings, isDay }: CellReading, seen: Seen): void {
    if (shape.key.includes('N')) this.#months.add(seen.text, seen.line);
    tally.isShort ||= shape.isShort;
    if (tally.doubtful === undefined && readings.length > 1) {
      const days = new Set(readings.map(({ day }) => day));
      if (days.size === readings.length && !days.has(undefined)) tally.doubtful = seen;
    }
    for (const { order, day, isFuture } of readings) {
      const own = tally.orders.get(order);
      if (own === undefined) continue;
      if (day !== undefined) {
        if (own.from === undefined || day < own.from) own.from = day;
        if (own.to === undefined || day > own.to) own.to = day;
      } else if (own.against === undefined && isDay) {
        own.against = seen;
        own.isFuture = isFuture;
      }
    }
  }

  /** The shape of a cell and its day in each order; the same days occur many times. */
  readonly #readings = remembered((text): CellReading | undefined => {
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

/** Orders of day, month and year. No country writes the year before day and month. */
type DateOrder = 'DMY' | 'MDY' | 'YMD';

/** The shape of a cell, the same for all cells that one format can read. */
interface DateShape {
  /**
   * Digits as `#` (one or two), `4` (a year), `6` or `8`, a month's name as `N`, a weekday and a
   * time as in a format; the rest as is.
   */
  readonly key: string;
  readonly orders: readonly DateOrder[];
  /** Whether a part has one digit. */
  readonly isShort: boolean;
}

/** The weekday before a date, in a shape and in a format. */
const WEEKDAY = 'ddd ';
const HOUR = '(\\d{1,2})(:\\d{2})(:\\d{2})?(\\.\\d{1,9})?( ?[AaPp]\\.?[Mm]\\.?)?';
const ZONE = `( ?${ZONE_OFFSET}| ${ZONE_NAME})?`;
/** A day without a time has a zone only if nothing else can be meant. */
const DAY_ZONE = / (?:UTC|GMT)$/;
const TIME = new RegExp(`^(.*\\d.*?)([T ]|, ?| - ?)${HOUR}${ZONE}$`);

/** The shape of a trimmed cell; undefined if it is not a date in any format. */
export function shapeOf(cell: string): DateShape | undefined {
  if (cell.length < 6 || cell.length > 80 || isDecimal(cell)) return undefined;
  return rememberShape(cell.includes("'") ? cell.replace(/^'|'$/g, '') : cell);
}

const rememberShape = remembered(findShape);

function findShape(cell: string): DateShape | undefined {
  if (!/\d/.test(cell)) return undefined;
  const [, weekday = '', plain = ''] = /^(\p{L}{2,10}\.?,? )(.+)$/u.exec(cell) ?? [];
  if (WEEKDAYS.has(plainName(weekday).replace(/[, ]/g, ''))) {
    const shape = shapeOf(plain);
    // `mar. 5 janvier 2016` is a Tuesday; `Mar 5 2016` is in March.
    if (shape !== undefined) return { ...shape, key: `${WEEKDAY}${shape.key}` };
  }
  const timed = cell.includes(':') ? TIME.exec(cell) : null;
  const day = timed?.[1] ?? cell.replace(DAY_ZONE, '');
  const time = timed === null ? (day === cell ? '' : ' z') : describeTime(timed);
  const compact = /^\d{8}$|^\d{6}$/.exec(day)?.[0];
  if (compact !== undefined) {
    const orders = (['YMD', 'DMY', 'MDY'] as const).filter((order) => isPlausible(day, order));
    const key = compact.length + time;
    return orders.length === 0 ? undefined : { key, orders, isShort: false };
  }
  const tokens = day.match(TOKENS) ?? [];
  const parts = tokens.filter((token) => !/^(?:[\s./,年月日-]+|de)$/.test(token));
  if (parts.length !== 3) return undefined;
  const kinds = parts.map(kindOf);
  const orders = ORDERS[kinds.join('')];
  if (orders === undefined) return undefined;
  const key = tokens.map((token) => kinds[parts.indexOf(token)] ?? token).join('');
  const isShort = parts.some((part) => /^\d(?!\d)/.test(part));
  return { key: key + time, orders, isShort };
}

/** Digits (also those of `1st`), words, and the separators between them. */
const TOKENS = /\d+(?:(?:st|nd|rd|th|er|º|ª|°)(?!\p{L}))?|[^\d\s./,年月日-]+\.?|[\s./,年月日-]+/gu;

/** Orders by shape: `#` is one or two digits, `4` a year, `N` the name of a month. */
const ORDERS: Readonly<Record<string, readonly DateOrder[]>> = {
  '###': ['DMY', 'MDY', 'YMD'],
  '##4': ['DMY', 'MDY'],
  '4##': ['YMD'],
  '#N4': ['DMY'],
  'N#4': ['MDY'],
  '4N#': ['YMD'],
  '#N#': ['DMY', 'YMD'],
  'N##': ['MDY'],
};

function kindOf(part: string): string {
  const digits = part.search(/\D|$/);
  if (digits === 0) return isMonthName(part) ? 'N' : '?';
  if (digits <= 2) return '#';
  return digits === 4 && part.length === 4 ? '4' : '?';
}

/** Eight digits are often just a number: they are a date only with a plausible year. */
function isPlausible(digits: string, order: DateOrder): boolean {
  if (digits.length === 6) return true;
  const year = Number(order === 'YMD' ? digits.slice(0, 4) : digits.slice(4));
  return year >= 1980 && year <= 2099;
}

function describeTime(timed: RegExpExecArray): string {
  const [, , gap = '', , , seconds, , half, zone] = timed;
  const parts = [
    gap,
    'HH:mm',
    seconds === undefined ? '' : ':ss',
    half === undefined ? '' : half.startsWith(' ') ? ' A' : 'A',
    zone?.replace(/\S+.*/, /^ ?(?:Z|[+-])/.test(zone) ? 'Z' : 'z') ?? '',
  ];
  return parts.join('');
}

/** The format of a shape in an order, such as `DD/MM/YYYY HH:mm`. */
function formatOf(key: string, order: DateOrder, isShort: boolean): string {
  const letters = [...order];
  const inFull = order.replace(/./g, '$&$&');
  return key.replace(/[#4N68]/g, (kind) => {
    if (kind === '6') return inFull;
    if (kind === '8') return inFull.replace('YY', 'YYYY');
    const letter = letters.shift() ?? '';
    if (kind === 'N') return 'MMM';
    if (kind === '4') return 'YYYY';
    // If any part has one digit, other parts will too in another month.
    return isShort && letter !== 'Y' ? letter : letter.repeat(2);
  });
}

/** Names of weekdays, long and short, in the languages that budgetd reads. */
const WEEKDAY_NAMES =
  'monday mon tuesday tue tues wednesday wed thursday thu thur thurs friday fri saturday sat ' +
  'sunday sun montag mo dienstag di mittwoch mi donnerstag do freitag fr samstag sonnabend sa ' +
  'sonntag so lundi lun mardi mar mercredi mer jeudi jeu vendredi ven samedi sam dimanche dim ' +
  'maandag ma dinsdag woensdag wo donderdag vrijdag vr zaterdag za zondag zo ' +
  'lunes martes miercoles mie jueves jue viernes vie sabado sab domingo dom ' +
  'lunedi martedi mercoledi giovedi gio venerdi sabato domenica ' +
  'segunda seg terca ter quarta qua quinta qui sexta sex ' +
  'måndag mån tisdag tis onsdag ons torsdag tor tors fredag fre lördag lör söndag sön ' +
  'mandag man tirsdag tir tirs lørdag lør søndag søn ' +
  'poniedziałek pon pn wtorek wt środa śr czwartek czw piątek pt sobota sob niedziela niedz nd';

const WEEKDAYS = new Set(WEEKDAY_NAMES.split(' ').map(plainName));
