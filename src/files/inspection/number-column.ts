/** A column of amounts: how cells are written, and which line proves the decimal separator. */

import { isBlankAmount, type NegativeForm, splitAmount } from '../values/amount-writing.ts';
import { type DecimalSign, otherSign, type ThousandsSign } from '../values/decimals.ts';
import type { Seen } from './found.ts';

/** Facts about the numbers in one column. */
export class NumberColumn {
  /** Cells that have more than a dash or a currency. */
  filled = 0;
  numbers = 0;
  negatives = 0;
  positives = 0;
  /** The first cell that is not a number. */
  bad: Seen | undefined;
  /** The first cell that is not blank. */
  first: Seen | undefined;
  /** The first amount other than 0. */
  firstAmount: Seen | undefined;
  /** Whether numbers have leading zeros or very many digits, as account numbers do. */
  isCode = false;
  /** Whether every number is whole, without separators or a currency. */
  isPlain = true;
  /** The decimals of some numbers: two show that they differ. */
  readonly #cents = new Set<string>();
  readonly decimals = new Map<DecimalSign | 'either', Seen>();
  readonly thousands = new Map<ThousandsSign, Seen>();
  readonly forms = new Map<NegativeForm | 'minus', Seen>();
  readonly currencies = new Map<string, Seen>();
  /** Marks such as CR, and how many cells have each; `''` for cells without one. */
  readonly marks = new Map<string, number>();

  /** A cell that is not blank. */
  add(text: string, line: number): void {
    if (this.#hasLike(text)) {
      this.filled += 1;
      this.numbers += 1;
      if (text.startsWith('-')) this.negatives += 1;
      else this.positives += 1;
      this.marks.set('', (this.marks.get('') ?? 0) + 1);
      return;
    }
    if (isBlankAmount(text)) return;
    this.filled += 1;
    const seen = { line, text };
    this.first ??= seen;
    const parts = splitAmount(text);
    const body = parts?.number.replace(/^-/, '').trim() ?? '';
    const kind = parts === undefined ? 'bad' : decimalKindOf(body);
    if (parts === undefined || kind === 'bad') {
      this.bad ??= seen;
      return;
    }
    this.numbers += 1;
    if (/^0\d/.test(body) || /^\d{10}|\d{13}/.test(body)) this.isCode = true;
    if (kind !== 'whole') keep(this.decimals, kind, seen);
    if (this.#cents.size < 2) this.#cents.add(/[.,](\d\d?)$/.exec(body)?.[1] ?? '');
    if (kind !== 'whole' || parts.currency !== undefined) this.isPlain = false;
    const isNegative = parts.form !== undefined || parts.number.startsWith('-');
    if (isNegative) keep(this.forms, parts.form ?? 'minus', seen);
    if (/[1-9]/.test(body)) {
      this.firstAmount ??= seen;
      if (isNegative) this.negatives += 1;
      else this.positives += 1;
    }
    if (parts.currency !== undefined) keep(this.currencies, parts.currency, seen);
    const mark = parts.mark ?? '';
    this.marks.set(mark, (this.marks.get(mark) ?? 0) + 1);
    for (const sign of listThousands(body, kind)) keep(this.thousands, sign, seen);
  }

  /** Whether a cell is written like earlier ones, so that only its sign is new. */
  #hasLike(text: string): boolean {
    if (this.firstAmount === undefined || this.isPlain || !this.hasCents) return false;
    const decimal = USUAL.exec(text)?.[1];
    if (decimal === undefined || !this.decimals.has(decimal === '.' ? '.' : ',')) return false;
    return !text.startsWith('-') || this.forms.has('minus');
  }

  /** Whether its cells are amounts, apart from a few typing mistakes: one in a short file. */
  get isNumeric(): boolean {
    const isButOne = !this.isPlain && this.numbers > 1 && this.filled - this.numbers === 1;
    return isButOne || (this.numbers > 0 && this.numbers >= this.filled * 0.8);
  }

  /** Whether numbers differ in what is behind the decimal separator. */
  get hasCents(): boolean {
    return this.#cents.size > 1;
  }

  /** Whether some number can only be read with decimals. */
  get hasDecimals(): boolean {
    return this.decimals.has('.') || this.decimals.has(',');
  }

  /** Whether many have each sign: of amounts in one direction, only a few were paid back. */
  get isMixed(): boolean {
    const { negatives, positives } = this;
    return Math.max(negatives, positives) < (negatives + positives) * 0.9;
  }
}

function keep<Key>(map: Map<Key, Seen>, key: Key, seen: Seen): void {
  if (!map.has(key) && map.size < 20) map.set(key, seen);
}

/** An amount of 1 or more with two decimals. */
const USUAL = /^-?[1-9]\d{0,8}([.,])\d\d$/;
/** A number with one or two decimals and no other separator, as most are. */
const SIMPLE = /^\d+([.,])\d\d?$/;

/** What one number shows about the decimal separator; `either` for `1.000`: one or a thousand. */
type DecimalKind = DecimalSign | 'either' | 'whole' | 'bad';

function decimalKindOf(body: string): DecimalKind {
  const decimal = SIMPLE.exec(body)?.[1];
  if (decimal === '.' || decimal === ',') return decimal;
  const signs = body.replace(/[^.,]/g, '');
  const last = signs.at(-1);
  if (last !== '.' && last !== ',') {
    return /^(?:\d+|\d{1,3}(?:['\u2019 \u00a0\u2009\u202f]\d{3})+)$/.test(body) ? 'whole' : 'bad';
  }
  if (signs.length === 1) return /^[1-9]\d{0,2}[.,]\d{3}$/.test(body) ? 'either' : last;
  if (signs.indexOf(last) === signs.length - 1) return last;
  // A separator that occurs twice separates thousands, so the other one is the decimal one.
  return /^\d{1,3}([.,])\d{3}(?:\1\d{3})+$/.test(body) ? otherSign(last) : 'bad';
}

/** The thousands separators that the cell itself shows. */
function listThousands(body: string, kind: DecimalKind): ThousandsSign[] {
  if (SIMPLE.test(body)) return [];
  const found: ThousandsSign[] = [];
  if (/['\u2019]/.test(body)) found.push("'");
  if (/\d[ \u00a0\u2009\u202f]\d/.test(body)) found.push(' ');
  const other = kind === '.' || kind === ',' ? otherSign(kind) : undefined;
  return other !== undefined && body.includes(other) ? [...found, other] : found;
}
