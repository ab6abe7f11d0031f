/** Numbers and dates as the reader of a page writes them. The words are English. */

import { formatInstant } from '../core/calendar.ts';
import type { Currency } from '../core/currencies.ts';
import { toMajor } from '../core/money.ts';
import { type Html, html } from '../http/html.ts';

const USUAL_LOCALE = 'en-GB';
/** An Accept-Language with more is not a person's. */
const LANGUAGES = 20;

/** How one reader writes numbers and dates. */
export class Reader {
  /** The locale, such as `en-GB`. */
  readonly locale: string;
  readonly #counts: Intl.NumberFormat;

  private constructor(locale: string) {
    this.locale = locale;
    this.#counts = new Intl.NumberFormat(locale);
  }

  /** The reader with these wishes, in the form of Accept-Language. */
  static of(acceptLanguage: string | undefined): Reader {
    const locale = localeOf(acceptLanguage ?? '');
    let reader = readers.get(locale);
    if (reader === undefined) {
      reader = new Reader(locale);
      readers.set(locale, reader);
    }
    return reader;
  }

  /** A count: `9,908`. */
  count(count: number): string {
    return this.#counts.format(count);
  }

  /** An amount to the last minor unit, without its currency: `−1,234.50`. */
  money(amountMinor: number, { places }: Currency): string {
    return this.#amount(amountMinor, places, places);
  }

  /** An amount in whole units, as reports show it: `1,235`. */
  whole(amountMinor: number, { places }: Currency): string {
    return this.#amount(amountMinor, places, 0);
  }

  /** A day with its month in letters, which nobody can misread: `8 Dec 2015`. */
  day(date: string): Html {
    const day = new Date(`${date}T00:00:00Z`);
    const text = day.toLocaleDateString(this.locale, { ...DAY, timeZone: 'UTC' });
    return html`<time datetime="${date}">${text}</time>`;
  }

  /** When something happened: `today 06:00 UTC`, or the day. */
  moment(atMs: number, nowMs: number): Html {
    if (dayOf(atMs) !== dayOf(nowMs)) return this.day(dayOf(atMs));
    const time = new Date(atMs).toLocaleTimeString(this.locale, { ...TIME, timeZone: 'UTC' });
    return html`<time datetime="${formatInstant(atMs)}">today ${time} UTC</time>`;
  }

  #amount(amountMinor: number, places: number, shown: number): string {
    const options = { minimumFractionDigits: shown, maximumFractionDigits: shown };
    const text = toMajor(amountMinor, places).toLocaleString(this.locale, options);
    // A hyphen is shorter than a digit; zero has no sign.
    return /[1-9]/.test(text) ? text.replace('-', '−') : text.replace('-', '');
  }
}

/** The calendar date of a moment, UTC. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;

const TIME = { hour: '2-digit', minute: '2-digit' } as const;

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

/** The locale of a language tag, without what follows the region: there are endless ones. */
function findLocale(tag: string): string | undefined {
  if (!/^[A-Za-z]{2,3}(?:-[A-Za-z]{2})?$/.test(tag)) return undefined;
  return Intl.NumberFormat.supportedLocalesOf(tag)[0];
}
