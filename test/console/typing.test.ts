/** What the script of the console makes of amounts, in a real browser. */

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { Reader } from '../../src/console/session/reader.ts';
import { formatId } from '../../src/core/ids.ts';
import { getProjectPlan, readProject, saveProject } from '../../src/operations/project-plans.ts';
import { projectToSave } from '../operations/project-to-save.ts';
import { type Chromium, skip } from './chromium.ts';
import { openDesk } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const GBP = { code: 'GBP', places: 2 };

/** Typed by someone with this locale. */
const TYPED = [
  ['en-GB', ['12,50', '0,5', '1 000', '1,000', '1.000', '1,234.50', '1e3', 'x', '12.345', '-5']],
  ['fr-FR', ['1 234,50', '1\u202f234,50', '12.50', '1,000', '0,5']],
  ['de-CH', ["1'234.50", '1’234.50', '12,50', '.5']],
  ['de-DE', ['1.234,50', '1.000', '1,000', '12.50']],
  // Groups of two digits, and none of four.
  ['hi', ['-1234567.50']],
  ['es', ['-1934,50', '-12345']],
] as const;

describe('amounts in the browser', { skip }, () => {
  let browser: Chromium;
  before(async () => {
    browser = await openChromium();
  });

  for (const [locale, texts] of TYPED) {
    it(`are read as the server reads them, ${locale}`, async (test) => {
      const { url } = await openDesk(test, 'owner');
      const faults: string[] = [];
      const page = await browser.signIn(url, { locale }, faults);
      await page.goto(`${url}/transactions?open=${formatId('txn', 1)}`);
      const whole = Number(await page.locator('.split-form').getAttribute('data-amount'));
      const reader = Reader.of(locale, { currency: GBP, timeZone: 'UTC' });
      for (const text of texts) {
        await page.locator('.split-form [name=amount]').first().fill(text);
        const left = await page.locator('[data-left]').innerText();
        assert.equal(left, leftOf(reader, text, whole), text);
      }
      assert.deepEqual(faults, []);
      await browser.leave(page);
    });
  }

  it('are pasted into the grid as a spreadsheet copies them', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const faults: string[] = [];
    const page = await browser.signIn(url, { locale: 'en-GB' }, faults);
    await page.goto(`${url}/projects/${formatId('prj', 1)}/edit`);
    const status = page
      .locator('[data-grid]')
      .locator('xpath=preceding-sibling::*[@role="status"]');
    await paste(page, 0, ' £1,000.50 \t(500.00)\t £ -   \n12,50\tGBP 7\t$5\n');
    assert.deepEqual(await cells(page, 0, 3), ['1000.50', '-500.00', '0.00']);
    assert.deepEqual(await cells(page, 12, 3), ['12,50', '7.00', '$5']);
    assert.equal(await status.innerText(), '');
    const sums = await page.locator('tbody .sum').allInnerTexts();
    assert.deepEqual(sums, ['500.50', '']);
    await paste(page, 11, '1\t2\t3\n4\t5\t6\n7\t8\t9\n');
    assert.equal(await status.innerText(), '1 line and 2 columns did not fit.');
    await paste(page, 11, '1\t\t\n4\n\n');
    assert.equal(await status.innerText(), '');
    await paste(page, 1, '£1,200\r\n');
    assert.deepEqual(await cells(page, 1, 1), ['1200.00']);
    assert.deepEqual(faults, []);
    await browser.leave(page);
  });

  it('are not left behind without a question, nor saved with one', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const page = await browser.signIn(url, { locale: 'en-GB' }, []);
    const edit = `${url}/projects/${formatId('prj', 1)}/edit`;
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      return dialog.dismiss();
    });
    await page.goto(edit);
    await page.click('.crumb a');
    assert.deepEqual(asked, []);
    await page.goto(edit);
    await page.locator('.cell').nth(3).fill('7');
    await page.click('.crumb a');
    assert.deepEqual(asked, ['beforeunload']);
    assert.equal(page.url(), edit);
    await page.click('tbody .link');
    await page.waitForURL(/lines/);
    assert.deepEqual(asked, ['beforeunload']);
    await page.goto(edit);
    assert.deepEqual(await cells(page, 3, 1), ['7.00']);
    await browser.leave(page);
  });

  it('of twelve months fit beside each other, 1280 wide; wider ones show it', async (test) => {
    const { url, access, service } = await openDesk(test, 'owner');
    const page = await browser.signIn(url, { viewport: { width: 1280, height: 800 } }, []);
    const edit = `${url}/projects/${formatId('prj', 1)}/edit`;
    await page.goto(edit);
    const hasMore = page.locator('.grid-sheet[data-more]');
    const [december, sum] = [page.locator('thead th').nth(12), page.locator('thead th').nth(13)];
    const edges = async () => {
      const [left, right] = [await december.boundingBox(), await sum.boundingBox()];
      return Math.round((right?.x ?? 0) - (left?.x ?? 0) - (left?.width ?? 0));
    };
    assert.ok((await edges()) >= 0);
    assert.equal(await hasMore.count(), 0);
    const { lines, project } = getProjectPlan(access, formatId('prj', 1));
    const { name, startDate, endDate } = project;
    const budgetLines = lines.map(({ id, code, name: of }) => {
      return { id, code, name: of, amounts: { '2026-05': 123_456_789_00 } };
    });
    const input = projectToSave({ id: 1, name, startDate, endDate, budgetLines });
    saveProject(access, readProject(access, input), service.actor());
    await page.goto(edit);
    assert.ok((await edges()) < 0);
    assert.equal(await hasMore.count(), 1);
    const cell = page.locator('.cell').nth(4);
    const isCut = await cell.evaluate(
      (field) => Reflect.get(field, 'scrollWidth') > Reflect.get(field, 'clientWidth'),
    );
    assert.equal(isCut, false);
    await browser.leave(page);
  });
});

/** What is left, or by how much it is too much; nothing if the server refuses the amount. */
function leftOf(reader: Reader, text: string, whole: number): string {
  try {
    const rest = whole - reader.readMoney(text);
    return reader.money(Math.abs(rest));
  } catch {
    return '';
  }
}

/** Pastes into the cell with this index, which is chosen. */
async function paste(page: Page, at: number, text: string): Promise<void> {
  await page
    .locator('.cell')
    .nth(at)
    .evaluate((cell, copied) => {
      const field = cell as unknown as { focus(): void; select(): void; dispatchEvent: Dispatch };
      field.focus();
      field.select();
      const { DataTransfer: Transfer, ClipboardEvent: Pasted } = globalThis as unknown as Clipboard;
      const clipboardData = new Transfer();
      clipboardData.setData('text', copied);
      field.dispatchEvent(new Pasted('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
}

type Dispatch = (event: unknown) => void;

/** What Chromium has, and Node's types lack. */
interface Clipboard {
  readonly DataTransfer: new () => { setData(type: string, text: string): void };
  readonly ClipboardEvent: new (name: string, options: object) => unknown;
}

async function cells(page: Page, from: number, count: number): Promise<string[]> {
  const all = await page.locator('.cell').all();
  return Promise.all(all.slice(from, from + count).map((cell) => cell.inputValue()));
}
