/** The report on paper: Chromium prints it, and pdftotext reads it. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { it, type TestContext } from 'node:test';
import { Reader } from '../../src/console/session/reader.ts';
import { periodsBetween } from '../../src/core/calendar.ts';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { skip as isMissing } from './chromium.ts';
import { openDesk } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const hasReader = spawnSync('pdftotext', ['-v']).error === undefined;
const skip = isMissing || (hasReader ? false : 'pdftotext is not installed');

const START = '2024-11-01';
const NAMES = ['Rent of the hall and of two rooms for the group', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** The months of a project of so many. */
function monthsOf(count: number) {
  return periodsBetween(START, '2199-12-31', 'monthly').slice(0, count);
}

/** Makes projects of so many months, with an amount in each; returns what reads their reports. */
async function openPrinter(test: TestContext, sizes: readonly (readonly [number, number])[]) {
  const { access, service, url } = await openDesk(test, 'owner');
  const projects = sizes.map(([count, amount]) => {
    const months = monthsOf(count);
    const budget = Object.fromEntries(months.map(({ key }) => [key, amount]));
    const budgetLines = NAMES.map((name) => ({ name, budget }));
    const endDate = months.at(-1)?.endDate;
    const name = `${count} months of ${amount}`;
    return { name, startDate: START, endDate, budgetLines, archived: count === 1 };
  });
  importProjects(access, projects, service.actor());
  // Dated outside the shorter ones.
  const transactionId = formatId('txn', 1);
  const allocations = [{ budgetLineId: formatId('bln', 3) }];
  allocate(access, { transactionId, allocations }, service.actor());
  const faults: string[] = [];
  const browser = await openChromium();
  const page = await browser.signIn(url, { locale: 'en-GB' }, faults);
  test.after(() => browser.leave(page));
  /** The pages of the report of a project, or of another of its pages, as texts. */
  return async (number: number, path = '?by=months', above = 0): Promise<string[]> => {
    await page.goto(`${url}/projects/${formatId('prj', number + 2)}${path}`);
    await page.evaluate(`(() => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('@media print { main { padding-top: ${above}pt !important } }');
      document.adoptedStyleSheets = [sheet];
    })()`);
    const input = await page.pdf({ preferCSSPageSize: true });
    assert.deepEqual(faults, []);
    const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input, encoding: 'utf8' });
    return text.split('\f').filter((each) => each.trim() !== '');
  };
}

it('a printed report has each month on every page, and who printed it when', {
  skip,
}, async (test) => {
  const counts = [2, 12, 24, 36, 60];
  const print = await openPrinter(
    test,
    counts.map((count) => [count, 1_250]),
  );
  const reader = Reader.of('en-GB', { currency: { code: 'GBP', places: 2 }, timeZone: 'UTC' });
  for (const [number, count] of counts.entries()) {
    const months = monthsOf(count);
    const names = months.map((each) => reader.period(each));
    const years = months.map(({ key }) => key.slice(0, 4));
    const pages = await print(number);
    assert.match(pages[0] ?? '', /^\s*Test, 31 Jan 2026\n/);
    assert.ok(pages.length > 1);
    for (const [at, page] of pages.entries()) {
      const where = `page ${at + 1} of ${count} months`;
      const lines = page.split('\n').filter((line) => line.trim() !== '');
      const from = lines.findIndex((line) => /Actual\s+Left(?!\s+Budgeted)/.test(line));
      // Where no row fits below the charts, the table begins on the next page.
      if (from < 0 && at === 0) continue;
      const heads = lines.slice(from, from + 2 * Math.ceil(count / 12)).join(' ');
      const known = new RegExp(`\\b(?:${[...new Set(names)].join('|')})\\b`, 'g');
      assert.deepEqual(heads.match(known), names, where);
      const shown = count > 12 ? years : [...new Set(years)];
      assert.deepEqual(heads.match(/\b20\d\d\b/g), shown, where);
    }
    // Each line has an amount in each month, and so have all lines together.
    const text = pages.join('');
    assert.equal(text.match(/\b1,250\b/g)?.length, NAMES.length * count);
    assert.equal(text.match(/\b33,750\b/g)?.length, count);
  }
});

it('a printed report has fewer months beside each other where amounts are long', {
  skip,
}, async (test) => {
  const print = await openPrinter(test, [[12, 123_456_789]]);
  const text = (await print(0)).join('');
  assert.equal(text.match(/ 123,456,789\b/g)?.length, NAMES.length * 12);
  assert.match(text, /Left +Nov .* Apr\n/);
});

it('the head of a printed report is never alone at the end of a page', { skip }, async (test) => {
  const print = await openPrinter(test, [[2, 1_250]]);
  const ends: string[] = [];
  // Further down by less than a row, until nothing of the table is on the first page.
  for (let above = 0; above < 800 && !/^ *Nov/.test(ends.at(-1) ?? ''); above += 10) {
    const [page = ''] = await print(0, '?by=months', above);
    const lines = page.split('\n').filter((line) => line.trim() !== '');
    ends.push(lines.at(-2) ?? '');
    assert.doesNotMatch(ends.at(-1) ?? '', /^\s*(?:Lines|Budget line)\b/, `${above}`);
  }
  assert.match(ends.at(-1) ?? '', /^ *Nov/);
  assert.ok(ends.length > 10);
});

it('a printed project has no button that archives it or brings it back', { skip }, async (test) => {
  const print = await openPrinter(test, [
    [2, 1_250],
    [1, 1_250],
  ]);
  const edited = (await print(0, '/edit')).join('');
  assert.match(edited, /Edit project/);
  assert.doesNotMatch(edited, /Archive the project|no longer allocate|Save/);
  const archived = (await print(1)).join('');
  assert.match(archived, /Archived on 31 Jan 2026\./);
  assert.doesNotMatch(archived, /Bring it back|can allocate/);
});
