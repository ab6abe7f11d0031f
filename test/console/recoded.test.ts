import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Readings } from '../../src/console/session/readings.ts';
import { formatId } from '../../src/core/ids.ts';
import { runRules } from '../../src/operations/rule-runs.ts';
import { importRules } from '../../src/operations/rules.ts';
import { getTransaction, listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const [ONE, TWO, THREE] = [1, 2, 3].map((number) => formatId('txn', number)) as [
  string,
  string,
  string,
];
const PAGE = '/review/recoded';

/** A desk with three allocated transactions, of which two were recoded: to line A, and to none. */
async function openRecoded(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test);
  const shares = [{ line: 'B', rest: true }];
  const rules = desk.rows.slice(0, 3).map(({ contact }) => {
    return { name: contact, conditions: { contact: { is: contact } }, shares };
  });
  importRules(desk.access, { byAccountCode: false, rules }, desk.service.actor());
  await runRules(desk.access, desk.service.actor());
  push(desk, [
    { ...desk.rows[1], accountCode: '7500' },
    { ...desk.rows[2], accountCode: '8' },
  ]);
  const lineOf = (id: string) => getTransaction(desk.access, id);
  return { ...desk, lineOf };
}

it('is counted in turns on each page that says how much there is', async (test) => {
  const { browser } = await openRecoded(test);
  const take = test.mock.method(Readings.prototype, 'take');
  for (const [path, readings] of [
    // With what rules have allocated, and the totals of the projects.
    ['/', 3],
    ['/review', 1],
    [PAGE, 1],
  ] as const) {
    take.mock.resetCalls();
    assert.match((await browser.get(path)).text, /recoded/);
    assert.equal(take.mock.callCount(), readings, path);
  }
});

describe('what was recoded after it was allocated', () => {
  it('waits at home, in the review, in the list and in the panel', async (test) => {
    const { browser } = await openRecoded(test);
    const home = textOf((await browser.get('/')).text);
    assert.match(home, /1 to allocate, 2 recoded/);
    assert.match(home, /2 Recoded after they were allocated 203\.00 GBP may belong to other/);
    const review = textOf((await browser.get('/review')).text);
    assert.match(review, /2 transactions were recoded after being allocated\./);
    const list = await browser.get('/transactions?recoded=true');
    assert.match(list.text, /<b>2<\/b> transactions/);
    assert.match(textOf(list.text), /Remove Recoded/);
    assert.equal((await browser.get('/transactions?recoded=x')).status, 422);
    const panel = textOf((await browser.get(`/transactions?open=${TWO}`)).text);
    assert.match(panel, /Recoded after it was allocated\. It was 9 2 Jan 2026\. Settle it/);
    const report = textOf((await browser.get(`/projects/${formatId('prj', 1)}`)).text);
    assert.match(report, /Of the actual amounts, 203\.00 may belong elsewhere\./);
  });

  it('says where each is and where its codes lead, and settles one', async (test) => {
    const { browser, access, lineOf } = await openRecoded(test);
    const { text } = await browser.get(PAGE);
    assert.match(
      textOf(text),
      /Bob 101\.00 9 2 Jan 2026 7500 2 Jan 2026 B Heat .*A Rent Youth work/,
    );
    assert.match(
      textOf(text),
      /Cat 102\.00 9 3 Jan 2026 8 3 Jan 2026 B Heat no single line Keep Cat/,
    );
    const row = text.slice(text.indexOf(`id="${TWO}"`));
    const moved = await browser.send(PAGE, { ...fieldsOf(row, PAGE), do: 'recode' });
    assert.equal(moved.status, 303);
    const after = await browser.get(moved.location ?? '');
    assert.match(textOf(after.text), /Bob: allocated by account code\./);
    assert.equal(lineOf(TWO).recoded, null);
    const { items } = finish(listTransactions(access, { budgetLineId: formatId('bln', 1) }));
    assert.deepEqual(
      items.map(({ id }) => formatId('txn', id)),
      [TWO],
    );
    await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.equal(lineOf(TWO).recoded?.accountCode, '9');
    const kept = await browser.send(PAGE, { ...fieldsOf(row, PAGE), do: 'keep' });
    assert.equal(kept.status, 409, 'it has changed since the page was shown');
  });

  it('leads to the review of one whose amount has changed too', async (test) => {
    const desk = await openRecoded(test);
    push(desk, [{ ...desk.rows[2], accountCode: '8', amount: 105 }]);
    const { text } = await desk.browser.get(PAGE);
    assert.match(textOf(text), /Cat 105\.00 .*? B Heat no single line Review Cat/);
    const [, to = ''] = /href="(\/review\?open=[^"]*)"/.exec(text) ?? [];
    assert.match(
      textOf((await desk.browser.get(to)).text),
      /Cat 3 Jan 2026 .*Allocated for ?102\.00/,
    );
  });

  it('settles all that no person allocated, and keeps the others', async (test) => {
    const { browser, lineOf } = await openRecoded(test);
    const { text } = await browser.get(PAGE);
    const together = fieldsOf(text.slice(text.lastIndexOf('<form')), PAGE);
    const moved = await browser.send(PAGE, { ...together, do: 'recode' });
    const said = textOf((await browser.get(moved.location ?? '')).text);
    assert.match(said, /1 transaction allocated by account code\./);
    assert.match(said, /1 was refused and not changed: .*lead to no single line/);
    assert.deepEqual([lineOf(TWO).recoded, lineOf(THREE).recoded?.accountCode], [null, '9']);
    const again = fieldsOf(
      await browser.get(PAGE).then((page) => {
        return page.text.slice(page.text.lastIndexOf('<form'));
      }),
      PAGE,
    );
    await browser.send(PAGE, { ...again, do: 'keep' });
    assert.equal(lineOf(THREE).recoded, null);
    assert.match((await browser.get(PAGE)).text, /Nothing is marked as recoded/);
    assert.equal((await browser.send(PAGE, { ...again, do: 'x' })).status, 422);
  });

  it('is left by the buttons for all if it came after the page was shown', async (test) => {
    const { browser, rows, lineOf, ...desk } = await openRecoded(test);
    const { text } = await browser.get(PAGE);
    const together = fieldsOf(text.slice(text.lastIndexOf('<form')), PAGE);
    push(desk, [{ ...rows[0], accountCode: '8' }]);
    const kept = await browser.send(PAGE, { ...together, do: 'keep' });
    const said = textOf((await browser.get(kept.location ?? '')).text);
    assert.match(said, /2 transactions kept where allocated\./);
    const marked = [ONE, TWO, THREE].map((id) => lineOf(id).recoded !== null);
    assert.deepEqual(marked, [true, false, false]);
  });

  it('clears the allocations of payments of amount 0 with one button', async (test) => {
    const { browser, rows, lineOf, ...desk } = await openRecoded(test);
    push(desk, [
      { ...rows[0], amount: 0 },
      { ...rows[1], amount: 7 },
    ]);
    const { text } = await browser.get('/review');
    assert.match(text, /Clear the allocations of 1 payment of amount 0/);
    const done = await browser.send(PAGE, { ...fieldsOf(text, PAGE), do: 'void' });
    assert.match(done.location ?? '', /^\/review/);
    assert.equal(lineOf(ONE).status, 'unallocated');
    assert.equal(lineOf(TWO).status, 'needs_review');
  });
});
