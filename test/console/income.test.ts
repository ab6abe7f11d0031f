import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { getProjectPlan } from '../../src/operations/project-plans.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const ID = formatId('prj', 2);
const EDIT = `/projects/${ID}/edit`;
const GRANT = formatId('bln', 3);
const DETAILS = {
  name: 'Play',
  startDate: '2026-01-01',
  endDate: '2026-02-28',
  mode: 'monthly',
};
const PLAY = {
  ...DETAILS,
  mode: undefined,
  budgetLines: [
    { code: '4', name: 'Grant', kind: 'income', budget: { '2026-01': 500, '2026-02': 100 } },
    { code: '7', name: 'Pay', budget: { '2026-01': 300, '2026-02': 280 } },
    { code: '5', name: 'Gifts', budget: { '2026-01': -50 } },
  ],
};

/** A desk with a project that has income. */
async function openPlay(...given: Parameters<typeof openDesk>) {
  const desk = await openDesk(...given);
  const { mode: _, ...project } = PLAY;
  importProjects(desk.access, project, desk.service.actor());
  return desk;
}

/** Money in and out, and some of it on the other kind of line. */
async function openBooks(test: Parameters<typeof openDesk>[0]) {
  const desk = await openPlay(test, 'member');
  const amounts = [-460, 290, 30, 10, -7];
  const rows = amounts.map((amount, at) => {
    return { externalId: `B-${at}`, date: '2026-01-20', description: 'Book', amount };
  });
  push(desk, rows);
  for (const [at, line] of [3, 4, 5, 3].entries()) {
    const allocations = [{ budgetLineId: formatId('bln', line) }];
    const transactionId = formatId('txn', 5 + at);
    allocate(desk.access, { transactionId, allocations }, desk.service.actor());
  }
  return { desk, browser: desk.browser };
}

describe('13 income in the console', () => {
  it('has both kinds in the grid, with their sums and the balance', async (test) => {
    const { browser, access } = await openPlay(test, 'admin');
    const { text } = await browser.get(EDIT);
    const words = textOf(text);
    assert.match(words, /Income what is expected, as positive amounts.*Expenses what may be spent/);
    const sums = [...text.matchAll(/<tr class="kind-total">(.*)<\/tr>/g)].map(([, row = '']) => {
      return textOf(row.replaceAll('<td', ' <td'));
    });
    assert.deepEqual(sums, [
      'Total income 500.00 100.00 600.00',
      'Total expenses 250.00 280.00 530.00',
      'Balance expected less budgeted 250.00 −180.00 70.00',
    ]);
    const cells = { [`${GRANT}.2026-01`]: '-12,000', [`${GRANT}.2026-02`]: '7' };
    const wrong = await browser.send(EDIT, { ...fieldsOf(text, EDIT), ...DETAILS, ...cells });
    assert.equal(wrong.status, 422);
    const fault =
      'Grant, Jan 2026: −12,000.00 is not an amount to expect. Type it without the minus.';
    assert.ok(wrong.text.includes(fault));
    const right = { ...fieldsOf(text, EDIT), ...DETAILS, ...cells, [`${GRANT}.2026-01`]: '8' };
    const done = await browser.send(EDIT, { ...right, next: 'lines/new?kind=income' });
    assert.match(done.location ?? '', /\/lines\/new\?kind=income&done=/);
    const { lines } = getProjectPlan(access, ID);
    assert.equal(lines[0]?.kind, 'income');
    assert.deepEqual(lines[0]?.budget, {
      mode: 'monthly',
      byMonth: new Map([
        ['2026-01', 800],
        ['2026-02', 700],
      ]),
    });
    const form = await browser.get(done.location ?? '');
    assert.match(form.text, /value="income" checked/);
  });

  it('asks for the kind of a line, and turns a negative budget of income', async (test) => {
    const { browser, access } = await openPlay(test, 'admin');
    const path = `/projects/${ID}/lines/${formatId('bln', 5)}`;
    const { text } = await browser.get(path);
    assert.match(text, /value="expense" checked/);
    const line = { ...fieldsOf(text, path), code: '5', name: 'Gifts', category: '' };
    const none = await browser.send(path, line);
    assert.match(none.text, /href="#kind">Choose the kind of line\./);
    const done = await browser.send(path, { ...line, kind: 'income', accountCodes: '' });
    assert.equal(done.status, 303);
    const { kind, budget } = getProjectPlan(access, ID).lines[2] ?? {};
    assert.equal(kind, 'income');
    assert.deepEqual(budget, { mode: 'monthly', byMonth: new Map([['2026-01', 5_000]]) });
    const activity = await browser.get('/activity');
    assert.match(textOf(activity.text), /Kind expense → income/);
  });

  it('says why the kind of a line is fixed, or why it stays', async (test) => {
    const { browser, access, service } = await openPlay(test, 'admin');
    const path = `/projects/${ID}/lines/${formatId('bln', 5)}`;
    assert.match((await browser.get(path)).text, /Remove the line/);
    const shares = [{ budgetLineId: formatId('bln', 5), rest: true }];
    const rule = { name: 'Gifts', conditions: { contact: { is: 'Ann' } }, shares };
    importRules(access, [rule], service.actor());
    const used = await browser.get(path);
    assert.match(used.text, /is used by the rule &quot;Gifts&quot; and cannot be removed/);
    assert.doesNotMatch(used.text, /Remove the line/);
    importRules(access, [], service.actor());
    const wanted = { to: '2026-01', withoutReasons: true };
    allocate(
      access,
      {
        transactionId: formatId('txn', 1),
        allocations: [{ budgetLineId: formatId('bln', 5) }],
      },
      service.actor(),
    );
    issueStatement(access, ID, wanted, service.actor());
    const { text } = await browser.get(path);
    assert.match(text, /cannot change kind: statement 1 of &quot;\w+&quot; has reported it/);
    assert.match(text, /cannot be removed: statement 1 of &quot;\w+&quot; has reported it/);
    assert.doesNotMatch(text, /Allocate them to another line first/);
    assert.doesNotMatch(text, /type="radio"/);
    const saved = await browser.send(path, { ...fieldsOf(text, path), name: 'Presents' });
    assert.equal(saved.status, 303);
    assert.equal(getProjectPlan(access, ID).lines[2]?.name, 'Presents');
  });

  it('pastes the kinds of lines, from a column or from the rows above', async (test) => {
    const { browser, access } = await openPlay(test, 'admin');
    const paste = `/projects/${ID}/paste`;
    const kinds = () => getProjectPlan(access, ID).lines.map(({ name, kind }) => [name, kind]);
    const before = (await browser.get(paste)).text;
    assert.match(before, /^Code\tLine\tCategory\tKind\tAccount codes/m);
    assert.match(before, /^4\tGrant\t\tIncome\t/m);
    const save = async (rows: readonly string[]) => {
      const form = fieldsOf((await browser.get(paste)).text, paste);
      const table = rows.map((row) => row.replaceAll('|', '\t')).join('\n');
      const look = await browser.send(paste, { ...form, table });
      if (!look.text.includes('Save the table')) return look.text;
      const fields = fieldsOf(look.text, paste);
      assert.equal((await browser.send(paste, { ...fields, table })).status, 303);
      return look.text;
    };
    const shown = await save([
      'Code|Line|Jan 26|Feb 26',
      'Income',
      '4|Grant|500|100',
      '5|Gifts|50|',
      '6|Fees|20|20',
      'Expenses',
      '7|Pay|300|280',
    ]);
    const said = textOf(shown);
    assert.match(said, /6 Fees, income, 40\.00/);
    assert.match(said, /5 Gifts; Kind Expense → Income; Jan 2026 −50\.00 → 50\.00/);
    assert.match(said, /The kind of the lines below: row 2 Income, row 6 Expenses\./);
    assert.match(said, /All income together: 600\.00 → 690\.00 GBP/);
    assert.match(said, /All expenses together: 530\.00 → 580\.00 GBP/);
    assert.deepEqual(kinds(), [
      ['Grant', 'income'],
      ['Gifts', 'income'],
      ['Fees', 'income'],
      ['Pay', 'expense'],
    ]);
    const refused = await save(['Line|Kind|Jan 26', 'Grant|Income|-5', 'Pay|both|1']);
    assert.match(refused, /aria-invalid="true" aria-describedby="table-hint table-fault"/);
    const wrong = textOf(refused);
    assert.match(wrong, /Row 2, “Jan 26”: −5\.00 is not an amount to expect\./);
    assert.match(wrong, /Row 3, Kind: write Income or Expense, not “both”\./);
    await save(['Code|Line|Kind', '4|Grant|Income', '5|Gifts|', '6|Fees|Income', '7|Pay|']);
    assert.equal(kinds().filter(([, kind]) => kind === 'income').length, 3);
  });

  it('shows income, expenses and the balance, each in its own words', async (test) => {
    const { browser, desk } = await openBooks(test);
    const { text } = await browser.get(`/projects/${ID}?order=own`);
    const words = textOf(text);
    assert.match(words, /Received450 75% of 600 expected150 to come/);
    assert.match(words, /Spent320 60% of the budget of 530210 left/);
    assert.match(words, /Balance130 received, not yet spent70 expected at the end/);
    assert.match(text, /Lines over budget<\/dt><dd><a[^>]*><span class="over">1</);
    const rows = [...text.matchAll(/<tr[^>]*><th scope="row.*?<\/tr>/gs)].map(([row]) => {
      return textOf(row.replaceAll('<td', ' <td')).trim();
    });
    assert.deepEqual(
      rows.map((row) => row.split(' ').slice(0, 8).join(' ')),
      [
        'Income expected received to come',
        '4 Grant 600 450 150 25% to come',
        'Total income 600 450 150 25% to come',
        'Expenses budget spent left',
        '7 Pay 580 290 290 50% left 290',
        '5 Gifts −50 30 80 over 30 over',
        'Total expenses 530 320 210 40% left 320',
        'Balance received less spent 70 at the end',
      ],
    );
    const [, target = ''] = /href="([^"]*line=bln_0000000003[^"]*)"/.exec(text) ?? [];
    const list = await browser.get(target.replaceAll('&amp;', '&'));
    assert.match(list.text, /<b>2<\/b> transactions/);
    assert.match(text, /Income above the line, expenses below it/);
    assert.match(text, /450 is received and 320 spent, of a budget of 530\./);
    const over = await browser.get(`/projects/${ID}?show=over`);
    assert.match(textOf(over.text), /5 Gifts.*Total expenses/);
    assert.doesNotMatch(over.text, /Grant/);
    const csv = await browser.get(`/projects/${ID}?format=csv`);
    assert.match(csv.text, /Play,4,Grant,,2026-01,.*,GBP,500\.00,450\.00,50\.00,income/);
    for (const path of ['/', '/projects']) {
      const page = (await browser.get(path)).text;
      const table = textOf(page.slice(page.indexOf('<table')));
      assert.match(table, /Play.*450 received of 600 expected.*60% 530 320 210 1 line over/, path);
    }
    assert.equal(desk.access.organisation.currency.code, 'GBP');
  });

  it('is of some months, with what leads to their transactions and back', async (test) => {
    const { browser } = await openBooks(test);
    const { text } = await browser.get(`/projects/${ID}?from=2026-01&to=2026-01`);
    assert.match(textOf(text), /Received450 90% of 500 expected50 to come/);
    assert.match(textOf(text), /1 Jan 2026 to 31 Jan 2026/);
    const [, target = ''] = /href="([^"]*line=bln_0000000003&amp;from[^"]*)"/.exec(text) ?? [];
    const list = await browser.get(target.replaceAll('&amp;', '&'));
    const [, back = ''] = /href="([^"]*)">Back to the report/.exec(list.text) ?? [];
    assert.equal(
      back.replaceAll('&amp;', '&'),
      `/projects/${ID}?from=2026-01&to=2026-01#bln_0000000003`,
    );
    const csv = await browser.get(`/projects/${ID}?from=2026-01&to=2026-01&format=csv`);
    assert.doesNotMatch(csv.text, /2026-02/);
    assert.match(csv.headers.get('content-disposition') ?? '', /Play 2026-01 to 2026-01\.csv/);
    const none = await browser.get(`/projects/${ID}?from=2027-01`);
    assert.equal(none.status, 200);
    assert.match(none.text, /The project has no days in these months/);
    for (const month of ['2026-13', 'May', '2200-01']) {
      assert.equal((await browser.get(`/projects/${ID}?to=${month}`)).status, 400, month);
    }
  });

  it('has the projects below by kind, or leaves them out, also in the CSV', async (test) => {
    const { browser, desk } = await openBooks(test);
    const days = { startDate: '2026-01-01', endDate: '2026-02-28', parentProject: 'Play' };
    const camp = [
      { name: 'Fees', kind: 'income', budget: { '2026-01': 40 } },
      { name: 'Tents', budget: { '2026-02': 10 } },
    ];
    const club = [{ name: 'Balls', budget: { '2026-02': 5 } }];
    importProjects(
      desk.access,
      [
        { name: 'Camp', ...days, budgetLines: camp },
        { name: 'Club', ...days, budgetLines: club },
      ],
      desk.service.actor(),
    );
    const path = `/projects/${ID}`;
    const { text } = await browser.get(path);
    const words = textOf(text.replaceAll('<td', ' <td'));
    assert.match(words, /Income.*Camp project below 40 0 40.*Total income 640 450 190/);
    assert.match(words, /Expenses.*Camp project below 10 0 10.*Club project below 5 0 5/);
    assert.doesNotMatch(words.split('Total income')[0] ?? '', /Club project below/);
    assert.match(text, /aria-current="page">With projects below</);
    const alone = await browser.get(`${path}?below=without`);
    assert.match(textOf(alone.text.replaceAll('<td', ' <td')), /Total income 600 450 150/);
    assert.doesNotMatch(alone.text, /project below/);
    const csvs = await Promise.all(
      ['?format=csv', '?below=without&format=csv'].map((query) => browser.get(path + query)),
    );
    assert.deepEqual(
      csvs.map(({ text: csv }) => csv.includes('Camp,')),
      [true, false],
    );
  });

  it('is offered behind the expenses of a project, and before them for money in', async (test) => {
    const { browser } = await openBooks(test);
    const groups = async (id: number) => {
      const { text } = await browser.get(`/transactions?open=${formatId('txn', id)}`);
      const panel = text.slice(text.indexOf('class="split"'));
      return [...panel.matchAll(/optgroup label="([^"]*)"/g)].map(([, label]) => label);
    };
    assert.deepEqual(await groups(3), ['Youth work', 'Play', 'Play: income']);
    assert.deepEqual(await groups(9), ['Youth work', 'Play: income', 'Play']);
    const low = await browser.get(`/transactions?open=${formatId('txn', 8)}`);
    assert.match(low.text, /Money out on an income line: it lowers what is received\./);
    const other = await browser.get(`/transactions?open=${formatId('txn', 5)}`);
    assert.doesNotMatch(other.text, /it lowers what is received/);
  });

  it('marks months beyond the tolerance, which is kept when a project is edited', async (test) => {
    const { browser, access, service, org } = await openPlay(test, 'admin');
    const amounts = [320, 13];
    push(
      { service, org },
      amounts.map((amount, at) => {
        return { externalId: `T-${at}`, date: '2026-01-20', description: 'Pay', amount };
      }),
    );
    const marks = async (number: number) => {
      const allocations = [{ budgetLineId: formatId('bln', 4) }];
      allocate(access, { transactionId: formatId('txn', number), allocations }, service.actor());
      const { text } = await browser.get(`/projects/${ID}`);
      const [, row = ''] = text.split(`<tr id="${formatId('bln', 4)}"`);
      return /class="ahead">3\d\d</.test(row.split('</tr>')[0] ?? '');
    };
    assert.equal(await marks(5), false);
    assert.equal(await marks(6), true);
    for (const [tolerance, percent] of [
      ['15', 15],
      ['never', null],
    ] as const) {
      const { text } = await browser.get(EDIT);
      const fields = { ...fieldsOf(text, EDIT), ...DETAILS, tolerance };
      assert.equal((await browser.send(EDIT, fields)).status, 303);
      const { toleranceHundredths } = getProjectPlan(access, ID).project;
      assert.equal(toleranceHundredths, percent && 100 * percent);
      const shown = await browser.get(EDIT);
      assert.match(shown.text, new RegExp(`value="${tolerance}" selected`));
    }
    const [never, legend] = (await browser.get(`/projects/${ID}`)).text.split('class="legend"');
    assert.match(never ?? '', /class="ahead">333</);
    assert.match(textOf(legend ?? ''), /marks more than the budget\./);
    const { mode: _, ...project } = PLAY;
    importProjects(access, { ...project, tolerancePercent: 7.5 }, service.actor());
    assert.match((await browser.get(EDIT)).text, /value="7\.5" selected>if more than 7\.5% off/);
  });
});
