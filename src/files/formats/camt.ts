/**
 * CAMT.053, .052 and .054 in every version: the entry counts, and its details only where they add
 * up to it. Charges are in the amount already, or are booked on their own.
 */

import { isCalendarDate } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { FileError } from '../problems.ts';
import { attributeOf, Markup, type MarkupReader, VALUE_CHARACTERS } from './markup.ts';
import {
  firstOf,
  NO_CURRENCY,
  readMoney,
  type Statement,
  type StatementReader,
  type Step,
} from './payments.ts';

/** The formats by the elements of their statements. */
const STATEMENTS = new Map([
  ['Stmt', 'camt.053'],
  ['Rpt', 'camt.052'],
  ['Ntfctn', 'camt.054'],
]);

const INTERIM =
  'This is an interim report (camt.052): the statement of the day has these payments too.';

/** The values of an entry, a detail or a balance, by their paths. */
type Values = ReadonlyMap<string, string>;

/** The amounts that count, each with its currency. */
const AMOUNTS = ['Amt', 'AmtDtls/TxAmt/Amt'];
/** The days of an entry, the best first. */
const DAYS = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'];
/** Paths under which several texts are one. */
const TEXTS = /(?:Ustrd|Addtl\w+Inf)$/;
/** What is kept of an entry, a detail, a balance or an account: the other facts are very many. */
const READ = new Set([
  ...[...AMOUNTS, ...DAYS, 'CdtDbtInd', 'Sts', 'Sts/Cd', 'Sts/Prtry', 'AcctSvcrRef'],
  ...['Refs/AcctSvcrRef', 'Refs/TxId', 'Refs/EndToEndId', 'Refs/InstrId'],
  ...['RmtInf/Ustrd', 'RmtInf/Strd/CdtrRefInf/Ref', 'AddtlTxInf', 'AddtlNtryInf'],
  ...['BkTxCd/Prtry/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd', 'Tp/CdOrPrtry/Cd', 'Tp/Cd'],
  ...['Id/IBAN', 'Id/Othr/Id', 'Ccy'],
]);
const PARTY = /^RltdPties\/\w+\/(?:Pty\/)?Nm$/;
/** An entry with more details would hold up everything else, and take very much memory. */
const MOST_DETAILS = 20_000;
/** What is read of a statement, each part on its own. */
const PARTS = new Set(['Bal', 'Ntry', 'TxDtls', 'Acct']);

/** The statuses that are named, of entries that are not booked. */
const MOST_STATUSES = 20;

/** Reads the elements of a file by their paths. */
export class CamtReader implements MarkupReader, StatementReader {
  readonly isOneOfTwo = true;
  readonly #markup = new Markup(this, { isCounting: true });
  /** What was found and is not read yet: an entry can have very many payments. */
  readonly #found: Iterable<Step>[] = [];
  format = 'CAMT';
  #statement: Statement | undefined;
  readonly #names: string[] = [];
  #text = '';
  #attributes = '';
  /** The open parts, the innermost last, each with where its paths begin. */
  readonly #parts: { readonly values: Map<string, string>; readonly depth: number }[] = [];
  #details: Values[] = [];
  #line = 0;
  readonly #omitted = new Map<string, number>();

  add(text: string): void {
    this.#markup.add(text);
  }

  end(): void {
    this.#markup.end();
  }

  /** Each is made when it is read. */
  *take(): Generator<Step> {
    for (const steps of this.#found.splice(0)) yield* steps;
  }

  open(name: string, attributes: string): void {
    this.#text = '';
    this.#attributes = attributes;
    this.#names.push(name);
    const depth = this.#names.length;
    const format = STATEMENTS.get(name);
    const isPart = PARTS.has(name) && this.#statement !== undefined;
    // An account of the other party is not that of the statement.
    if (isPart && (name !== 'Acct' || this.#parts.length === 0)) {
      this.#parts.push({ values: new Map(), depth });
      if (name === 'Ntry') {
        this.#details = [];
        this.#line = this.#markup.line;
      }
    } else if (format !== undefined && /^BkToCstmr/.test(this.#names.at(-2) ?? '')) {
      this.format = format;
      this.#statement = { bankAccount: '', currency: '' };
    }
  }

  text(text: string): void {
    if (this.#text.length < VALUE_CHARACTERS) this.#text += text;
  }

  close(): void {
    const part = this.#parts.at(-1);
    const text = this.#text.trim();
    this.#text = '';
    if (part !== undefined && text !== '') this.#keep(part, text);
    const depth = this.#names.length;
    const name = this.#names.pop();
    if (part?.depth === depth) {
      this.#parts.pop();
      this.#end(name ?? '', part.values);
    } else if (this.#statement !== undefined && /^BkToCstmr/.test(this.#names.at(-1) ?? '')) {
      this.#found.push([{ statement: this.#statement }]);
      this.#statement = undefined;
    }
  }

  #keep({ values, depth }: { values: Map<string, string>; depth: number }, text: string): void {
    const path = this.#names.slice(depth).join('/');
    if (!READ.has(path) && !PARTY.test(path)) return;
    const before = values.get(path);
    const hasRoom = (before ?? '').length < VALUE_CHARACTERS;
    const isJoined = before !== undefined && hasRoom && TEXTS.test(path);
    if (before === undefined || isJoined) values.set(path, isJoined ? `${before} ${text}` : text);
    if (before !== undefined || !AMOUNTS.includes(path)) return;
    values.set(`${path}@`, attributeOf(this.#attributes, 'Ccy') ?? '');
  }

  #end(name: string, values: Values): void {
    const statement = this.#statement;
    if (statement === undefined) return;
    if (name === 'Acct') {
      statement.bankAccount = firstOf(values.get('Id/IBAN'), values.get('Id/Othr/Id'));
      statement.currency = values.get('Ccy') ?? '';
    } else if (name === 'TxDtls') this.#addDetail(values);
    else if (name === 'Bal') setBalance(statement, values);
    else this.#endEntry(statement, values);
  }

  #addDetail(values: Values): void {
    if (this.#details.push(values) <= MOST_DETAILS) return;
    const most = count(MOST_DETAILS, 'payment');
    const way = 'Ask the bank for the statement without the details of its batches';
    throw new FileError(`line ${this.#line}: the entry has more than ${most}. ${way}.`);
  }

  #endEntry(statement: Statement, entry: Values): void {
    const status = firstOf(entry.get('Sts'), entry.get('Sts/Cd'), entry.get('Sts/Prtry'));
    if (status !== '' && status !== 'BOOK') {
      const isNamed = this.#omitted.has(status) || this.#omitted.size < MOST_STATUSES;
      const name = isNamed ? status : 'another status';
      this.#omitted.set(name, (this.#omitted.get(name) ?? 0) + 1);
      return;
    }
    const code = entry.get('Amt@') ?? '';
    statement.currency ||= code;
    const currency = code === NO_CURRENCY ? '' : code;
    const own = addUp(entry, this.#details) ? this.#details : [undefined];
    const one = this.#details.length === 1 ? this.#details[0] : undefined;
    const line = this.#line;
    this.#found.push(
      (function* steps(): Generator<Step> {
        for (const detail of own) {
          const payment = toPayment(entry, detail ?? one, own.length > 1);
          yield { statement, payment: { ...payment, line, currency } };
        }
      })(),
    );
  }

  get warnings(): string[] {
    return this.format === STATEMENTS.get('Rpt') ? [INTERIM] : [];
  }

  get leftOut(): string[] {
    return [...this.#omitted].map(
      ([status, entries]) =>
        `Left out: ${count(entries, 'entry', 'entries')} not booked (${status}).`,
    );
  }
}

function setBalance(statement: Statement, values: Values): void {
  const code = firstOf(values.get('Tp/CdOrPrtry/Cd'), values.get('Tp/Cd'));
  statement.currency ||= values.get('Amt@') ?? '';
  const amount = readMoney(values.get('Amt') ?? '');
  if (amount === undefined) return;
  const sum = values.get('CdtDbtInd') === 'DBIT' ? -amount : amount;
  if (code === 'OPBD' || (code === 'PRCD' && statement.opening === undefined)) {
    statement.opening = sum;
  } else if (code === 'CLBD') statement.closing = sum;
}

/** Whether the details are the parts of an entry: of its currency, its side, and its sum. */
function addUp(entry: Values, details: readonly Values[]): boolean {
  const whole = readMoney(entry.get('Amt') ?? '');
  let sum = 0n;
  for (const detail of details) {
    const path = AMOUNTS.find((each) => detail.has(each)) ?? '';
    const amount = readMoney(detail.get(path) ?? '');
    const isOther = detail.get(`${path}@`) !== entry.get('Amt@');
    const side = detail.get('CdtDbtInd') ?? entry.get('CdtDbtInd');
    if (amount === undefined || isOther || side !== entry.get('CdtDbtInd')) return false;
    sum += amount;
  }
  return details.length > 0 && sum === whole;
}

function toPayment(entry: Values, detail: Values | undefined, isPart: boolean) {
  const side = entry.get('CdtDbtInd');
  const of = (path: string) => detail?.get(path);
  const signed = (amount = '') =>
    side === 'DBIT' ? `-${amount}` : side === 'CRDT' ? amount : `${amount} without a side`;
  const amount = isPart ? firstOf(...AMOUNTS.map(of)) : entry.get('Amt');
  const parties = side === 'DBIT' ? ['Cdtr', 'UltmtCdtr'] : ['Dbtr', 'UltmtDbtr'];
  const contact = firstOf(
    ...parties.flatMap((party) => [of(`RltdPties/${party}/Nm`), of(`RltdPties/${party}/Pty/Nm`)]),
  );
  const structured = of('RmtInf/Strd/CdtrRefInf/Ref') ?? '';
  const known = `${structured} ${contact}`;
  const endToEnd = (of('Refs/EndToEndId') ?? '').replace(/^NOT ?PROVIDED$/i, '');
  const booked = realId(entry.get('AcctSvcrRef'));
  const own = realId(of('Refs/AcctSvcrRef'));
  const part = firstOf(own, of('Refs/TxId'), endToEnd, of('Refs/InstrId'));
  const text = firstOf(of('RmtInf/Ustrd'), known, of('AddtlTxInf'), entry.get('AddtlNtryInf'));
  return {
    day: readBookingDay(entry),
    amount: signed(amount),
    id: isPart ? part : firstOf(booked, own),
    whole: isPart && booked !== '' ? { id: booked, amount: signed(entry.get('Amt')) } : undefined,
    text: firstOf(text, entry.get('BkTxCd/Prtry/Cd'), entry.get('BkTxCd/Domn/Fmly/SubFmlyCd'), '-'),
    contact,
    reference: firstOf(endToEnd, structured, own, booked),
  };
}

/** The id of the bank, unless it means that it has none. */
function realId(text = ''): string {
  return text === 'NONREF' ? '' : text;
}

/** The first ten characters of the booking day, else of the value day: no zone turns them. */
function readBookingDay(entry: Values): string {
  const days = DAYS.flatMap((path) => entry.get(path)?.slice(0, 10) ?? []);
  return days.find(isCalendarDate) ?? days[0] ?? '';
}
