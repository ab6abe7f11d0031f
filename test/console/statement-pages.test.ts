import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { issueStatement, withdrawStatement } from '../../src/operations/statements.ts';
import { openDesk, push, textOf } from './desk.ts';

const ID = formatId('prj', 2);
const PATH = `/projects/${ID}/statements`;
const PLAY = {
  name: 'Play',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  funder: { name: 'Fund <b>', reference: 'F-1' },
  budgetLines: [
    { code: '4', name: 'Grant', kind: 'income', budget: { '2026-01': 500 } },
    { code: '7', name: 'Pay', category: 'People', budget: { '2026-01': 300, '2026-02': 280 } },
    { code: '8', name: 'Bonus', category: 'People' },
    { name: 'Nothing' },
  ],
};

/** A desk with a project with a grant and pay of January. */
async function openPlay(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test, 'member');
  const { access, service } = desk;
  importProjects(access, PLAY, service.actor());
  const amounts = [-500, 330, 20];
  push(
    desk,
    amounts.map((amount, at) => {
      return { externalId: `S-${at}`, date: '2026-01-20', description: 'Book', amount };
    }),
  );
  const give = (number: number, line: number) => {
    const allocations = [{ budgetLineId: formatId('bln', line) }];
    allocate(access, { transactionId: formatId('txn', number), allocations }, service.actor());
  };
  give(5, 3);
  give(6, 4);
  const issue = (to: string, more: object = {}) =>
    issueStatement(
      access,
      ID,
      { to, withoutReasons: true, ...more },
      { ...service.actor(), nowMs: Date.UTC(2026, 1, 2) },
    );
  return { ...desk, give, issue };
}

/** The cells of each row of the first table after its head. */
function rowsOf(text: string): string[] {
  const rows = [...text.matchAll(/<tr role="row"[^>]*>(.*?)<\/tr>/gs)];
  return rows.slice(1).map(([, row = '']) => textOf(row.replaceAll(/<t[dh]/g, ' <td')).trim());
}

describe('14 the pages of statements', () => {
  it('14 lead from the report to the draft, which has the figures of now', async (test) => {
    const { browser } = await openPlay(test);
    const report = await browser.get(`/projects/${ID}`);
    assert.match(report.text, new RegExp(`<a href="${PATH}">Statements</a>`));
    const list = await browser.get(PATH);
    assert.match(list.text, /No statements yet/);
    assert.match(list.text, new RegExp(`href="${PATH}/new">Look at the draft`));
    const { text } = await browser.get(`${PATH}/new?until=2026-01`);
    assert.match(textOf(text), /Draft of statement 1.*its figures are those of now/);
    assert.match(
      textOf(text),
      /5 transactions not allocated, or not in full: 426\.00 out, 0\.00 in/,
    );
    assert.deepEqual(rowsOf(text), [
      '4 Grant 500.00 0.00 500.00 – 500.00 0.00 100 %',
      'Total income 500.00 0.00 500.00 – 500.00 0.00 100 %',
      '7 Pay People 580.00 0.00 330.00 – 330.00 250.00 57 %',
      'Total expenses 580.00 0.00 330.00 – 330.00 250.00 57 %',
      'Balance received less spent −80.00 0.00 170.00 – 170.00',
    ]);
    assert.match(text, /Without 2 lines of zeros/);
    assert.equal((await browser.get(`${PATH}/new?until=2025-12`)).status, 409);
    for (const path of [`${PATH}/1`, `${PATH}/x`, '/projects/prj_0000000009/statements']) {
      assert.equal((await browser.get(path)).status, 404, path);
    }
  });

  it('14 show what was issued, what changed since, and CSV of both', async (test) => {
    const { browser, give, issue } = await openPlay(test);
    const reasons = { 7: 'A rise\nin <b>May</b>' };
    const { hash } = issue('2026-01', { reasons, note: 'Thank you.' });
    give(6, 5);
    give(7, 4);
    const { text } = await browser.get(`${PATH}/1`);
    assert.match(textOf(text), /Fund &lt;b&gt; · F-1 · GBP/);
    assert.ok(text.includes(hash ?? '-'));
    assert.match(
      textOf(text),
      /2 transactions in its months changed since: income –, expenses \+20/,
    );
    assert.match(textOf(text), /Covering note Thank you\./);
    assert.ok(rowsOf(text)[2]?.endsWith('57 % A rise in &lt;b&gt;May&lt;/b&gt;'), rowsOf(text)[2]);
    const changed = await browser.get(`${PATH}/1/changed`);
    assert.deepEqual(
      rowsOf(changed.text).map((row) => row.replace(/^\S+ \S+ \S+ /, '')),
      [
        'Book 7 Pay 330.00 0.00 −330.00',
        'Book 8 Bonus 0.00 330.00 +330.00',
        'Book 7 Pay 0.00 20.00 +20.00',
      ],
    );
    const [row] = rowsOf((await browser.get(PATH)).text);
    assert.match(
      row ?? '',
      /^Statement 1 Jan 2026 500\.00 330\.00 170\.00 .*library 2 transactions$/,
    );
    const csv = await browser.get(`${PATH}/1?format=csv`);
    assert.match(csv.text, /^Play,1,1,issued,expense,People,7,Pay,GBP,580\.00,0\.00,330\.00/m);
    const items = await browser.get(`${PATH}/1?format=csv&part=transactions`);
    assert.match(
      items.text,
      /^period,2026-01-20,txn_\w+,api,S-1,Book,,expense,7,Pay,GBP,330\.00\r$/m,
    );
    assert.equal(items.text.trim().split('\r\n').length, 3);
    const second = issue('2026-02');
    assert.equal(second.number, 2);
    const draft = await browser.get(`${PATH}/2`);
    assert.match(
      textOf(draft.text),
      /People 580\.00 330\.00 0\.00 \+20\.00 350\.00 230\.00 60 % 7 Pay/,
    );
  });

  it('14 keep a withdrawn one readable', async (test) => {
    const { browser, access, service, issue } = await openPlay(test);
    issue('2026-01');
    const withdrawal = { number: 1, reason: 'Too <early>' };
    withdrawStatement(access, ID, withdrawal, service.actor());
    issue('2026-02');
    const list = await browser.get(PATH);
    assert.match(list.text, new RegExp(`href="${PATH}/1\\?issue=1"`));
    assert.match(textOf(list.text), /Withdrawn: 1.*withdrawn .* by library: Too &lt;early&gt;/);
    const old = await browser.get(`${PATH}/1?issue=1`);
    assert.match(textOf(old.text), /Withdrawn .* by library: Too &lt;early&gt;/);
    assert.match(textOf((await browser.get(`${PATH}/1`)).text), /by library, issue 2/);
  });
});
