/** What identifies a payment in every file of its account, so that nothing is stored twice. */

import { ROW_MEMBERS } from '../../core/row-members.ts';
import { hashOf } from '../reading/made-ids.ts';
import { TextNumbers } from '../reading/text-numbers.ts';
import { writeSum } from '../values/exact-sums.ts';
import { type Payment, readMoney, type Statement } from './payments.ts';

/** The payments of an account, and those of the statement that is read now. */
interface Seen {
  last: Statement;
  own: TextNumbers;
  readonly before: TextNumbers;
  /** The entries of which the several payments are read. */
  readonly split: TextNumbers;
}

/** Numbers equal payments, and tells those that an earlier statement has too. */
export class Identities {
  readonly #bankAccounts = new Map<string, Seen>();

  /** The key of the next payment, its number, and whether an earlier statement has it too. */
  next(statement: Statement, payment: Payment) {
    const whole = wholeOf(statement, payment);
    const key = keyOf(statement, payment, whole);
    return { key, ...this.nextOf(statement, key, whole) };
  }

  /** As `next`, for a payment with this key; `whole` is the key of the entry that it is part of. */
  nextOf(statement: Statement, key: string, whole?: string) {
    const { key: name } = ledgerOf(statement);
    let known = this.#bankAccounts.get(name);
    if (known === undefined) {
      const [own, before, split] = [new TextNumbers(), new TextNumbers(), new TextNumbers()];
      known = { last: statement, own, before, split };
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
    // One message of a bank has the sum of what another one lists.
    const other = whole === undefined ? known.split.get(key) : known.before.get(whole);
    const isAgain = other !== undefined || number <= (known.before.get(key) ?? 0);
    if (!isAgain) known.before.set(key, number);
    if (!isAgain && whole !== undefined) known.split.set(whole, 1);
    return { number, isAgain };
  }
}

/**
 * What identifies a payment: the id of the bank, or else its text, with the day and the amount,
 * because banks use an id twice.
 */
function keyOf(statement: Statement, payment: Payment, whole: string | undefined): string {
  const own = payment.id === '' ? textKeyOf(payment) : payment.id.replaceAll(PART, '%23');
  if (whole === undefined) return keyWith(statement, payment, own);
  const part = `${amountOf(payment)}/${own}`;
  return `${whole}${PART}${part.length > LONGEST_PART ? hash([part]) : part}`;
}

/** The key of the entry that a payment belongs to, if it is part of one. */
function wholeOf(statement: Statement, { day, whole }: Payment): string | undefined {
  const id = whole?.id.replaceAll(PART, '%23') ?? '';
  return whole && keyWith(statement, { day, amount: whole.amount }, id);
}

/** What is left of a key after it has a hash and a number. */
const [LONGEST_KEY, LONGEST_PART] = [140, 80];

function keyWith(statement: Statement, payment: Pick<Payment, 'day' | 'amount'>, id: string) {
  const key = prefixOf(ledgerOf(statement)) + [payment.day, amountOf(payment), id].join('/');
  return key.length > LONGEST_KEY ? hash([key]) : key;
}

/** What all ids of an account begin with. */
export function prefixOf({ bankAccount }: Pick<Statement, 'bankAccount'>): string {
  return `${bankAccount || 'account'}/`;
}

function amountOf({ amount }: Pick<Payment, 'amount'>): string {
  const money = readMoney(amount);
  return money === undefined ? amount : writeSum(money);
}

/** What tells payments of one key apart. */
export function textKeyOf({ text, contact, reference }: Payment): string {
  return hash([text, contact, reference]);
}

function hash(texts: readonly string[]): string {
  return hashOf(texts.map((each) => each.replace(/\s+/g, '')));
}

/** What is between the key of an entry and that of one of its payments. */
export const PART = '#';

/** The account of a statement: its number without blanks, and without its currency behind it. */
export function ledgerOf({ bankAccount, currency }: Statement) {
  const code = currency.trim().toUpperCase();
  const plain = bankAccount.slice(0, ROW_MEMBERS.externalId.most).replace(/\s/g, '');
  const isBehind = code !== '' && plain.length > 3 && plain.endsWith(code);
  const number = isBehind ? plain.slice(0, -3) : plain;
  return { key: `${number} ${code}`, bankAccount: number, currency: code };
}
