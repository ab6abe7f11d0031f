import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { widthOf } from '../../src/core/text-width.ts';
import { createService } from '../../src/index.ts';
import { openOffice, ROWS, txn } from './office.ts';
import type { Terminal } from './terminal.ts';

describe('8: transactions list', () => {
  it('prints the document of the API', async (context) => {
    const { terminal, organisationId } = await openOffice(context);
    const list = await terminal.json(['transactions', 'list']);
    const service = await createService({ database: terminal.database });
    assert.deepEqual(list, service.transactions.list(organisationId));
    await service.close();
  });

  it('prints ids and amounts whole, however narrow the terminal is', async (context) => {
    const { terminal } = await openOffice(context);
    const externalId = 'a-long-external-id-that-is-not-to-be-cut'.repeat(2);
    const row = { externalId, date: '2026-09-30', description: 'x', amount: -9_999_999_999.99 };
    writeFileSync(join(terminal.folder, 'a.json'), JSON.stringify([row]));
    await terminal.run(['import', 'a.json']);
    for (const columns of [20, 40, 80, 130, 300]) {
      const { stdout } = await terminal.run(['transactions', 'list'], { columns });
      const [, , line = ''] = stdout.split('\n');
      assert.match(line, /^txn_\d{10} .* -9,999,999,999\.99 /);
      assert.equal(/a-long/.test(line), line.includes(externalId), line);
    }
    const { stdout } = await terminal.run(['exclude', txn(6), '--reason', 'x'], { columns: 20 });
    assert.match(stdout, /^txn_0000000006 {2}2026-03-01 {2}5\.00 GBP {2}/);
  });

  const filters: [line: string, found: string[]][] = [
    ['--account-code 7200', ['A-4', 'A-3']],
    ['--contact Luigi --to 2026-02-28', ['A-3']],
    ['--from 2026-04-01', ['A-5', 'A-4']],
    ['--external-id A-2', ['A-2']],
    ['--provider manual', []],
    ['--status unallocated,excluded --q RENT', ['A-2', 'A-1']],
    [`--id ${txn(1)},txn_none --id ${txn(2)} --status unallocated`, ['A-2', 'A-1']],
    ['--project-id prj_0000000099', []],
    ['--order updatedAt --limit 2', ['A-1', 'A-2']],
  ];
  for (const [line, found] of filters) {
    it(`${line} finds ${found.join(', ') || 'nothing'}`, async (context) => {
      const { terminal } = await openOffice(context);
      assert.deepEqual(await idsOf(terminal, ...line.split(' ')), found);
    });
  }

  it('--to-allocate lists what is left to allocate, without amounts of 0', async (context) => {
    const { terminal, lines } = await openOffice(context);
    const row = { externalId: 'void', date: '2026-03-30', description: 'Void', amount: 0 };
    writeFileSync(join(terminal.folder, 'void.json'), JSON.stringify([row]));
    await terminal.run(['import', 'void.json']);
    const unallocated = await idsOf(terminal, '--status', 'unallocated');
    assert.ok(unallocated.includes('void'));
    const line = String(lines['FOOD']);
    await terminal.json(['allocate', txn(3), '--line', line, '--amount', '1']);
    const left = unallocated.filter((id) => id !== 'void');
    assert.deepEqual(await idsOf(terminal, '--to-allocate'), left);
    const both = ['transactions', 'list', '--to-allocate', '--status', 'excluded'];
    const { exitCode, stderr } = await terminal.run(both);
    assert.equal(exitCode, 2);
    assert.match(stderr, /Use --to-allocate without --status/);
  });

  it('--project-id also accepts a name', async (context) => {
    const { terminal, lines } = await openOffice(context);
    await terminal.json(['allocate', txn(3), '--line', String(lines['FOOD'])]);
    assert.deepEqual(await idsOf(terminal, '--project-id', 'Youth work 2026'), ['A-3']);
    const { exitCode } = await terminal.run(['transactions', 'list', '--project-id', 'Nobody']);
    assert.equal(exitCode, 1);
  });

  it('exits with 2 and names the option for a wrong filter', async (context) => {
    const { terminal } = await openOffice(context);
    const wrong: [line: string, message: RegExp][] = [
      [
        '--from 2026-02-30',
        /^budgetd: --from must be a real date\. There is no 30 February 2026\./,
      ],
      ['--status lost', /^budgetd: --status must be one or more of excluded, /],
      ['--limit 1001', /^budgetd: --limit must be a whole number from 1 to 1000\./],
      ['--q=', /^budgetd: --q must not be empty\./],
      ['--cursor abc', /^budgetd: The cursor is not from this list/],
    ];
    for (const [line, message] of wrong) {
      const outcome = await terminal.run(['transactions', 'list', ...line.split(' ')]);
      assert.deepEqual([outcome.exitCode, outcome.stdout], [2, '']);
      assert.match(outcome.stderr, message);
    }
  });

  it('prints the command for the next page, ready to paste', async (context) => {
    const { terminal } = await openOffice(context);
    const argv = ['transactions', 'list', '--q', "o'r e", '--limit=1'];
    const { stderr } = await terminal.run(['transactions', 'list', '--limit', '3', '--q', 'r']);
    const line = stderr.trimEnd().split('\n').at(-1) ?? '';
    assert.match(line, /^ {2}budgetd transactions list --limit 3 --q r --cursor \S+$/);
    assert.deepEqual(await idsOf(terminal, ...line.trim().split(' ').slice(3)), ['A-1']);
    assert.equal((await terminal.run(argv)).stderr, 'No transactions match.\n');
  });

  it('prints a table that fits 80 columns, even with wide characters', async (context) => {
    const { terminal } = await openOffice(context);
    const { stdout } = await terminal.run(['transactions', 'list'], {
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    assert.equal(
      stdout,
      [
        'Id              Date             GBP  Status       Code  External id  Allocated',
        '──────────────  ──────────  ────────  ───────────  ────  ───────────  ─────────',
        'txn_0000000005  2026-08-01     10.00  unallocated  7100  A-5               0.00',
        '    After the end',
        'txn_0000000004  2026-04-02    -20.00  unallocated  7200  A-4               0.00',
        '    Luigi: Refund',
        'txn_0000000006  2026-03-01      5.00  unallocated        A-6               0.00',
        '    \ufffdevil: Who knows',
        'txn_0000000003  2026-02-11     99.99  unallocated  7200  A-3               0.00',
        '    Luigi: Pizza',
        'txn_0000000002  2026-02-05  1,250.50  unallocated  7100  A-2               0.00',
        '    February rent',
        'txn_0000000001  2026-01-05  1,200.00  unallocated  7100  A-1               0.00',
        '    Müller & 東京不動産: January rent',
        '',
      ].join('\n'),
    );
  });

  for (const columns of [60, 100, 120, 200]) {
    it(`at ${columns} columns shows contact and description, and fits`, async (context) => {
      const { terminal } = await openOffice(context);
      const { stdout } = await terminal.run(['transactions', 'list'], { columns });
      for (const { contact = '', description } of ROWS) {
        const shown = contact.replace('\u202e', '\ufffd');
        assert.match(stdout, new RegExp(`${shown}(: | +)${description}`));
      }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours have no width.
      const lines = stdout.replace(/\u001b\[\d+m/g, '').split('\n');
      assert.deepEqual(
        lines.filter((line) => widthOf(line) > columns),
        [],
      );
    });
  }

  it('shows every column at 200 columns', async (context) => {
    const { terminal } = await openOffice(context);
    const { stdout } = await terminal.run(['transactions', 'list'], { env: { COLUMNS: '200' } });
    const [titles = ''] = stdout.split('\n');
    assert.deepEqual(titles.split(/ {2,}/), [
      'Id',
      'Date',
      'GBP',
      'Status',
      'Code',
      'Contact',
      'Description',
      'External id',
      'Allocated',
      'Provider',
      'Changed (UTC)',
    ]);
  });
});

async function idsOf(terminal: Terminal, ...argv: string[]): Promise<string[]> {
  const list = await terminal.json(['transactions', 'list', ...argv]);
  return (list as { data: { externalId: string }[] }).data.map(({ externalId }) => externalId);
}
