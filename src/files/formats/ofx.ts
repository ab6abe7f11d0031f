/**
 * OFX, QFX and QBO: SGML with end tags, without and with some, and XML. The sign of an amount
 * counts, not its type; the day is the first eight digits.
 */

import { isCalendarDate } from '../../core/calendar.ts';
import { isPauseDue, pause } from '../inspection/pace.ts';
import { decodeAll } from './decode.ts';
import { decodeEntities, Markup, type MarkupReader, VALUE_CHARACTERS } from './markup.ts';
import {
  firstOf,
  type Payment,
  readDay,
  readMoney,
  type Statement,
  type Statements,
  type Step,
} from './payments.ts';

/** The statements of a file. Reading throws FileError. */
export function readOfx(bytes: Buffer): Statements {
  let failure: string | undefined;
  const warnings: string[] = [];
  return {
    format: 'OFX',
    warnings,
    leftOut: [],
    get failure() {
      return failure;
    },
    async *read() {
      const reader = new OfxReader();
      const markup = new Markup(reader, { isCounting: true, isSgml: true });
      reader.lineOf = () => markup.line;
      for (const text of decodeAll(bytes)) {
        markup.add(text);
        yield reader.steps.splice(0);
        if (isPauseDue()) await pause();
      }
      markup.end();
      reader.finish();
      yield reader.steps.splice(0);
      failure = explain(reader);
      warnings.splice(0, warnings.length, ...(reader.isWhole ? [] : [CUT_OFF]));
    },
  };
}

const CUT_OFF = 'The file lacks its end (</OFX>): the last payments may be missing.';

/** What a file has in place of payments. */
function explain({ code, hasInvestments }: OfxReader): string | undefined {
  if (hasInvestments) return 'it is a statement of investments, without payments of an account.';
  return code === '' ? undefined : `it only has an error of the bank (code ${code}).`;
}

/** The elements that have other elements, of those that matter. */
const OUTER = new Set([
  ...['STMTRS', 'CCSTMTRS', 'INVSTMTRS', 'STMTTRN', 'LEDGERBAL', 'AVAILBAL', 'BALLIST', 'STATUS'],
  ...[
    'BANKACCTFROM',
    'CCACCTFROM',
    'INVACCTFROM',
    'BANKACCTTO',
    'CCACCTTO',
    'PAYEE',
    'BANKTRANLIST',
  ],
  ...['CURRENCY', 'ORIGCURRENCY', 'SIGNONMSGSRSV1', 'FI', 'INVTRAN', 'INVBAL', 'SECLIST'],
]);
/** The most values that are kept of a payment. */
const MOST_VALUES = 100;
const STATEMENTS = new Set(['STMTRS', 'CCSTMTRS', 'INVSTMTRS']);

class OfxReader implements MarkupReader {
  /** What was found since it was last looked at. */
  readonly steps: Step[] = [];
  #statement: Statement | undefined;
  /** What the bank said was wrong. */
  code = '';
  hasInvestments = false;
  /** Whether the document has its end. */
  isWhole = false;
  lineOf = () => 0;
  #outer: string[] = [];
  #name = '';
  #value = '';
  /** The values of the payment that is read now. */
  readonly #own = new Map<string, string>();
  #isOwn = false;
  #line = 0;

  open(full: string): void {
    this.#take();
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
      this.#line = this.lineOf();
    } else if (STATEMENTS.has(name)) {
      this.finish();
      this.#statement = { bankAccount: '', currency: '' };
      if (name === 'INVSTMTRS') this.hasInvestments = true;
    }
    this.#outer.push(name);
  }

  close(full: string): void {
    this.#take();
    const name = full.toUpperCase();
    this.#leave(name);
    if (name === 'STMTTRN') this.#endPayment();
    if (name === 'OFX') this.isWhole = true;
  }

  #leave(name: string): void {
    const at = this.#outer.lastIndexOf(name);
    if (at >= 0) this.#outer.length = at;
  }

  text(text: string): void {
    const hasRoom = this.#value.length < VALUE_CHARACTERS;
    if (this.#name !== '' && hasRoom) this.#value += text;
  }

  finish(): void {
    this.#take();
    this.#endPayment();
    this.#outer = [];
    if (this.#statement !== undefined) this.steps.push({ statement: this.#statement });
    this.#statement = undefined;
  }

  #take(): void {
    // Some banks write entities twice over, as in `&amp;lt;`.
    const [name, value] = [this.#name, decodeEntities(this.#value).replace(/\s+/g, ' ').trim()];
    [this.#name, this.#value] = ['', ''];
    if (name === '' || value === '') return;
    const outer = this.#outer.at(-1) ?? '';
    const statement = this.#statement;
    if (name === 'CODE' && outer === 'STATUS' && value !== '0') this.code = value;
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
    this.steps.push({ statement, payment });
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
