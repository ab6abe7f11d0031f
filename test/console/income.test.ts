import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { getProjectPlan } from '../../src/operations/project-plans.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';

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

describe('13 income in the console', () => {
  it('has both kinds in the grid, with their sums and the balance', async (test) => {
    const { browser, access } = await openPlay(test, 'admin');
    const { text } = await browser.get(EDIT);
    const words = textOf(text);
    assert.match(words, /Income what is expected, as positive amounts.*Expenses what may be spent/);
    const sums = [...text.matchAll(/<tr class="sums">(.*)<\/tr>/g)].map(([, row = '']) => {
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
    const wrong = textOf(await save(['Line|Kind|Jan 26', 'Grant|Income|-5', 'Pay|both|1']));
    assert.match(wrong, /Row 2, “Jan 26”: −5\.00 is not an amount to expect\./);
    assert.match(wrong, /Row 3, Kind: write Income or Expense, not “both”\./);
    await save(['Code|Line|Kind', '4|Grant|Income', '5|Gifts|', '6|Fees|Income', '7|Pay|']);
    assert.equal(kinds().filter(([, kind]) => kind === 'income').length, 3);
  });
});
