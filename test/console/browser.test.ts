/** The pages in a real browser. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { repetitions } from '../repetitions.ts';
import { type Chromium, chooseLine, skip } from './chromium.ts';
import { openDesk, push } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const TRANSACTION = formatId('txn', 1);
const PROJECT = `/projects/${formatId('prj', 1)}`;

/** Pages that together have every part. */
const PAGES = [
  '/',
  '/transactions',
  '/transactions?tab=open&sort=oldest',
  '/transactions/bulk?do=allocate&scope=all&line=A&filters=tab%3Dopen',
  '/transactions/bulk?do=clear&scope=all&filters=',
  `/transactions?open=${formatId('txn', 2)}`,
  '/transactions?q=nothing&from=2026-01-01',
  '/rules/run?only=code',
  '/review',
  '/projects',
  '/projects/new',
  PROJECT,
  `${PROJECT}?by=quarters`,
  `${PROJECT}/edit`,
  `${PROJECT}/paste`,
  `${PROJECT}/lines/new`,
  '/rules',
  `/rules/${formatId('rul', 1)}`,
  '/rules/new?contact=Ann&line=A',
  '/rules/run',
  '/account',
  '/settings/keys',
  '/settings/keys/new',
  '/settings/users',
  '/settings/users/new',
  '/settings/organisation',
  '/settings/backups',
  '/activity',
  '/import',
  '/help',
];

const STATEMENTS = `/projects/${formatId('prj', 2)}/statements`;
const STATEMENT_PAGES = [
  STATEMENTS,
  `${STATEMENTS}/new`,
  `${STATEMENTS}/1`,
  `${STATEMENTS}/1?by=categories`,
  `${STATEMENTS}/1/changed`,
  `${STATEMENTS}/1/transactions?line=${formatId('bln', 3)}&column=toDate`,
  `${STATEMENTS}/1/print`,
];
const GRANT = {
  name: 'Grant',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  funder: { name: 'City Council', reference: 'CC/1' },
  budgetLines: [
    { code: '4000', name: 'Grant', kind: 'income', budget: { '2026-01': 500 } },
    { code: '7000', name: 'Salary of a youth worker', category: 'People', budget: {} },
    { code: '7010', name: 'Pension', category: 'People', budget: { '2026-01': 50 } },
  ],
};

/** Files that leave something open, have rejected rows, and can be imported as they are. */
const FILES = {
  'open.csv': 'Posted,Details,Value\n01/02/2026,Rent,1200.00\n03/04/2026,Back,-20.50\n',
  'ready.csv':
    'Date,Transaction ID,Supplier Name,Description,Money out,Money in\n' +
    '2026-04-21,T1,Ann,Rent,1200.50,\n2026-04-22,T2,Bob,Heat,,33.10\n2026-02-30,T3,,X,1.00,\n',
};

/** A service with a little of everything, and an owner who can sign in. */
async function openBusyDesk(test: TestContext) {
  const desk = await openDesk(test, 'owner');
  const allocations = [{ budgetLineId: formatId('bln', 1) }];
  allocate(desk.access, { transactionId: TRANSACTION, allocations }, desk.service.actor());
  push(desk, [{ ...desk.rows[0], amount: 250 }]);
  const shares = [
    { line: 'A', percent: 60 },
    { line: 'B', rest: true },
  ];
  const rule = { name: 'Bob', conditions: { contact: { is: 'Bob' } }, shares };
  importRules(desk.access, [rule], desk.service.actor());
  importProjects(desk.access, GRANT, desk.service.actor());
  const give = (number: number, line: number) => {
    const to = [{ budgetLineId: formatId('bln', line) }];
    const request = { transactionId: formatId('txn', number), allocations: to };
    allocate(desk.access, request, desk.service.actor());
  };
  const row = { date: '2026-01-05', description: 'Of the project' };
  push(desk, [
    { ...row, externalId: 'G-1', amount: -400 },
    { ...row, externalId: 'G-2', amount: 70 },
  ]);
  give(5, 3);
  const request = { to: '2026-01', note: 'Thank you.', withoutReasons: true };
  issueStatement(desk.access, formatId('prj', 2), request, desk.service.actor());
  give(6, 5);
  return desk;
}

/** Only violations are listed, without paths to elements; no rule here reads style sheets. */
const REPORT = { resultTypes: ['violations'], selectors: false, preload: false };

/** A rule of WCAG 2.2, which axe leaves out unless it is asked for. */
const MORE_RULES = { rules: { 'target-size': { enabled: true } }, ...REPORT };

/** The rules of axe that look at colours; no others differ between a light and a dark page. */
const COLOR_RULES = { runOnly: ['color-contrast', 'link-in-text-block'], ...REPORT };

/** What axe finds, by colours, rule and element, and the tables without a name. */
async function run(page: Page, options: string): Promise<string[]> {
  const source = `axe.run(${options}).then(({ violations }) => violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html }) =>
      matchMedia('(prefers-color-scheme: dark)').matches + ' ' + id + ': ' + html.slice(0, 120)))
    .concat([...document.querySelectorAll(
      'table:not([aria-label], [aria-labelledby], :has(> caption))')].map(
      ({ outerHTML }) => outerHTML.slice(0, 120))))`;
  return (await page.evaluate(source)) as string[];
}

type Look = readonly [width: number, height: number, colorScheme: 'light' | 'dark'];

const DESKTOP: readonly Look[] = [
  [1280, 2500, 'light'],
  [800, 2500, 'light'],
  [800, 2500, 'dark'],
  [1280, 2500, 'dark'],
];

/**
 * How a page is looked at, with one change between looks; 320 wide, only for scrolling. The windows
 * are taller than any page: what is half under a sticky bar counts as too small to hit. Other looks
 * of a desktop are left to `.ci/run`.
 */
const LOOKS: Readonly<Record<string, readonly Look[]>> = {
  desktop: repetitions<readonly Look[]>([[1280, 2500, 'light']], DESKTOP, DESKTOP),
  phone: [
    [320, 4200, 'light'],
    [360, 4200, 'light'],
    [360, 4200, 'dark'],
  ],
};

const SIZE = '[document.documentElement.scrollWidth, document.documentElement.scrollHeight]';

/** Fails if axe finds a fault in a page or if it scrolls sideways, in any of these looks. */
async function examine(page: Page, looks: readonly Look[], what: string): Promise<void> {
  for (const [width, height, colorScheme] of looks) {
    const where = `${what}, ${width} wide`;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    const [wide = 0, high = 0] = await page.evaluate<number[]>(SIZE);
    assert.ok(wide <= width, `${where}: ${wide} px`);
    if (width < 360) continue;
    assert.ok(high <= height, `${where}: ${high} px high`);
    const rules = colorScheme === 'light' ? MORE_RULES : COLOR_RULES;
    assert.deepEqual(await run(page, JSON.stringify(rules)), [], where);
  }
}

describe('the console in a browser', { skip }, () => {
  let browser: Chromium;
  before(async () => {
    browser = await openChromium();
  });

  for (const [device, looks] of Object.entries(LOOKS)) {
    it(`has no fault that axe finds, and never scrolls sideways, on a ${device}`, async (test) => {
      const { url } = await openBusyDesk(test);
      const faults: string[] = [];
      const [[width, height] = [0, 0]] = looks;
      const page = await browser.signIn(url, { viewport: { width, height } }, faults);
      // Not as a script of the page, which its policy forbids.
      await page.addInitScript(axe);
      // Each page is opened in the look in which the one before was left: a change costs.
      let next = looks;
      const examineShown = async (what: string) => {
        await examine(page, next, what);
        next = [...next].reverse();
      };
      const follow = (button: string) =>
        Promise.all([page.waitForEvent('load'), page.click(button)]);
      for (const path of [...PAGES, ...STATEMENT_PAGES]) {
        await page.goto(url + path);
        await examineShown(path);
      }
      for (const [name, text] of Object.entries(FILES)) {
        await page.goto(`${url}/import`);
        const buffer = Buffer.from(text);
        await page.setInputFiles('[name=file]', { name, mimeType: 'text/csv', buffer });
        await follow('main button.primary');
        await examineShown(name);
      }
      await follow('text=/^Import 2/');
      await examineShown('imported');
      assert.deepEqual(faults, []);
      await page.goto(`${url}/projects/new`);
      await follow('main button.primary');
      await page.locator('.problem li:nth-child(2)').waitFor();
      await examineShown('faults');
      await page.context().close();
    });
  }

  it('says what the figures of a report are, and has a way past them', async (test) => {
    const { url } = await openBusyDesk(test);
    const page = await browser.signIn(url, {}, []);
    await page.goto(url + PROJECT);
    const said = await page.evaluate(
      `getComputedStyle(document.querySelector(".report tbody td:not(.after) > .sub"),
        "::before").content`,
    );
    assert.match(String(said), /of budget/);
    await page.locator('.sheet').focus();
    await page.keyboard.press('Shift+Tab');
    assert.equal(await page.locator(':focus').innerText(), 'Skip the table');
    await page.keyboard.press('Enter');
    assert.match(await page.locator(':focus').innerText(), /^In each month: actual above/);
    await browser.leave(page);
  });

  for (const javaScriptEnabled of [true, false]) {
    it(`shows what a rule takes, saves and runs it, script: ${javaScriptEnabled}`, async (test) => {
      const { url } = await openBusyDesk(test);
      const faults: string[] = [];
      const page = await browser.signIn(url, { javaScriptEnabled }, faults);
      await page.goto(`${url}/rules/new`);
      await page.fill('[name=name]', 'Cat');
      await page.fill('[name=contact]', 'cat');
      await chooseLine(page.locator('[name=line]').first(), 'A Rent');
      await page.locator('[name=amount]').first().fill('60');
      if (javaScriptEnabled) {
        assert.equal(await page.locator('[data-left]').innerText(), '40%');
        await page.locator('[name=amount]').first().fill('104');
        assert.match(await page.locator('tfoot').innerText(), /Too much by\s+4%/);
      }
      await page.locator('[name=amount]').first().fill('');
      await page.click('text=Add a line');
      if (javaScriptEnabled) await page.locator('#line-1:focus').waitFor();
      await page.click('text=Show what it takes');
      assert.match(await page.locator('.preview').innerText(), /102\.00/);
      await page.click('text=Save the rule');
      assert.match(await page.locator('.flash').innerText(), /would take 1 transaction now/);
      await page.click('text=Run the rules');
      await page.click('text=/Allocate 2 transactions/');
      assert.match(await page.locator('.flash').innerText(), /2 transactions allocated by 2 rules/);
      assert.deepEqual(faults, []);
      await browser.leave(page);
    });

    it(`allocates, splits and undoes, script: ${javaScriptEnabled}`, async (test) => {
      const { url } = await openBusyDesk(test);
      const faults: string[] = [];
      const page = await browser.signIn(url, { javaScriptEnabled }, faults);
      await page.goto(`${url}/transactions?tab=open`);
      await page.locator('tbody .what a').first().click();
      const line = page.locator('.split-form [name=line]');
      await chooseLine(line.first(), 'A Rent');
      await page.locator('.split-form [name=amount]').first().fill('3');
      await page.click('text=Add a line');
      if (javaScriptEnabled) await page.locator('#line-1:focus').waitFor();
      await chooseLine(line.nth(1), 'B Heat');
      const left = await page.locator('[data-left]').innerText();
      if (javaScriptEnabled) assert.equal(left, '0.00', 'the empty amount takes it');
      await page.click('.split-form button.primary');
      assert.match(await page.locator('.flash').innerText(), /allocated\s+to A Rent and 1 more/);
      await page.click('.flash button');
      assert.match(await page.locator('.flash').innerText(), /1 transaction is as before/);
      await page.goto(`${url}/review`);
      await page.click('text=Settle and next');
      assert.match(await page.locator('.flash').innerText(), /is settled/);
      assert.deepEqual(faults, []);
      await browser.leave(page);
    });
  }
});
