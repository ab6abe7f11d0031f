import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openOffice, PROJECT, txn } from './office.ts';
import type { Terminal } from './terminal.ts';

describe('8: projects import', () => {
  it('prints the ids of each project and its lines, and updates by name', async (context) => {
    const { terminal, projectId, lines } = await openOffice(context);
    const again = await terminal.json(['projects', 'import', 'project.json']);
    assert.deepEqual(again, [
      {
        projectId,
        name: 'Youth work 2026',
        budgetLines: [
          { budgetLineId: lines['RENT'], code: 'RENT', name: 'Rent' },
          { budgetLineId: lines['FOOD'], code: 'FOOD', name: '=Food & drink' },
          { budgetLineId: lines['IDLE'], code: 'IDLE', name: 'Nothing yet' },
        ],
      },
    ]);
  });

  it('names the project codes that two projects share', async (context) => {
    const { terminal } = await openOffice(context);
    const two = ['One', 'Two'].map((name) => ({ ...PROJECT, name, codes: ['YOU', name] }));
    const { stderr } = await terminal.run(['projects', 'import', '-'], {
      stdin: JSON.stringify(two),
    });
    assert.match(
      stderr,
      /"One" and "Two" claim .* Both have the project code YOU\. Payments with such/,
    );
  });

  it('reads standard input for -, with or without a byte order mark', async (context) => {
    const { terminal } = await openOffice(context);
    const stdin = `\ufeff${JSON.stringify([PROJECT, { ...PROJECT, name: 'Two' }])}`;
    const argv = ['projects', 'import', '-'];
    const { exitCode, stdout, stderr } = await terminal.run(argv, { stdin });
    assert.equal(exitCode, 0);
    assert.equal(
      stderr,
      'Warning: lines of "Two" and "Youth work 2026" claim account codes 7100, 7200 on the same ' +
        'days. Payments with such a code are not allocated by account code. Give both projects ' +
        '"codes" to tell them apart.\n2 projects: 1 created, 1 unchanged.\n',
    );
    assert.equal(
      stdout,
      [
        'Id              Project          Change     Lines  Budget GBP',
        '──────────────  ───────────────  ─────────  ─────  ──────────',
        'prj_0000000001  Youth work 2026  unchanged      3    3,700.50',
        'prj_0000000002  Two              created        3    3,700.50',
        '',
      ].join('\n'),
    );
  });

  it('prints one clear line for a missing file, a folder, or invalid JSON', async (context) => {
    const { terminal } = await openOffice(context);
    writeFileSync(join(terminal.folder, 'broken.json'), '{ "name": ');
    for (const [file, message] of [
      ['nowhere.json', /nowhere\.json: no such file or folder\./],
      ['.', /: this is a folder, not a file\./],
      ['broken.json', /^budgetd: broken\.json is not valid JSON: .*/],
    ] as const) {
      const { exitCode, stderr } = await terminal.run(['projects', 'import', file]);
      assert.equal(exitCode, 1);
      assert.match(stderr, message);
      assert.equal(stderr.split('\n').length, 2);
    }
  });

  it('names the command that lists what is in the way of removing a line', async (context) => {
    const { terminal, lines } = await openOffice(context);
    for (const [id, code] of [
      [1, 'RENT'],
      [3, 'FOOD'],
      [4, 'FOOD'],
    ] as const) {
      await terminal.json(['allocate', txn(id), '--line', code]);
    }
    const budgetLines = PROJECT.budgetLines.filter(({ code }) => code !== 'FOOD');
    writeFileSync(join(terminal.folder, 'less.json'), JSON.stringify({ ...PROJECT, budgetLines }));
    const { exitCode, stderr } = await terminal.run(['projects', 'import', 'less.json']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /\(bln_\d+\) has allocations of 2 transactions and cannot be removed\./);
    const [, command = ''] = /`budgetd ([^`]+)`/.exec(stderr) ?? [];
    assert.equal(command, `transactions list --line ${lines['FOOD']}`);
    const found = await terminal.json(command.split(' '));
    const { data } = found as { data: readonly { id: string }[] };
    assert.deepEqual(data.map(({ id }) => id).sort(), [txn(3), txn(4)]);
    const byCode = await terminal.json(['transactions', 'list', '--line', 'FOOD']);
    assert.deepEqual(byCode, found);
  });

  it('imports the whole file or nothing, and reports every problem', async (context) => {
    const { terminal } = await openOffice(context);
    const wrong = { ...PROJECT, endDate: '2026-13-01', budgetMode: 'weekly' };
    const documents = [{ ...PROJECT, name: 'Fine' }, wrong];
    writeFileSync(join(terminal.folder, 'wrong.json'), JSON.stringify(documents));
    const { exitCode, stdout, stderr } = await terminal.run(['projects', 'import', 'wrong.json']);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, /^wrong\.json: \[1\]\.endDate: There is no month 13\./m);
    assert.match(
      stderr,
      /^wrong\.json: \[1\]\.budgetMode: Use "monthly" or "total", not "weekly"\./m,
    );
    assert.match(
      stderr,
      /\nbudgetd: Nothing was imported: fix the \d+ problems in wrong\.json above\.\n$/,
    );
    const one = { ...PROJECT, currency: 'EUR' };
    writeFileSync(join(terminal.folder, 'one.json'), JSON.stringify(one));
    const { stderr: line } = await terminal.run(['projects', 'import', 'one.json']);
    assert.match(
      line,
      /^budgetd: one\.json: currency: The organisation's currency is GBP, not "EUR"\.\n$/,
    );
    assert.deepEqual(await namesOf(terminal), ['Youth work 2026']);
  });

  it('refuses to remove a line with allocations, and names the line', async (context) => {
    const { terminal, lines } = await openOffice(context);
    await terminal.json(['allocate', txn(1), '--line', String(lines['RENT'])]);
    const stdin = JSON.stringify({ ...PROJECT, budgetLines: [] });
    const { exitCode, stderr } = await terminal.run(['projects', 'import', '-'], { stdin });
    assert.equal(exitCode, 1);
    assert.match(stderr, /^budgetd: standard input: .*RENT.*\n$/);
  });
});

describe('8: projects list', () => {
  it('prints the document of the API, filtered and paged', async (context) => {
    const { terminal, projectId } = await openOffice(context);
    const stdin = JSON.stringify([
      { ...PROJECT, name: 'Child', parentProject: PROJECT.name },
      { ...PROJECT, name: 'Zebra' },
    ]);
    await terminal.run(['projects', 'import', '-'], { stdin });
    assert.deepEqual(await namesOf(terminal), ['Child', 'Youth work 2026', 'Zebra']);
    for (const parent of [projectId, 'Youth work 2026']) {
      assert.deepEqual(await namesOf(terminal, '--parent-project-id', parent), ['Child']);
    }
    const page = await terminal.run(['projects', 'list', '--limit', '2']);
    const [, cursor = ''] = /--cursor (\S+)$/m.exec(page.stderr) ?? [];
    assert.match(
      page.stderr,
      /^There are more\. For the next page, run:\n {2}budgetd projects list --limit 2 /,
    );
    assert.deepEqual(await namesOf(terminal, '--cursor', cursor), ['Zebra']);
    await terminal.run(['projects', 'archive', 'Zebra']);
    const { stdout } = await terminal.run(['projects', 'list']);
    assert.match(stdout, /^prj_0000000003 {2}Zebra .* \d{4}-\d\d-\d\d$/m);
    assert.match(page.stdout, /^prj_0000000002 {2}Child +2026-01-01 {2}2026-06-30 {2}monthly {2}/m);
  });

  it('explains how to import projects if there are none', async (context) => {
    const { terminal } = await openOffice(context);
    const since = ['--updated-since', '2199-01-01T00:00:00Z'];
    const { exitCode, stdout, stderr } = await terminal.run(['projects', 'list', ...since]);
    assert.deepEqual([exitCode, stdout], [0, '']);
    assert.match(
      stderr,
      /^No projects\. Import some with `budgetd projects import FILE\.json`\.$/m,
    );
  });

  it('exits with 1 for an unknown parent, with 2 for a wrong parameter', async (context) => {
    const { terminal } = await openOffice(context);
    const ask = (...argv: string[]) => terminal.run(['projects', 'list', ...argv]);
    const unknown = await ask('--parent-project-id', 'Youth work 2025');
    assert.equal(unknown.exitCode, 1);
    assert.match(unknown.stderr, /no project "Youth work 2025"\. Did you mean "Youth work 2026"\?/);
    const since = await ask('--updated-since', '2026-01-01');
    assert.equal(since.exitCode, 2);
    assert.match(since.stderr, /^budgetd: --updated-since must be an RFC 3339 date-time/);
  });
});

async function namesOf(terminal: Terminal, ...argv: string[]): Promise<string[]> {
  const list = await terminal.json(['projects', 'list', ...argv]);
  return (list as { data: { name: string }[] }).data.map(({ name }) => name);
}
