/**
 * The hash of a stored transaction, which shows damage that SQLite cannot see: a bit that flipped
 * on the disk. It is the sum of a hash for each value, so a write adds what its own changes make of
 * it, and never covers up damage in the other values. It is the same on every machine.
 */

import { type RowColumn, STORED_MEMBERS } from '../core/row-members.ts';

/** For an update: adds a change, the value of this parameter, to the hash. */
export function changeHash(parameter: '?' | '@change'): string {
  return `row_hash = (row_hash + ${parameter}) & ${HASH_MASK}`;
}

/** The stored columns of a transaction that no row has, except the hash. */
const OWN_COLUMNS = [
  'id',
  'organisation_id',
  'provider',
  'status',
  'allocated_minor',
  'review_previous_minor',
  'review_changed_at',
  'created_at',
  'updated_at',
  'excluded_at',
  'excluded_by',
  'excluded_reason',
  'raw_data',
  'key_id',
  'recoded',
] as const;

type HashedColumn = (typeof OWN_COLUMNS)[number] | RowColumn;

/** The stored columns of a transaction except the hash. */
export const HASHED_COLUMNS: readonly HashedColumn[] = [
  ...OWN_COLUMNS,
  ...STORED_MEMBERS.map(({ column }) => column),
];
/** A value of such a column. */
type HashedValue = string | number | null | undefined;

/** Hashes are below this: the sum of two is still an exact number. */
const HASHES = 2 ** 52;

/** For SQL, in which `(row_hash + change) & HASH_MASK` is the new hash. */
const HASH_MASK = String(HASHES - 1);

/** The hash of a whole transaction, from its values in the order of HASHED_COLUMNS. */
export function rowHash(values: readonly unknown[]): number {
  let sum = 0;
  for (const [at, seed] of SEEDS.entries()) sum = addHash(sum, hashOf(seed, values[at]));
  return sum;
}

/** What a value adds to the hash of its transaction. */
export function valueHash(column: HashedColumn, value: HashedValue): number {
  return hashOf(SEED_OF[column], value);
}

/** With what the hashes of a column begin, for {@link addHashes} and {@link hashDifference}. */
export function seedOf(column: HashedColumn): number {
  return SEED_OF[column];
}

/** Adds what values add to the hash of their transaction: in the order of their columns. */
export function addHashes(
  hash: number,
  seeds: readonly number[],
  values: readonly HashedValue[],
): number {
  let sum = hash;
  for (let at = 0; at < values.length; at += 1) {
    sum = addHash(sum, hashOf(seeds[at] ?? 0, values[at]));
  }
  return sum;
}

/** What changing a value adds to the hash of its transaction. */
export function hashChange(column: HashedColumn, before: HashedValue, after: HashedValue): number {
  return hashDifference(SEED_OF[column], before, after);
}

/** What changing a value adds to the hash, by the seed of its column. */
export function hashDifference(seed: number, before: HashedValue, after: HashedValue): number {
  return before === after ? 0 : addHash(hashOf(seed, after), HASHES - hashOf(seed, before));
}

/** Adds two hashes or changes. */
export function addHash(a: number, b: number): number {
  const sum = a + b;
  return sum < HASHES ? sum : sum - HASHES;
}

// Odd numbers with well spread bits: multiplying by them loses nothing.
const SPREAD = 0x9e3779b1;
const FIRST = 0x85ebca6b;
const SECOND = 0xc2b2ae35;

/** By the name of the column, so that a new column leaves the hashes of the others as they are. */
const SEEDS = HASHED_COLUMNS.map((column) => {
  let seed = SPREAD;
  for (let at = 0; at < column.length; at += 1) {
    seed = Math.imul(seed ^ column.charCodeAt(at), FIRST);
  }
  return seed;
});
const SEED_OF = Object.fromEntries(
  HASHED_COLUMNS.map((column, at) => [column, SEEDS[at]]),
) as Readonly<Record<HashedColumn, number>>;

/** Two values that differ in one character, or in one half of a number, never have one hash. */
function hashOf(seed: number, value: unknown): number {
  let a = seed;
  let b = ~seed;
  if (typeof value === 'string') {
    for (let at = 0; at < value.length; at += 1) {
      const unit = value.charCodeAt(at);
      a = Math.imul(a ^ unit, FIRST);
      b = Math.imul(b ^ unit, SECOND);
    }
    // Otherwise the empty text would have the hash of the seed, and this also tells its length.
    a ^= value.length;
  } else if (typeof value === 'number') {
    const high = Math.floor(value / 2 ** 32);
    a = Math.imul(Math.imul(a ^ value, FIRST) ^ high, FIRST);
    b = Math.imul(Math.imul(b ^ high, SECOND) ^ value, SECOND);
  } else {
    // Null, so that columns without a value take no time.
    return 0;
  }
  a ^= a >>> 15;
  a = Math.imul(a, SPREAD);
  a ^= a >>> 13;
  b ^= b >>> 16;
  b = Math.imul(b, SPREAD);
  return (b >>> 12) * 2 ** 32 + ((a ^ (a >>> 16)) >>> 0);
}
