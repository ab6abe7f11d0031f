import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { formatPage } from '../../../src/cli/csv/page.ts';
import { widthOf } from '../../../src/core/text-width.ts';
import { DIALECTS } from './dialects/all.ts';
import { bytesOf, type Dialect } from './dialects/dialect.ts';
import { inspectBytes, readWith } from './dialects/reading.ts';
import { assertDryRun } from './dry-run.ts';

describe('8 csv inspect reads real exports or asks, never guesses, and fits in 80 columns', () => {
  it('there are at least 40 of them', () => assert.ok(DIALECTS.length >= 40));

  for (const dialect of DIALECTS) {
    it(dialect.name, async () => {
      const asked = await answerAll(dialect);
      assert.deepEqual(
        asked.ids,
        (dialect.asks ?? []).map(([id]) => id),
      );
      for (const shown of [asked.first, asked.last]) {
        const lines = formatPage(shown);
        const long = lines.filter((line) => widthOf(line) > 80 || /[\r\n]/.test(line));
        assert.deepEqual(long, []);
      }
      assert.ok(asked.last.mapping !== undefined, JSON.stringify(asked.last.questions));
      const { entries, remarks } = await readWith(bytesOf(dialect), asked.last);
      const rows = entries.flatMap(({ row }) => (row === undefined ? [] : [row]));
      assert.deepEqual(rows.map(withoutMembers), expectedRows(dialect));
      assert.deepEqual(
        entries.flatMap(({ line, problems }) => (problems.length > 0 ? [line] : [])),
        dialect.rejected ?? [],
      );
      const lines = remarks.map((remark) => Number(/^line (\d+)/.exec(remark)?.[1]));
      assert.deepEqual(lines, dialect.notRows ?? []);
      const ids = rows.map((row) => String(Reflect.get(Object(row), 'externalId')));
      if (dialect.ids !== undefined) assert.deepEqual(ids, dialect.ids);
      else for (const id of ids) assert.match(id, /^made-[0-9a-f]{20}-\d+$/);
      assert.equal(new Set(ids).size, ids.length);
      await assertDryRun(bytesOf(dialect), asked.last);
    });
  }
});

/** Inspects with more and more answers until no question is open. */
async function answerAll({ asks = [], ...dialect }: Dialect) {
  const bytes = bytesOf(dialect);
  const ids: string[] = [];
  const options: string[] = [];
  const first = await inspectBytes(bytes, []);
  for (let round = 0; round < 10; round += 1) {
    const last = round === 0 ? first : await inspectBytes(bytes, options);
    const news = last.questions.map(({ kind }) => kind).filter((id) => !ids.includes(id));
    if (news.length === 0) return { ids: sorted(ids, asks), first, last };
    for (const id of news) {
      ids.push(id);
      options.push(...(asks.find(([each]) => each === id)?.slice(1) ?? []));
    }
  }
  throw new Error('it keeps asking');
}

/** In the order of the table: the round of a question does not matter. */
function sorted(ids: readonly string[], asks: NonNullable<Dialect['asks']>): string[] {
  const known = asks.map(([id]) => id).filter((id) => ids.includes(id));
  return [...known, ...ids.filter((id) => !known.some((each) => each === id))];
}

/** Without the id, and without what `members.test.ts` compares. */
function withoutMembers(row: unknown): unknown {
  const {
    externalId: _,
    reference: __,
    bankAccount: ___,
    projectCode: ____,
    ...rest
  } = Object(row);
  return rest;
}

function expectedRows({ rows }: Dialect): unknown[] {
  return rows.map(([date, amount, description, contact, accountCode]) => ({
    date,
    description,
    ...(contact === undefined ? {} : { contact }),
    amount,
    ...(accountCode === undefined ? {} : { accountCode }),
  }));
}

describe('8 what csv inspect says of a year of real payments is what an import does', () => {
  const folder = 'data/oxford-2015-16';
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.csv'))) {
    it(name, async () => {
      const bytes = readFileSync(join(folder, name));
      const inspection = await inspectBytes(bytes, []);
      assert.deepEqual(inspection.questions, []);
      await assertDryRun(bytes, inspection);
    });
  }
});

describe('8 of a long file, the last rows count as much as the first', () => {
  const first = Array.from({ length: 3000 }, (_, at) => {
    const day = String((at % 12) + 1).padStart(2, '0');
    return `${day}/01/2016,Payment ${at},-${(at % 900) + 1}.50,Completed`;
  });
  const last = ['31/01/2016,Rent,"-1,234.50",Completed', '30/01/2016,Fee,(50.00),Settled'];
  const bytesWith = (...lines: readonly string[]) => {
    const all = ['Date,Details,Amount,Status', ...first, ...lines];
    return Buffer.from(`${all.join('\n')}\n`);
  };

  it('they decide the format of dates and amounts, and the words of the status', async () => {
    const bytes = bytesWith(...last);
    const inspection = await inspectBytes(bytes, []);
    const { mapping, check, questions } = inspection;
    assert.deepEqual([questions, check?.rows], [[], 3002]);
    assert.deepEqual(
      [mapping?.fields.date, mapping?.thousands, mapping?.status?.is],
      [{ column: 'Date', format: 'DD/MM/YYYY' }, ',', ['Completed', 'Settled']],
    );
    await assertDryRun(bytes, inspection);
  });

  it('a total below them is not a row', async () => {
    const bytes = bytesWith(...last, 'Total,,-1.00,');
    const inspection = await inspectBytes(bytes, []);
    assert.equal(inspection.check?.notRows.length, 1);
    await assertDryRun(bytes, inspection);
  });

  it('a payment that was not made is asked about', async () => {
    const { questions } = await inspectBytes(bytesWith('31/01/2016,Rent,-8.00,Pending'), []);
    assert.deepEqual(
      questions.map(({ kind }) => kind),
      ['notRow'],
    );
  });

  it('a second table is refused', async () => {
    const bytes = bytesWith('Booked,Amount,Payee,Currency', '31/01/2016,-8.00,Landlord,GBP');
    await assert.rejects(inspectBytes(bytes, []), /line 3002 is a second header/);
  });
});
