/**
 * The shape of a cell that looks like a date, and the orders of day, month and year that it allows.
 * The lines of a file must prove which order is right.
 */

import { isMonthName, plainName } from '../../core/months.ts';
import { remembered } from '../../core/remembered.ts';
import { ZONE_NAME } from '../values/date-formats.ts';

/** Orders of day, month and year. No country writes the year before day and month. */
export type DateOrder = 'DMY' | 'MDY' | 'YMD';

/** The shape of a cell, the same for all cells that one format can read. */
export interface DateShape {
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
const ZONE = `( ?Z| ?[+-]\\d{2}:?\\d{2}| ${ZONE_NAME})?`;
/** A day without a time has a zone only if nothing else can be meant. */
const DAY_ZONE = / (?:UTC|GMT)$/;
const TIME = new RegExp(`^(.*\\d.*?)([T ]|, ?| - ?)${HOUR}${ZONE}$`);

/** The shape of a trimmed cell; undefined if it is not a date in any format. */
export function shapeOf(cell: string): DateShape | undefined {
  if (cell.length < 6 || cell.length > 80 || DECIMAL.test(cell)) return undefined;
  return rememberShape(cell.includes("'") ? cell.replace(/^'|'$/g, '') : cell);
}

/** A number with one separator has too few parts for a date. */
const DECIMAL = /^-?\d+[.,]\d+$/;
const rememberShape = remembered(findShape);

function findShape(cell: string): DateShape | undefined {
  if (!/\d/.test(cell)) return undefined;
  const [, weekday = '', plain = ''] = /^(\p{L}{2,10}\.?,? )(.+)$/u.exec(cell) ?? [];
  if (isWeekday(weekday)) {
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
export function formatOf(key: string, order: DateOrder, isShort: boolean): string {
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

/** Whether a word is a weekday, whatever its case, accents, dots and commas. */
function isWeekday(word: string): boolean {
  return WEEKDAYS.has(plainName(word).replace(/[, ]/g, ''));
}
