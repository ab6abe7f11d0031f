/**
 * Statements of banks as a table: they state days, signs, currency and identity, so that nothing is
 * asked. A payment has the same externalId in every file of its account that has it.
 */

import { createHash } from 'node:crypto';
import { isCalendarDate } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { CHARACTERS } from '../../core/limits.ts';
import { ROW_FIELDS } from '../../core/row-members.ts';
import { isPauseDue, pause } from '../inspection/pace.ts';
import { CURRENCY_COLUMN } from '../mapping/columns.ts';
import { FileError, MappingError } from '../problems.ts';
import { TextNumbers } from '../reading/text-numbers.ts';
import { showSum, writeSum } from '../values/exact-sums.ts';
import { Totals } from '../values/totals.ts';
import {
  type BankAccount,
  CsvWriter,
  keepPieces,
  type Saying,
  type Table,
  type TableChoice,
} from './table.ts';

/** A payment as a statement has it. */
export interface Payment {
  /** The line on which it begins, or 0 if that says nothing. */
  readonly line: number;
  /** The day, `YYYY-MM-DD` or as it is written if it is not a real one. */
  readonly day: string;
  /** The amount as it is written; above zero for money in. */
  readonly amount: string;
  /** The bank's own id; empty if it has none. */
  readonly id: string;
  readonly text: string;
  readonly contact: string;
  readonly reference: string;
  /** Empty for that of the statement. */
  readonly currency: string;
}

/** A statement of one account; complete at its end, its opening balance before its payments. */
export interface Statement {
  bankAccount: string;
  currency: string;
  /** Where it begins and ends, in millionths; undefined if it does not say. */
  opening?: bigint | undefined;
  closing?: bigint | undefined;
}

/** What a reader comes to next: a payment of a statement, or the end of one. */
export interface Step {
  readonly statement: Statement;
  readonly payment?: Payment;
}

/** What a reader found in a file, which it reads twice: nothing of it is held. */
export interface Statements {
  readonly format: string;
  read(): AsyncGenerator<Iterable<Step>>;
  readonly warnings: readonly string[];
  /** What the table omits, as sentences; complete once it was read. */
  readonly leftOut: readonly string[];
  /** Why it has no payments, if it says so; once it was read. */
  readonly failure?: string | undefined;
}

const COLUMNS = [...ROW_FIELDS, CURRENCY_COLUMN] as const;

/** Opens statements as a table. Rejects with FileError, or MappingError for unknown accounts. */
export async function openStatements(
  name: string,
  found: Statements,
  choice: TableChoice,
): Promise<Table> {
  const survey = new Survey();
  for await (const steps of found.read()) {
    for (const step of steps) {
      survey.add(step);
      if (isPauseDue()) await pause();
    }
  }
  const { format, failure } = found;
  const ledgers = [...survey.ledgers.values()];
  if (ledgers.length === 0) throw new FileError(failure ?? `it is ${format} without a statement.`);
  const bankAccounts = ledgers.map((ledger) => survey.nameOf(ledger));
  const isChosen = chooseBankAccounts(bankAccounts, choice.bankAccounts);
  const own = ledgers.filter((_, at) => isChosen(bankAccounts[at]));
  const others = bankAccounts.filter((each) => !isChosen(each));
  if (own.every(({ totals }) => totals.payments === 0)) {
    const of = bankAccounts.filter(isChosen).map(showBankAccount).join(', ');
    throw new FileError(failure ?? `it is a statement without payments (${format}, ${of}).`);
  }
  const { again } = survey;
  const leftOut = [
    ...found.leftOut,
    ...(others.length === 0 ? [] : [`Left out: ${others.map(showBankAccount).join(', ')}.`]),
    ...(again === 0
      ? []
      : [`Left out: ${count(again, 'payment')} that the file has in another statement too.`]),
  ];
  const wrong = own.flatMap((ledger) =>
    ledger.wrong.map((text) => `${showBankAccount(survey.nameOf(ledger))}: ${text}`),
  );
  return {
    ...{ name, format, bankAccounts, leftOut, warnings: [...found.warnings, ...wrong] },
    sayings: own.map((ledger) => sayLedger(ledger, survey.nameOf(ledger))),
    open: keepPieces(writeAll(found, survey, isChosen)),
  };
}

/** An account of a file, with what its statements add up to. */
interface Ledger {
  readonly bankAccount: string;
  readonly currency: string;
  readonly totals: Totals & { payments: number };
  readonly balances: bigint[];
  /** What is wrong with its statements. */
  readonly wrong: string[];
}

/** What is known of a file after its first reading. */
class Survey {
  /** By account and currency. */
  readonly ledgers = new Map<string, Ledger>();
  /** The keys that several payments have. */
  readonly #shared = new Set<string>();
  /** How many payments are in another statement too. */
  again = 0;
  readonly #ids = new Identities();
  #sum = 0n;

  add({ statement, payment }: Step): void {
    const ledger = this.ledgerOf(statement);
    if (payment === undefined) {
      this.#check(statement, ledger);
      return;
    }
    ledger.totals.payments += 1;
    const amount = readMoney(payment.amount);
    this.#sum += amount ?? 0n;
    const key = keyOf(statement, payment);
    const { number, isAgain } = this.#ids.next(statement, key);
    if (number > 1) this.#shared.add(key);
    if (isAgain) this.again += 1;
    else if (amount !== undefined && isCalendarDate(payment.day)) {
      ledger.totals.count(payment.day, -amount);
    }
  }

  ledgerOf({ bankAccount, currency }: Statement): Ledger {
    const key = ledgerKey(bankAccount, currency);
    const totals = Object.assign(new Totals(), { payments: 0 });
    const known = this.ledgers.get(key);
    const ledger = known ?? { ...splitKey(key), totals, balances: [], wrong: [] };
    if (known === undefined) this.ledgers.set(key, ledger);
    return ledger;
  }

  /** Its number, with its currency if the number has several. */
  nameOf({ bankAccount, currency, totals: { payments } }: Ledger): BankAccount {
    const all = [...this.ledgers.values()].filter((each) => each.bankAccount === bankAccount);
    const name = all.length === 1 ? bankAccount : `${bankAccount} ${currency}`.trim();
    return { name, currency, payments };
  }

  /** The id of a payment whose number is known: also its text, if several have the same key. */
  isShared(key: string): boolean {
    return this.#shared.has(key);
  }

  /** Whether the payments lead from one balance to the other. */
  #check({ opening, closing }: Statement, { balances, wrong }: Ledger): void {
    const sum = (opening ?? 0n) + this.#sum;
    this.#sum = 0n;
    // Some programs write zeros where they do not know a balance.
    if (opening === 0n && closing === 0n) return;
    balances.push(...[opening ?? [], closing ?? []].flat());
    if (opening === undefined || closing === undefined || sum === closing) return;
    wrong.push(
      `the opening balance ${showSum(opening)} and the payments make ${showSum(sum)}, but the ` +
        `closing balance is ${showSum(closing)}, a difference of ${showSum(closing - sum)}.`,
    );
  }
}

/** The number of an account without blanks, and without its currency behind it. */
function ledgerKey(bankAccount: string, currency: string): string {
  const code = currency.trim().toUpperCase();
  const plain = bankAccount.replace(/\s/g, '');
  const isBehind = code !== '' && plain.length > 3 && plain.endsWith(code);
  return `${isBehind ? plain.slice(0, -3) : plain} ${code}`;
}

function splitKey(key: string): { bankAccount: string; currency: string } {
  const [bankAccount = '', currency = ''] = key.split(' ');
  return { bankAccount, currency };
}

function showBankAccount({ name, currency }: BankAccount): string {
  const number = name === '' ? 'an account without a number' : name;
  return currency === '' || name.endsWith(` ${currency}`) ? number : `${number} in ${currency}`;
}

/** Which accounts are meant: all, or those that are named. Throws MappingError. */
function chooseBankAccounts(
  bankAccounts: readonly BankAccount[],
  chosen: readonly string[] | undefined,
): (bankAccount: BankAccount | undefined) => boolean {
  if (chosen === undefined) return () => true;
  const plain = (text: string) => text.replace(/\s/g, '').toUpperCase();
  const wanted = new Set(chosen.map(plain));
  const known = new Set(bankAccounts.map(({ name }) => plain(name)));
  const other = chosen.find((each) => !known.has(plain(each)));
  if (other === undefined) return (bankAccount) => wanted.has(plain(bankAccount?.name ?? ''));
  const all = bankAccounts.map(({ name }) => `"${name}"`).join(', ');
  throw new MappingError(`The file has no account "${other}". Its accounts are: ${all}.`);
}

/** Numbers equal payments, and tells those that an earlier statement has too. */
class Identities {
  /** Those of each account, with those of the statement that is read now. */
  readonly #bankAccounts = new Map<
    string,
    { last: Statement; own: TextNumbers; before: TextNumbers }
  >();

  next(statement: Statement, key: string): { number: number; isAgain: boolean } {
    const name = ledgerKey(statement.bankAccount, statement.currency);
    let known = this.#bankAccounts.get(name);
    if (known === undefined) {
      known = { last: statement, own: new TextNumbers(), before: new TextNumbers() };
      this.#bankAccounts.set(name, known);
    }
    if (known.last !== statement) {
      const { opening } = statement;
      // A statement that begins where the last one ended has other payments, even if equal.
      const goesOn = opening !== undefined && opening === known.last.closing;
      if (!goesOn) known.own = new TextNumbers();
      known.last = statement;
    }
    const number = (known.own.get(key) ?? 0) + 1;
    known.own.set(key, number);
    const isAgain = number <= (known.before.get(key) ?? 0);
    if (!isAgain) known.before.set(key, number);
    return { number, isAgain };
  }
}

/**
 * What identifies a payment: the id of the bank, or else its text, with the day and the amount,
 * because banks use an id twice.
 */
function keyOf({ bankAccount, currency }: Statement, payment: Payment): string {
  const { id, day } = payment;
  const money = readMoney(payment.amount);
  const sum = money === undefined ? payment.amount : writeSum(money);
  const name = splitKey(ledgerKey(bankAccount, currency)).bankAccount || 'account';
  const whole = [name, day, sum, id === '' ? hashOf(payment) : id].join('/');
  return whole.length > CHARACTERS.externalId - HASH_CHARACTERS - 8 ? hash([whole]) : whole;
}

function hashOf({ text, contact, reference }: Payment): string {
  return hash([text, contact, reference]);
}

/** 80 bits, so that two different texts never get the same hash. */
const HASH_CHARACTERS = 20;

function hash(texts: readonly string[]): string {
  const plain = texts.map((each) => each.replace(/\s+/g, ''));
  const digest = createHash('sha256').update(JSON.stringify(plain)).digest('hex');
  return digest.slice(0, HASH_CHARACTERS);
}

/** What an account has. */
function sayLedger({ totals, balances }: Ledger, bankAccount: BankAccount): Saying {
  const { moneyOut, moneyIn, payments } = totals;
  const [first, last] = [balances[0], balances.at(-1)];
  const parts = [
    count(payments, 'payment'),
    ...(payments === 0 ? [] : [`out ${showSum(moneyOut.sum)}`, `in ${showSum(-moneyIn.sum)}`]),
    ...(first === undefined || balances.length < 2 ? [] : [`opening balance ${showSum(first)}`]),
    ...(last === undefined ? [] : [`closing balance ${showSum(last)}`]),
  ];
  return { label: 'Account', value: showBankAccount(bankAccount), note: parts.join(', ') };
}

/** The longest texts of a row; those of banks are cut. */
const LONGEST: Readonly<Partial<Record<string, number>>> = { ...CHARACTERS, currency: 3 };

async function* writeAll(
  found: Statements,
  survey: Survey,
  isChosen: (bankAccount: BankAccount) => boolean,
): AsyncGenerator<Buffer> {
  const writer = new CsvWriter();
  writer.add(COLUMNS);
  const ids = new Identities();
  const texts = new Identities();
  for await (const steps of found.read()) {
    for (const { statement, payment } of steps) {
      const ledger = survey.ledgerOf(statement);
      if (payment === undefined || !isChosen(survey.nameOf(ledger))) continue;
      const key = keyOf(statement, payment);
      if (ids.next(statement, key).isAgain) continue;
      const isPlain = payment.id === '' || !survey.isShared(key);
      const full = isPlain ? key : `${key}/${hashOf(payment)}`;
      const { number } = texts.next(statement, full);
      const externalId = number === 1 ? full : `${full}/${number}`;
      writer.add(fieldsOf(payment, ledger, externalId), payment.line);
      yield* writer.take();
      if (isPauseDue()) await pause();
    }
  }
  yield* writer.take(true);
}

function fieldsOf(
  payment: Payment,
  { bankAccount, currency }: Ledger,
  externalId: string,
): string[] {
  const amount = readMoney(payment.amount);
  const row: Readonly<Record<string, string>> = {
    ...{ externalId, date: payment.day, description: payment.text, contact: payment.contact },
    ...{ reference: payment.reference, bankAccount: bankAccount },
    amount: amount === undefined ? asNone(payment.amount) : writeMoney(-amount),
    currency: payment.currency || currency,
  };
  return COLUMNS.map((name) => {
    const value = row[name] ?? '';
    const longest = LONGEST[name] ?? CHARACTERS.externalId;
    return value.length > longest ? cut(value, longest) : value;
  });
}

/** What is not an amount here must be none to the reader of CSV, which would keep its sign. */
function asNone(text: string): string {
  return /^[-.,]*$/.test(text) ? '' : `? ${text}`;
}

function cut(text: string, longest: number): string {
  return `${[...text].slice(0, longest - 1).join('')}…`;
}

/** Three decimals could be thousands in a file of rejected rows. */
function writeMoney(sum: bigint): string {
  const text = writeSum(sum);
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
}

/** An amount in millionths, with a point or a comma; undefined if it is not one. */
export function readMoney(text: string): bigint | undefined {
  const plain = text.replace(/\s/g, '');
  const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)(?:[.,](\d*))?$/.exec(plain) ?? [];
  const cents = fraction.replace(/0+$/, '');
  if (sign === undefined || whole + fraction === '' || cents.length > 6) return undefined;
  if (whole.length > 20) return undefined;
  const sum = BigInt(whole + cents.padEnd(6, '0'));
  return sign === '-' ? -sum : sum;
}

/** The first of these texts that is not blank. */
export function firstOf(...texts: readonly (string | undefined)[]): string {
  return texts.find((text) => text !== undefined && text.trim() !== '')?.trim() ?? '';
}

/** `20240305…` as a day is written, also one that is not in the calendar. */
export function readDay(text: string): string {
  return text.trim().replace(/^(\d{4})(\d\d)(\d\d).*$/s, '$1-$2-$3');
}
