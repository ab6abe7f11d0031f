import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';
import { createService } from '../../src/index.ts';
import { canMount } from '../mounts.ts';
import { openOffice, pushRows, ROWS, txn } from './office.ts';
import { membersOf, Terminal } from './terminal.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/budgetd', import.meta.url));
const PUSHING = fileURLToPath(new URL('../store/constant-pushes.js', import.meta.url));

/** Every file of a folder by name. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The entries of an NDJSON file. */
function entriesOf(text = ''): Record<string, unknown>[] {
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** The records of a CSV file by the names of their columns. */
function recordsOf(text = ''): Record<string, string>[] {
  assert.ok(text.startsWith('\ufeff') && text.endsWith('\r\n'));
  const { data, errors } = Papa.parse<Record<string, string>>(text.slice(1).trimEnd(), {
    header: true,
  });
  assert.deepEqual(errors, []);
  return data;
}

/** A small organisation with something in every file. */
async function openFull(context: Parameters<typeof openOffice>[0]) {
  const office = await openOffice(context);
  const { terminal, organisationId } = office;
  await terminal.json(['keys', 'create', '--name', 'erp', '--scope', 'transactions:write']);
  const env = { BUDGETD_PASSWORD: 'seven tall ships' };
  await terminal.json(['users', 'create', '--email', 'ada@example.org', '--role', 'owner'], {
    env,
  });
  await terminal.json(['users', 'reset-password', 'ada@example.org']);
  writeFileSync(
    join(terminal.folder, 'bank.csv'),
    'externalId,date,description,amount\r\nB-1,2026-01-31,"=HYPERLINK(""x"")\nmore",-7.5\r\n',
  );
  await terminal.json(['import', 'bank.csv']);
  await terminal.json(['allocate', '--by-account-code']);
  await terminal.json(['allocate', txn(6), '--line', office.lines['FOOD'] ?? '', '--amount', '2']);
  await terminal.json(['exclude', txn(5), '--reason', '@twice']);
  await pushRows(terminal, organisationId, [{ ...ROWS[2], amount: 90, batch: 'late' }]);
  return office;
}

describe('8: export', () => {
  it('writes everything of the organisation for its owner alone', async (context) => {
    const { terminal, organisationId, projectId } = await openFull(context);
    await terminal.json(['init', '--name', 'Another', '--currency', 'EUR', '--another']);
    const exporting = ['export', 'out', '--org', organisationId];
    const { folder, files: counts } = membersOf(await terminal.json(exporting));
    assert.equal(folder, join(terminal.folder, 'out'));
    const files = filesIn(String(folder));
    assert.deepEqual(counts, [
      { file: 'organisation.json', entries: 1 },
      { file: 'keys.json', entries: 1 },
      { file: 'users.json', entries: 1 },
      { file: 'projects.json', entries: 1 },
      { file: 'projects.csv', entries: 1 },
      { file: 'budget-lines.csv', entries: 3 },
      { file: 'reports.ndjson', entries: 1 },
      { file: 'reports.csv', entries: recordsOf(files['reports.csv']).length },
      { file: 'statements.ndjson', entries: 0 },
      { file: 'statement-items.csv', entries: 0 },
      { file: 'rules.json', entries: 0 },
      { file: 'transactions.ndjson', entries: 7 },
      { file: 'transactions.csv', entries: 7 },
      { file: 'allocations.ndjson', entries: 5 },
      { file: 'allocations.csv', entries: 5 },
      { file: 'rows-api.ndjson', entries: 6 },
      { file: 'rows-csv.ndjson', entries: 1 },
      { file: 'audit.ndjson', entries: entriesOf(files['audit.ndjson']).length },
    ]);
    const org = ['--org', organisationId];
    const shown = async (...argv: string[]) => terminal.json([...argv, ...org]);
    const listed = membersOf(await shown('transactions', 'list', '--limit', '9'))['data'];
    const transactions = entriesOf(files['transactions.ndjson']);
    const { exclusion, ...first } = transactions[0] ?? {};
    assert.equal(exclusion, null);
    assert.deepEqual(
      first,
      (listed as { id: string }[]).find(({ id }) => id === txn(1)),
    );
    const { at, ...excluded } = membersOf(transactions[4]?.['exclusion']);
    assert.match(String(at), /^20\d\d-.*Z$/);
    assert.deepEqual(excluded, { by: 'command line', reason: '@twice' });
    assert.deepEqual(transactions[2]?.['review'], {
      ...membersOf(transactions[2]?.['review']),
      previousAmount: 99.99,
    });
    assert.deepEqual(entriesOf(files['audit.ndjson']), await shown('audit'));
    assert.deepEqual(JSON.parse(files['keys.json'] ?? ''), await shown('keys', 'list'));
    assert.deepEqual(JSON.parse(files['users.json'] ?? ''), await shown('users', 'list'));
    assert.doesNotMatch(Object.values(files).join(), /scrypt|"(?:password|hash|token)"/i);
    const report = membersOf(await shown('report', projectId))['data'];
    assert.deepEqual(entriesOf(files['reports.ndjson']), [report]);
    const { id, name, baseCurrency } = JSON.parse(files['organisation.json'] ?? '');
    assert.deepEqual([id, name, baseCurrency], [organisationId, 'Harbour Trust', 'GBP']);
    assert.equal(entriesOf(files['rows-api.ndjson'])[2]?.['batch'], 'late');
    for (const name of readdirSync(String(folder))) {
      assert.equal(statSync(join(String(folder), name)).mode & 0o777, 0o600, name);
    }
    assert.equal(statSync(String(folder)).mode & 0o777, 0o700);
  });

  it('the tables have every record, and no text that a spreadsheet would run', async (context) => {
    const { terminal } = await openFull(context);
    await terminal.json(['export', 'out']);
    const files = filesIn(join(terminal.folder, 'out'));
    const [last] = recordsOf(files['transactions.csv']).slice(-1);
    assert.equal(last?.['description'], `'=HYPERLINK("x")\nmore`);
    assert.equal(last?.['amount'], '-7.5');
    const tables = Object.entries(files).filter(([name]) => name.endsWith('.csv'));
    assert.equal(tables.length, 6);
    for (const [name, text] of tables) {
      const cells = recordsOf(text).flatMap((record) => Object.values(record));
      const risky = cells.filter((cell) => /^[=+@\t\r\n-]/.test(cell));
      assert.deepEqual(
        risky.filter((cell) => !/^-\d+(\.\d+)?$/.test(cell)),
        [],
        name,
      );
    }
    const sums = new Map<string, number>();
    for (const { transactionId = '', amount } of recordsOf(files['allocations.csv'])) {
      sums.set(transactionId, (sums.get(transactionId) ?? 0) + Number(amount));
    }
    for (const { id = '', allocatedAmount } of recordsOf(files['transactions.csv'])) {
      assert.equal(sums.get(id) ?? 0, Number(allocatedAmount));
    }
  });

  it('a new database made of the files has the same report', async (context) => {
    const { terminal, projectId } = await openFull(context);
    await terminal.json(['review', txn(3), '--rescale']);
    await terminal.json(['export', 'out']);
    const report = await terminal.json(['report', projectId]);
    for (const rows of [['rows-api.ndjson', 'rows-csv.ndjson'], ['transactions.csv']]) {
      const other = new Terminal(context);
      const file = (name: string) => join(terminal.folder, 'out', name);
      await other.json(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
      await other.json(['projects', 'import', file('projects.json')]);
      for (const name of rows) await other.json(['import', file(name)]);
      await allocateAsIn(other, filesIn(join(terminal.folder, 'out')));
      assert.deepEqual(await other.json(['report', projectId]), report);
    }
  });

  it('says which projects are archived, and importing its projects keeps that', async (context) => {
    const { terminal } = await openOffice(context);
    const days = { startDate: '2025-01-01', endDate: '2025-12-31' };
    const funder = { name: 'The Fund' };
    const old = { ...days, name: 'Old', archived: true, funder, codes: ['YOU', 'A, B'] };
    const child = { ...days, name: 'Child', parentProject: 'Old' };
    const stdin = JSON.stringify([old, child]);
    const { exitCode } = await terminal.run(['projects', 'import', '-'], { stdin });
    assert.equal(exitCode, 0);
    await terminal.json(['export', 'out']);
    const files = filesIn(join(terminal.folder, 'out'));
    assert.deepEqual(recordsOf(files['projects.csv']).slice(0, 2), [
      {
        id: 'prj_0000000003',
        name: 'Child',
        parent: 'Old',
        ...days,
        funder: '',
        archived: 'false',
      },
      {
        id: 'prj_0000000002',
        name: 'Old',
        parent: '',
        ...days,
        funder: 'The Fund',
        archived: 'true',
      },
    ]);
    const other = new Terminal(context);
    await other.json(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
    await other.json(['projects', 'import', join(terminal.folder, 'out', 'projects.json')]);
    await other.json(['export', 'out']);
    const exported: readonly (typeof old)[] = JSON.parse(files['projects.json'] ?? '');
    assert.deepEqual(exported.find(({ name }) => name === 'Old')?.codes, old.codes);
    const copied = filesIn(join(other.folder, 'out'));
    assert.equal(copied['projects.json'], files['projects.json']);
  });

  it('rows that came in by a push can be pushed again, and are then unchanged', async (context) => {
    const { terminal } = await openFull(context);
    await terminal.json(['export', 'out']);
    const { key } = membersOf(
      await terminal.json(['keys', 'create', '--name', 'again', '--scope', 'transactions:write']),
    );
    const running = terminal.start(['serve', '--port', '0', '--json']);
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    const pushing = ['push', 'out/rows-api.ndjson', '--url', url];
    const counts = membersOf(await terminal.json(pushing, { env: { BUDGETD_KEY: String(key) } }));
    assert.deepEqual([counts['received'], counts['unchanged']], [6, 6]);
    running.interrupt();
    await running.exitCode;
  });

  it('refuses a name that is taken, and leaves nothing when it fails', async (context) => {
    const { terminal } = await openOffice(context);
    const { folder } = terminal;
    mkdirSync(join(folder, 'taken'));
    const before = readdirSync(folder).sort();
    const taken = await terminal.run(['export', 'taken']);
    assert.equal(taken.exitCode, 1);
    assert.match(taken.stderr, /taken already exists\. Pass the name of a new folder\.\n$/);
    for (const command of ['export', 'backup']) {
      const { stderr } = await terminal.run([command, 'nowhere/new']);
      assert.match(stderr, /^budgetd: There is no folder .*nowhere\. Create it first\.\n$/);
    }
    assert.equal((await terminal.run(['export', 'missing/out'])).exitCode, 1);
    assert.equal((await terminal.run(['export'])).exitCode, 2);
    assert.deepEqual(readdirSync(folder).sort(), before);
  });

  it('on a full disk it says so and leaves nothing', {
    skip: canMount() ? false : 'cannot mount a file system here',
  }, async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    const rows = ROWS.map((row) => ({ ...row, description: 'long '.repeat(190) }));
    const many = Array.from({ length: 80 }, (_, at) => {
      return rows.map((row) => ({ ...row, externalId: `${row.externalId} ${at}` }));
    });
    await pushRows(terminal, organisationId, many.flat());
    const disk = join(terminal.folder, 'disk');
    mkdirSync(disk);
    const script = `mount -t tmpfs -o size=400k none "$1" && "$2" "$3" export "$1/out"
      echo "== $?"; ls -A "$1"`;
    const shell = ['sh', '-c', script, 'sh', disk, process.execPath, PROGRAM];
    const env = { ...process.env, BUDGETD_DB: terminal.database };
    const ended = spawnSync('unshare', ['-rm', ...shell], { encoding: 'utf8', env });
    assert.match(ended.stderr, /the disk is full\./);
    assert.equal(ended.stdout, '== 1\n');
  });

  it('is of one moment while another process pushes', async (context) => {
    const terminal = new Terminal(context);
    await terminal.json(['init', '--name', 'Busy', '--currency', 'GBP']);
    const pushing = fork(PUSHING, [terminal.database], {
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    context.after(() => pushing.kill('SIGKILL'));
    const { pid: killed } = spawnSync(process.execPath, ['--version']);
    for (let at = 0; at < 5; at += 1) {
      await new Promise((resolve) => pushing.stdout?.once('data', resolve));
      const folder = `out-${at}`;
      mkdirSync(join(terminal.folder, `${folder}.${killed}.unfinished`));
      const ended = spawnSync(process.execPath, [PROGRAM, 'export', folder], {
        cwd: terminal.folder,
        encoding: 'utf8',
      });
      assert.equal(ended.status, 0, ended.stderr);
      const files = filesIn(join(terminal.folder, folder));
      const created = entriesOf(files['audit.ndjson']).map(({ details }) => {
        return Number(membersOf(details)['created'] ?? 0);
      });
      const sum = created.reduce((total, number) => total + number, 0);
      assert.ok(sum > 0);
      assert.equal(entriesOf(files['transactions.ndjson']).length, sum);
      assert.equal(recordsOf(files['transactions.csv']).length, sum);
    }
    assert.ok(!readdirSync(terminal.folder).some((name) => name.endsWith('.unfinished')));
  });
});

/** Allocates as the exported allocations say, with the names of the exported lines. */
async function allocateAsIn({ database }: Terminal, files: Record<string, string>) {
  const service = await createService({ database });
  const [{ id = '' } = {}] = service.organisations.list();
  const lines = new Map<string, string>();
  for (const { projectId = '' } of recordsOf(files['budget-lines.csv'])) {
    for (const row of service.projects.report(id, projectId).data.rows) {
      lines.set(row.name, row.budgetLineId);
    }
  }
  const shares = entriesOf(files['allocations.ndjson']);
  const idsOf = (share: Record<string, unknown>) => membersOf(share['transaction'])['externalId'];
  for (const externalId of new Set(shares.map((share) => String(idsOf(share))))) {
    const [found] = service.transactions.list(id, { externalId }).data;
    const own = shares.filter((share) => idsOf(share) === externalId);
    const inputs = own.map((share) => {
      const { name } = membersOf(share['budgetLine']);
      return { budgetLineId: lines.get(String(name)) ?? '', amount: Number(share['amount']) };
    });
    service.transactions.allocate(id, found?.id ?? '', inputs);
  }
  await service.close();
}
