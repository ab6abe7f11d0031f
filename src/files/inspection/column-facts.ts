/** Facts about the cells and the amounts of one column, gathered in one pass over the file. */

import { findCurrency } from '../../core/currencies.ts';
import { cellOf } from '../reading/csv-records.ts';
import { Repetition } from '../reading/text-numbers.ts';
import { isBlankAmount, type NegativeForm, splitAmount } from '../values/amount-writing.ts';
import { codesOf } from '../values/currency-signs.ts';
import { type DecimalSign, isDecimal, otherSign, type ThousandsSign } from '../values/decimals.ts';
import {
  type ColumnRole,
  columnWords,
  dateKindOf,
  rolesOf,
  saysAmount,
} from '../vocabulary/column-names.ts';
import { type DirectionPair, findPair } from '../vocabulary/directions.ts';
import { isProse, rankText } from '../vocabulary/texts.ts';
import { hasLetter } from '../vocabulary/words.ts';
import { DateColumn } from './date-column.ts';
import type { Seen } from './found.ts';

/** How many values are counted: a column with more is not a list of words. */
const DISTINCT_VALUES = 40;

/** After this many cells, a column without dates or numbers is not checked for them. */
const TRIED_CELLS = 200;
/** How many cells show whether a column has texts. */
const READ_CELLS = 1_000;

/** The share of cells that must be dates: the others are typing mistakes, and are rejected. */
const DATES = 0.8;

/** A value, where it first occurs, and how often. */
interface Value extends Seen {
  count: number;
}

/** Some columns of a file. */
export type Columns = readonly ColumnFacts[];

/** One column of a file. */
export class ColumnFacts {
  readonly index: number;
  /** Its name in the header, `''` if it has none. */
  readonly name: string;
  /** How the mapping and messages name it. */
  readonly title: string;
  /** Its name in plain words, and what the name says that it contains. */
  readonly words: string;
  readonly roles: ReadonlySet<ColumnRole>;
  /** Whether it is named as an amount, or has a word for it and no other role. */
  readonly isNamedAmount: boolean;
  /** How surely its name says that it describes payments. */
  readonly textRank: ReturnType<typeof rankText>;
  /** What its name says about the day, if it has dates. */
  readonly dateKind: ReturnType<typeof dateKindOf>;
  readonly dates: DateColumn;
  readonly numbers = new NumberColumn();
  rows = 0;
  filled = 0;
  firstBlankLine: number | undefined;
  /** The first cell that is not blank. */
  firstText: Seen | undefined;
  /** Cells that contain a letter. */
  letters = 0;
  /** Of the first thousand cells: those that read as text, and their length together. */
  prose = 0;
  proseLength = 0;
  /** Cells in rows in which no column named as a description has a word. */
  untold = 0;
  /** Whether every cell is a code or a sign of a currency. */
  #areCodes = true;
  /** The length of the longest text. */
  longest = 0;
  /** Whether it numbers the rows: 1, 2, 3. */
  isCounter = true;
  /** Whether a spreadsheet has rounded a long number: `1.23457E+12`. */
  isRounded = false;
  /** Whether its name is that of an id or a number, and every row that has one has another. */
  isUnique: boolean;
  /** What compares the values, as long as they can show that one has occurred twice. */
  #ids: Repetition | undefined;
  /** Whether they must be read once more for that. */
  isUnsure = false;
  readonly #values = new Map<string, Value>();
  /** The pair of so many values. */
  #pair: { readonly size: number; readonly found: DirectionPair | undefined } | undefined;

  /** `known` is the name by which it is known, if that is another. */
  constructor(
    index: number,
    [name, title, known = name]: readonly [name: string, title: string, known?: string | undefined],
    lastDay: string,
  ) {
    this.index = index;
    this.name = name;
    this.title = title;
    this.dates = new DateColumn(lastDay);
    this.words = columnWords(known);
    this.roles = rolesOf(known);
    this.isNamedAmount = this.roles.has('amount') || (this.roles.size === 0 && saysAmount(known));
    this.textRank = rankText(this);
    this.dateKind = dateKindOf(known);
    // Storing every value takes memory, so only columns that may be ids do it.
    this.isUnique = this.roles.has('id') || this.roles.has('weakId');
    if (this.isUnique) this.#ids = new Repetition(true);
  }

  /** Its cell in a record, trimmed. */
  cellOf(fields: readonly string[]): string {
    return cellOf(fields, this.index);
  }

  /** The trimmed cell of the next row. */
  add(text: string, line: number): void {
    this.rows += 1;
    if (text === '') {
      this.firstBlankLine ??= line;
      this.isCounter = false;
      return;
    }
    this.filled += 1;
    this.firstText ??= { line, text };
    if (text.length > this.longest) this.longest = text.length;
    const isNew = this.filled <= TRIED_CELLS;
    const isNumeric = isNew || this.numbers.numbers > this.numbers.filled / 2;
    // Nothing else looks for numbers with cents.
    if (isNumeric && this.numbers.addLike(text)) this.isCounter = this.#areCodes = false;
    else this.#look(text, line, isNew || this.dates.readable > 0, isNumeric);
    this.#count(text, line);
    if (this.#ids !== undefined) this.addId(text, line);
  }

  /** Compares a cell that is not blank with those before. */
  addId(text: string, line: number): void {
    const isAgain = this.#ids?.add(text, line);
    if (isAgain === false) return;
    if (isAgain === true) this.isUnique = false;
    this.isUnsure = isAgain === undefined;
    this.#ids = undefined;
  }

  /** Begins to compare the values once more, without their order. */
  compareAgain(): void {
    this.isUnsure = false;
    this.#ids = new Repetition(false);
  }

  /** Looks at a cell for a date and a number, unless the column has none, and for words. */
  #look(text: string, line: number, isDated: boolean, isNumeric: boolean): void {
    if (isDated) this.dates.add(text, line);
    if (isNumeric) this.numbers.add(text, line);
    if (hasLetter(text)) {
      this.letters += 1;
      // No letter comes before the digits.
      if (text.charCodeAt(0) < LETTER_A && ROUNDED.test(text)) this.isRounded = true;
    }
    if (this.filled <= READ_CELLS && isProse(text)) {
      this.prose += 1;
      this.proseLength += text.length;
    }
    if (this.#areCodes) this.#areCodes = this.#isCode(text);
    if (this.isCounter && text !== String(this.rows)) this.isCounter = false;
  }

  /** All rows were read: what only the next one would be compared with need not stay. */
  end(): void {
    this.#ids = undefined;
    void this.pair;
  }

  /** Its values with their counts; undefined when there are too many for a list of words. */
  get values(): ReadonlyMap<string, Value> | undefined {
    return this.#values.size > DISTINCT_VALUES ? undefined : this.#values;
  }

  /** The words for money out and in, if all its values are such words. */
  get pair(): DirectionPair | undefined {
    const { size } = this.#values;
    if (this.#pair?.size !== size) {
      this.#pair = { size, found: findPair([...(this.values?.keys() ?? [])], this) };
    }
    return this.#pair.found;
  }

  /** Whether this share of the rows has a date. Six digits are dates only in a column named so. */
  hasDates(share = DATES): boolean {
    const { readable, isSixDigits } = this.dates;
    if (readable === 0 || readable < this.rows * share) return false;
    return !isSixDigits || this.roles.has('date');
  }

  /** A date in it, to show. */
  get sampleDate(): Seen | undefined {
    return this.dates.sample ?? this.numbers.first;
  }

  /** Whether half of the cells are words, apart from codes and addresses. */
  get isWorded(): boolean {
    return this.prose >= Math.min(this.filled, READ_CELLS) / 2;
  }

  /** Whether it does not have the same text on every row. */
  get isVaried(): boolean {
    return this.filled === 1 || this.values?.size !== 1;
  }

  get isCurrency(): boolean {
    return this.filled > 0 && this.#areCodes;
  }

  /** `Fr` can be a day. A column that is named for the currency can have coins such as BTC. */
  #isCode(text: string): boolean {
    if (/^[A-Z]{3}$/.test(text) && findCurrency(text)) return true;
    if (/\p{Sc}/u.test(text) && codesOf(text).length > 0) return true;
    return this.roles.has('currency') && /^[A-Z][A-Z0-9.]{1,9}$/.test(text);
  }

  #count(text: string, line: number): void {
    if (this.#values.size > DISTINCT_VALUES) return;
    const value = this.#values.get(text);
    if (value === undefined) this.#values.set(text, { line, text, count: 1 });
    else value.count += 1;
  }
}

const LETTER_A = 0x41;
/** A long number that a spreadsheet has rounded. */
const ROUNDED = /^\d[.,]?\d*E\+\d+$/i;

/** Facts about the numbers in one column. */
class NumberColumn {
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
  readonly #marks = new Map<string, number>();
  /** How cells are written that are like earlier ones, and how many of these were only counted. */
  #like = { hasPoint: false, hasComma: false, hasMinus: false };
  #likes = 0;

  /** Counts a cell that is written like earlier ones, so that only its sign is new. */
  addLike(text: string): boolean {
    if (!this.#hasLike(text)) return false;
    this.filled += 1;
    this.numbers += 1;
    this.#likes += 1;
    if (text.charCodeAt(0) === MINUS) this.negatives += 1;
    else this.positives += 1;
    return true;
  }

  /** Marks such as CR, and how many cells have each; `''` for cells without one. */
  get marks(): ReadonlyMap<string, number> {
    const marks = new Map(this.#marks);
    if (this.#likes > 0) marks.set('', (marks.get('') ?? 0) + this.#likes);
    return marks;
  }

  /** Any other cell that is not blank. */
  add(text: string, line: number): void {
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
    this.#marks.set(mark, (this.#marks.get(mark) ?? 0) + 1);
    for (const sign of listThousands(body, kind)) keep(this.thousands, sign, seen);
    const isLike = this.firstAmount !== undefined && this.hasCents && this.#marks.has('');
    if (!isLike || this.isPlain) return;
    this.#like = {
      hasPoint: this.decimals.has('.'),
      hasComma: this.decimals.has(','),
      hasMinus: this.forms.has('minus'),
    };
  }

  /** Whether a cell is written like earlier ones, so that only its sign is new. */
  #hasLike(text: string): boolean {
    const { hasPoint, hasComma, hasMinus } = this.#like;
    const sign = text.charCodeAt(text.length - 3);
    if (!(sign === POINT ? hasPoint : sign === COMMA && hasComma)) return false;
    const start = text.charCodeAt(0) === MINUS ? 1 : 0;
    const isShort = text.length - start <= USUAL_LENGTH && (start === 0 || hasMinus);
    return isShort && text.charCodeAt(start) !== ZERO && isDecimal(text);
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

const MINUS = 0x2d;
const POINT = 0x2e;
const COMMA = 0x2c;
const ZERO = 0x30;
/** Nine digits, the separator and two decimals. */
const USUAL_LENGTH = 12;
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
