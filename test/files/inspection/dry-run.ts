/** What an import would do with a file, for comparison with what its inspection says. */

import assert from 'node:assert/strict';
import { readRow } from '../../../src/core/push.ts';
import type { Inspection } from '../../../src/files/inspection/inspect.ts';
import { statedCurrency } from '../../../src/files/mapping/mapping.ts';
import { millionthsOf } from '../../../src/files/values/exact-sums.ts';
import { Workshop } from '../../store/workshop.ts';
import { readWith } from './dialects/reading.ts';

const workshop = new Workshop();
const organisations = new Map([['GBP', workshop.organisation]]);

function organisationWith(currency: string) {
  const known = organisations.get(currency);
  const found = known ?? workshop.addOrganisation(currency, currency);
  organisations.set(currency, found);
  return found;
}

/** The figures of an inspection are those of a dry run with its mapping, if it has one. */
export async function assertDryRun(bytes: Buffer, inspection: Inspection): Promise<void> {
  const { mapping, check } = inspection;
  if (mapping === undefined) return;
  assert.ok(check !== undefined);
  const { entries, remarks } = await readWith(bytes, inspection);
  const stated = statedCurrency(mapping);
  const org = organisationWith(/^[A-Z]{3}$/.test(stated ?? '') ? String(stated) : 'GBP');
  const sent = entries.filter(({ problems }) => problems.length === 0);
  const rows = sent.map(({ row }) => row);
  const { results } = workshop.push(rows, { org, dryRun: true, provider: 'csv' });
  const refused = entries.flatMap(({ line, problems: own }) => {
    if (own.length > 0) return [{ line, problems: own }];
    const result = results[sent.findIndex((entry) => entry.line === line)];
    return result?.status === 'rejected' ? [{ line, problems: result.errors }] : [];
  });
  const taken = results.flatMap((result, at) => {
    if (result.status === 'rejected') return [];
    const reading = readRow(rows[at], org.currency);
    assert.ok(reading.row !== undefined);
    return [
      { ...reading.row, sum: BigInt(millionthsOf(Number(Reflect.get(reading.sent, 'amount')))) },
    ];
  });
  const totalOf = (isOfSide: (sum: bigint) => boolean) => {
    const own = taken.filter(({ sum }) => isOfSide(sum));
    return { rows: own.length, sum: own.reduce((all, { sum }) => all + sum, 0n) };
  };
  const days = taken.map(({ date }) => date).sort();
  assert.deepEqual(
    {
      rows: check.rows,
      moneyOut: { ...check.moneyOut, sum: BigInt(check.moneyOut.sum) },
      moneyIn: { ...check.moneyIn, sum: BigInt(check.moneyIn.sum) },
      zeros: check.zeros,
      from: check.from,
      to: check.to,
      notRows: check.notRows,
      refusedCount: check.refusedCount,
      refused: check.refused.map(({ line, problems }) => ({ line, problems })),
    },
    {
      rows: taken.length,
      moneyOut: totalOf((sum) => sum > 0n),
      moneyIn: totalOf((sum) => sum < 0n),
      zeros: totalOf((sum) => sum === 0n).rows,
      from: days[0],
      to: days.at(-1),
      notRows: remarks,
      refusedCount: refused.length,
      refused: refused.slice(0, check.refused.length),
    },
  );
}
