import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { ReportDocument } from '../../src/api/contract.ts';
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts';
import { pushRows, txn } from './office.ts';
import { membersOf, Terminal } from './terminal.ts';

const NAME = 'Youth work 2026';

describe('13 income and months in the report', () => {
  it('13 shows income first, then expenses, then the balance, and no sign', async (context) => {
    const terminal = await openGrant(context);
    const text = await show(terminal, ['report', NAME, '--granularity', 'quarterly']);
    assert.equal(
      text,
      `
Youth work 2026
1 January 2026 to 31 March 2026, by quarter, in GBP               prj_0000000001

                            2026-Q1                       Total
Code  Line        Expected  Received  To come  Expected  Received  To come
────  ──────────  ────────  ────────  ───────  ────────  ────────  ───────
G     City grant  5,000.00  5,200.00  -200.00  5,000.00  5,200.00  -200.00
────  ──────────  ────────  ────────  ───────  ────────  ────────  ───────
      Income      5,000.00  5,200.00  -200.00  5,000.00  5,200.00  -200.00

                          2026-Q1                       Total
Code  Line        Budget     Spent     Left    Budget     Spent     Left
────  ────────  ────────  ────────  ───────  ────────  ────────  ───────
R     Rent      4,000.00  4,100.00  -100.00  4,000.00  4,100.00  -100.00
────  ────────  ────────  ────────  ───────  ────────  ────────  ───────
      Expenses  4,000.00  4,100.00  -100.00  4,000.00  4,100.00  -100.00
      Balance   1,000.00  1,100.00           1,000.00  1,100.00

Received 5,200.00 of 5,000.00 GBP expected (104%): 200.00 more than expected.
Spent 4,100.00 of 4,000.00 GBP budgeted (102%): 100.00 over.
Balance: 1,100.00 GBP received less spent, 1,000.00 GBP expected at the end.
1 line is over budget, by 100.00 GBP in total.
Over by  Code  Line     Spent    Budget
───────  ────  ────  ────────  ────────
 100.00  R     Rent  4,100.00  4,000.00
`,
    );
    const months = await show(terminal, ['report', NAME]);
    assert.match(months, /^ {2}to come +5,000\.00 +-5,200\.00 +- +-200\.00$/m);
    assert.match(months, /^Balance\n {2}at the end +1,000\.00 .*\n {2}so far +- +1,100\.00 /m);
    const over = await show(terminal, ['report', NAME, '--over-budget']);
    assert.doesNotMatch(over, /City grant|Balance/);
  });

  it('13 --from and --to are months, or exit 2', async (context) => {
    const terminal = await openGrant(context);
    const months = ['--from', '2026-02', '--to', '2026-02'];
    const { data } = (await terminal.json(['report', NAME, ...months])) as ReportDocument;
    assert.deepEqual([data.startDate, data.endDate], ['2026-02-01', '2026-02-28']);
    assert.deepEqual(data.totals.total, { budgeted: 0, actual: -1100, variance: 1100 });
    assert.equal(data.rows[0]?.kind, 'income');
    assert.match(
      await show(terminal, ['report', NAME, '--from', '2027-01']),
      /^No days, by month/m,
    );
    for (const wrong of ['2026-13', '26-01', '2026-01-01', '1899-12']) {
      const { exitCode, stderr } = await terminal.run(['report', NAME, '--from', wrong]);
      assert.equal(exitCode, 2);
      assert.match(stderr, /--from must be a month from 1900-01 to 2199-12, not "/);
    }
  });

  it('13 --with-sub-projects adds up the lines of the projects below', async (context) => {
    const terminal = await openGrant(context);
    const argv = ['report', NAME, '--with-sub-projects'];
    const { data } = (await terminal.json(argv)) as unknown as {
      data: { withSubProjects: boolean; totals: object; rows: Record<string, unknown>[] };
    };
    assert.equal(data.withSubProjects, true);
    assert.deepEqual(
      data.rows.map((row) => [row['project'], row['code'], row['outsideBudgeted'], row['total']]),
      [
        [NAME, 'G', 0, { budgeted: -5000, actual: -5200, variance: 200 }],
        [NAME, 'R', 0, { budgeted: 4000, actual: 4100, variance: -100 }],
        ['Camp', 'T', 50, { budgeted: 350, actual: 0, variance: 350 }],
      ],
    );
    assert.equal(Reflect.get(data.totals, 'outsideBudgeted'), 50);
    const text = await show(terminal, argv);
    assert.match(text, /^T {2}Camp: Tents$/m);
    assert.match(text, / Outside +Total$.*^ {2}budget +- +- +300\.00 +50\.00 +350\.00$/ms);
    const { stdout } = await terminal.run([...argv, '--csv']);
    assert.match(stdout, /^Camp,T,Tents,,outside,,,GBP,50\.00,0\.00,50\.00,expense\r$/m);
  });

  it('13 doctor finds lines for expenses whose budget is money in', async (context) => {
    const terminal = await openGrant(context);
    const find = async () => {
      const argv = ['doctor', '--json', '--backup-keep', '0'];
      const { findings } = membersOf(JSON.parse((await terminal.run(argv)).stdout));
      return (findings as DoctorFinding[]).filter(({ code }) => code === 'income_as_expense');
    };
    const line = (name: string, amount: number, kind = 'expense') => {
      return { name, kind, budget: { '2026-01': amount } };
    };
    const load = (budgetLines: readonly object[]) => {
      const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
      const stdin = JSON.stringify({ name: 'Old', ...days, budgetLines });
      return terminal.run(['projects', 'import', '-'], { stdin });
    };
    assert.deepEqual(await find(), []);
    const others = [line('Pay', 4000), line('Gifts', 10, 'income')];
    await load([line('Grant', -5000), ...others]);
    const [found, ...more] = await find();
    assert.deepEqual([found?.level, more], ['warning', []]);
    assert.equal(found?.message, 'Old budgets money in on expense lines: Grant.');
    assert.match(found?.fix ?? '', /"kind": "income".*: budgetd projects import FILE\.json$/);
    await load([line('Grant', 5000, 'income'), ...others]);
    assert.deepEqual(await find(), []);
  });

  it('13 the budget to date has the months up to the one that holds today', async (context) => {
    const terminal = await openGrant(context);
    const month = (add: number) => {
      const now = new Date();
      const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + add, 1));
      return first.toISOString().slice(0, 7);
    };
    const [last, present, next] = [month(-1), month(0), month(1)];
    const project = {
      name: 'Now',
      startDate: `${last}-01`,
      endDate: `${next}-28`,
      budgetLines: [{ name: 'A', budget: { [last]: 100, [present]: 20, [next]: 3 } }],
    };
    await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(project) });
    const text = await show(terminal, ['report', 'Now']);
    // A test that runs at the end of a month.
    if (month(0) !== present) return;
    assert.ok(text.includes(`\nBudgeted to the end of ${present}: 120.00 GBP.\n`), text);
  });
});

/** A grant of 5,000, of which 5,200 came in, rent of 4,000, 4,100 spent, and a project below. */
async function openGrant(context: TestContext): Promise<Terminal> {
  const terminal = new Terminal(context);
  const made = await terminal.json(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
  const dates = { startDate: '2026-01-01', endDate: '2026-03-31' };
  const grant = { code: 'G', name: 'City grant', kind: 'income', budget: { '2026-01': 5000 } };
  const rent = { code: 'R', name: 'Rent', budget: { '2026-01': 4000 } };
  const tents = { code: 'T', name: 'Tents', budget: { '2026-03': 300, '2026-04': 50 } };
  const file = [
    { name: NAME, ...dates, budgetLines: [grant, rent] },
    { name: 'Camp', ...dates, endDate: '2026-04-30', parentProject: NAME, budgetLines: [tents] },
  ];
  await terminal.run(['projects', 'import', '-'], { stdin: JSON.stringify(file) });
  const row = { description: 'x', contact: null, accountCode: null };
  await pushRows(terminal, String(membersOf(made)['organisationId']), [
    { ...row, externalId: 'g', date: '2026-02-02', amount: -5200 },
    { ...row, externalId: 'r', date: '2026-02-03', amount: 4100 },
  ]);
  await terminal.run(['allocate', txn(1), '--line', 'G']);
  await terminal.run(['allocate', txn(2), '--line', 'R']);
  return terminal;
}

/** What the command prints on a terminal, after a blank line. */
async function show(terminal: Terminal, argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await terminal.run(argv, { columns: 80, env: { NO_COLOR: '1' } });
  assert.equal(stderr, '');
  return `\n${stdout}`;
}
