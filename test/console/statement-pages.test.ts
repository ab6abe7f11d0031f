import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { issueStatement, withdrawStatement } from '../../src/operations/statements.ts';
import { push, textOf } from './desk.ts';
import { Browser } from './office.ts';
import { ID, openPlay, PATH } from './play.ts';

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
    assert.match(textOf(list.text), / · Fund &lt;b&gt; · F-1 · GBP/);
    assert.match(textOf(list.text), /A line more than 10% off its budget to date needs a reason/);
    assert.match(textOf(list.text), /1 Jan 2026 5 transactions not allocated/);
    assert.match(list.text, new RegExp(`href="${PATH}/new">Look at the draft`));
    const sums = await browser.get(`${PATH}/new?until=2026-01&by=kinds`);
    assert.deepEqual(
      rowsOf(sums.text).map((row) => row.slice(0, 12)),
      ['Total income', 'Total expens', 'Balance rece'],
    );
    assert.match(sums.text, /new\?until=2026-01&amp;below=no#figures">Lines/);
    assert.doesNotMatch(sums.text, /#reason-/);
    const { text } = await browser.get(`${PATH}/new?until=2026-01`);
    assert.match(
      textOf(text),
      /Draft of statement 1 .* Statement 1 Draft 1 Jan 2026 to 31 Jan 2026 .*As of now/,
    );
    assert.match(
      textOf(text),
      /5 Not allocated, .* 426\.00 out\. Rules would allocate 1: 100\.00 out Run/,
    );
    assert.match(text, /<a class="button" href="\/rules\/run\?until=2026-01-31">Run the rules/);
    const asks = (off: string, line: string) => `${off} · add a reason ${line} Why? ${line} ${off}`;
    assert.deepEqual(rowsOf(text), [
      'Income expected received to come of expected',
      `4 Grant 500.00 0.00 500.00 – 500.00 0.00 100% ${asks('as planned', '4 Grant')}`,
      'Total income 500.00 0.00 500.00 – 500.00 0.00 100%',
      'Expenses budget spent left of budget',
      `7 Pay People 580.00 0.00 330.00 – 330.00 250.00 57% ${asks('10% above', '7 Pay')} the ` +
        '300.00 budgeted',
      'Total expenses 580.00 0.00 330.00 – 330.00 250.00 57%',
      'Balance received less spent −80.00 at the end 0.00 170.00 – 170.00',
    ]);
    assert.match(text, /Without 2 lines of zeros/);
    assert.equal((await browser.get(`${PATH}/new?until=2025-12`)).status, 409);
    for (const path of [`${PATH}/1`, `${PATH}/x`, '/projects/prj_0000000009/statements']) {
      assert.equal((await browser.get(path)).status, 404, path);
    }
  });

  it('14 say what the rules would allocate, and both amounts under review', async (test) => {
    const desk = await openPlay(test);
    const row = { description: 'Book', accountCode: '7500' };
    push(desk, [
      { ...row, externalId: 'S-1', date: '2026-01-20', amount: 340 },
      { ...row, externalId: 'F-1', date: '2026-02-01', amount: 7 },
    ]);
    const draft = async (to: string) => {
      const browser = await Browser.of(desk, 'member@example.org');
      return textOf((await browser.get(`${PATH}/new?until=${to}`)).text);
    };
    const january = await draft('2026-01');
    assert.match(january, /Counted as allocated, 330\.00; the finance system now has 340\.00/);
    desk.issue('2026-01');
    desk.clock.nowMs = Date.UTC(2026, 1, 3);
    const february = await draft('2026-02');
    assert.match(february, /1 Not allocated, .* Rules would allocate 1: 7\.00 out/);
    assert.doesNotMatch(february, /Under review/);
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
      /2 transactions in its months have changed since: income –, expenses \+20/,
    );
    assert.match(textOf(text), /Covering note Thank you\./);
    assert.match(
      rowsOf(text)[4] ?? '',
      /57% A rise in &lt;b&gt;May&lt;\/b&gt; 10% above the 300\.00 budgeted$/,
    );
    const changed = await browser.get(`${PATH}/1/changed`);
    assert.match(textOf(changed.text), /Projects · Play · Statements · Statement 1 Changed since/);
    const by = 'library allocated a transaction, 2 Feb 2026';
    const rows = rowsOf(changed.text).map((row) => row.replace(/^\d+ \w{3} \d{4} /, ''));
    assert.deepEqual(rows, [
      `Book To another line ${by} 7 Pay 330.00 – −330.00`,
      `Book From another line ${by} 8 Bonus – 330.00 +330.00`,
      `Book Came late ${by} 7 Pay – 20.00 +20.00`,
      'Budget line Reported, GBP Now Change',
      'Total income 500.00 500.00 –',
      '7 Pay 330.00 20.00 −310.00',
      '8 Bonus 0.00 330.00 +330.00',
      'Total expenses 330.00 350.00 +20.00',
      'Balance 170.00 150.00 −20.00',
    ]);
    const { text: list } = await browser.get(PATH);
    const [row] = rowsOf(list);
    assert.match(
      row ?? '',
      /^Statement 1 Jan 2026 Issued .*library 500\.00 .* 2 transactions not reported yet Print/,
    );
    for (const end of ['/print', '?format=xlsx', '?format=csv']) {
      assert.ok(list.includes(`href="${PATH}/1${end}"`), end);
    }
    const csv = await browser.get(`${PATH}/1?format=csv`);
    assert.match(csv.text, /^Play,1,1,issued,expense,People,7,Pay,GBP,580\.00,0\.00,330\.00/m);
    const items = await browser.get(`${PATH}/1?format=csv&part=transactions`);
    assert.match(
      items.text,
      /^period,2026-01-20,txn_\w+,api,S-1,Book,,expense,7,Pay,GBP,330\.00\r$/m,
    );
    assert.equal(items.text.trim().split('\r\n').length, 3);
    const named = await browser.get(`${PATH}/1?format=csv&part=transactions&contacts=yes`);
    assert.match(named.text, /,contact\r$/m);
    const book = await browser.get(`${PATH}/1?format=xlsx`);
    assert.match(book.headers.get('content-disposition') ?? '', /"Statement 1\.xlsx"/);
    assert.ok(book.text.startsWith('PK'));
    assert.equal((await browser.get(`${PATH}/1?issue=x`)).status, 404);
    assert.match(changed.text, /href="[^"]*\/statements\/new">The next statement<\/a> has these/);
    const second = issue('2026-02');
    assert.equal(second.number, 2);
    assert.match((await browser.get(`${PATH}/1/changed`)).text, />Statement 2<\/a> and later ones/);
    const [, first] = rowsOf((await browser.get(PATH)).text);
    assert.match(first ?? '', /2 transactions all in statement 2 Print/);
    const changedOf = async () => {
      const changes = rowsOf((await browser.get(PATH)).text);
      return changes.map((each) => /(\d transactions?.*) Print/.exec(each)?.[1]);
    };
    give(7, 5);
    assert.deepEqual(await changedOf(), [
      '1 transaction not reported yet',
      '2 transactions 1 not reported yet',
    ]);
    const draft = await browser.get(`${PATH}/2`);
    assert.match(
      textOf(draft.text),
      /People 580\.00 330\.00 0\.00 \+20\.00 350\.00 230\.00 60% 7 Pay/,
    );
  });

  it('14 lead from each figure to the transactions that it counted', async (test) => {
    const { browser, give, issue } = await openPlay(test);
    issue('2026-01');
    give(6, 5);
    give(7, 4);
    issue('2026-02');
    const { text } = await browser.get(`${PATH}/2`);
    const months =
      /before to 31 Jan 2026 This period Feb 2026 .* periods since statement 1 To date/;
    assert.match(textOf(text), months);
    const links = [...text.matchAll(/href="([^"]*transactions\?[^"]*)">([^<]*)</g)];
    const pay = links.filter(([, path = '']) => path.includes(formatId('bln', 4)));
    assert.deepEqual(
      pay.map(([, path = '', figure]) => [/column=(\w+)/.exec(path)?.[1], figure]),
      [
        ['before', '330.00'],
        ['changes', '−310.00'],
        ['toDate', '20.00'],
      ],
    );
    const rows = async (column: string, number = 2) => {
      const path = `${PATH}/${number}/transactions?line=${formatId('bln', 4)}&column=${column}`;
      return rowsOf((await browser.get(path)).text);
    };
    assert.deepEqual(await rows('before'), ['20 Jan 2026 Book 330.00']);
    assert.deepEqual(await rows('changes'), ['20 Jan 2026 Book −330.00', '20 Jan 2026 Book 20.00']);
    assert.deepEqual(await rows('toDate'), ['20 Jan 2026 Book 20.00']);
    assert.deepEqual(await rows('period'), []);
    // What is counted now is beside what was reported.
    assert.deepEqual(await rows('period', 1), ['20 Jan 2026 Book 330.00 0.00']);
    for (const end of ['line=x&column=period', `line=${formatId('bln', 4)}&column=left`]) {
      assert.equal((await browser.get(`${PATH}/1/transactions?${end}`)).status, 404, end);
    }
    const kinds = rowsOf((await browser.get(`${PATH}/2?by=kinds`)).text);
    assert.deepEqual(
      kinds.map((row) => row.split(/ [\d–]/, 1)[0]),
      ['Total income', 'Total expenses', 'Balance received less spent −80.00 at the end'],
    );
    const { text: summed } = await browser.get(`${PATH}/2?by=categories`);
    // It has no link, so keys scroll it themselves.
    assert.match(summed, /class="statement-sheet" tabindex="0" role="group"/);
    const categories = rowsOf(summed).join('\n');
    assert.match(categories, /^People 580\.00/m);
    assert.doesNotMatch(categories, /Pay/);
  });

  it('14 are named where what they reported is changed, which nothing stops', async (test) => {
    const { browser, give, issue, access, service } = await openPlay(test);
    const panel = async (number: number) => {
      const { text } = await browser.get(`/transactions?open=${formatId('txn', number)}`);
      const [, note = ''] = /<p class="note"><span>(.*?)<\/span><\/p>/s.exec(text) ?? [];
      return textOf(note).trim();
    };
    assert.equal(await panel(6), '');
    issue('2026-01');
    const reported = 'Statement 1 of Play reported this: ';
    const next = '. What you change shows in statement 2.';
    assert.equal(await panel(6), `${reported}330.00${next}`);
    // Received is positive.
    assert.equal(await panel(5), `${reported}500.00${next}`);
    give(7, 4);
    const late = 'Statement 1 of Play reported Jan 2026 without it. ';
    assert.equal(await panel(7), `${late}Statement 2 shows the change: +20.00.`);
    const line = formatId('bln', 5);
    const look = await browser.get(`/transactions/bulk?do=allocate&scope=all&line=${line}`);
    assert.match(
      textOf(look.text),
      /7 of them are in months that were reported: statement 2 of Play will show them/,
    );
    withdrawStatement(access, ID, { number: 1, reason: 'x' }, service.actor());
    assert.equal(await panel(6), '');
  });

  it('14 need budget lines, of the project or of those below it', async (test) => {
    const { browser, access, service } = await openPlay(test);
    const days = { startDate: '2026-01-01', endDate: '2026-12-31', budgetLines: [] };
    importProjects(access, { name: 'Bare', ...days }, service.actor());
    const bare = `/projects/${formatId('prj', 3)}/statements`;
    const { text } = await browser.get(bare);
    assert.match(text, /Statements need budget lines\./);
    assert.doesNotMatch(text, /statements\/new/);
    assert.equal((await browser.get(`${bare}/new`)).status, 409);
    const below = { name: 'Below', ...days, parentProject: 'Bare', budgetLines: [{ name: 'X' }] };
    importProjects(access, below, service.actor());
    assert.match((await browser.get(bare)).text, /statements\/new\?below=yes/);
    assert.equal((await browser.get(`${bare}/new?below=yes`)).status, 200);
  });

  it('14 say no percentage of pence, nor income where none is budgeted', async (test) => {
    const desk = await openPlay(test);
    const { browser, access, service, give } = desk;
    const budgetLines = [{ code: 'P', name: 'Pence', budget: { '2026-01': 0.04 } }];
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    importProjects(access, { name: 'Pence', ...days, budgetLines }, service.actor());
    push(desk, [{ externalId: 'P', date: '2026-01-20', description: 'Van', amount: 9000 }]);
    give(8, 7);
    const id = formatId('prj', 3);
    const draft = await browser.get(`/projects/${id}/statements/new?until=2026-01`);
    const [line = ''] = rowsOf(draft.text);
    assert.match(line, /^P Pence 0\.04 .* 8,999\.96 over .*Why\? .*far above the 0\.04 budgeted$/);
    assert.doesNotMatch(draft.text, /\d{4}%/);
    issueStatement(access, id, { to: '2026-01', withoutReasons: true }, service.actor());
    const list = textOf((await browser.get(`/projects/${id}/statements`)).text);
    assert.match(list, /Spent to date, GBP /);
    assert.doesNotMatch(list, /Received|Balance/);
  });

  it('14 keep a withdrawn one readable', async (test) => {
    const { browser, access, service, issue } = await openPlay(test);
    const tab = async (path: string) => {
      const [, name = ''] = /statements"[^>]*>(Statements.*?)<\/a>/.exec(
        (await browser.get(path)).text,
      ) ?? [''];
      return textOf(name).trim();
    };
    issue('2026-01');
    assert.equal(await tab(`/projects/${ID}`), 'Statements 1');
    const withdrawal = { number: 1, reason: 'Too <early>' };
    withdrawStatement(access, ID, withdrawal, service.actor());
    assert.equal(await tab(`/projects/${ID}`), 'Statements');
    issue('2026-02');
    assert.equal(await tab(PATH), 'Statements 1');
    const list = await browser.get(PATH);
    for (const end of ['', '/print']) {
      assert.match(list.text, new RegExp(`href="${PATH}/1${end}\\?issue=1"`));
    }
    assert.match(
      textOf(list.text),
      /Withdrawn: 1.*Withdrawn issued .*withdrawn .* by library: Too &lt;early&gt;/,
    );
    assert.match(textOf(list.text), /Print statement 1, issue 2 · XLSX statement 1, issue 2 · CSV/);
    const old = await browser.get(`${PATH}/1?issue=1`);
    assert.match(textOf(old.text), /Withdrawn .* by library: Too &lt;early&gt;/);
    assert.match(textOf((await browser.get(`${PATH}/1`)).text), /by library, issue 2/);
  });
});
