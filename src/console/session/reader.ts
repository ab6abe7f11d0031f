/** Numbers and dates as the reader of a page writes them. The words are English. */

import { countMonths, formatInstant, type Period } from '../../core/calendar.ts';
import { nounFor } from '../../core/counts.ts';
import type { Currency } from '../../core/currencies.ts';
import { Failure } from '../../core/failures.ts';
import { findLocale } from '../../core/locales.ts';
import { fromMajor, toMajor } from '../../core/money.ts';
import type { OrganisationRecord } from '../../core/organisations.ts';
import { cutText } from '../../core/text-width.ts';
import { dayIn } from '../../core/time-zones.ts';
import {
  formatTyped,
  listSigns,
  readCopiedAmount,
  readTypedAmount,
} from '../../core/typed-amounts.ts';
import { type Html, html } from '../../http/html.ts';
import { nextTurn } from '../../operations/turns.ts';

const USUAL_LOCALE = 'en-GB';
/** At its first use, each makes Node load data of locales, which takes up to 15 ms. */
const FIRST_USES = [
  () => new Intl.NumberFormat(USUAL_LOCALE),
  () => new Intl.DateTimeFormat(USUAL_LOCALE),
];
let locales: Promise<void> | undefined;

/** How much of a text a message shows that is not an amount. */
const SHOWN_WIDTH = 60;
/** An Accept-Language with more is not a person's. */
const LANGUAGES = 20;

export class Reader {
  /** The locale, such as `en-GB`. */
  readonly locale: string;
  /** What separates the minor units: `.`. */
  readonly decimal: string;
  /** In which all amounts are. */
  readonly currency: Currency;
  /** In which all instants are shown. */
  readonly timeZone: string;
  readonly #locale: string;
  readonly #numbers = new Map<object, Intl.NumberFormat>();
  readonly #dates = new Map<object, Intl.DateTimeFormat>();
  /** What can be beside an amount. */
  #signs: readonly string[] | undefined;

  private constructor(tag: string, currency: Currency, timeZone: string) {
    this.locale = tag;
    this.currency = currency;
    this.timeZone = timeZone;
    // With digits that everybody can type.
    this.#locale = `${tag}-u-nu-latn`;
    const parts = this.#number(COUNT).formatToParts(0.5);
    this.decimal = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  }

  /** Makes Node load its data of locales before the first page, each part in a turn of its own. */
  static load(): Promise<void> {
    locales ??= (async () => {
      for (const use of FIRST_USES) {
        use();
        await nextTurn();
      }
    })();
    return locales;
  }

  /** The reader with these wishes, in the form of Accept-Language, in an organisation. */
  static of(
    acceptLanguage: string | undefined,
    { currency, timeZone }: Pick<OrganisationRecord, 'currency' | 'timeZone'>,
  ): Reader {
    const locale = localeOf(acceptLanguage ?? '');
    const key = `${locale} ${currency.code} ${timeZone}`;
    let reader = readers.get(key);
    if (reader === undefined) {
      reader = new Reader(locale, currency, timeZone);
      readers.set(key, reader);
    }
    return reader;
  }

  /** A count, `9,908`, or with the noun after it: `1 row`, `9,908 rows`. */
  count(number: number, noun?: string, plural?: string): string {
    const shown = this.#number(COUNT).format(number);
    return noun === undefined ? shown : `${shown} ${nounFor(number, noun, plural)}`;
  }

  /** A percentage with one decimal place: `10.0%`. */
  percent(percentage: number): string {
    return `${this.#number(placesOf(1)).format(percentage).replace('-', '−')}%`;
  }

  /** A share in whole per cent. */
  share(part: number, whole: number): string {
    const percent = Math.round((100 * part) / whole) + 0;
    return `${this.count(percent).replace('-', '−')}%`;
  }

  /** An amount to the last minor unit, without its currency: `−1,234.50`. */
  money(amountMinor: number): string {
    return this.#amount(amountMinor, this.currency.places);
  }

  /** An amount with its currency: `1,234.50 GBP`. */
  amount(amountMinor: number): string {
    return `${this.money(amountMinor)} ${this.currency.code}`;
  }

  /** By how much an amount has changed: with its sign. */
  change(amountMinor: number): string {
    return `${amountMinor > 0 ? '+' : ''}${this.money(amountMinor)}`;
  }

  /** A change, or a dash for none, where most amounts have not changed. */
  changed(amountMinor: number): string {
    return amountMinor === 0 ? '–' : this.change(amountMinor);
  }

  /** Minor units of an amount in a document, which is in major ones. */
  minor(amount: number): number {
    return fromMajor(amount, this.currency.places);
  }

  /** An amount in a document. */
  major(amount: number): string {
    return this.money(this.minor(amount));
  }

  /** A change in a document. */
  majorChanged(amount: number): string {
    return this.changed(this.minor(amount));
  }

  /**
   * Money out and money in, each if there is some: `2,747.41 out, 12,275.00 in`; in a sentence
   * `2,747.41 GBP out and 12,275.00 GBP in`.
   */
  outAndIn(outMinor: number, inMinor: number, isSentence = false): string {
    const say = (minor: number) => (isSentence ? this.amount(minor) : this.money(minor));
    const parts = [outMinor !== 0 && `${say(outMinor)} out`, inMinor !== 0 && `${say(inMinor)} in`];
    return parts.filter(Boolean).join(isSentence ? ' and ' : ', ');
  }

  /** An amount in whole units, as reports show it: `1,235`. */
  whole(amountMinor: number): string {
    return this.#amount(amountMinor, 0);
  }

  /** A day with its month in letters, which nobody can misread: `8 Dec 2015`. */
  day(date: string): Html {
    return html`<time datetime="${date}">${this.dayText(date)}</time>`;
  }

  /** A day with its weekday, in full: `Thursday 10 December 2015`. */
  weekday(date: string): Html {
    return html`<time datetime="${date}">${this.#date(WEEKDAY).format(Date.parse(date))}</time>`;
  }

  /** A day without the element, for what has only text in it. */
  dayText(date: string): string {
    return this.#date(DAY).format(Date.parse(date));
  }

  /** A month by its short name, or the months of a quarter: `Apr`, `Apr–Jun`. */
  period({ startDate, endDate }: Period): string {
    const say = (day: string) => this.#date(MONTH).format(Date.parse(day));
    const first = say(startDate);
    const last = startDate.slice(0, 7) === endDate.slice(0, 7) ? first : say(endDate);
    return first === last ? first : `${first}–${last}`;
  }

  /** Months, `YYYY-MM`, in their order, as ranges: `Jan 2026, Jul 2026 to Dec 2026`. */
  months(months: readonly string[]): string {
    const ranges: [first: string, last: string][] = [];
    for (const month of months) {
      const range = ranges.at(-1);
      if (range !== undefined && countMonths(range[1], month) === 2) range[1] = month;
      else ranges.push([month, month]);
    }
    const say = (month: string) => this.#date(MONTH_OF_YEAR).format(Date.parse(month));
    return ranges
      .map(([first, last]) => (first === last ? say(first) : `${say(first)} to ${say(last)}`))
      .join(', ');
  }

  /** A number for a chart, with at most three digits: `2.02`. */
  short(value: number): string {
    return this.#number(SHORT).format(value).replace('-', '−');
  }

  /** The time of a moment: `06:00:05`; with its zone, `06:00 UTC`, if the page does not name it. */
  time(atMs: number, isZoned = false): Html {
    const text = this.#date(isZoned ? ZONED_TIME : TIME).format(atMs);
    return html`<time datetime="${formatInstant(atMs)}">${text}</time>`;
  }

  /** The calendar date of a moment. */
  dayOf(atMs: number): string {
    return dayIn(this.timeZone, atMs);
  }

  /** The day of a moment, with its month in letters. */
  dayAt(atMs: number): Html {
    return this.day(this.dayOf(atMs));
  }

  /** When something happened: `today 06:00 UTC`, or the day. */
  moment(atMs: number, nowMs: number): Html {
    if (this.dayOf(atMs) !== this.dayOf(nowMs)) return this.dayAt(atMs);
    const time = this.#date(ZONED_TIME).format(atMs);
    return html`<time datetime="${formatInstant(atMs)}">today ${time}</time>`;
  }

  /** How long ago something was, in the largest unit that fits: `7 hours`. */
  age(atMs: number, nowMs: number): string {
    const minutes = Math.max(0, Math.floor((nowMs - atMs) / 60_000));
    const [unitMinutes, unit] = AGES.find(([each]) => minutes >= each) ?? ([1, 'minute'] as const);
    const units = Math.floor(minutes / unitMinutes);
    return this.count(units, unit);
  }

  /** The size of a file: `1.25 MB`. */
  size(bytes: number): string {
    const [unitBytes, unit] = SIZES.find(([each]) => bytes >= each) ?? ([1, 'bytes'] as const);
    return `${this.short(bytes / unitBytes)} ${unit}`;
  }

  /** An amount as a form takes it back: without signs for thousands, `-1234.50`. */
  field(amountMinor: number): string {
    return formatTyped(amountMinor, this.#habit());
  }

  /**
   * Reads an amount as this reader types it, in minor units. What only other readers type, such as
   * `12.50` where the comma is decimal, is read as they do. A text says what is wrong with what is
   * not an amount, and with what could be two different ones.
   */
  findMoney(text: string): number | string {
    const found = readTypedAmount(text, this.#habit());
    return typeof found === 'number' ? found : this.#explain(text, found);
  }

  /** An amount as `findMoney` reads it. Refuses any other text with `invalid_input`. */
  readMoney(text: string): number {
    const found = this.findMoney(text);
    if (typeof found === 'number') return found;
    throw new Failure('invalid_input', found);
  }

  /**
   * Reads an amount as a spreadsheet copies it, with this decimal mark: also `£1,000.50`,
   * `(500.00)`, and `-` for zero. What is not an amount is explained by a text.
   */
  readCopied(text: string, decimal: string): number | string {
    this.#signs ??= listSigns(this.currency.code, this.locale);
    const found = readCopiedAmount(text, this.#habit(decimal), this.#signs);
    return typeof found === 'number' ? found : this.#explain(text, found);
  }

  #habit(decimal = this.decimal) {
    return { decimal, places: this.currency.places };
  }

  #explain(text: string, found: ReturnType<typeof readTypedAmount>): string {
    const { code, places } = this.currency;
    const shown = cutText(text, SHOWN_WIDTH);
    if (typeof found === 'object') {
      const ways = found.map((minor) => this.field(minor)).join(' or ');
      return `"${shown}" can be two amounts. Write ${ways}.`;
    }
    const problem = {
      amount_precision: `has too many decimal places: ${code} has ${places}`,
      amount_out_of_range: 'is too large',
      none: `is not an amount. Write it like ${this.field(123450)}`,
    }[typeof found === 'string' ? found : 'none'];
    return `"${shown}" ${problem}.`;
  }

  #amount(amountMinor: number, shown: number): string {
    const text = this.#number(placesOf(shown)).format(toMajor(amountMinor, this.currency.places));
    // A hyphen is shorter than a digit; zero has no sign.
    return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '');
  }

  /** The format of one of the constants below, made at its first use. */
  #number(options: Intl.NumberFormatOptions): Intl.NumberFormat {
    const made = this.#numbers.get(options) ?? new Intl.NumberFormat(this.#locale, options);
    this.#numbers.set(options, made);
    return made;
  }

  #date(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    const zoned = { timeZone: this.timeZone, ...options };
    const made = this.#dates.get(options) ?? new Intl.DateTimeFormat(this.#locale, zoned);
    this.#dates.set(options, made);
    return made;
  }
}

const [COUNT, SHORT] = [{}, { maximumSignificantDigits: 3 }];

const PLACES: Intl.NumberFormatOptions[] = [];

/** Options for a number of decimal places: always one value, by which the format is found. */
function placesOf(places: number): Intl.NumberFormatOptions {
  PLACES[places] ??= { minimumFractionDigits: places, maximumFractionDigits: places };
  return PLACES[places];
}

const AGES = [
  [24 * 60, 'day'],
  [60, 'hour'],
] as const;

const SIZES = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** A day is the same in every zone. */
const MONTH = { month: 'short', timeZone: 'UTC' } as const;
const MONTH_OF_YEAR = { ...MONTH, year: 'numeric' } as const;
const DAY = { ...MONTH_OF_YEAR, day: 'numeric' } as const;
const WEEKDAY = { ...DAY, weekday: 'long', month: 'long' } as const;
const MINUTE = { hour: '2-digit', minute: '2-digit' } as const;
const TIME = { ...MINUTE, second: '2-digit' } as const;
const ZONED_TIME = { ...MINUTE, timeZoneName: 'short' } as const;

const readers = new Map<string, Reader>();

/** The first language that this Node knows. */
function localeOf(acceptLanguage: string): string {
  for (const wish of acceptLanguage.split(',', LANGUAGES)) {
    const [tag = ''] = wish.split(';');
    const locale = findLocale(tag.trim());
    if (locale !== undefined) return locale;
  }
  return USUAL_LOCALE;
}
