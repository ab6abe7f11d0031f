import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { PushRow, Transaction } from '../../src/client/index.ts';
import { csvOf, HEADER, metaOf, openDesk } from '../client/desk.ts';
import { clientOf, FastClock, type Fault, openProxy, type World } from '../client/world.ts';

const DAYS = '2026-01-01..2026-01-31';

const row = (externalId: string, more: Partial<PushRow> = {}): PushRow => {
  return {
    externalId,
    date: '2026-01-15',
    description: `Payment ${externalId}`,
    amount: 5,
    ...more,
  };
};

/** A desk whose service has rows; `complete` pushes a file of others as complete. */
async function openBooks(t: TestContext, rows: readonly PushRow[]) {
  const desk = await openDesk(t);
  const client = clientOf(desk.world, new FastClock());
  await client.push(rows);
  const complete = async (file: readonly unknown[], args: string[] = [], url = desk.world.url) => {
    desk.write('all.json', JSON.stringify(file));
    const command = ['all.json', '--url', url, '--complete', DAYS, '--json', ...args];
    const ended = await desk.run(command);
    return { ...ended, voided: metaOf(ended)['voided'], meta: metaOf(ended) };
  };
  const amounts = async () => {
    const found = await readAll(desk.world);
    return Object.fromEntries(found.map(({ externalId, amount }) => [externalId, amount]));
  };
  return { ...desk, client, complete, amounts };
}

async function readAll(world: World): Promise<Transaction[]> {
  const found = [];
  const { transactions } = clientOf(world, new FastClock());
  for await (const each of transactions.iterate()) found.push(each);
  return found;
}

describe('contract 17: push --complete voids what the service has and the file lacks', () => {
  it('of these days, pushed, not 0, and whose id is not in the file with any date', async (t) => {
    const books = await openBooks(t, [
      row('first', { date: '2026-01-01', contact: 'Ann', accountCode: '71', reference: 'R-1' }),
      row('last', {
        date: '2026-01-31',
        bankAccount: 'Current',
        projectCode: 'YW',
        amount: 19342.4,
      }),
      row('before', { date: '2025-12-31' }),
      row('after', { date: '2026-02-01' }),
      row('moved'),
      row('kept'),
      row('zero', { amount: 0 }),
    ]);
    const { service, organisationId } = books.world;
    service.transactions.import(organisationId, [row('file')]);
    const { exitCode, voided, meta, stderr } = await books.complete([
      row('kept', { amount: 6 }),
      row('moved', { date: '2026-03-01' }),
    ]);
    assert.equal(exitCode, 0, stderr);
    assert.deepEqual([voided, meta['received'], meta['updated']], [2, 2, 2]);
    assert.deepEqual(await books.amounts(), {
      ...{ first: 0, last: 0, before: 5, after: 5, moved: 5, kept: 6, zero: 0, file: 5 },
    });
    const [first] = (await books.client.transactions.list({ externalId: 'first' })).data;
    assert.deepEqual([first?.contact, first?.accountCode, first?.reference], ['Ann', '71', 'R-1']);
    const [last] = (await books.client.transactions.list({ externalId: 'last' })).data;
    assert.deepEqual([last?.bankAccount, last?.projectCode], ['Current', 'YW']);
    assert.match(stderr, / {2}last {2}2026-01-31 {2}19,342\.40 {2}Payment last\n/);
    assert.match(stderr, /Voided 2 payments of 2026-01-01 to 2026-01-31 that the file lacks\.\n/);
    const again = await books.complete([row('kept', { amount: 6 })]);
    assert.deepEqual([again.exitCode, again.voided], [0, 0]);
  });

  it('excluded ones and those under review too, and says how many need review', async (t) => {
    const books = await openBooks(t, [
      row('excluded'),
      row('allocated'),
      row('reviewed'),
      row('a'),
    ]);
    const { service, organisationId: org } = books.world;
    const idOf = async (externalId: string) => {
      return (await books.client.transactions.list({ externalId })).data[0]?.id ?? '';
    };
    const [project] = service.projects.import(org, {
      ...{ name: 'P', startDate: '2026-01-01', endDate: '2026-12-31', currency: 'GBP' },
      ...{ budgetMode: 'total', budgetLines: [{ code: 'A', name: 'A', budget: 100 }] },
    });
    const budgetLineId = project?.budgetLines[0]?.budgetLineId ?? '';
    for (const each of ['allocated', 'reviewed']) {
      service.transactions.allocate(org, await idOf(each), [{ budgetLineId, amount: 5 }]);
    }
    await books.client.push([row('reviewed', { amount: 7 })]);
    service.transactions.exclude(org, await idOf('excluded'), 'private');
    const { exitCode, voided, stderr } = await books.complete([row('a')]);
    assert.deepEqual([exitCode, voided], [0, 3], stderr);
    assert.match(stderr, /Voided 3 payments .* lacks\. 2 need review\.\n/);
    const statuses = (await readAll(books.world)).map(({ externalId, status, amount }) => {
      return `${externalId} ${status} ${amount}`;
    });
    assert.deepEqual(statuses.sort(), [
      ...['a unallocated 5', 'allocated needs_review 0', 'excluded excluded 0'],
      'reviewed needs_review 0',
    ]);
  });

  it('with a prefix only those that have it', async (t) => {
    const books = await openBooks(t, [row('ERP/a'), row('ERP/b'), row('PAY/a'), row('a')]);
    const ended = await books.complete([row('a')], ['--id-prefix', 'ERP/']);
    assert.deepEqual([ended.exitCode, ended.voided], [0, 1], ended.stderr);
    assert.deepEqual(await books.amounts(), { 'ERP/a': 5, 'ERP/b': 0, 'PAY/a': 5, a: 5 });
  });

  it('in a dry run nothing, but counts what would be', async (t) => {
    const books = await openBooks(t, [row('a'), row('b')]);
    const { exitCode, voided, stderr } = await books.complete([row('c')], ['--dry-run']);
    assert.deepEqual([exitCode, voided], [0, 2], stderr);
    assert.match(stderr, /Would void 2 payments of/);
    assert.deepEqual(await books.amounts(), { a: 5, b: 5 });
  });

  it('none if there are more than the limit, and names them', async (t) => {
    const rows = Array.from({ length: 21 }, (_, at) => row(`old-${at}`));
    const books = await openBooks(t, rows);
    for (const [args, limit] of [
      [[], 20],
      [['--void-limit', '0'], 0],
    ] as const) {
      const { exitCode, voided, stderr } = await books.complete([row('new')], [...args, '--quiet']);
      assert.deepEqual([exitCode, voided], [1, 0]);
      assert.match(stderr, new RegExp(`has 21 payments of .*, more than ${limit}\\. The rows are`));
      for (const { externalId } of rows) assert.ok(stderr.includes(`  ${externalId}  `));
    }
    assert.deepEqual(Object.values(await books.amounts()), Array(22).fill(5));
    const enough = await books.complete([row('new')], ['--void-limit', '21']);
    assert.deepEqual([enough.exitCode, enough.voided], [0, 21]);
  });

  it('none that another key pushed, and names --id-prefix', async (t) => {
    const books = await openBooks(t, [row('mine')]);
    const { service, organisationId, url } = books.world;
    const scopes = ['transactions:write'] as const;
    const { key } = service.keys.create(organisationId, { name: 'payroll', scopes: [...scopes] });
    await clientOf({ url, key }, new FastClock()).push([row('theirs')]);
    for (const args of [['--dry-run'], []]) {
      const { exitCode, voided, stderr } = await books.complete([row('new')], args);
      assert.deepEqual([exitCode, voided], [1, 0]);
      assert.match(stderr, / {2}theirs {2}.*\n.*another key pushed 1 payment of .*--id-prefix\./);
      assert.doesNotMatch(stderr, / {2}mine {2}/);
      // In a dry run no row was accepted.
      assert.equal(stderr.includes('The rows are accepted.'), args.length === 0);
    }
    assert.deepEqual(await books.amounts(), { mine: 5, theirs: 5, new: 5 });
  });
});

describe('contract 17: push --complete voids nothing', () => {
  it('after a rejected row, with the exit of the push', async (t) => {
    const books = await openBooks(t, [row('a')]);
    for (const [file, exit] of [
      [[row('new'), row('bad', { date: 'soon' })], 3],
      [[row('bad', { date: 'soon' })], 5],
    ] as const) {
      const { exitCode, voided, stderr } = await books.complete(file);
      assert.deepEqual([exitCode, voided], [exit, 0]);
      assert.match(stderr, /Nothing is voided: not every row of the file was accepted\./);
    }
    assert.deepEqual(await books.amounts(), { a: 5, new: 5 });
  });

  it('for a file without rows, which is exit 1', async (t) => {
    const books = await openBooks(t, [row('a')]);
    const { exitCode, voided, stderr } = await books.complete([]);
    assert.deepEqual([exitCode, voided], [1, 0]);
    assert.match(
      stderr,
      /Nothing is voided: a file without rows does not show that payments are gone\./,
    );
    assert.deepEqual(await books.amounts(), { a: 5 });
  });

  it('for a statement that may lack payments: cut off, or its balances do not hold', async (t) => {
    const books = await openBooks(t, [row('gone')]);
    const voided = async (closing: string, args: string[] = []) => {
      const opening = ':20:1\n:25:DE1\n:28C:1\n:60F:C260101GBP10,00\n';
      books.write('bank.sta', `${opening}:61:2601150115D1,00NTRFNONREF\n:86:Rent\n${closing}`);
      const days = ['--url', books.world.url, '--complete', DAYS, '--json'];
      const ended = await books.run(['bank.sta', ...days, ...args]);
      return [ended.exitCode, metaOf(ended)['voided'], ended.stderr] as const;
    };
    for (const [closing, why] of [
      ['', 'Get it from the bank again. The last statement lacks its closing balance'],
      [':62F:C260131GBP8,00\n-', 'Get it from the bank again. DE1 in GBP: the opening balance'],
    ] as const) {
      for (const args of [[], ['--dry-run'], ['--quiet']]) {
        const [exitCode, count, stderr] = await voided(closing, args);
        assert.deepEqual([exitCode, count], [1, 0], stderr);
        assert.match(stderr, new RegExp(`Nothing is voided: the file may not be .*${why}`));
      }
    }
    assert.equal((await books.amounts())['gone'], 5);
    assert.deepEqual((await voided(':62F:C260131GBP9,00\n-')).slice(0, 2), [0, 1]);
  });

  it('after a refused push or one that was interrupted, with its exit', async (t) => {
    const books = await openBooks(t, [row('a')]);
    const refused = await openProxy(t, books.world.url, ['pass', refusal(403)]);
    const ended = await books.complete([row('new')], [], refused.url);
    assert.deepEqual([ended.exitCode, ended.voided], [4, 0]);
    assert.match(ended.stderr, /Nothing is voided/);
    const proxy = await openProxy(t, books.world.url, [], (requests) => {
      if (requests === 2) books.interrupts.at(-1)?.();
    });
    const stopped = await books.complete([row('new')], [], proxy.url);
    assert.deepEqual([stopped.exitCode, stopped.voided], [130, 0]);
    assert.match(stopped.stderr, /Nothing is voided/);
    assert.deepEqual(await books.amounts(), { a: 5, new: 5 });
  });

  it('with a key that cannot read: exit 4, and nothing is sent', async (t) => {
    const books = await openBooks(t, [row('a')]);
    const { service, organisationId } = books.world;
    const draft = { name: 'writer', scopes: ['transactions:write' as const] };
    const { key } = service.keys.create(organisationId, draft);
    const { exitCode, voided, stderr } = await books.complete([row('new')], ['--key', key]);
    assert.deepEqual([exitCode, voided], [4, 0]);
    assert.match(stderr, /transactions:read.*insufficient_scope.*Nothing was sent\./);
    assert.deepEqual(await books.amounts(), { a: 5 });
  });

  it('with options that do not go together: exit 2', async (t) => {
    const { world, run, write } = await openDesk(t);
    write('a.csv', csvOf(1));
    const url = ['--url', world.url];
    const wrong = [
      ...['2026-01-01', '2026-01-31..2026-01-01', '2026-02-30..2026-03-01', 'a..b', '..'],
      ...['2026-01-01..', '2026-01-01..2026-01-02..2026-01-03'],
    ].map((days) => ['a.csv', ...url, '--complete', days]);
    const cases = [
      ...wrong,
      ['--inbox', '.', ...url, '--complete', DAYS],
      ['a.csv', '--dry-run', '--currency', 'GBP', '--complete', DAYS],
      ['a.csv', ...url, '--void-limit', '5'],
      ['a.csv', ...url, '--complete', DAYS, '--void-limit', '-1'],
      ['a.csv', ...url, '--complete', DAYS, '--void-limit', 'all'],
    ];
    for (const args of cases) {
      const { exitCode, stderr } = await run(args);
      assert.equal(exitCode, 2, args.join(' '));
      assert.match(
        stderr,
        wrong.includes(args) ? /two days, the first one first/ : /--(?:complete|void-limit)/,
      );
    }
    assert.equal((await readAll(world)).length, 0);
  });
});

describe('contract 17: the voids of push --complete', () => {
  const many = Array.from({ length: 600 }, (_, at) => row(`old-${at}`));

  it('go in batches, wait for the rate, and end what was cut off when run again', async (t) => {
    const books = await openBooks(t, many);
    const wait: Fault = {
      ...refusal(429),
      headers: { ...refusal(429).headers, 'retry-after': '1' },
    };
    // A key that can read, the rows, the list, two batches asked about, one voided, then the end.
    const faults: Fault[] = [...Array<Fault>(5).fill('pass'), wait, 'pass', refusal(403)];
    const proxy = await openProxy(t, books.world.url, faults);
    const limit = ['--void-limit', '600'];
    const cut = await books.complete([row('new')], limit, proxy.url);
    assert.deepEqual([cut.exitCode, cut.voided, cut.meta['received']], [4, 500, 1], cut.stderr);
    assert.match(cut.stderr, /The rows are stored\. 500 are voided: push the file again\./);
    const again = await books.complete([row('new')], limit);
    assert.deepEqual([again.exitCode, again.voided], [0, 100]);
    const left = Object.entries(await books.amounts()).filter(([, amount]) => amount !== 0);
    assert.deepEqual(left, [['new', 5]]);
  });

  it('stop at an interrupt', async (t) => {
    const books = await openBooks(t, many);
    const proxy = await openProxy(t, books.world.url, [], (requests) => {
      if (requests === 6) books.interrupts.at(-1)?.();
    });
    const ended = await books.complete([row('new')], ['--void-limit', '600'], proxy.url);
    assert.deepEqual([ended.exitCode, ended.voided], [130, 500], ended.stderr);
    assert.match(ended.stderr, /Interrupted\. The rows are stored\. 500 are voided/);
  });

  it('are also those of a CSV file', async (t) => {
    const books = await openBooks(t, [row('old')]);
    books.write('a.csv', `${HEADER}new,2026-01-02,Rent,7\n`);
    const command = ['a.csv', '--url', books.world.url, '--complete', DAYS];
    assert.equal((await books.run(command)).exitCode, 0);
    assert.deepEqual(await books.amounts(), { old: 0, new: 7 });
  });
});

function refusal(status: number) {
  const code = status === 429 ? 'rate_limit_exceeded' : 'plan_feature_required';
  const body = JSON.stringify({ code, message: 'It is refused.', requestId: 'x', details: [] });
  return { status, body, headers: { 'content-type': 'application/json', 'x-request-id': 'req_x' } };
}
