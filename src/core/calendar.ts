/**
 * Calendar dates as `YYYY-MM-DD`, months as `YYYY-MM`, quarters as `YYYY-Qn`. They are strings that
 * compare as text and never pass through a time zone (contract 1). Instants are milliseconds since
 * 1970.
 */

import { YEARS } from './limits.ts';
import { shortened } from './text.ts';

/** The periods of a report (Spec 4.3). */
export const GRANULARITIES = ['monthly', 'quarterly'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** One column of a report: a calendar month or quarter, cut to the project's dates. */
export interface Period extends Days {
  readonly key: string;
}

/** The form of a date in a supported year. */
export const DATE_PATTERN = '^(?:19|20|21)[0-9]{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$';
const DATE = new RegExp(DATE_PATTERN);

/** Whether the text is a real date in a supported year, written `YYYY-MM-DD`. */
export function isCalendarDate(text: string): boolean {
  if (!DATE.test(text)) return false;
  const day = text.slice(8);
  return day <= '28' || Number(day) <= daysInMonth(text.slice(0, 7));
}

/** Why a text is not a calendar date, as a sentence such as `There is no 29 February 2026.` */
export function explainDate(text: string): string {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (found === null) {
    const shown = JSON.stringify(shortened(text, SHOWN_CHARACTERS));
    return `Write the date as YYYY-MM-DD, not ${shown}.`;
  }
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  if (year < YEARS.first || year > YEARS.last) {
    return `The year ${year} is not between ${YEARS.first} and ${YEARS.last}.`;
  }
  const name = MONTHS[month - 1];
  if (name === undefined) return `There is no month ${found[2]}. Write the date as YYYY-MM-DD.`;
  return `There is no ${day} ${name} ${year}.`;
}

/** Characters of a wrong text that a message repeats. */
const SHOWN_CHARACTERS = 40;

/** `1 April 2015` for `2015-04-01`. */
export function showDate(date: string): string {
  const month = MONTHS[Number(date.slice(5, 7)) - 1] ?? '';
  return `${Number(date.slice(8, 10))} ${month} ${date.slice(0, 4)}`;
}

const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** The form of a month in a supported year. */
export const MONTH_PATTERN = '^(?:19|20|21)[0-9]{2}-(?:0[1-9]|1[0-2])$';

/** Whether a text is a month of a supported year. */
export function isMonth(text: string): boolean {
  return new RegExp(MONTH_PATTERN).test(text);
}

/** A number that sorts later days first: -20260131. */
export function newestFirst(date: string): number {
  return -Number(date.replaceAll('-', ''));
}

/** The date of a `newestFirst` number; for any other number, a text that is not a date. */
export function calendarDateOf(newestFirst: number): string {
  return String(-newestFirst).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
}

export function monthOf(date: string): string {
  return date.slice(0, 7);
}

/** The calendar quarter of a month, such as `2025-Q2`. */
export function quarterOf(month: string): string {
  return `${month.slice(0, 4)}-Q${Math.ceil(Number(month.slice(5)) / 3)}`;
}

/** Every month from `startDate` to `endDate`, both included. */
export function monthsBetween(startDate: string, endDate: string): string[] {
  const months: string[] = [];
  const last = monthOf(endDate);
  for (let month = monthOf(startDate); month <= last; month = nextMonth(month)) months.push(month);
  return months;
}

/** How many months `monthsBetween` returns. */
export function countMonths(startDate: string, endDate: string): number {
  const of = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));
  return of(endDate) - of(startDate) + 1;
}

/** The periods of a project, first to last (contract 4, report). */
export function periodsBetween(
  startDate: string,
  endDate: string,
  granularity: Granularity,
): Period[] {
  const periods: Period[] = [];
  for (const month of monthsBetween(startDate, endDate)) {
    const key = granularity === 'monthly' ? month : quarterOf(month);
    const days = cutToMonths({ startDate, endDate }, { from: month, to: month });
    const last = periods.at(-1);
    if (last?.key === key) periods[periods.length - 1] = { ...last, endDate: days.endDate };
    else periods.push({ key, ...days });
  }
  return periods;
}

/** Some days, both included; none if the first is after the last. */
export interface Days {
  readonly startDate: string;
  readonly endDate: string;
}

/** Whether a date is among some days, such as those of a project. */
export function holds({ startDate, endDate }: Days, date: string): boolean {
  return startDate <= date && date <= endDate;
}

const DAY_MS = 86_400_000;

/** The part of some days that has passed at the end of a day. */
export function shareUntil(today: string, { startDate, endDate }: Days): number {
  if (today < startDate) return 0;
  if (today >= endDate) return 1;
  const daysTo = (day: string) => (Date.parse(day) - Date.parse(startDate)) / DAY_MS + 1;
  return daysTo(today) / daysTo(endDate);
}

/** Whole months, `YYYY-MM`, both included; an absent one is without bound. */
export interface MonthRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The days that are in some months. */
export function cutToMonths({ startDate, endDate }: Days, { from, to }: MonthRange): Days {
  const first = from === undefined ? startDate : `${from}-01`;
  const last = to === undefined ? endDate : `${to}-${daysInMonth(to)}`;
  return {
    startDate: first > startDate ? first : startDate,
    endDate: last < endDate ? last : endDate,
  };
}

/** A project's start or end as the interface shows it: midnight UTC (contract 1). */
export function dateTimeOf(date: string): string {
  return `${date}T00:00:00.000Z`;
}

/**
 * An instant as the interface shows it, such as `2026-01-31T12:00:00.000Z`: as `Date` writes it, in
 * a sixth of the time. Neighbours in a list are mostly of the same day.
 */
export function formatInstant(instantMs: number): string {
  if (instantMs !== lastInstant.instantMs) {
    lastInstant = { instantMs, text: writeInstant(instantMs) };
  }
  return lastInstant.text;
}

/** What a push changes was often written by one push before. */
let lastInstant = { instantMs: Number.NaN, text: '' };

function writeInstant(instantMs: number): string {
  const whole = Math.trunc(instantMs);
  const day = Math.floor(whole / DAY_MS);
  if (day !== lastDay.number) {
    const text = new Date(day * DAY_MS).toISOString();
    lastDay = { number: day, text: text.slice(0, text.indexOf('T') + 1) };
  }
  const ms = whole - day * DAY_MS;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const [hour, minute, second] = [Math.floor(minutes / 60), minutes % 60, seconds % 60];
  return `${lastDay.text}${TWO[hour]}:${TWO[minute]}:${TWO[second]}.${THREE[ms % 1_000]}Z`;
}

let lastDay = { number: Number.NaN, text: '' };
const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
const THREE = Array.from({ length: 1_000 }, (_, number) => String(number).padStart(3, '0'));

/** How far in the future a payment in a file can be dated. */
const DAYS_AHEAD = 366;

/** The last date that a payment in a file can have. */
export function lastPaymentDay(nowMs: number): string {
  return new Date(nowMs + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
}

const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Milliseconds of an RFC 3339 date-time with any offset; undefined for anything else, including a
 * bare date. A fraction finer than a millisecond is rounded up, so that `since` stays exact. A leap
 * second is the first second of the next minute.
 */
export function readInstant(text: string): number | undefined {
  const found = INSTANT.exec(text);
  if (found === null) return undefined;
  const [, date = '', hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = found;
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  const [oh, om] = [Number(offsetHour ?? 0), Number(offsetMinute ?? 0)];
  if (!isCalendarDate(date) || h > 23 || m > 59 || s > 60 || oh > 23 || om > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const finer = /[1-9]/.test(fraction.slice(3)) ? 1 : 0;
  const offsetMinutes = (sign === '-' ? -1 : 1) * (oh * 60 + om);
  const time = ((h * 60 + m - offsetMinutes) * 60 + s) * 1000 + milliseconds + finer;
  return Date.parse(`${date}T00:00:00Z`) + time;
}

/** Whether `readInstant` can read a text. */
export function isInstantText(text: string): boolean {
  return readInstant(text) !== undefined;
}

/** The number of days of a `YYYY-MM` month. */
export function daysInMonth(month: string): number {
  const year = Number(month.slice(0, 4));
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return days[Number(month.slice(5)) - 1] ?? 0;
}

/** The month after another one. */
export function nextMonth(month: string): string {
  const year = Number(month.slice(0, 4));
  const next = Number(month.slice(5)) + 1;
  return next > 12 ? `${year + 1}-01` : `${year}-${String(next).padStart(2, '0')}`;
}
