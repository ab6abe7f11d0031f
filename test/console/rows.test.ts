/** Choosing lines in the rows of the list, by hand and without the script. */

import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { formatId } from '../../src/core/ids.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { type Chromium, skip } from './chromium.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const LIST = '/transactions?tab=open';
const BULK = '/transactions/bulk';
const WINDOW = { viewport: { width: 1280, height: 700 }, reducedMotion: 'reduce' } as const;

/** A desk with so many payments more, and a project that has ended. */
async function openLongDesk(test: TestContext, count = 60) {
  const desk = await openDesk(test, 'owner');
  const { access, service } = desk;
  const days = { startDate: '2026-01-01', endDate: '2026-01-31' };
  const lines = [{ code: 'C', name: 'Heat and light' }];
  importProjects(access, { name: 'Summer', ...days, budgetLines: lines }, service.actor());
  const row = (at: number) => {
    const date = `2026-03-${String(1 + (at % 28)).padStart(2, '0')}`;
    return { externalId: `M${at}`, date, description: `More ${at}`, amount: 10 + at };
  };
  push(
    desk,
    Array.from({ length: count }, (_, at) => row(at)),
  );
  const at = (number: number) => getTransaction(access, formatId('txn', number));
  return { ...desk, at };
}

/** What the focus is on, and how far below the top of the window. */
async function focusOf(page: Page): Promise<{ id: string; top: number }> {
  const source = `({ id: document.activeElement.id,
    top: Math.round(document.activeElement.closest('tr')?.getBoundingClientRect().top ?? -1) })`;
  return page.evaluate(source);
}

describe('a line in a row', () => {
  it('is found by any part of it, and the page leads to the next row', async (test) => {
    const { browser, at } = await openLongDesk(test);
    const { text } = await browser.get(LIST);
    const hidden = fieldsOf(text, BULK);
    const [first, second] = [...text.matchAll(/id="(for-txn_\w+)" name="([^"]*)"/g)];
    const [, , name = ''] = first ?? [];
    const sent = await browser.send(BULK, { ...hidden, do: 'rows', [name]: 'hea' });
    assert.equal(sent.status, 303, textOf(sent.text));
    assert.equal(sent.location?.split('#')[1], second?.[1]);
    const after = await browser.get(sent.location ?? '');
    assert.match(textOf(after.text), /1 transaction allocated to B Heat, 37\.00 in total\./);
    assert.equal(at(32).status, 'allocated');
    const undone = await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.equal(undone.status, 303);
    assert.equal(at(32).status, 'unallocated');
  });

  it('goes for all that are selected, and what is wrong is said at its row', async (test) => {
    const { browser, at } = await openLongDesk(test);
    const { text } = await browser.get('/transactions?tab=open&q=hall');
    const hidden = Object.entries(fieldsOf(text, BULK));
    const names = [...text.matchAll(/name="(for\.[^"]*)"/g)].map(([, each = '']) => each);
    const ids = [...text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = '']) => ['id', id]);
    const send = (fields: readonly (readonly string[])[]) =>
      browser.send(BULK, [...hidden, ['do', 'rows'], ...fields]);
    const wrong = await send([
      [names[0] ?? '', 'nothing'],
      [names[1] ?? '', 'A'],
    ]);
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.text,
      /href="#for-txn_0000000004">No budget line matches &quot;nothing&quot;/,
    );
    assert.match(wrong.text, /name="for\.txn_0000000003[^>]* value="A"/);
    assert.equal(at(3).status, 'unallocated');
    const sent = await send([...ids.slice(0, 3), [names[1] ?? '', formatId('bln', 2)]]);
    assert.equal(sent.status, 303);
    assert.deepEqual(
      [1, 2, 3, 4].map((number) => at(number).status),
      ['unallocated', 'allocated', 'allocated', 'allocated'],
    );
    const again = await send([[names[1] ?? '', formatId('bln', 1)], ...ids.slice(3)]);
    assert.equal(again.status, 409);
    assert.match(textOf(again.text), /changed since/);
  });

  it('is refused if its project does not contain the day', async (test) => {
    const { browser, at } = await openLongDesk(test);
    const { text } = await browser.get(LIST);
    const [, name = ''] = /name="(for\.txn_[^"]*)"/.exec(text) ?? [];
    for (const typed of ['heat and light', formatId('bln', 3)]) {
      const fields = { ...fieldsOf(text, BULK), do: 'rows', [name]: typed };
      const { status, text: page } = await browser.send(BULK, fields);
      assert.equal(status, 422);
      assert.match(page, /C Heat and light is a line of Summer, which runs from 1 Jan 2026 to/);
    }
    assert.equal(at(32).status, 'unallocated');
  });
});

describe('the rows in a browser', { skip }, () => {
  let browser: Chromium;
  before(async () => {
    browser = await openChromium();
  });

  it('take lines from the keyboard, from row to row', async (test) => {
    const { url, at, access, service } = await openLongDesk(test);
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const budgetLines = [{ code: 'X', name: 'Rental car' }];
    importProjects(access, { name: 'Autumn', ...days, budgetLines }, service.actor());
    const faults: string[] = [];
    const page = await browser.signIn(url, WINDOW, faults);
    await page.goto(url + LIST);
    await page.keyboard.press('a');
    const first = await focusOf(page);
    await page.keyboard.type('ht');
    const options = page.locator('.choices li');
    assert.deepEqual(await options.allInnerTexts(), ['B Heat']);
    await page.keyboard.type('z');
    assert.match(await options.innerText(), /No budget line/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('eat');
    assert.deepEqual(await options.allInnerTexts(), ['B Heat']);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('rent');
    assert.match((await options.allInnerTexts()).join(', '), /^A Rent Youth work, X Rental car/);
    await page.keyboard.press('Control+a');
    await page.keyboard.type('eat');
    await page.keyboard.press('Tab');
    const second = await focusOf(page);
    assert.notEqual(second.id, first.id);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    assert.equal((await focusOf(page)).id, second.id);
    await page.keyboard.type('work ren');
    await page.keyboard.press('Enter');
    await page.waitForURL(/done=/);
    assert.match(await page.innerText('.flash'), /2 transactions allocated, 102\.00 in total/);
    assert.deepEqual([at(32).status, at(60).status], ['allocated', 'allocated']);
    const third = page.locator('[data-day]').first();
    assert.equal((await focusOf(page)).id, await third.getAttribute('id'));
    await page.keyboard.press('Enter');
    const fourth = page.locator('[data-day]').nth(1);
    assert.equal((await focusOf(page)).id, await fourth.getAttribute('id'));
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.keyboard.press('a');
    await page.keyboard.type('b');
    await page.keyboard.press('Enter');
    await page.waitForURL((address) => !address.href.includes('nothing'));
    await page.locator('text=2 transactions allocated to B Heat').waitFor();
    assert.deepEqual(faults, []);
    await browser.leave(page);
  });

  it('stay where they are when one is opened, saved and left', async (test) => {
    const { url } = await openLongDesk(test);
    const faults: string[] = [];
    const page = await browser.signIn(url, WINDOW, faults);
    await page.goto(url + LIST);
    await page.locator('tbody [type=checkbox]').first().press('Enter');
    await page.waitForURL(/open=/);
    await page.goto(url + LIST);
    const link = page.locator('.what a').nth(30);
    await link.focus();
    const opened = await focusOf(page);
    await page.keyboard.press('Enter');
    await page.waitForURL(/open=/);
    const topOf = () =>
      page.evaluate(
        `Math.round(document.querySelector('[aria-current=true]').getBoundingClientRect().top)`,
      );
    const isNear = (top: unknown) => Math.abs(Number(top) - opened.top) < 35;
    await page.waitForFunction(`document.activeElement.id === 'line-0'`);
    assert.ok(isNear(await topOf()), `${await topOf()} and ${opened.top}`);
    const name = () => page.innerText('.panel h1');
    const [before, below] = [await name(), await page.locator('.what a').nth(31).innerText()];
    await page.keyboard.type('heat');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(/done=/);
    await page.waitForFunction(`document.activeElement.id === 'line-0'`);
    assert.equal(await name(), below);
    assert.ok(isNear(await topOf()), `${await topOf()} and ${opened.top}`);
    await page.click('text=Previous');
    assert.notEqual(await name(), before);
    await page.click('text=Next');
    assert.equal(await name(), below);
    const following = await page.locator('tr[aria-current] + tr .what a').innerText();
    await page.click('text=Close');
    await page.waitForFunction(`document.activeElement.textContent === '${below}'`);
    await page.keyboard.press('j');
    assert.equal(await page.locator(':focus').innerText(), following);
    assert.deepEqual(faults, []);
    await browser.leave(page);
  });

  it('lead back page by page from one that is opened on the third', async (test) => {
    const { url } = await openLongDesk(test, 90);
    const page = await browser.signIn(url, WINDOW, []);
    await page.goto(url + LIST);
    for (const start of [41, 81]) {
      await page.click('.pages >> text=Older');
      await page.waitForURL(new RegExp(`start=${start}`));
    }
    const link = page.locator('.what a').first();
    assert.match((await link.getAttribute('href')) ?? '', /&back=[^.&]+#txn/);
    await page.click('.what a >> nth=3');
    await page.waitForURL(/open=/);
    for (const start of ['41 to 80', '1 to 40']) {
      await page.click('.pages >> text=Newer');
      await page.locator(`#place >> text=${start} of 94`).waitFor();
    }
    await browser.leave(page);
  });
});
