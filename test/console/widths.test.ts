/** What pages look like in windows of different widths, in a real browser. */

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { getReport, listProjects } from '../../src/operations/projects.ts';
import { createSession } from '../../src/operations/sessions.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { listTransactions, pushTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { listUsers } from '../../src/store/users.ts';
import { type Chromium, skip } from './chromium.ts';
import { openDesk, push } from './desk.ts';
import { furnish } from './furnish.ts';
import { openChromium } from './shared-chromium.ts';

const PROJECT = `/projects/${formatId('prj', 1)}`;
const PANEL = `/transactions?open=${formatId('txn', 1)}`;
const PHONE = { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true };

async function placeOf(found: Locator) {
  return (await found.boundingBox()) ?? assert.fail(`${found} is not shown`);
}

describe('a window', { skip }, () => {
  let browser: Chromium;
  before(async () => {
    browser = await openChromium();
  });

  /** Opens a page of the desk; `width` is that of a desktop. */
  async function show(url: string, wish: number | BrowserContextOptions) {
    const wide = typeof wish === 'number' ? { viewport: { width: wish, height: 800 } } : wish;
    return browser.signIn(url, { locale: 'en-GB', ...wide }, []);
  }

  it('has room for reasons, and on a phone amounts beside each other', async (test) => {
    const { url, access, service } = await openDesk(test, 'owner');
    const give = (transaction: number) => {
      const allocations = [{ budgetLineId: formatId('bln', 1) }];
      const transactionId = formatId('txn', transaction);
      allocate(access, { transactionId, allocations }, service.actor());
    };
    give(1);
    const id = formatId('prj', 1);
    issueStatement(access, id, { to: '2026-01', withoutReasons: true }, service.actor());
    give(2);
    const [tablet, phone] = [await show(url, 800), await show(url, PHONE)];
    await tablet.goto(`${url}${PROJECT}/statements/new`);
    assert.ok((await placeOf(tablet.locator('.reason textarea').first())).width > 240);
    await phone.goto(`${url}${PROJECT}/statements/1/changed`);
    const amounts = await phone.locator('tbody tr:first-child td.num').all();
    const tops = await Promise.all(amounts.map(async (each) => (await placeOf(each)).y));
    assert.deepEqual([tops.length, new Set(tops).size], [6, 2], 'two tables of three amounts');
    await Promise.all([browser.leave(tablet), browser.leave(phone)]);
  });

  it('1280 wide has room for the filter beside an open transaction', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const page = await show(url, 1280);
    await page.goto(`${url}${PANEL}&from=2026-01-01&to=2026-12-31`);
    for (const label of await page.locator('.filter label').all()) {
      assert.ok((await placeOf(label)).height < 20, `${await label.innerText()} takes two lines`);
    }
    for (const day of await page.locator('.filter [type=date]').all()) {
      // The day, 80, the button of its calendar, 20, and what is around them.
      assert.ok((await placeOf(day)).width >= 130);
    }
    await browser.leave(page);
  });

  it('1024 wide keeps names whole, and no field of the filter alone in a row', async (test) => {
    const desk = await openDesk(test, 'owner');
    const contact = 'EXTRAORDINARY APPRENTICESHIPS';
    push(desk, [
      { externalId: 'L', date: '2026-02-01', description: 'Rent Allowance', contact, amount: 1 },
    ]);
    const page = await show(desk.url, 1024);
    await page.goto(`${desk.url}/transactions`);
    const fields = await page.locator('.filter > :is(div, .button)').all();
    const ends = await Promise.all(
      fields.map(async (each) => {
        const { y, height } = await placeOf(each);
        return Math.round(y + height);
      }),
    );
    assert.deepEqual([ends.length, new Set(ends.slice(1)).size], [9, 1], `${ends}`);
    await page.goto(desk.url + PANEL);
    const name = page.locator('.list .what a', { hasText: contact });
    assert.ok((await placeOf(name)).height < 50, 'a name of two words has two lines');
    await page.context().close();
  });

  it('drops no rule of the style', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const page = await show(url, 1280);
    const style = await (await fetch(`${url}/console.css`)).text();
    const found = style.replaceAll(/\/\*.*?\*\//gs, '').match(/(?<=^|[{}])[^{}@]+(?={)/g) ?? [];
    assert.ok(found.length > 300, `${found.length} selectors`);
    const dropped = await page.evaluate(`${JSON.stringify(found)}.filter((selector) => {
      try { document.querySelector(selector); } catch { return true; }
    })`);
    assert.deepEqual(dropped, []);
    await browser.leave(page);
  });

  it('of a phone has room for the line of a row, and 800 for where a rule goes', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const [phone, tablet] = [await show(url, PHONE), await show(url, 800)];
    await phone.goto(`${url}/transactions?tab=open`);
    assert.ok((await placeOf(phone.locator('.list [data-day]').first())).width > 240);
    assert.equal(await phone.locator('.list .code').first().isVisible(), false);
    const label = await phone.evaluate(
      'getComputedStyle(document.querySelector("td:has([data-day])"), "::before").content',
    );
    assert.equal(label, '"Budget line"');
    await tablet.goto(`${url}/rules`);
    assert.ok((await placeOf(tablet.locator('.rules td:nth-child(3)').first())).width > 140);
    await Promise.all([browser.leave(phone), browser.leave(tablet)]);
  });

  it('800 wide has two rows above the page, and the list in its upper half', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const page = await show(url, 800);
    await page.goto(`${url}/transactions`);
    const [who, places] = [page.locator('.who'), page.locator('.bar nav')];
    const { x, width } = await placeOf(who);
    assert.ok(x + width > 750);
    assert.ok((await placeOf(places)).y > (await placeOf(who)).y + 20);
    assert.ok((await placeOf(page.locator('.filter'))).height < 240);
    assert.ok((await placeOf(page.locator('.list'))).y < 500);
    await browser.leave(page);
  });

  it('1920 wide has the page below the beginning of the bar', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const page = await show(url, 1920);
    for (const path of ['/', PROJECT, '/transactions']) {
      await page.goto(url + path);
      const [brand, heading] = [page.locator('.brand'), page.locator('main h1')];
      assert.equal((await placeOf(heading)).x, (await placeOf(brand)).x, path);
    }
    await browser.leave(page);
  });

  it('is not widened by long words or large amounts', async (test) => {
    const { service, url, clock } = await openDesk(test, 'owner');
    const say = (most: number) => 'Wohngeldzuschuss'.repeat(120).slice(0, most);
    const { access, ownerEmail } = furnish(service, say, 'wide');
    const row = { date: '2026-01-05', description: say(900), amount: 9_999_999_999.99 };
    const rows = [1, 2].map((number) => ({ ...row, externalId: `${number}` }));
    pushTransactions(access, { provider: 'csv', dryRun: false, rows }, service.actor());
    const [{ id = 0 } = {}] = listProjects(access, { limit: 1 }).items;
    const project = `/projects/${formatId('prj', id)}`;
    const [{ line } = assert.fail()] = getReport(access, formatId('prj', id)).rows;
    const lines = [{ budgetLineId: formatId('bln', line.id) }];
    for (const { id: number } of finish(listTransactions(access, { provider: 'csv' })).items) {
      const transactionId = formatId('txn', number);
      allocate(access, { transactionId, allocations: lines }, service.actor());
    }
    const user = listUsers(access).find(({ email }) => email === ownerEmail);
    const session = { userId: user?.id ?? 0, agent: null };
    const value = createSession(service.source, session, clock.nowMs) ?? '';
    const page = await browser.open({ locale: 'en-GB' }, []);
    await page.context().addCookies([{ name: 'budgetd', value, url }]);
    const statements = `${project}/statements`;
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      for (const path of [
        ...['/', '/review', '/rules/run', '/settings/organisation', project],
        ...[`${project}/lines/${formatId('bln', line.id)}`, statements, `${statements}/new`],
        ...[`${statements}/1`, `${statements}/1/changed`],
      ]) {
        await page.goto(url + path);
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        assert.equal(wide, width, path);
      }
      // The menu of the user is at the end of the first row.
      const { y, x, width: own } = await placeOf(page.locator('.who'));
      assert.ok(y < 30 && x + own > width - 30, `${x}, ${y}`);
      for (const figure of await page.locator('.totals dd').all()) {
        assert.ok((await placeOf(figure)).height < 60);
      }
    }
    await page.context().close();
  });

  it('has the jobs of Home below each other, however long their counts are', async (test) => {
    const desk = await openDesk(test, 'owner');
    for (const from of [0, 500, 1000]) {
      const rows = Array.from({ length: 500 }, (_, at) => ({
        externalId: `MANY-${from + at}`,
        date: '2026-01-05',
        description: 'Bus',
        amount: 1,
      }));
      push(desk, rows);
    }
    for (const wish of [1280, PHONE]) {
      const page = await show(desk.url, wish);
      await page.goto(desk.url);
      assert.deepEqual(await page.locator('.jobs .n').allInnerTexts(), ['1', '1,503']);
      const [one, other] = await page.locator('.jobs .what').all();
      assert.ok(one !== undefined && other !== undefined);
      assert.equal((await placeOf(one)).x, (await placeOf(other)).x);
      const buttons = await page.locator('.jobs .actions').locator(':scope > :last-child').all();
      const ends = buttons.map(async (each) => {
        const { x, width } = await placeOf(each);
        return Math.round(x + width);
      });
      assert.equal(new Set(await Promise.all(ends)).size, 1);
      await browser.leave(page);
    }
  });

  it('of a phone begins with figures, names each field, and offers no keys', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const page = await show(url, PHONE);
    await page.goto(url + PROJECT);
    assert.ok((await placeOf(page.locator('.totals'))).y < 400);
    await page.goto(url + PANEL);
    const label = await page.evaluate(
      'getComputedStyle(document.querySelector(".split-form .value"), "::before").content',
    );
    assert.equal(label, '"Amount"');
    await page.goto(`${url}/transactions`);
    assert.equal(await page.locator('.keys').isVisible(), false);
    await browser.leave(page);
    const desktop = await show(url, 1280);
    await desktop.goto(`${url}/transactions`);
    assert.equal(await desktop.locator('.keys').isVisible(), true);
    await browser.leave(desktop);
  });
});
