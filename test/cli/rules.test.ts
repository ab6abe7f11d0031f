import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openOffice } from './office.ts';
import { membersOf } from './terminal.ts';

const LUIGI = {
  name: 'Luigi',
  conditions: { contact: { is: 'LUIGI' }, amount: { from: 10, to: 500 } },
  shares: [
    { line: 'FOOD', percent: 60 },
    { line: 'IDLE', rest: true },
  ],
};

async function openRules(context: TestContext, list: unknown = [LUIGI]) {
  const office = await openOffice(context);
  const file = join(office.terminal.folder, 'rules.json');
  writeFileSync(file, JSON.stringify(list));
  return { ...office, file };
}

describe('contract 15: rules on the command line', () => {
  it('15 import prints the list, which import reads again', async (context) => {
    const { terminal, file, lines } = await openRules(context);
    const printed = await terminal.json(['rules', 'import', file]);
    const share = { project: 'Youth work 2026' };
    assert.deepEqual(printed, {
      automatic: false,
      byAccountCode: true,
      rules: [
        {
          position: 1,
          name: 'Luigi',
          on: true,
          from: null,
          until: null,
          conditions: { contact: { is: 'LUIGI' }, amount: { from: 10, to: 500 } },
          shares: [
            { ...share, line: 'FOOD', budgetLineId: lines['FOOD'], percent: 60 },
            { ...share, line: 'IDLE', budgetLineId: lines['IDLE'], rest: true },
          ],
          allocated: 0,
        },
      ],
    });
    assert.deepEqual(await terminal.json(['rules', 'list']), printed);
    writeFileSync(file, JSON.stringify(printed));
    assert.deepEqual(await terminal.json(['rules', 'import', file]), printed);
    const shown = await terminal.json(['rules', 'show', '1']);
    assert.deepEqual(membersOf(shown)['wouldTake'], { count: 2, amount: 79.99 });
    const none = await terminal.run(['rules', 'show', '2']);
    assert.equal(none.exitCode, 1);
    assert.match(none.stderr, /Rule 2 does not exist/);
    const { stdout } = await terminal.run(['rules', 'list']);
    assert.match(stdout, /1 {2}Luigi +contact is "LUIGI", amount from 10 to 500/);
    assert.match(stdout, /60% to FOOD =Food & drink \(Youth work 2026\)/);
    assert.match(stdout, /The rules run when someone asks\./);
    const { stdout: one } = await terminal.run(['rules', 'show', '1']);
    assert.match(one, /^ {4}contact is "LUIGI", amount from 10 to 500\n {4}60% to FOOD/m);
  });

  it('15 allocate --by-rules: a dry run agrees with the run after it', async (context) => {
    const { terminal, file, lines } = await openRules(context);
    await terminal.json(['rules', 'import', file]);
    const byRules = ['allocate', '--by-rules', '--until', '2026-04-02'];
    const dry = membersOf(await terminal.json([...byRules, '--dry-run']));
    const done = {
      allocated: 4,
      ambiguous: 0,
      unmatched: 1,
      ambiguousCodes: [],
      dryRun: false,
      rules: [
        {
          ...{ position: 1, name: 'Luigi', allocated: 2, amount: 79.99 },
          lines: [
            { budgetLineId: lines['FOOD'], allocated: 2, amount: 47.99 },
            { budgetLineId: lines['IDLE'], allocated: 2, amount: 32 },
          ],
        },
        {
          ...{ position: null, name: 'By account code', allocated: 2, amount: 2450.5 },
          lines: [{ budgetLineId: lines['RENT'], allocated: 2, amount: 2450.5 }],
        },
      ],
    };
    assert.deepEqual(dry, { ...done, dryRun: true });
    assert.deepEqual(await terminal.json(byRules), done);
    const again = await terminal.run(byRules);
    assert.equal(again.exitCode, 0);
    const list = 'To see them, run: budgetd transactions list --to-allocate --to 2026-04-02\n';
    assert.equal(again.stderr, list);
    assert.match(again.stdout, /^0 transactions allocated by rules\.\n1 transaction left: no rule/);
    const log = await terminal.json(['audit']);
    const actions = (log as object[]).map((entry) => membersOf(entry)['action']);
    assert.deepEqual(actions.slice(-2), ['rules.changed', 'transactions.allocated']);
  });

  it('15 prints what each rule took', async (context) => {
    const { terminal, file } = await openRules(context);
    await terminal.json(['rules', 'import', file]);
    const { stderr, stdout } = await terminal.run(['allocate', '--by-rules', '--dry-run']);
    assert.equal(stderr, '');
    assert.match(stdout, /1 Luigi +FOOD +=Food & drink +2 +47\.99\n/);
    assert.match(stdout, /By account code +RENT +Rent +2 +2,450\.50\n/);
    assert.match(stdout, /4 transactions would be allocated by rules, 2,530\.49 GBP in total\./);
  });

  it('15 switches, and wrong usage', async (context) => {
    const { terminal } = await openRules(context);
    assert.deepEqual(await terminal.json(['rules', 'automatic', 'on']), { automatic: true });
    const off = await terminal.json(['rules', 'by-account-code', 'off']);
    assert.deepEqual(off, { byAccountCode: false });
    const { stdout } = await terminal.run(['rules', 'list']);
    assert.match(stdout, /after each push and import\.\nBy account code is switched off/);
    for (const args of [
      ['rules', 'automatic', 'maybe'],
      ['allocate', '--by-rules', '--by-account-code'],
      ['allocate', '--by-account-code', '--dry-run'],
      ['allocate', '--by-rules', '--until', '2026-02-30'],
      ['allocate', '--by-rules', 'txn_0000000001'],
    ]) {
      assert.equal((await terminal.run(args)).exitCode, 2, args.join(' '));
    }
  });

  it('15 import runs automatic rules before it ends', async (context) => {
    const { terminal, file } = await openRules(context, { automatic: true, rules: [LUIGI] });
    await terminal.json(['rules', 'import', file]);
    const rows = join(terminal.folder, 'rows.json');
    const row = { externalId: 'L-1', date: '2026-03-01', description: 'Pizza', amount: 20 };
    writeFileSync(rows, JSON.stringify([{ ...row, contact: 'Luigi' }]));
    const counts = membersOf(await terminal.json(['import', rows]));
    assert.deepEqual([counts['received'], counts['created']], [1, 1]);
    const { stdout } = await terminal.run(['transactions', 'list', '--to-allocate']);
    assert.doesNotMatch(stdout, /Luigi/);
    const [, entry] = ((await terminal.json(['audit'])) as object[]).slice(-2).map(membersOf);
    assert.deepEqual([entry?.['action'], entry?.['actor']], ['transactions.allocated', 'rules']);
  });

  it('15 names each fault of a file with its place, and changes nothing', async (context) => {
    const wrong = { ...LUIGI, colour: 'red', shares: [{ line: 'NONE', rest: true }] };
    const { terminal, file } = await openRules(context, { rules: [LUIGI, wrong] });
    const { exitCode, stderr } = await terminal.run(['rules', 'import', file]);
    assert.equal(exitCode, 1);
    assert.match(stderr, /rules\[1\]\.colour: "colour" is unknown/);
    assert.match(stderr, /rules\[1\]\.shares\[0\]\.line: There is no budget line "NONE"/);
    assert.match(stderr, /rules\[1\]\.name: Another rule has this name/);
    assert.deepEqual(membersOf(await terminal.json(['rules', 'list']))['rules'], []);
  });

  it('15 doctor names rules that can take nothing', async (context) => {
    const year = new Date().getUTCFullYear();
    const share = (line: string) => ({ shares: [{ line, rest: true }] });
    const list = [
      { name: 'Wide', conditions: { contact: { contains: 'lui' } }, ...share('NOW') },
      { name: 'Narrow', conditions: { contact: { is: 'Luigi' } }, ...share('NOW') },
      { name: 'Never', from: '2199-01-01', conditions: { provider: 'api' }, ...share('NOW') },
      { name: 'Ended', conditions: { provider: 'csv' }, ...share('OLD') },
      { name: 'Off', on: false, conditions: { contact: { is: 'Luigi' } }, ...share('OLD') },
    ];
    const { terminal, file } = await openRules(context, list);
    const projects = [
      ['Old', '2001', '2001', 'OLD'],
      ['New', `${year}`, `${year + 1}`, 'NOW'],
    ].map(([name, from, to, code]) => {
      const days = { startDate: `${from}-01-01`, endDate: `${to}-12-31` };
      return { name, ...days, budgetLines: [{ code, name: 'Line' }] };
    });
    writeFileSync(join(terminal.folder, 'projects.json'), JSON.stringify(projects));
    await terminal.json(['projects', 'import', 'projects.json']);
    await terminal.json(['rules', 'import', file]);
    const { stdout } = await terminal.run(['doctor', '--json']);
    const { findings } = membersOf(JSON.parse(stdout));
    const found = (findings as { code: string; message: string }[]).filter(({ code }) => {
      return code.startsWith('rule_');
    });
    assert.deepEqual(
      found.map(({ code, message }) => [code, message.slice(0, 18)]),
      [
        ['rule_never_fits', 'Rule 3, Never, nev'],
        ['rule_project_ended', 'Rule 4, Ended, has'],
        ['rule_hidden', 'Rule 2, Narrow, ta'],
      ],
    );
  });
});
