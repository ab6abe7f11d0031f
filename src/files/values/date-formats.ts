/** Reads dates in a format such as `DD/MM/YYYY`, without time zones. */

import { isCalendarDate, showDate } from '../../core/calendar.ts';
import { YEARS } from '../../core/limits.ts';
import {
  findMonth,
  isDoubtfulMonth,
  isMonthName,
  MONTH_LANGUAGES,
  type MonthLanguage,
} from '../../core/months.ts';
import { remembered } from '../../core/remembered.ts';
import { MappingError } from '../problems.ts';

/** How a file writes its dates. */
export interface DateFormat {
  /** The format, such as `DD/MM/YYYY`. */
  readonly text: string;
  /** `YYYY-MM-DD`, or undefined when the text is not a real date in this format. */
  read(text: string): string | undefined;
  /** Why a text in this format is not a real date; undefined for a text in another format. */
  explain(text: string): string | undefined;
}

const ZONE_REGION = '[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_-]+){1,2}';
const ZONE_LETTERS = 'MSK|МСК|MES?Z|(?!UTC|GMT)[A-Z]{1,4}T';
/** The name of a time zone: `PDT`, `UTC+2`, `GMT+0100 (CET)`, `(CET)` and `Europe/Tallinn`. */
export const ZONE_NAME =
  `(?:(?:(?:UTC|GMT)(?:[+-]\\d{1,2}(?::?\\d{2})?)?|${ZONE_LETTERS}|${ZONE_REGION})` +
  `(?: \\([^()]{1,40}\\))?|\\((?:UTC|GMT|${ZONE_LETTERS})\\))`;
/** `Z` or hours and minutes, such as `+02:00`; Java adds the region: `+02:00[Europe/Tallinn]`. */
export const ZONE_OFFSET = `(?:Z|[+-]\\d{2}:?\\d{2})(?:\\[(?:${ZONE_REGION}|UTC|GMT|Z)\\])?`;
const ORDINAL = '(?:st|nd|rd|th|er|º|ª|°)?';

/**
 * The parts of a format. `YY` is 2000 to 2099, `MMM` the name of a month, long or short, in any
 * language in months.ts. Weekdays (`ddd`), times, zones (`z` is a name) and endings as in `1st` are
 * ignored.
 */
const PARTS: Readonly<Record<string, string>> = {
  ddd: '\\p{L}+\\.?,?',
  YYYY: '(?<year>\\d{4})',
  YY: '(?<year>\\d{2})',
  MMM: '(?<name>\\p{L}+)\\.?',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: `(?<day>\\d{2})${ORDINAL}`,
  D: `(?<day>\\d{1,2})${ORDINAL}`,
  // Spreadsheets write one digit before ten.
  HH: '\\d{1,2}',
  H: '\\d{1,2}',
  mm: '\\d{2}',
  ss: '\\d{2}(?:\\.\\d{1,9})?',
  SSS: '\\d{1,9}',
  A: '[AaPp]\\.?[Mm]\\.?',
  Z: ZONE_OFFSET,
  z: ZONE_NAME,
  T: 'T',
  de: 'de',
};

const TOKENS = /ddd|YYYY|YY|MMM|MM|M|DD|D|HH|H|mm|ss|SSS|A|Z|z|T|de|[^A-Za-z0-9]+|./gu;

/**
 * Reads a format with YYYY or YY, MMM, MM or M, and DD or D, each once; undefined for anything
 * else. `DDMM@2016` sets the year if the file has none. `D MMM YYYY@hr` sets the language if the
 * name of a month has several meanings.
 */
export function readDateFormat(text: string): DateFormat | undefined {
  const [, plain = text, said = ''] = SAID.exec(text) ?? [];
  const language = MONTH_LANGUAGES.find((each) => each === said);
  const stated = language === undefined && said !== '' ? said : undefined;
  const parts = plain.match(TOKENS) ?? [];
  if (parts.some((part) => PARTS[part] === undefined && /[A-Za-z0-9]/.test(part))) return undefined;
  const letters = parts.flatMap((part) => /^[YMD]/.exec(part) ?? []).sort();
  if (letters.join('') !== (stated === undefined ? 'DMY' : 'DM')) return undefined;
  const pattern = parts.map((part) => PARTS[part] ?? escapeSigns(part)).join('');
  // A spreadsheet marks texts with an apostrophe, and some programs put texts between two.
  const expression = new RegExp(`^'?${pattern}'?$`, 'u');
  const dateOf = (value: string) => joinParts(expression.exec(value)?.groups, stated, language);
  return {
    text,
    read: remembered((value) => {
      const date = dateOf(value);
      return date !== undefined && isCalendarDate(date) ? date : undefined;
    }),
    explain: (value) => explainUnreal(dateOf(value)),
  };
}

const SAID = new RegExp(`^(.*)@(\\d{4}|${MONTH_LANGUAGES.join('|')})$`);

/** The format of dates in the interface. */
export const ISO_DATE: DateFormat = {
  text: 'YYYY-MM-DD',
  read: (text) => (isCalendarDate(text) ? text : undefined),
  explain: (text) => explainUnreal(/^\d{4}-\d{2}-\d{2}$/.exec(text)?.[0]),
};

function escapeSigns(signs: string): string {
  return signs.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/ +/g, '[ \\u00a0\\u2009\\u202f]+');
}

/** The parts of a date as `YYYY-MM-DD`, even if it is not a real date. */
function joinParts(
  groups: Record<string, string | undefined> | undefined,
  stated = '',
  language?: MonthLanguage,
): string | undefined {
  if (groups === undefined) return undefined;
  const { year = stated, name, day = '' } = groups;
  const month = name === undefined ? groups['month'] : findMonth(name, language)?.toString();
  if (month === undefined) return undefined;
  return `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Why a date in the form `YYYY-MM-DD` is not a real one. */
function explainUnreal(date: string | undefined): string | undefined {
  if (date === undefined || isCalendarDate(date)) return undefined;
  const [year = 0, month = 0] = date.split('-').map(Number);
  if (month < 1 || month > 12) return `there is no month ${month}`;
  if (year < YEARS.first || year > YEARS.last) {
    return `the year must be from ${YEARS.first} to ${YEARS.last}`;
  }
  return `there is no ${showDate(date)}`;
}

/** The format that a text names. Throws MappingError if the text is not a format. */
export function requireDateFormat(text: string): DateFormat {
  const format = readDateFormat(text);
  if (format !== undefined) return format;
  const rule = 'use YYYY, MM and DD (or YY, M, D) once each, in capitals, such as DD/MM/YYYY';
  throw new MappingError(`"${text}" is not a date format: ${rule}.`);
}

/** A sentence to append that says how to resolve an ambiguous month name; empty without one. */
export function explainDoubt(text: string, format: string): string {
  if (format.includes('@') || !text.match(/\p{L}+/gu)?.some(isDoubtfulMonth)) return '';
  const languages = MONTH_LANGUAGES.map((each) => `@${each}`).join(', ');
  return ` Its month depends on the language: add one of ${languages} to the format.`;
}

/** In lower case and without a date or month at the end: `Solde au 31/01/2016` is `solde`. */
export function withoutDay(text: string): string {
  const words = text.trim().toLowerCase().split(/\s+/);
  let last = words.length;
  while (last > 0 && isOfDay(words[last - 1] ?? '')) last -= 1;
  return words.slice(0, last === 0 ? words.length : last).join(' ');
}

function isOfDay(word: string): boolean {
  const isLink = /^(?:for|of|at|as|on|to|au|du|le|am|vom|zum|per|op|del|den|em)$/.test(word);
  return isLink || /^[\d./:-]+$/.test(word) || isMonthName(word);
}
