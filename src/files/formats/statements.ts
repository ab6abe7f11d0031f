/**
 * Statements of banks as a table: they state days, signs, currency and identity, so that nothing is
 * asked. A payment has the same externalId in every file of its account that has it.
 */

import { isCalendarDate } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { mostOf, ROW_FIELDS } from '../../core/row-members.ts';
import { CURRENCY_COLUMN } from '../mapping/columns.ts';
import { forEachOf, isPauseDue, pause } from '../pace.ts';
import { FileError, MappingError } from '../problems.ts';
import { FirstFew } from '../reading/first-few.ts';
import type { FileSource } from '../text/text.ts';
import { RowSums, showSum, writeSum } from '../values/exact-sums.ts';
import { Identities, ledgerOf, PART, prefixOf, textKeyOf } from './payment-ids.ts';
import { NO_CURRENCY, type Payment, readMoney, type Statement, type Step } from './payments.ts';
import type { StatementFile } from './statement-files.ts';
import { type BankAccount, CsvWriter, keepPieces, type Table, type TableChoice } from './table.ts';

const COLUMNS = [...ROW_FIELDS, CURRENCY_COLUMN] as const;

/**
 * Opens the statements of one or several files as a table, which omits also what `omitted` says.
 * Rejects with FileError, or MappingError for unknown accounts.
 */
export async function openStatements(
  { name, isReadOnce }: FileSource,
  files: readonly StatementFile[],
  choice: TableChoice,
  omitted: readonly string[] = [],
): Promise<Table> {
  const survey = new Survey();
  await forEachOf(readAll(files), (step) => survey.add(step));
  await survey.tellApart(files);
  const readers = files.map(({ reader }) => reader);
  const format = [...new Set(readers.map((each) => each.format))].join(', ');
  const failure = readers.find((each) => each.failure !== undefined)?.failure;
  const ledgers = [...survey.ledgers.values()];
  if (ledgers.length === 0) throw new FileError(failure ?? `it is ${format} without a statement.`);
  const bankAccounts = nameAll(ledgers);
  const isChosen = chooseBankAccounts(bankAccounts, choice.bankAccounts);
  const own = ledgers.filter((_, at) => isChosen(bankAccounts[at]));
  const names = bankAccounts.filter(isChosen);
  const others = bankAccounts.filter((each) => !isChosen(each));
  if (own.every(({ totals }) => totals.payments === 0)) {
    const of = names.map(showBankAccount).join(', ');
    throw new FileError(failure ?? `it is a statement without payments (${format}, ${of}).`);
  }
  const { again } = survey;
  const leftOut = [
    ...readers.flatMap((each) => each.leftOut ?? []),
    ...omitted,
    ...(others.length === 0 ? [] : [`Left out: ${others.map(showBankAccount).join(', ')}.`]),
    ...(again === 0
      ? []
      : [`Left out: ${count(again, 'payment')} that the file has in another statement too.`]),
  ];
  const each = own.map((ledger, at) => ({ ledger, shown: showBankAccount(names[at]) }));
  const wrong = each.flatMap(({ ledger: { wrong: few }, shown }) => [
    ...few.items.map((text) => `${shown}: ${text}`),
    ...(few.more > 0 ? [`${shown}: the balances of ${few.more} more do not hold either.`] : []),
  ]);
  const warnings = new Set(readers.flatMap((each) => each.warnings ?? []));
  const cutOff = new Set(readers.flatMap((each) => each.doubts ?? []));
  const doubts = [...cutOff, ...wrong];
  return {
    ...{ name, format, bankAccounts, leftOut, warnings: [...warnings, ...doubts], doubts },
    overlap: readers.some(({ isOneOfTwo }) => isOneOfTwo) ? overlapOf(own) : undefined,
    sayings: each.map(({ ledger, shown }) => sayLedger(ledger, shown)),
    open: keepPieces(writeAll(files, survey, new Set(own)), isReadOnce),
  };
}

async function* readAll(files: readonly StatementFile[]): AsyncGenerator<Iterable<Step>> {
  for (const file of files) yield* file.read();
}

/** Where the service can have what another message of the bank has in another way. */
function overlapOf(ledgers: readonly Ledger[]): Table['overlap'] {
  const days = ledgers.flatMap(({ totals: { from, to } }) => [from ?? [], to ?? []].flat()).sort();
  const prefixes = [...new Set(ledgers.map(prefixOf))];
  return { prefixes, from: days[0], to: days.at(-1) };
}

/** An account of a file, with what its statements add up to. */
interface Ledger {
  readonly bankAccount: string;
  readonly currency: string;
  readonly totals: RowSums & { payments: number };
  /** The first balance that is stated, and the last one. */
  first?: bigint | undefined;
  last?: bigint | undefined;
  /** What is wrong with its statements. */
  readonly wrong: FirstFew<string>;
}

/** The most accounts of a file: banks write 20 at most, and each takes memory. */
const MOST_ACCOUNTS = 1_000;
/** How many statements are named whose balances do not hold. */
const SHOWN = 5;

/** What is before what tells equal keys apart; for the parts of an entry, its key alone counts. */
const NEXT = PART + PART;

/** What is known of a file after its first reading. */
class Survey {
  /** By account and currency. */
  readonly ledgers = new Map<string, Ledger>();
  /** The keys that several payments have, each with the first of their texts in any order. */
  readonly #shared = new Map<string, string>();
  /** How many payments are in another statement too. */
  again = 0;
  readonly #ids = new Identities();
  #sum = 0n;

  add({ statement, payment }: Step): undefined {
    const ledger = this.ledgerOf(statement);
    if (payment === undefined) return this.#check(statement, ledger);
    const amount = readMoney(payment.amount);
    this.#sum += amount ?? 0n;
    const { key, number, isAgain } = this.#ids.next(statement, payment);
    if (number > 1) this.#shared.set(key, '');
    if (isAgain) this.again += 1;
    else ledger.totals.payments += 1;
    if (!isAgain && amount !== undefined && isCalendarDate(payment.day)) {
      ledger.totals.count(payment.day, -amount);
    }
    return undefined;
  }

  ledgerOf(statement: Statement): Ledger {
    const { key, ...own } = ledgerOf(statement);
    const known = this.ledgers.get(key);
    if (known !== undefined) return known;
    if (this.ledgers.size === MOST_ACCOUNTS) {
      throw new FileError('it has more than 1,000 accounts.');
    }
    const totals = Object.assign(new RowSums(), { payments: 0 });
    const ledger = { ...own, totals, wrong: new FirstFew<string>(SHOWN) };
    this.ledgers.set(key, ledger);
    return ledger;
  }

  /** Reads the files again if they have an id of the bank twice, which is rare. */
  async tellApart(files: readonly StatementFile[]): Promise<void> {
    if (this.#shared.size === 0) return;
    const ids = new Identities();
    await forEachOf(readAll(files), ({ statement, payment }) => {
      if (payment === undefined) return;
      const { key, isAgain } = ids.next(statement, payment);
      const first = this.#shared.get(key);
      if (first === undefined || isAgain) return;
      const text = textKeyOf(payment);
      if (first === '' || text < first) this.#shared.set(key, text);
    });
  }

  /**
   * What identifies a payment besides its number. Only one of those with the same key has its text
   * too, or the first file to have two of them would bring the one that is stored again.
   */
  fullKeyOf(key: string, payment: Payment): string {
    const first = payment.id === '' ? undefined : this.#shared.get(key);
    const text = first === undefined ? first : textKeyOf(payment);
    return text === first ? key : `${key}${NEXT}${text}`;
  }

  /** Whether the payments lead from one balance to the other. */
  #check({ opening, closing }: Statement, ledger: Ledger): undefined {
    const sum = (opening ?? 0n) + this.#sum;
    this.#sum = 0n;
    // Some programs write zeros where they do not know a balance.
    if (opening === 0n && closing === 0n) return undefined;
    ledger.first ??= opening;
    ledger.last = closing ?? ledger.last;
    if (opening === undefined || closing === undefined || sum === closing) return undefined;
    ledger.wrong.add(
      () =>
        `the opening balance ${showSum(opening)} and the payments make ${showSum(sum)}, but the ` +
        `closing balance is ${showSum(closing)}, a difference of ${showSum(closing - sum)}.`,
    );
    return undefined;
  }
}

/** The number of each, with its currency if the number has several. */
function nameAll(ledgers: readonly Ledger[]): BankAccount[] {
  const times = new Map<string, number>();
  for (const { bankAccount } of ledgers) times.set(bankAccount, (times.get(bankAccount) ?? 0) + 1);
  return ledgers.map(({ bankAccount, currency, totals: { payments } }) => {
    const isOnly = times.get(bankAccount) === 1;
    return { name: isOnly ? bankAccount : `${bankAccount} ${currency}`.trim(), currency, payments };
  });
}

function showBankAccount({ name, currency } = { name: '', currency: '' }): string {
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

/** What an account has. */
function sayLedger({ totals, first, last }: Ledger, shown: string) {
  const { moneyOut, moneyIn, payments } = totals;
  const parts = [
    count(payments, 'payment'),
    ...(payments === 0 ? [] : [`out ${showSum(moneyOut.sum)}`, `in ${showSum(-moneyIn.sum)}`]),
    ...(first === undefined ? [] : [`opening balance ${showSum(first)}`]),
    ...(last === undefined ? [] : [`closing balance ${showSum(last)}`]),
  ];
  return { label: 'Account', value: shown, note: parts.join(', ') };
}

async function* writeAll(
  files: readonly StatementFile[],
  survey: Survey,
  chosen: ReadonlySet<Ledger>,
): AsyncGenerator<Buffer> {
  const writer = new CsvWriter();
  writer.add(COLUMNS);
  const ids = new Identities();
  const texts = new Identities();
  for await (const steps of readAll(files)) {
    for (const { statement, payment } of steps) {
      const ledger = survey.ledgerOf(statement);
      if (payment === undefined || !chosen.has(ledger)) continue;
      const { key, isAgain } = ids.next(statement, payment);
      if (isAgain) continue;
      const full = survey.fullKeyOf(key, payment);
      const { number } = texts.nextOf(statement, full);
      const externalId = number === 1 ? full : `${full}${NEXT}${number}`;
      writer.add(fieldsOf(payment, ledger, externalId), payment.line);
      yield* writer.take();
      if (isPauseDue()) await pause();
    }
  }
  yield* writer.take(true);
}

function fieldsOf(payment: Payment, { bankAccount, currency }: Ledger, externalId: string) {
  const amount = readMoney(payment.amount);
  const row: Readonly<Record<string, string>> = {
    ...{ externalId, date: payment.day, description: payment.text, contact: payment.contact },
    ...{ reference: payment.reference, bankAccount: bankAccount },
    amount: amount === undefined ? asNone(payment.amount) : writeMoney(-amount),
    currency: payment.currency || (currency === NO_CURRENCY ? '' : currency),
  };
  return COLUMNS.map((name) => {
    const value = row[name] ?? '';
    // Longer texts of banks are cut.
    const longest = name === CURRENCY_COLUMN ? 3 : (mostOf(name) ?? OTHERS);
    return value.length > longest ? `${[...value].slice(0, longest - 1).join('')}…` : value;
  });
}

/** The longest text in place of a date or an amount. */
const OTHERS = 255;

/** What is not an amount here must be none to the reader of CSV, which would keep its sign. */
function asNone(text: string): string {
  return /^[-.,]*$/.test(text) ? '' : `? ${text}`;
}

/** Three decimals could be thousands in a file of rejected rows. */
function writeMoney(sum: bigint): string {
  const text = writeSum(sum);
  return /\.\d{3}$/.test(text) ? `${text}0` : text;
}
