/**
 * MT940 and MT942: messages of tags at the beginnings of lines. Only what is certain is read: the
 * day of entry in the year nearest to the value day, the side by its mark, and texts of the
 * dialects that most banks write; any other text stays as it is.
 */

import { isCalendarDate } from '../../core/calendar.ts';
import { CUT_OFF, FileError } from '../problems.ts';
import { VALUE_CHARACTERS } from './markup.ts';
import { firstOf, readMoney, type Statement, type StatementReader, type Step } from './payments.ts';

const INTERIM =
  'This is an interim report (MT942): the statement of the day has these payments too.';

const NO_END = 'The last statement lacks its closing balance: payments may be missing.';

/** The longest line: real ones are far below. */
const LINE_CHARACTERS = 32 * 1024;

/** A payment whose texts may still follow. */
interface Open {
  readonly lineNumber: number;
  readonly entry: string;
  /** What goes before the amount. */
  readonly mark: '' | typeof CUT_OFF;
  readonly more: string[];
  /** The lines of each of its texts; the first two characters of some are numbers. */
  readonly texts: { readonly lines: string[]; readonly isNumbered: boolean }[];
}

/** Reads a file line by line. */
export class Mt940Reader implements StatementReader {
  readonly format = 'MT940';
  #steps: Step[] = [];
  #isInterim = false;
  /** Whether the last statement has the balance that it begins with, and not the one at its end. */
  #isCutOff = false;
  /** The beginning of the next line. */
  #rest = '';
  #number = 0;
  #statement: Statement | undefined;
  #payment: Open | undefined;
  /** Where a line without a tag belongs. */
  #lines: string[] = [];
  /** How many characters of texts the payment may still have. */
  #room = 0;

  add(text: string): void {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > LINE_CHARACTERS) throw new FileError('it has a line without an end.');
    for (const line of lines) this.#line(line);
  }

  end(): void {
    const isInside = this.#rest !== '' && !this.#rest.startsWith('-');
    const isEntry = this.#rest.startsWith(':61:');
    this.#line(this.#rest);
    // Its amount, its id or its text can be a part of what the bank wrote.
    if (this.#payment !== undefined && isInside && (isEntry || this.#isCutOff)) {
      this.#payment = { ...this.#payment, mark: CUT_OFF };
    }
    this.#endMessage();
  }

  take(): Step[] {
    return this.#steps.splice(0);
  }

  get warnings(): string[] {
    return this.#isInterim ? [INTERIM] : [];
  }

  get doubts(): string[] {
    return this.#isCutOff ? [NO_END] : [];
  }

  #line(line: string): void {
    this.#number += 1;
    const [, tag, value = ''] = /^(?:[^ -~]|\{4:)*:(\d\d[A-Z]?|NS):(.*)$/s.exec(line) ?? [];
    if (tag !== undefined) this.#tag(tag, tag === '86' ? value : value.trim());
    else if (this.#hasRoom(line)) this.#lines.push(line);
  }

  #hasRoom(text: string): boolean {
    if (this.#room <= 0) return false;
    this.#room -= text.length + 1;
    return true;
  }

  #tag(tag: string, value: string): void {
    const statement = this.#statement;
    if (tag === '20') {
      this.#endMessage();
      this.#statement = { bankAccount: '', currency: '' };
      this.#lines = [];
    } else if (statement === undefined) this.#lines = [];
    else if (tag === '61') {
      this.#endPayment();
      const more: string[] = [];
      this.#room = VALUE_CHARACTERS;
      this.#payment = { lineNumber: this.#number, entry: value, mark: '', more, texts: [] };
      this.#lines = more;
    } else if (tag === '86' || tag === 'NS') {
      this.#lines = [value];
      const text = { lines: this.#lines, isNumbered: tag === 'NS' };
      if (this.#hasRoom(value)) this.#payment?.texts.push(text);
    } else {
      if (tag !== '25') this.#endPayment();
      this.#lines = [];
      this.#head(tag, value, statement);
    }
  }

  #head(tag: string, value: string, statement: Statement): void {
    if (tag === '25' || tag === '25P') statement.bankAccount = value;
    else if (tag === '34F' || tag === '90D' || tag === '90C') {
      this.#isInterim = true;
      if (tag === '34F') statement.currency ||= value.slice(0, 3);
    } else if (/^6[02][FM]$/.test(tag)) {
      const [, side, day, currency = '', amount = ''] =
        /^([CD])(\d{6})([A-Z]{3})([\d,.]+)$/.exec(value) ?? [];
      this.#isCutOff = tag.startsWith('60') || side === undefined;
      statement.currency ||= currency;
      const sum = readMoney(amount);
      if (sum === undefined || day === '000000') return;
      statement[tag.startsWith('60') ? 'opening' : 'closing'] = side === 'D' ? -sum : sum;
    }
  }

  #endMessage(): void {
    this.#endPayment();
    if (this.#statement !== undefined) this.#steps.push({ statement: this.#statement });
    this.#statement = undefined;
  }

  #endPayment(): void {
    const [open, statement] = [this.#payment, this.#statement];
    this.#payment = undefined;
    if (open === undefined || statement === undefined) return;
    const { amount, ...entry } = readEntry(open.entry);
    const texts = open.texts.flatMap(({ lines, isNumbered }) => {
      const own = isNumbered ? lines.map((line) => line.replace(/^\d\d/, '')) : lines;
      return joinLines(own) || [];
    });
    const narratives = texts.map(readNarrative);
    const of = (name: keyof Narrative) => narratives.map((each) => each[name]);
    const more = joinLines(open.more.filter((line) => !line.startsWith('/')));
    const payment = {
      ...{ line: open.lineNumber, day: entry.day, id: entry.bankReference },
      amount: open.mark + amount,
      text: firstOf(of('text').join(' '), more, entry.reference, entry.code, '-'),
      contact: firstOf(...of('contact')),
      reference: firstOf(...of('reference'), entry.reference, entry.bankReference),
      currency: '',
    };
    this.#steps.push({ statement, payment });
  }
}

/** Lines that were cut at 65 characters; what ends a message is not one of them. */
function joinLines(all: readonly string[]): string {
  const lines = all.filter((line) => line.trim() !== '');
  if (/^-(?:\}.*|[A-Z]{3})?$/s.test(lines.at(-1)?.trim() ?? '')) lines.pop();
  // Texts with keys are cut anywhere, also in a key.
  const isKeyed = /^(?:\d{3}\s*[?>~]|\/)/.test(lines[0] ?? '');
  return lines
    .map((line) => (isKeyed || line.length >= CUT ? line : `${line} `))
    .join('')
    .trim();
}

const CUT = 65;

const ENTRY = /^(\d{6})(\d{4})?(R?[CD])[A-Z]?\s*([\d.,]+)\s*([A-Z][A-Z0-9 ]{3})?/;

/** The facts of a payment; one that cannot be read has its text as the amount, and is rejected. */
function readEntry(text: string) {
  const [head = '', value = '', entry = '', side, amount, code = ''] = ENTRY.exec(text) ?? [];
  const isIn = side === 'C' || side === 'RD';
  const [own = '', ...bank] = head === '' ? [] : text.slice(head.length).split('//');
  const real = (id: string) => (id.trim() === 'NONREF' ? '' : id.trim());
  return {
    day: readDay(value, entry),
    amount: amount === undefined ? `cannot be read: ${text}` : `${isIn ? '' : '-'}${amount}`,
    code: code.trim(),
    reference: real(own),
    bankReference: real(bank.join('//')),
  };
}

/** The day of entry, MMDD, in the year nearest to that of the value day; else the value day. */
function readDay(value: string, entry: string): string {
  const [year, month] = [Number(value.slice(0, 2)), Number(value.slice(2, 4))];
  const century = year < 80 ? 2000 : 1900;
  const own = `${century + year}-${value.slice(2, 4)}-${value.slice(4)}`;
  if (entry === '') return value === '' ? '' : own;
  const distance = Number(entry.slice(0, 2)) - month;
  const entryYear = century + year + (distance > 6 ? -1 : distance < -6 ? 1 : 0);
  const day = `${entryYear}-${entry.slice(0, 2)}-${entry.slice(2)}`;
  return isCalendarDate(day) ? day : own;
}

/** What a text says of a payment. */
interface Narrative {
  readonly text: string;
  readonly contact: string;
  readonly reference: string;
}

/** Reads a text whose lines are joined; one of another dialect stays as it is. */
function readNarrative(text: string): Narrative {
  if (/^\d{3}\s*[?>~]\d\d/.test(text)) return readNumbered(text);
  if (/^\/(?:TRTP|TRCD|CNTP|EREF|REMI|NAME|IBAN|MARF|CSID|PREF|ORDP|BENM)\//.test(text)) {
    return readNamed(text);
  }
  return { text, contact: '', reference: '' };
}

/** The most characters of a subfield: a full one continues in the next. */
const FULL = 27;

/** `166?00GUTSCHRIFT?20EREF+1?21SVWZ+RENT?32NAME`, also with other marks. */
function readNumbered(text: string): Narrative {
  const mark = /[?>~]/.exec(text)?.[0] ?? '?';
  const fields = new Map<number, string>();
  for (const part of text.split(mark).slice(1)) {
    const number = /^\d\d/.test(part) ? Number(part.slice(0, 2)) : -1;
    if (number >= 0 && !fields.has(number)) fields.set(number, part.slice(2));
  }
  const join = (...numbers: readonly number[]) => {
    const own = numbers.map((number) => fields.get(number) ?? '').filter((each) => each !== '');
    const joined = own.map((each) => (each.length < FULL ? `${each} ` : each)).join('');
    return joined.replace(/\s+/g, ' ').trim();
  };
  const purpose = join(20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 60, 61, 62, 63);
  const keyed = splitAt(KEYS, purpose);
  return {
    text: (keyed.get('SVWZ') ?? (keyed.size > 0 ? '' : purpose)) || join(0) || purpose,
    contact: join(32, 33),
    reference: known(keyed.get('EREF') ?? keyed.get('KREF')),
  };
}

/** The keys of `EREF+1 SVWZ+Rent`. */
const KEYS = /(?:^|\s|(?<=\S{20}))(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|COAM|OAMT)\+/;
/** The keys of `/TRTP/SEPA/NAME/Ann/REMI/Rent` and `/CNTP/IBAN/BIC/NAME///REMI/USTD//Rent/`. */
const NAMES =
  /(?:^|\/)(TRTP|TRCD|CNTP|EREF|REMI|NAME|IBAN|BIC|MARF|CSID|PREF|ORDP|BENM|ISDT|PURP|ULTD|ULTC)\//;

/** What follows each key of a text; the last one counts. */
function splitAt(keys: RegExp, text: string): ReadonlyMap<string, string> {
  const parts = text.split(keys);
  const found = new Map<string, string>();
  for (let at = 1; at + 1 < parts.length; at += 2) {
    found.set(parts[at] ?? '', (parts[at + 1] ?? '').trim());
  }
  return found;
}

function readNamed(text: string): Narrative {
  const fields = splitAt(NAMES, text);
  const party = fields.get('CNTP')?.split('/')[2] ?? '';
  const purpose = (fields.get('REMI') ?? '')
    .replace(/^\/?(?:USTD|STRD\/[A-Z]*)\/*/, '')
    .replace(LAST_SLASHES, '');
  return {
    text: purpose || fields.get('TRTP') || text,
    contact: fields.get('NAME') || party.trim(),
    reference: known(fields.get('EREF')?.replace(LAST_SLASHES, '')),
  };
}

/** Only the first slash of several is tried, or very many would take the square of their number. */
const LAST_SLASHES = /(?<!\/)\/+$/;

/** A reference, unless the words mean that nobody gave one. */
function known(reference = ''): string {
  return /^(?:NOT ?PROVIDED|NONREF)$/i.test(reference) ? '' : reference;
}
