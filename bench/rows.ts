/**
 * Generated transactions. Row number `n` is always the same, so the seed, the pushes and the loop
 * that they are compared with agree without exchanging rows.
 */

/** A row of a push. */
export interface Row {
  readonly externalId: string;
  readonly date: string;
  readonly description: string;
  readonly contact: string;
  readonly amount: number;
  readonly accountCode: string;
}

/** Dates in the last month, or anywhere in the three stored years. */
export type Dates = 'recent' | 'scattered';

/** The three stored years. */
const FIRST_DAY = '2023-01-01';
export const DAYS = 1096;
export const CONTACTS = 2000;
export const ACCOUNT_CODES = 200;

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_MS = Date.parse(`${FIRST_DAY}T00:00:00Z`);
const DAY_TEXTS = Array.from({ length: DAYS + 60 }, (_, day) =>
  new Date(FIRST_MS + day * DAY_MS).toISOString().slice(0, 10),
);

/** A whole number from 0 to `below` - 1, a hash of two others. */
export function pick(n: number, salt: number, below: number): number {
  let hash = Math.imul(n ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return ((hash ^ (hash >>> 16)) >>> 0) % below;
}

/** The date `day` days after the first stored one. */
export function dayText(day: number): string {
  return DAY_TEXTS[Math.max(0, Math.min(day, DAY_TEXTS.length - 1))] ?? FIRST_DAY;
}

/** The amount of row `n` in minor units: mostly money out, never 0. */
export function amountMinorOf(n: number, revision: number): number {
  const amount = 100 + pick(n, 4, 500_000) + revision;
  return pick(n, 5, 5) === 0 ? -amount : amount;
}

/** Row `n` with a date. Each revision has a different amount and description. */
export function rowOf(n: number, date: string, revision = 0): Row {
  const contact = pick(n, 1, CONTACTS);
  return {
    externalId: externalIdOf(n),
    date,
    description: `Payment ${n} to supplier ${contact}, ${WORDS[pick(n, 2, WORDS.length)]}${
      revision === 0 ? '' : ` (${revision})`
    }`,
    contact: contactOf(contact),
    amount: amountMinorOf(n, revision) / 100,
    accountCode: accountCodeOf(pick(n, 3, ACCOUNT_CODES)),
  };
}

/** In no order, as the ids of many systems are: the product permutes the 32-bit numbers. */
export function externalIdOf(n: number): string {
  return `INV-${String(Math.imul(n, 0x9e3779b1) >>> 0).padStart(10, '0')}`;
}

export function contactOf(number: number): string {
  return `Supplier ${String(number).padStart(4, '0')} Ltd`;
}

export function accountCodeOf(number: number): string {
  return String(4000 + number);
}

/** The date of a stored row: increases with `n`, give or take two weeks. */
export function seededDateOf(n: number, size: number): string {
  return dayText(Math.floor((n / size) * (DAYS - 1)) + pick(n, 6, 29) - 14);
}

/** The date of a row pushed after the seed. */
export function pushedDateOf(n: number, dates: Dates): string {
  return dayText(dates === 'recent' ? DAYS + pick(n, 7, 30) : pick(n, 7, DAYS));
}

const WORDS = [
  'rent of the hall and cleaning',
  'printing of leaflets',
  'travel to the partners’ meeting',
  'software subscription',
  'fees of the accountant',
  'materials for the workshop',
  'telephone and internet',
  'insurance of the vehicles',
];
