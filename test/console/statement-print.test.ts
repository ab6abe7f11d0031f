/** A statement on paper: Chromium prints it, and pdftotext reads it page by page. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { runRules } from '../../src/operations/rule-runs.ts';
import { importRules } from '../../src/operations/rules.ts';
import { issueStatement, withdrawStatement } from '../../src/operations/statements.ts';
import { skip as isMissing } from './chromium.ts';
import { openDesk, push } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const hasReader = spawnSync('pdftotext', ['-v']).error === undefined;
const skip = isMissing || (hasReader ? false : 'pdftotext is not installed');
const ID = formatId('prj', 2);
const SIZE = 4;

/** What issues a statement of so many categories of four lines, and what prints it. */
async function openPrinter(test: TestContext) {
  const desk = await openDesk(test, 'owner');
  const { access, service, url } = desk;
  const faults: string[] = [];
  const browser = await openChromium();
  const page = await browser.signIn(url, { locale: 'en-GB' }, faults);
  test.after(() => browser.leave(page));
  const issue = (categories: number, transaction = 1, first = 10) => {
    const project = {
      name: 'Youth "work" \\ 2026',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      funder: { name: 'City Council', reference: 'CC/1' },
      budgetLines: [
        { code: 'G', name: 'Grant', kind: 'income', budget: { '2026-01': 500 } },
        ...Array.from({ length: categories * SIZE }, (_, at) => ({
          name: `Line ${at}`,
          category: `Group ${Math.floor(at / SIZE)}`,
          budget: { '2026-01': at === 0 ? first : 10 + at },
        })),
      ],
    };
    importProjects(access, project, service.actor());
    const allocations = [{ budgetLineId: formatId('bln', 4) }];
    const request = { transactionId: formatId('txn', transaction), allocations };
    allocate(access, request, service.actor());
    const reasons = { [formatId('bln', 4)]: 'A late\nstart' };
    const wanted = { to: '2026-01', note: 'Thank you.', reasons, withoutReasons: true };
    issueStatement(access, ID, wanted, service.actor());
  };
  const print = async (path = '1/print') => {
    await page.goto(`${url}/projects/${ID}/statements/${path}`);
    const input = await page.pdf({ preferCSSPageSize: true });
    assert.deepEqual(faults, []);
    const sizes = execFileSync('pdfinfo', ['-'], { input, encoding: 'utf8' });
    assert.match(sizes, /Page size: +59\d\.?\d* x 84\d/);
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' });
    return text
      .split('\f')
      .map((each) => each.split('\n').filter((line) => line.trim() !== ''))
      .filter((lines) => lines.length > 0);
  };
  return { ...desk, page, issue, print };
}

it('14 a statement is printed on A4 with what a funder must know', { skip }, async (test) => {
  const { issue, print } = await openPrinter(test);
  issue(2);
  const pages = await print();
  const text = pages.flat().join('\n').replaceAll(/ +/g, ' ');
  for (const words of [
    /^ ?Test\n/,
    /Statement of income and expenses/,
    /Youth "work" \\ 2026 · statement 1 · Jan 2026/,
    /Funder City Council Reference CC\/1/,
    /Issued 31 Jan 2026\n/,
    /Thank you\./,
    /Line 0 10\.00/,
    /Balance received less spent 392\.00/,
    /Differences of more than 10% from the budget to 31 Jan 2026/,
    /A late/,
    /no reason given/,
    /Prepared by Date/,
    /Test · Youth "work" \\ 2026 · Statement 1 Page 1 of \d/,
  ]) {
    assert.match(text, words);
  }
  // What is for the screen only, and the names of contacts.
  assert.doesNotMatch(text, /Back to|print to PDF|Ann|Not finished/);
});

it('14 an issued one keeps the name and the lines that were at its head', async (test) => {
  const desk = await openDesk(test, 'owner');
  const { access, service, browser } = desk;
  const project = { name: 'Play', startDate: '2026-01-01', endDate: '2026-12-31' };
  importProjects(access, { ...project, budgetLines: [{ name: 'Pay' }] }, service.actor());
  const set = (path: string, fields: Readonly<Record<string, string>>) =>
    browser.send(`/settings/organisation/${path}`, fields);
  const five = await set('letterhead', { letterhead: 'a\r\nb\r\nc\r\nd\r\ne' });
  assert.match(five.text, /The head of statements has 5 lines\. It can have 4\./);
  await set('letterhead', { letterhead: ' 4 Quay <b> \r\n\r\nCharity 1100045\r\n' });
  const reasons = { [formatId('bln', 3)]: 'It begins in May.' };
  issueStatement(access, ID, { to: '2026-01', reasons }, service.actor());
  const show = async (name: string) => {
    const path = `/projects/${ID}/statements/${name}/print`;
    const [page, style] = [await browser.get(path), await browser.get(`${path}.css`)];
    return { page: page.text, style: style.text };
  };
  const issued = await show('1');
  const head = /<bdi>Test<\/bdi><\/p><p class="small">4 Quay &lt;b&gt;\nCharity 1100045<\/p>/;
  assert.match(issued.page, head);
  // Nobody asked for the reason.
  assert.match(issued.page, />Differences from the budget to <time[^>]*>31 Jan 2026/);
  await set('name', { name: 'Moved', was: 'Test' });
  const stale = await set('letterhead', { letterhead: '5 Quay Street', was: '' });
  assert.equal(stale.status, 409);
  assert.match(
    stale.text,
    /changed the letterhead to &quot;4 Quay &lt;b&gt;\nCharity 1100045&quot;/,
  );
  await set('letterhead', { letterhead: ' ', was: '4 Quay <b>\r\nCharity 1100045' });
  assert.deepEqual(await show('1'), issued);
  const draft = await show('new');
  assert.match(draft.page, /class="letterhead"><p><bdi>Moved<\/bdi><\/p><\/div>/);
  assert.match(draft.style, /content: "Moved /);
});

it('14 its heads are on every page, and a sum is never alone on one', { skip }, async (test) => {
  const { issue, print } = await openPrinter(test);
  issue(30);
  const pages = await print();
  assert.ok(pages.length >= 4, `${pages.length} pages`);
  const last = pages.findIndex((lines) => lines.some((line) => /^ *Balance /.test(line)));
  assert.ok(last >= 2);
  for (const [at, lines] of pages.entries()) {
    const foot = `Page ${at + 1} of ${pages.length}`;
    assert.ok(lines.at(-1)?.endsWith(foot), `${lines.at(-1)} is not ${foot}`);
    if (at > last) continue;
    const head = lines.findIndex((line) => /^ *Budget line /.test(line));
    const isWhole = lines.slice(0, head + 3).some((line) => line.includes('This period'));
    assert.ok(head >= 0 && isWhole, `page ${at + 1} has no head`);
    const rows = lines.slice(head + 1, -1).filter((line) => /^ *(?:Line|Group|Total) /.test(line));
    assert.doesNotMatch(rows.at(-1) ?? '', /^ *Group /, `page ${at + 1} ends with a category`);
    if (at > 0) assert.doesNotMatch(rows[0] ?? '', /^ *Total/, `page ${at + 1} begins with a sum`);
  }
});

it('14 it says what has changed, by line and what happened, and how costs are shared', {
  skip,
}, async (test) => {
  const desk = await openPrinter(test);
  const { access, service, issue, print } = desk;
  issue(2);
  const give = (
    transaction: number,
    parts: readonly (readonly [line: number, minor: number])[],
  ) => {
    const allocations = parts.map(([line, amountMinor]) => {
      return { budgetLineId: formatId('bln', line), amountMinor };
    });
    const request = { transactionId: formatId('txn', transaction), allocations };
    allocate(access, request, service.actor());
  };
  const shares = [
    { budgetLineId: formatId('bln', 5), percent: 62.5 },
    { budgetLineId: formatId('bln', 1), rest: true },
  ];
  const cat = { name: 'Cat & Co', conditions: { contact: { is: 'Cat' } }, shares };
  importRules(access, [cat], service.actor());
  await runRules(access, service.actor());
  give(1, [
    [4, 6_000],
    [6, 4_000],
  ]);
  give(2, [[4, 10_100]]);
  issueStatement(access, ID, { to: '2026-12', withoutReasons: true }, service.actor());
  const said = async (path: string) => {
    return (await print(path)).flat().join('\n').replaceAll(/ +/g, ' ');
  };
  const paper = await said('2/print');
  assert.match(
    paper,
    /3 transactions from earlier months are counted differently than in statement 1\./,
  );
  for (const row of [
    /Line 0 To another line 1 −40\.00/,
    /Line 0 Came late 1 \+101\.00/,
    /Line 1 Came late 1 \+63\.75/,
    /Line 2 From another line 1 \+40\.00/,
    /Total expenses \+164\.75/,
    // The other column can be between its two lines.
    /Shared costs are divided by fixed percentages: Cat & Co,[^;]{0,80} 62\.5%\./,
  ]) {
    assert.match(paper, row);
  }
  // It says nothing of rules that may have been others when it was issued.
  importRules(access, [], service.actor());
  assert.doesNotMatch(await said('2/print'), /Shared costs/);
  assert.match(await said('2/print'), /Line 0 Came late 1 \+101\.00/);
});

it('14 a draft and a withdrawn one say so on paper', { skip }, async (test) => {
  const { access, service, issue, print } = await openPrinter(test);
  issue(1);
  const draft = (await print('new/print?until=2026-12')).flat().join('\n');
  assert.match(draft, /Draft of 31 Jan 2026\. +Its figures may change\./);
  assert.match(draft, /· Draft of statement 2/);
  withdrawStatement(access, ID, { number: 1, reason: 'Too early' }, service.actor());
  const gone = (await print('1/print?issue=1')).flat().join('\n');
  assert.match(gone, /Withdrawn +31 Jan 2026 by library: Too early/);
  assert.match(gone, /· Withdrawn statement 1/);
});

it('14 one of millions fits a desktop, its list a phone, and paper', { skip }, async (test) => {
  const desk = await openPrinter(test);
  const { page, url, issue } = desk;
  const row = { externalId: 'M', date: '2026-01-20', description: 'Roads' };
  push(desk, [{ ...row, amount: 44_585_701.67 }]);
  issue(2, 5, 58_342_493.05);
  const path = `${url}/projects/${ID}/statements`;
  const widthOf = async (address: string, width: number) => {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(address);
    return page.evaluate('document.documentElement.scrollWidth');
  };
  assert.equal(await widthOf(`${path}/1`, 1280), 1280);
  for (const address of [path, `${path}/1`, `${path}/new?until=2026-12`]) {
    assert.equal(await widthOf(address, 360), 360, address);
    for (const cell of await page.locator(':is(.line-of, .total) td.num').all()) {
      const height = (await cell.boundingBox())?.height ?? 0;
      assert.ok(height < 24, `${await cell.textContent()} is ${height} high`);
    }
  }
  await page.goto(`${path}/1/print`);
  const name = await page.locator('.line-of th').first().boundingBox();
  assert.ok((name?.width ?? 0) > 100, `${name?.width}`);
  // Nothing of the sheet is outside the phone, and its facts have room for words.
  const main = 'document.querySelector("main")';
  assert.equal(await page.evaluate(`${main}.scrollWidth - ${main}.clientWidth`), 0);
  const fact = await page.locator('.pairs dd').first().boundingBox();
  assert.ok((fact?.width ?? 0) > 150, `${fact?.width}`);
});
