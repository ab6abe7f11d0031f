/**
 * OFX, QFX and QBO: SGML with end tags, without and with some, and XML. The sign of an amount
 * counts, not its type; the day is the first eight digits.
 */

import { isCalendarDate } from '../../core/calendar.ts';
import { CUT_OFF } from '../problems.ts';
import { decodeEntities, Markup, type MarkupReader, VALUE_CHARACTERS } from './markup.ts';
import {
  firstOf,
  type Payment,
  readMoney,
  type Statement,
  type StatementReader,
  type Step,
} from './payments.ts';

const NO_END = 'The end of the file (</OFX>) is missing: it may lack the last payments.';

const STATEMENTS = ['STMTRS', 'CCSTMTRS', 'INVSTMTRS'];
/** The elements that have other elements, of those that matter. */
const OUTER = new Set([
  ...[...STATEMENTS, 'STMTTRN', 'LEDGERBAL', 'AVAILBAL', 'BALLIST', 'STATUS'],
  ...['BANKACCTFROM', 'CCACCTFROM', 'INVACCTFROM', 'BANKACCTTO', 'CCACCTTO', 'BANKTRANLIST'],
  ...['CURRENCY', 'ORIGCURRENCY', 'PAYEE', 'SIGNONMSGSRSV1', 'FI', 'INVTRAN', 'INVBAL', 'SECLIST'],
]);
/** The most values that are kept of a payment. */
const MOST_VALUES = 100;

/** Reads the tags of a file, and says what they mean. */
export class OfxReader implements MarkupReader, StatementReader {
  readonly format = 'OFX';
  readonly #markup = new Markup(this, { isCounting: true, isSgml: true });
  #steps: Step[] = [];
  #statement: Statement | undefined;
  /** What the bank said was wrong. */
  #code = '';
  #hasInvestments = false;
  /** Whether the document has its end. */
  #isWhole = false;
  #outer: string[] = [];
  #name = '';
  #value = '';
  /** The values of the payment that is read now. */
  readonly #own = new Map<string, string>();
  #isOwn = false;
  #line = 0;

  add(text: string): void {
    this.#markup.add(text);
  }

  end(): void {
    this.#markup.end();
    this.#endValue();
    // The amount and the id of a payment without its end can be parts of what the bank wrote.
    const amount = this.#own.get('TRNAMT') ?? '';
    if (this.#isOwn && !this.#isWhole) this.#own.set('TRNAMT', CUT_OFF + amount);
    this.#finish();
  }

  take(): Step[] {
    return this.#steps.splice(0);
  }

  get doubts(): string[] {
    return this.#isWhole ? [] : [NO_END];
  }

  get failure(): string | undefined {
    if (this.#hasInvestments) {
      return 'it is an investment statement, without the payments of an account.';
    }
    return this.#code === ''
      ? undefined
      : `it contains only an error from the bank (code ${this.#code}).`;
  }

  open(full: string): void {
    this.#endValue();
    const name = full.toUpperCase();
    if (!OUTER.has(name)) {
      this.#name = name;
      return;
    }
    // None of them contains itself: a file that closes no tag must not make this long.
    this.#leave(name);
    if (name === 'STMTTRN') {
      this.#endPayment();
      this.#isOwn = true;
      this.#line = this.#markup.line;
    } else if (STATEMENTS.includes(name)) {
      this.#finish();
      this.#statement = { bankAccount: '', currency: '' };
      if (name === 'INVSTMTRS') this.#hasInvestments = true;
    }
    this.#outer.push(name);
  }

  close(full: string): void {
    this.#endValue();
    const name = full.toUpperCase();
    this.#leave(name);
    if (name === 'STMTTRN') this.#endPayment();
    if (name === 'OFX') this.#isWhole = true;
  }

  #leave(name: string): void {
    const at = this.#outer.lastIndexOf(name);
    if (at >= 0) this.#outer.length = at;
  }

  text(text: string): void {
    const hasRoom = this.#value.length < VALUE_CHARACTERS;
    if (this.#name !== '' && hasRoom) this.#value += text;
  }

  #finish(): void {
    this.#endValue();
    this.#endPayment();
    this.#outer = [];
    if (this.#statement !== undefined) this.#steps.push({ statement: this.#statement });
    this.#statement = undefined;
  }

  #endValue(): void {
    // Some banks write entities twice over, as in `&amp;lt;`.
    const [name, value] = [this.#name, decodeEntities(this.#value).replace(/\s+/g, ' ').trim()];
    [this.#name, this.#value] = ['', ''];
    if (name === '' || value === '') return;
    const outer = this.#outer.at(-1) ?? '';
    const statement = this.#statement;
    if (name === 'CODE' && outer === 'STATUS' && value !== '0') this.#code = value;
    if (this.#isOwn) {
      const isOther = outer === 'BANKACCTTO' || outer === 'CCACCTTO';
      const key = outer === 'STMTTRN' || isOther ? name : `${outer}/${name}`;
      const isNew = !isOther && !this.#own.has(key) && this.#own.size < MOST_VALUES;
      if (isNew) this.#own.set(key, value);
    } else if (statement === undefined) return;
    else if (name === 'CURDEF') statement.currency = value;
    else if (name === 'ACCTID' && outer.endsWith('ACCTFROM')) statement.bankAccount ||= value;
    else if (name === 'BALAMT' && outer === 'LEDGERBAL') statement.closing = readMoney(value);
  }

  #endPayment(): void {
    if (!this.#isOwn) return;
    this.#isOwn = false;
    if (this.#own.size === 0) return;
    const payment = toPayment(this.#own, this.#line);
    this.#own.clear();
    this.#statement ??= { bankAccount: '', currency: '' };
    const statement = this.#statement;
    statement.currency ||= payment.currency;
    this.#steps.push({ statement, payment });
  }
}

function toPayment(own: ReadonlyMap<string, string>, line: number): Payment {
  const [name, memo] = [firstOf(own.get('NAME'), own.get('PAYEE/NAME')), own.get('MEMO')];
  const posted = readDay(own.get('DTPOSTED') ?? '');
  const other = readDay(firstOf(own.get('DTUSER'), own.get('DTAVAIL')));
  return {
    line,
    day: isCalendarDate(posted) || !isCalendarDate(other) ? posted : other,
    amount: own.get('TRNAMT') ?? '',
    id: own.get('FITID') ?? '',
    text: firstOf(memo, name, own.get('CHECKNUM'), own.get('TRNTYPE')),
    contact: name,
    reference: firstOf(own.get('REFNUM'), own.get('CHECKNUM')),
    currency: own.get('CURRENCY/CURSYM') ?? '',
  };
}

/** `20240305…` as a day is written, also one that is not in the calendar. */
function readDay(text: string): string {
  return text.trim().replace(/^(\d{4})(\d\d)(\d\d).*$/s, '$1-$2-$3');
}
