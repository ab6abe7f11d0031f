/** Rows of a push that are nearly right: most members are valid, and each can be wrong. */

import { RARE } from '../../src/core/row-members.ts';
import { JOURNAL_MARKS, VOID_MARKS } from '../../src/core/transactions.ts';
import type { Random } from './random.ts';

/** Parts of texts, from the harmless to those that only one side might notice. */
const PARTS = [
  ...['a', 'Rent', ' ', 'é', '😀', '\u00a0', '\u2028', '\ufeff', '-', '"', '\\', '\u0301'],
  ...['\t', '\n', '\r', '\r\n', '\v', '\u0000', '\u001f', '\u007f', '\u0085', '\u009f', '\u00a1'],
  ...['\ud83d', '\ude00'],
];
/** Lengths of the texts around a limit. */
const LENGTHS = [0, 1, 2, 63, 64, 65, 254, 255, 256, 999, 1000, 1001];
const DATES = [
  ...['2026-01-31', '1900-01-01', '2199-12-31', '2024-02-29', '2000-02-29', '2026-12-01'],
  ...['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00'],
  ...['1899-12-31', '2200-01-01', '0000-00-00', '31/01/2026', '2026-1-1', '', ' 2026-01-31'],
  ...['2026-01-31\n', '2026-01-31T00:00:00Z', '２０２６-01-31'],
];
const AMOUNTS = [
  ...[0, -0, 12.5, -12.5, 0.1 + 0.2, 1e-9, 9999999999.99, -9999999999.99, 100, 1e9],
  ...[1.005, 1e-7, 10000000000, -1e12, 1e21, Number.POSITIVE_INFINITY, Number.NaN],
];
const OTHERS = [null, true, 7, '', 'x', [], {}, ['x']];

/** A row of which about half are valid. */
export function randomRow(random: Random): Record<string, unknown> {
  const row: Record<string, unknown> = {
    externalId: randomText(random),
    date: random.pick(random.once(8) ? DATES : DATES.slice(0, 6)),
    description: randomText(random),
    contact: random.once(3) ? null : randomText(random),
    amount: random.pick(random.once(8) ? AMOUNTS : AMOUNTS.slice(0, 10)),
  };
  if (random.once(2)) row['accountCode'] = randomText(random);
  if (random.once(10)) row[random.pick(JOURNAL_MARKS)] = random.pick(OTHERS);
  if (random.once(10)) row[random.pick(VOID_MARKS)] = random.pick([true, ...OTHERS]);
  if (random.once(3)) row[random.pick(RARE)] = randomText(random);
  if (random.once(10)) row[random.pick(Object.keys(row))] = random.pick(OTHERS);
  if (random.once(20)) row[random.pick(Object.keys(row))] = undefined;
  if (random.once(10)) delete row[random.pick(Object.keys(row))];
  if (random.once(10)) row['memo'] = random.pick(OTHERS);
  return row;
}

function randomText(random: Random): string {
  if (random.once(4)) {
    const text = random.pick(['x', '😀', ' x', 'é']).repeat(random.pick(LENGTHS));
    return random.once(4) ? ` ${text}\n` : text;
  }
  const parts = random.once(4) ? PARTS : PARTS.slice(0, 12);
  return Array.from({ length: random.whole(1, 4) }, () => random.pick(parts)).join('');
}
