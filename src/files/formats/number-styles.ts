/** What the number format of a cell says about its number: a day, leading zeros or a currency. */

import { currencyOf } from '../values/currency-signs.ts';

/** How a number is shown. */
type NumberStyle =
  | { readonly kind: 'day' | 'time' | 'plain' }
  | { readonly kind: 'digits'; readonly digits: number }
  | { readonly kind: 'money'; readonly currency: string };

const PLAIN: NumberStyle = { kind: 'plain' };

/** The formats of days and times that a workbook does not write. */
function isBuiltInDay(id: number): boolean {
  return (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
}

/** The longest format that Excel writes. */
const CODE_CHARACTERS = 255;

function readStyle(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) {
    if (isBuiltInDay(id)) return { kind: 'day' };
    return (id >= 18 && id <= 21) || (id >= 45 && id <= 47) ? { kind: 'time' } : PLAIN;
  }
  const [section = ''] = code.slice(0, CODE_CHARACTERS).split(';');
  const currency = findCurrency(section);
  if (currency !== undefined) return { kind: 'money', currency };
  const signs = section.replace(/"[^"]*"|\\.|[_*].|\[[^\]]*\]|general/gi, '').toLowerCase();
  if (/[yd]/.test(signs) || (/m/.test(signs) && !/[hs]/.test(signs))) return { kind: 'day' };
  if (/[hs]/.test(signs) || /\[[hms]+\]/i.test(section)) return { kind: 'time' };
  return /^0{2,}$/.test(signs) ? { kind: 'digits', digits: signs.length } : PLAIN;
}

/** The currency beside the digits: `"EUR"`, `[$€-407]`, `\¥` or `€`. */
function findCurrency(section: string): string | undefined {
  const found = section.matchAll(/"([^"]+)"|\[\$?([^\]-]*)(?:-[^\]]*)?\]|\\(.)|([$€£¥₽₹₺₴])/g);
  for (const [, ...texts] of found) {
    const text = texts.find((each) => each !== undefined)?.trim() ?? '';
    if (text !== '' && currencyOf(text) !== undefined) return text;
  }
  return undefined;
}

const DAY_MS = 86_400_000;
/** The day 0 of both systems; the first one has a 29 February 1900. */
const [ZERO_1900, ZERO_1904] = [Date.UTC(1899, 11, 30), Date.UTC(1904, 0, 1)];
const MOST_DAYS = 2_958_465;

/** What shows the numbers of a format as their cells state them. */
export function numberShower(
  id: number,
  code: string | undefined,
  is1904: boolean,
): (text: string) => string {
  const style = readStyle(id, code);
  return (text) => {
    const number = Number(text);
    if (text === '' || !Number.isFinite(number)) return text;
    if (style.kind === 'day' && number >= 1 && number <= MOST_DAYS) return showDay(number, is1904);
    if ((style.kind === 'time' || style.kind === 'day') && number >= 0 && number < 1) {
      return new Date(Math.round(number * 86_400) * 1000).toISOString().slice(11, 19);
    }
    const plain = showPlain(number);
    if (style.kind === 'digits' && /^\d+$/.test(plain)) return plain.padStart(style.digits, '0');
    return style.kind === 'money' ? `${plain} ${style.currency}` : plain;
  };
}

function showDay(serial: number, is1904: boolean): string {
  const days = Math.floor(serial);
  const zero = is1904 ? ZERO_1904 : ZERO_1900;
  const own = !is1904 && days < 60 ? days + 1 : days;
  return new Date(zero + own * DAY_MS).toISOString().slice(0, 10);
}

/** The 15 digits that Excel shows, without an exponent; three decimals could be thousands. */
function showPlain(number: number): string {
  const rounded = Number(number.toPrecision(15));
  const text = String(rounded);
  const plain = text.includes('e') ? rounded.toFixed(Math.abs(rounded) < 1 ? 15 : 0) : text;
  return /\.\d{3}$/.test(plain) ? `${plain}0` : plain;
}
