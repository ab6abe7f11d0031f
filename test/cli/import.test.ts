import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { importSender } from '../../src/cli/commands/import.ts';
import { Progress } from '../../src/cli/push/progress.ts';
import { rowFile } from '../../src/cli/push/row-files.ts';
import { runPush } from '../../src/cli/push/runner.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { createService } from '../../src/index.ts';
import { counts, csvOf, HEADER } from '../client/desk.ts';
import { rowsOf } from '../client/world.ts';
import { openOffice } from './office.ts';
import { membersOf, type Outcome, Sink } from './terminal.ts';

const OXFORD = readFileSync(new URL('../../../data/oxford-2015-16/2015-q2.csv', import.meta.url));
const COLUMNS = new URL('../../../data/oxford-2015-16/columns-2015.json', import.meta.url);

async function openDesk(context: TestContext) {
  const office = await openOffice(context);
  const { terminal } = office;
  const write = (name: string, text: string | Buffer) => {
    writeFileSync(join(terminal.folder, name), text);
  };
  const read = (name: string) => readFileSync(join(terminal.folder, name), 'utf8');
  const list = async (...args: string[]) => {
    const { data } = membersOf(await terminal.json(['transactions', 'list', ...args]));
    return data as Record<string, unknown>[];
  };
  return { ...office, write, read, list };
}

function metaOf({ stdout }: Outcome): unknown {
  return JSON.parse(stdout);
}

describe('8: import', () => {
  it('refuses a mapping with another currency', async (context) => {
    const { terminal, write, list } = await openDesk(context);
    write('a.csv', 'externalId,date,description,amount,Currency\nA,2026-01-31,Tea,1,EUR\n');
    const own = { externalId: 'externalId', date: 'date', description: 'description' };
    const inColumn = {
      currency: { column: 'Currency', is: 'EUR' },
      fields: { ...own, amount: 'amount' },
    };
    const inCell = { fields: { ...own, amount: { column: 'amount', currency: '€' } } };
    for (const mapping of [inColumn, inCell]) {
      write('map.json', JSON.stringify(mapping));
      const { exitCode, stderr } = await terminal.run(['import', 'a.csv', '--map', 'map.json']);
      assert.equal(exitCode, 2);
      assert.match(stderr, /amounts are in EUR, but .+ uses GBP\. budgetd does not convert/);
    }
    write('map.json', JSON.stringify(inColumn).replace('"EUR"', '"GBP"'));
    const { exitCode, stderr } = await terminal.run(['import', 'a.csv', '--map', 'map.json']);
    assert.equal(exitCode, 5);
    assert.match(stderr, /accepts only rows in GBP/);
    assert.deepEqual(await list('--external-id', 'A'), []);
  });

  it('says what it read before the counts, whatever the file is', async (context) => {
    const { terminal, write } = await openDesk(context);
    const rows = [
      { externalId: 'A', date: '2026-01-31', description: 'Tea', amount: 1234.5 },
      { externalId: 'B', date: '2026-01-02', description: 'Fees', amount: -0.25 },
      { externalId: 'C', date: 'soon', description: 'Rent', amount: 9 },
      { externalId: 'D', date: '2026-03-01', description: '', amount: 0 },
    ];
    const lines = rows.map((row) => JSON.stringify(row));
    write('a.csv', [HEADER.trimEnd(), ...rows.map((row) => Object.values(row).join())].join('\n'));
    write('a.json', `[${lines.join()}]`);
    write('a.ndjson', lines.join('\n'));
    const read = /^Read: 3 rows, 2026-01-02 to 2026-03-01, money out 1,234\.50, money in 0\.25\.$/m;
    for (const name of ['a.csv', 'a.json', 'a.ndjson']) {
      const { stderr } = await terminal.run(['import', name, '--dry-run']);
      assert.match(stderr, read, name);
      assert.ok(stderr.search(read) < stderr.indexOf('Dry run, nothing stored: 4 rows'), name);
      const quiet = await terminal.run(['import', name, '--dry-run', '--quiet']);
      assert.doesNotMatch(quiet.stderr, /Read:/);
    }
  });

  it('imports rows into the database with the provider csv', async (context) => {
    const { terminal, write, list } = await openDesk(context);
    write('a.csv', csvOf(1203, 'A'));
    write('b.json', JSON.stringify(rowsOf(2, 'B')));
    write(
      'c.ndjson',
      rowsOf(2, 'C')
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    const outcome = await terminal.run(['import', 'a.csv']);
    assert.deepEqual([outcome.exitCode, outcome.stdout], [0, '']);
    assert.match(outcome.stderr, /^500 of 1,203 rows: 500 created, 0 updated, 0 rejected$/m);
    assert.match(
      outcome.stderr,
      /\nDone: 1,203 rows: 1,203 created, 0 updated, 0 rejected\. 6 rows have warnings\.\n$/,
    );
    for (const file of ['b.json', 'c.ndjson']) {
      assert.deepEqual(await terminal.json(['import', file]), counts(2, 2, 0, 0));
    }
    const stdin = rowsOf(2, 'D')
      .map((row) => JSON.stringify(row))
      .join('\n');
    assert.deepEqual(await terminal.json(['import', '-'], { stdin }), counts(2, 2, 0, 0));
    const mapped = await terminal.run(['import', '-', '--map', 'date=Day'], { stdin });
    assert.equal(mapped.exitCode, 2);
    assert.match(mapped.stderr, /--map is only for CSV .* JSON rows, also on standard input, /);
    for (const prefix of ['B', 'C', 'D']) {
      const [found] = await list('--external-id', `${prefix}-1`);
      assert.equal(found?.['provider'], 'csv');
    }
  });

  it('updates rows when repeated; a pushed row with the same id is separate', async (context) => {
    const { terminal, write, list } = await openDesk(context);
    write('a.csv', `${HEADER}A-1,2026-01-05,January rent,1200\nA-9,2026-01-05,Tea,1\n`);
    assert.deepEqual(await terminal.json(['import', 'a.csv']), {
      ...counts(2, 2, 0, 0),
      warnings: 1,
    });
    write('a.csv', `${HEADER}A-1,2026-01-05,January rent,1300\nA-9,2026-01-05,Tea,1\n`);
    assert.deepEqual(await terminal.json(['import', 'a.csv']), {
      ...counts(2, 0, 2, 0),
      unchanged: 1,
    });
    const found = await list('--external-id', 'A-1');
    assert.deepEqual(
      found.map(({ provider, amount }) => [provider, amount]),
      [
        ['api', 1200],
        ['csv', 1300],
      ],
    );
  });

  it('flags an allocated transaction whose amount changed, with a count', async (context) => {
    const { terminal, lines, write, list } = await openDesk(context);
    write('a.csv', `${HEADER}N-1,2026-01-05,Rent,100\n`);
    await terminal.json(['import', 'a.csv']);
    const [{ id } = {}] = await list('--external-id', 'N-1');
    await terminal.json(['allocate', String(id), '--line', lines['RENT'] ?? '']);
    write('a.csv', `${HEADER}N-1,2026-01-05,Rent,110\n`);
    const dry = await terminal.run(['import', 'a.csv', '--dry-run']);
    assert.match(dry.stderr, /Dry run, nothing stored: 1 row: .* 1 row needs review\./);
    assert.equal((await list('--external-id', 'N-1'))[0]?.['amount'], 100);
    const meta = { ...counts(1, 0, 1, 0), needsReview: 1 };
    assert.deepEqual(await terminal.json(['import', 'a.csv']), meta);
  });

  it('is audited like a push: each batch, who, how many, and the provider', async (context) => {
    const { terminal, write } = await openDesk(context);
    write('a.csv', csvOf(501));
    await terminal.json(['import', 'a.csv']);
    const entries = (await terminal.json(['audit'])) as Record<string, unknown>[];
    const found = entries.filter(({ action }) => action === 'transactions.pushed').slice(-2);
    assert.deepEqual(
      found.map(({ actor, details }) => {
        const { provider, received, created, createdIds } = membersOf(details);
        return [actor, provider, received, created, createdIds];
      }),
      [
        ['command line', 'csv', 500, 500, [['txn_0000000007', 'txn_00000000ft']]],
        ['command line', 'csv', 1, 1, [['txn_00000000fv', 'txn_00000000fv']]],
      ],
    );
  });

  it('uses the mapping of a push, and rejects rows as push does', async (context) => {
    const { terminal, write, read } = await openDesk(context);
    write('q2.csv', OXFORD);
    write('columns.json', readFileSync(COLUMNS));
    const outcome = await terminal.run(['import', 'q2.csv', '--map', 'columns.json', '--json']);
    assert.equal(outcome.exitCode, 0, outcome.stderr);
    write('a.csv', 'Id;Day;Text;Sum\na;31/01/2026;Tea;-1,50\nb;31/02/2026;Tea;2,00\n');
    const args = ['--map', 'externalId=Id', '--map', 'date=Day:DD/MM/YYYY', '--decimal', ','];
    args.push('--map', 'description=Text', '--map', 'amount=-Sum');
    const some = await terminal.run(['import', 'a.csv', ...args, '--json']);
    assert.deepEqual([some.exitCode, metaOf(some)], [3, counts(2, 1, 0, 1)]);
    assert.match(
      some.stderr,
      /The rejected rows are in .*a\.rejected\.csv\. Fix them and import that/,
    );
    const mended = read('a.rejected.csv').replace('31/02', '28/02');
    write('a.rejected.csv', mended);
    assert.deepEqual(
      await terminal.json(['import', 'a.rejected.csv', ...args]),
      counts(1, 1, 0, 0),
    );
  });

  it('--dry-run has the same exit codes and stores nothing', async (context) => {
    const { terminal, write, list } = await openDesk(context);
    const bad = 'x,2026-02-30,Tea,1\n';
    for (const [text, exitCode] of [
      [csvOf(2), 0],
      [csvOf(2) + bad, 3],
      [HEADER + bad, 5],
    ] as const) {
      write('a.csv', text);
      const dry = await terminal.run(['import', 'a.csv', '--dry-run', '--json']);
      assert.equal(dry.exitCode, exitCode);
      assert.equal(membersOf(metaOf(dry))['dryRun'], true);
      assert.deepEqual(await list('--provider', 'csv'), []);
    }
  });

  it('--dry-run counts a row once that is in the file again far below', async (context) => {
    const { terminal, write } = await openDesk(context);
    const text = csvOf(600);
    write('a.csv', text + text.slice(HEADER.length).repeat(2).replaceAll('Rent', 'Rent paid'));
    const dry = metaOf(await terminal.run(['import', 'a.csv', '--dry-run', '--json']));
    const stored = await terminal.json(['import', 'a.csv']);
    for (const meta of [dry, stored].map(membersOf)) {
      assert.deepEqual([meta['received'], meta['created'], meta['updated']], [1800, 600, 1200]);
    }
  });

  const wrong: [line: string, exitCode: number, says: RegExp][] = [
    ['import', 2, /FILE is missing\. Usage: budgetd import FILE/],
    ['import a.csv b.csv', 2, /Unexpected argument "b\.csv"/],
    ['import a.txt', 2, /The file .*a\.txt does not exist/],
    ['import a.json --map date=x', 2, /--map is only for CSV/],
    ['import a.csv --url http://x', 2, /no option --url/],
    ['import a.csv --map date=Day', 2, /no column "Day"/],
    ['import none.csv', 1, /none\.csv: no such file or folder/],
    ['import a.csv --db none.db', 1, /none\.db does not exist/],
    ['import a.csv --org nobody', 2, /There is no organisation "nobody"/],
    [
      'import broken.csv',
      1,
      /^budgetd import: broken\.csv: line 2: a value starts .* Nothing was imported\.$/m,
    ],
  ];
  for (const [line, exitCode, says] of wrong) {
    it(`exit ${exitCode}: ${line}`, async (context) => {
      const { terminal, write, list } = await openDesk(context);
      write('a.csv', csvOf(2));
      write('broken.csv', `${HEADER}x,2026-01-31,"never closed,1\n`);
      const outcome = await terminal.run(line.split(' '));
      assert.deepEqual([outcome.exitCode, outcome.stdout], [exitCode, ''], outcome.stderr);
      assert.match(outcome.stderr, says);
      assert.deepEqual(await list('--provider', 'csv'), []);
      assert.ok(!existsSync(join(terminal.folder, 'none.db')));
    });
  }

  it('is available to programs that embed budgetd, one batch at a time', async (context) => {
    const service = await createService({ database: ':memory:' });
    context.after(() => service.close());
    const { id } = service.organisations.create({ name: 'T', baseCurrency: 'GBP' });
    const dry = service.transactions.import(id, rowsOf(2), { dryRun: true });
    assert.deepEqual(dry.meta, { ...counts(2, 2, 0, 0), dryRun: true });
    assert.deepEqual(service.transactions.import(id, rowsOf(2)).meta, counts(2, 2, 0, 0));
    assert.deepEqual(service.transactions.push(id, rowsOf(2)).meta, {
      ...counts(2, 2, 0, 0),
      warnings: 2,
    });
    assert.equal(service.transactions.list(id, { provider: 'csv' }).data.length, 2);
    for (const rows of [[], rowsOf(501)]) {
      assert.throws(() => service.transactions.import(id, rows), { code: 'invalid_envelope' });
    }
  });

  it('exit 130: an interrupt stops it between two batches, and it says so', async (context) => {
    const { terminal, write, list } = await openDesk(context);
    write('a.csv', csvOf(50_000));
    const running = terminal.start(['import', 'a.csv', '--json']);
    await running.stderr.until(/500 of 50,000 rows/);
    running.interrupt();
    assert.equal(await running.exitCode, 130);
    const { received, created } = membersOf(JSON.parse(running.stdout.text));
    assert.ok(Number(received) >= 500 && Number(received) < 50_000);
    assert.equal(created, received);
    assert.match(
      running.stderr.text,
      /^budgetd import: interrupted\. .* Import it again: rows that are/m,
    );
    assert.equal((await list('--provider', 'csv', '--limit', '1000')).length > 0, true);
  });

  it('exit 1, and what was accepted, when another process keeps writing', async (context) => {
    const { terminal, organisationId, write } = await openDesk(context);
    const { database, folder } = terminal;
    write('a.csv', csvOf(2));
    const service = await createService({ database, busyTimeoutMs: 50 });
    const other = new (loadDriver())(database);
    context.after(async () => {
      other.close();
      await service.close();
    });
    other.prepare('begin immediate').run();
    const stderr = new Sink();
    const onInterrupt = () => () => {};
    const io = {
      stdin: process.stdin,
      stdout: new Sink(),
      stderr,
      env: {},
      monotonicMs: () => 0,
      cwd: '',
      onInterrupt,
    };
    const { exitCode } = await runPush({
      file: rowFile('a.csv', { cwd: folder }),
      sender: importSender(service.access(organisationId), () => service.actor()),
      dryRun: false,
      rejectedPath: undefined,
      progress: new Progress(io, { quiet: true }),
      io,
      command: 'import',
    });
    assert.equal(exitCode, 1);
    const busy = 'Another process is writing to the database. Try again';
    assert.equal(stderr.text, `budgetd import: ${busy}. Nothing was imported.\n`);
  });
});
