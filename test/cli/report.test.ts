import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import Papa from 'papaparse';
import { widthOf } from '../../src/core/text-width.ts';
import { createService } from '../../src/index.ts';
import { defuse } from '../../src/operations/report-csv.ts';
import { OXFORD_PROJECT } from '../oxford.ts';
import { type Office, openOffice, pushRows, ROWS, txn } from './office.ts';
import { membersOf, type RunOptions, type Terminal } from './terminal.ts';

const NAME = 'Youth work 2026';

describe('8: report --json', () => {
  it('prints the document of the API, by id or exact name, monthly by default', async (context) => {
    const { terminal, organisationId, projectId } = await openSpent(context);
    const service = await createService({ database: terminal.database });
    const monthly = service.projects.report(organisationId, projectId);
    const quarterly = service.projects.report(organisationId, projectId, {
      granularity: 'quarterly',
    });
    await service.close();
    assert.deepEqual(await terminal.json(['report', projectId]), monthly);
    assert.deepEqual(await terminal.json(['report', NAME]), monthly);
    const asked = await terminal.json(['report', NAME, '--granularity', 'quarterly']);
    assert.deepEqual(asked, quarterly);
  });

  it('exits with 1 and a suggestion for an unknown project', async (context) => {
    const { terminal } = await openOffice(context);
    const { exitCode, stderr } = await terminal.run(['report', 'youth work']);
    assert.equal(exitCode, 1);
    assert.equal(
      stderr,
      'budgetd: There is no project "youth work". Did you mean "Youth work 2026"?\n',
    );
  });
});

describe('8: the report at 80 columns', () => {
  it('shows the quarters side by side, then what a treasurer looks for', async (context) => {
    const { terminal, organisationId } = await openSpent(context);
    await terminal.run(['allocate', txn(5), '--line', 'RENT']);
    await pushRows(terminal, organisationId, [{ ...ROWS[2], amount: 109.99 }]);
    const argv = ['report', NAME, '--granularity', 'quarterly'];
    assert.equal(
      await show(terminal, argv),
      `
Youth work 2026
1 January 2026 to 30 June 2026, by quarter, in GBP                prj_0000000001

           2026-Q1   2026-Q2  Outside     Total
────────  ────────  ────────  ───────  ────────
RENT  Rent (Premises)
  budget  2,400.00  1,200.00        -  3,600.00
  spent   2,450.50         -    10.00  2,460.50
  left      -50.50  1,200.00   -10.00  1,139.50
FOOD  =Food & drink
  budget    100.50         -        -    100.50
  spent      99.99    -20.00        -     79.99
  left        0.51     20.00        -     20.51
────────  ────────  ────────  ───────  ────────
Total
  budget  2,500.50  1,200.00        -  3,700.50
  spent   2,550.49    -20.00    10.00  2,540.49
  left      -49.99  1,220.00   -10.00  1,160.01

Spent 2,540.49 of 3,700.50 GBP budgeted (69%): 1,160.01 left.
No line is over budget.

1 transaction needs review: 99.99 GBP of the actual may change.
  budgetd transactions list --status needs_review --project-id prj_0000000001
1 transaction is not fully allocated: 5.00 GBP out. If any of this belongs to
the project, it is missing above.
  budgetd transactions list --to-allocate --from 2026-01-01 --to 2026-06-30
10.00 GBP of the actual is dated outside the project. The total includes it, but
no period does.
Omitted 1 line without budget or actual.
`,
    );
  });

  it('shows the months side by side for a single line', async (context) => {
    const { terminal } = await openSpent(context);
    assert.equal(
      await show(terminal, ['report', NAME, '--q', 'food']),
      `
Youth work 2026
1 January 2026 to 30 June 2026, by month, in GBP                  prj_0000000001

          2026-01  2026-02  2026-03  2026-04  2026-05  2026-06   Total
────────  ───────  ───────  ───────  ───────  ───────  ───────  ──────
FOOD  =Food & drink
  budget        -   100.50        -        -        -        -  100.50
  spent         -    99.99        -   -20.00        -        -   79.99
  left          -     0.51        -    20.00        -        -   20.51

1 transaction is not fully allocated: 5.00 GBP out. If any of this belongs to
the project, it is missing above.
  budgetd transactions list --to-allocate --from 2026-01-01 --to 2026-06-30
`,
    );
  });

  it('--over-budget shows only those lines, and says if there are none', async (context) => {
    const { terminal, organisationId } = await openSpent(context);
    const argv = ['report', NAME, '--over-budget', '--granularity', 'quarterly'];
    const none = await terminal.run(argv);
    assert.deepEqual([none.exitCode, none.stdout, none.stderr], [0, '', 'No lines match.\n']);
    await pushRows(terminal, organisationId, [
      { ...ROWS[0], externalId: 'B-1', amount: 5000, date: '2026-05-05' },
    ]);
    await terminal.run(['allocate', '--by-account-code']);
    const over = await show(terminal, argv);
    assert.match(over, /RENT {2}Rent/);
    assert.doesNotMatch(over, /FOOD|IDLE/);
    const all = await show(terminal, ['report', NAME]);
    assert.match(all, /^1 line is over budget, by 3,850\.50 GBP in total\.$/m);
    assert.match(all, /^3,850\.50 {2}RENT {2}Rent +7,450\.50 {2}3,600\.00$/m);
  });
});

describe('8: the report of a few lines whose periods do not fit side by side', () => {
  it('shows the periods below each line, and actuals dated outside', async (context) => {
    const terminal = await openYear(context);
    const outside = ['allocate', txn(5), '--line', 'D3021'];
    assert.equal((await terminal.run(outside)).exitCode, 0);
    const text = await show(terminal, ['report', 'prj_0000000002', '--q', 'D3021']);
    assert.match(text, /^D3021 {2}Materials \(Direct Services\)\n {2}2015-04 +332,883\.82 +- /m);
    assert.match(text, /^ {2}outside +- +10\.00 +-10\.00\n {2}total +3,501,764\.15 +10\.00 +/m);
    assert.doesNotMatch(text, /These/);
    assert.match(text, /dated outside the project/);
    const several = await show(terminal, ['report', 'prj_0000000002', '--q', 'materials']);
    assert.match(several, /^These 3 lines\n {2}2015-04 +340,522\.26 +- /m);
  });
});

describe('8: the report at any width', () => {
  for (const columns of [80, 100, 132, 160, 200, 250]) {
    for (const granularity of ['monthly', 'quarterly']) {
      it(`${columns} columns, ${granularity}: no line is too long`, async (context) => {
        const terminal = await openYear(context);
        const argv = ['report', 'prj_0000000002', '--granularity', granularity];
        const { exitCode, stdout } = await terminal.run(argv, { columns, env: { NO_COLOR: '1' } });
        assert.equal(exitCode, 0);
        const wide = stdout.split('\n').filter((line) => widthOf(line) > columns);
        assert.deepEqual(wide, []);
      });
    }
  }

  it('200 columns: all quarters of a budget line fit on one line', async (context) => {
    const terminal = await openYear(context);
    const argv = ['report', 'prj_0000000002', '--granularity', 'quarterly'];
    const text = await show(terminal, argv, { columns: 200 });
    const [, line = ''] = /^(A0108 .*)$/m.exec(text) ?? [];
    const [code, name = '', ...amounts] = line.split(/ {2,}/);
    assert.equal(code, 'A0108');
    assert.match(name, /^Temporary Bureau Staffing \(Direct /);
    assert.deepEqual(amounts, [
      ...['892,039', '-', '892,039'],
      ...['970,195', '-', '970,195'],
      ...['1,137,284', '-', '1,137,284'],
      ...['956,826', '-', '956,826'],
      ...['3,956,344', '-', '3,956,344'],
    ]);
    assert.match(text, /by quarter, in whole GBP/);
    assert.match(text, /^Each amount is rounded separately, /m);
  });

  it('80 columns, monthly, many lines: the totals by line, then by month', async (context) => {
    const terminal = await openYear(context);
    const text = await show(terminal, ['report', 'prj_0000000002']);
    assert.match(text, /^A0108 {2,}Temporary Bur.* 3,956,344\.19 +- +3,956,344\.19 +0%$/m);
    assert.match(text, /^2015-09 +5,369,934\.50 +- +5,369,934\.50 +0%$/m);
    assert.match(
      text,
      /To see the months of each line, use a wider terminal, --csv, or --q TEXT\./,
    );
  });

  it('colours overspending only on a terminal, and not with NO_COLOR', async (context) => {
    const { terminal } = await openSpent(context);
    const argv = ['report', NAME, '--granularity', 'quarterly'];
    const red = '\u001b[31m-50.50\u001b[39m';
    const shown = (options: RunOptions) => terminal.run(argv, options);
    assert.ok((await shown({ columns: 80 })).stdout.includes(red));
    for (const options of [
      {},
      { columns: 80, env: { NO_COLOR: '1' } },
      { columns: 80, env: { TERM: 'dumb' } },
    ]) {
      assert.equal((await shown(options)).stdout.includes('\u001b'), false);
    }
  });
});

describe('8: report --csv', () => {
  it('has one entry per line and period, and adds up to the totals', async (context) => {
    const { terminal } = await openSpent(context);
    await terminal.run(['allocate', txn(5), '--line', 'RENT']);
    const { exitCode, stdout } = await terminal.run(['report', NAME, '--csv']);
    assert.equal(exitCode, 0);
    assert.ok(stdout.startsWith('\ufeffproject,code,line,category,period,from,to,currency,'));
    const { data, errors } = Papa.parse<Record<string, string>>(stdout.slice(1), {
      header: true,
      skipEmptyLines: true,
    });
    assert.deepEqual(errors, []);
    assert.equal(data.length, 3 * 6 + 1);
    const add = (column: string) =>
      data.reduce((sum, entry) => sum + Math.round(Number(entry[column]) * 100), 0);
    assert.deepEqual([add('budgeted'), add('actual'), add('variance')], [370050, 254049, 116001]);
    const outside = data.find(({ period }) => period === 'outside');
    assert.deepEqual(
      [outside?.['code'], outside?.['actual'], outside?.['variance']],
      ['RENT', '10.00', '-10.00'],
    );
  });

  it('accepts --granularity and the filters', async (context) => {
    const { terminal } = await openSpent(context);
    const argv = ['report', NAME, '--csv', '--granularity', 'quarterly', '--q', 'rent'];
    const { stdout } = await terminal.run(argv);
    const rent = 'Youth work 2026,RENT,Rent,Premises';
    assert.deepEqual(stdout.split('\r\n').slice(1), [
      `${rent},2026-Q1,2026-01-01,2026-03-31,GBP,2400.00,2450.50,-50.50,expense`,
      `${rent},2026-Q2,2026-04-01,2026-06-30,GBP,1200.00,0.00,1200.00,expense`,
      '',
    ]);
  });

  it('is a workbook in a new file too', async (context) => {
    const { terminal } = await openSpent(context);
    const run = (file: string) => terminal.run(['report', NAME, '--q', 'rent', '--xlsx', file]);
    assert.equal((await run('rent.xlsx')).stderr, 'Wrote rent.xlsx.\n');
    const bytes = readFileSync(join(terminal.folder, 'rent.xlsx'));
    assert.equal(bytes.toString('latin1', 0, 2), 'PK');
    const again = await run('rent.xlsx');
    assert.deepEqual([again.exitCode, again.stdout], [1, '']);
    assert.match(again.stderr, /rent\.xlsx already exists\. Name a new file\./);
  });

  it('puts an apostrophe before text that could run as a formula', async (context) => {
    const { terminal } = await openSpent(context);
    const project = {
      name: '@SUM(A1)',
      startDate: '2026-01-01',
      endDate: '2026-01-31',
      budgetLines: [{ code: '-1', name: '+44, "quoted"', category: "=cmd|'/c calc'!A1" }],
    };
    await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(project) });
    const { stdout } = await terminal.run(['report', '@SUM(A1)', '--csv']);
    assert.equal(
      stdout.split('\r\n')[1],
      `'@SUM(A1),'-1,"'+44, ""quoted""",'=cmd|'/c calc'!A1,` +
        '2026-01,2026-01-01,2026-01-31,GBP,0.00,0.00,0.00,expense',
    );
    for (const first of ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r', '\n']) {
      assert.equal(defuse(`${first}A1`), `'${first}A1`);
    }
    for (const text of ['A=1', '', '1', '＃1', "'=1"]) assert.equal(defuse(text), text);
  });
});

describe('8: amounts are shown with the decimal places of their currency', () => {
  const currencies: [currency: string, budget: number, shown: string][] = [
    ['JPY', 1234567, '1,234,567'],
    ['KWD', 1234.5, '1,234.500'],
    ['GBP', 0.07, '0.07'],
    ['GBP', -1234567.8, '-1,234,567.80'],
  ];
  for (const [currency, budget, shown] of currencies) {
    it(`${currency} ${budget} is ${shown}`, async (context) => {
      const { terminal } = await openOffice(context);
      const org = ['--org', 'Other'];
      await terminal.json(['init', '--name', 'Other', '--currency', currency, '--another']);
      const project = {
        name: 'P',
        startDate: '2026-01-01',
        endDate: '2026-01-31',
        budgetMode: 'total',
        budgetLines: [{ name: 'All of it', budget }],
      };
      const stdin = JSON.stringify(project);
      assert.equal(
        (await terminal.run(['projects', 'import', '-', ...org], { stdin })).exitCode,
        0,
      );
      const { stdout } = await terminal.run(['report', 'P', ...org]);
      assert.ok(stdout.includes(` ${shown} `), stdout);
      const { data } = membersOf(await terminal.json(['report', 'P', ...org]));
      assert.equal(JSON.stringify(data).includes(`"budgeted":${budget}`), true);
    });
  }
});

/** The office, with its transactions allocated by account code. */
async function openSpent(context: Parameters<typeof openOffice>[0]): Promise<Office> {
  const office = await openOffice(context);
  await office.terminal.json(['allocate', '--by-account-code']);
  return office;
}

/** The office, with the sample project of 186 lines as its second. */
async function openYear(context: Parameters<typeof openOffice>[0]): Promise<Terminal> {
  const { terminal } = await openOffice(context);
  await terminal.json(['projects', 'import', OXFORD_PROJECT]);
  return terminal;
}

/** What the command prints on a terminal, after a blank line. */
async function show(
  terminal: Terminal,
  argv: readonly string[],
  { columns = 80 }: RunOptions = {},
): Promise<string> {
  const env = { NO_COLOR: '1' };
  const { exitCode, stdout, stderr } = await terminal.run(argv, { columns, env });
  assert.deepEqual([exitCode, stderr], [0, '']);
  return `\n${stdout}`;
}
