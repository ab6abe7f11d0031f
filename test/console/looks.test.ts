/** What someone who looked at the pages and used them had found, in a real browser. */

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { type Chromium, chooseLine, skip } from './chromium.ts';
import { openDesk, push } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

describe('pages that were looked at', { skip }, () => {
  let browser: Chromium;
  before(async () => {
    browser = await openChromium();
  });

  it('name the periods of a chart of several years, each with the year', async (test) => {
    const { url, access, service } = await openDesk(test, 'owner');
    const [project] = importProjects(
      access,
      {
        name: 'Long',
        startDate: '2025-01-01',
        endDate: '2027-12-31',
        budgetLines: [{ code: 'L', name: 'Line', budget: { '2025-01': 100, '2027-12': 100 } }],
      },
      service.actor(),
    );
    for (const width of [1280, 360]) {
      const page = await browser.signIn(url, { viewport: { width, height: 800 } }, []);
      for (const by of ['months', 'quarters']) {
        await page.goto(`${url}/projects/${formatId('prj', project?.id ?? 0)}?by=${by}`);
        const axes = await page.locator('svg.chart').all();
        assert.ok(axes.length >= 2);
        for (const axis of axes) {
          const names = await axis.locator('text[text-anchor=middle]:visible').all();
          assert.ok(names.length >= 3);
          let end = 0;
          for (const name of names) {
            assert.match(await name.innerHTML(), /^[A-Z]\w+(?:–[A-Z]\w+)? 2[567]$/);
            const box = await name.boundingBox();
            assert.ok((box?.x ?? 0) > end, `${width}, ${by}: ${await name.innerHTML()}`);
            end = (box?.x ?? 0) + (box?.width ?? 0);
          }
        }
      }
      await browser.leave(page);
    }
  });

  it('have one column for amounts in total, and add them up', async (test) => {
    const { url, access, service } = await openDesk(test, 'owner');
    const budgetLines = ['X', 'Y'].map((code) => ({ code, name: `Line ${code}`, budget: 70 }));
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const draft = { name: 'In total', ...days, budgetMode: 'total', budgetLines };
    const [project] = importProjects(access, draft, service.actor());
    const page = await browser.signIn(url, { locale: 'en-GB' }, []);
    await page.goto(`${url}/projects/${formatId('prj', project?.id ?? 0)}/edit`);
    const heads = await page.locator('.grid-table thead th').allInnerTexts();
    assert.deepEqual(heads, ['Line', 'Total, GBP']);
    await page.locator('.cell').first().fill('30');
    assert.equal(await page.locator('.grid-table tfoot .num').innerText(), '100.00');
    assert.equal(
      await page.locator('.cell').first().getAttribute('aria-label'),
      'Line X, Total, GBP',
    );
    await browser.leave(page);
  });

  it('read a row and a column of a large grid for each key, not all of it', async (test) => {
    const LINES = 100;
    const { url, access, service } = await openDesk(test, 'owner');
    const [project] = importProjects(
      access,
      {
        name: 'Wide',
        startDate: '2026-01-01',
        endDate: '2026-12-31',
        budgetLines: Array.from({ length: LINES }, (_, at) => ({ code: `${at}`, name: `L ${at}` })),
      },
      service.actor(),
    );
    const page = await browser.signIn(url, {}, []);
    await page.goto(`${url}/projects/${formatId('prj', project?.id ?? 0)}/edit`);
    await page.locator('.cell').nth(5).fill('1');
    await page.evaluate(`(() => {
      const { prototype } = HTMLInputElement;
      const { get, ...other } = Object.getOwnPropertyDescriptor(prototype, 'value');
      globalThis.reads = 0;
      Object.defineProperty(prototype, 'value', {
        ...other,
        get() { globalThis.reads += 1; return get.call(this); },
      });
    })()`);
    await page.locator('.cell').nth(5).press('2');
    const reads = Number(await page.evaluate('globalThis.reads'));
    assert.ok(reads > LINES && reads < 3 * (LINES + 12), `${reads} amounts were read`);
    assert.match(await page.locator('.grid-table tfoot .num').nth(5).innerText(), /^(12|21)\.00$/);
    await browser.leave(page);
  });

  it('show what is wrong with the lines of a transaction far down the list', async (test) => {
    const desk = await openDesk(test, 'owner');
    push(
      desk,
      Array.from({ length: 40 }, (_, at) => ({
        ...{ externalId: `MANY-${at}`, date: '2026-02-05', description: 'Bus', amount: 1 },
      })),
    );
    const page = await browser.signIn(desk.url, { viewport: { width: 1280, height: 800 } }, []);
    await page.goto(`${desk.url}/transactions`);
    await page.locator('.list .what a').nth(35).click();
    await page.fill('[name=amount]', '5');
    await chooseLine(page.locator('.split-form [name=line]'), 'B Heat');
    await page.click('.split-form .primary');
    const problem = page.locator('.problem');
    await problem.waitFor();
    await page.waitForLoadState('load');
    assert.ok(((await problem.boundingBox())?.y ?? -1) >= 0);
    await page.context().close();
  });

  it('keep the heads of a long report and a long grid in sight', async (test) => {
    const { url, access, service } = await openDesk(test, 'owner');
    const budgetLines = Array.from({ length: 60 }, (_, at) => ({
      ...{ code: `L${at}`, name: `Line ${at}`, budget: { '2026-01': 7 } },
    }));
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const [project] = importProjects(
      access,
      { name: 'Tall', ...days, budgetLines },
      service.actor(),
    );
    const page = await browser.signIn(url, { viewport: { width: 1280, height: 800 } }, []);
    for (const path of ['', '/edit']) {
      await page.goto(`${url}/projects/${formatId('prj', project?.id ?? 0)}${path}`);
      await page.evaluate(`(() => {
        const sheet = document.querySelector(':is(.sheet, .grid-sheet)');
        sheet.scrollIntoView();
        sheet.scrollTop = 1_500;
      })()`);
      const head = await page.locator('thead th', { hasText: /Jan/ }).first().boundingBox();
      const row = await page.locator('tbody tr').first().boundingBox();
      const [headY = -1, rowY = 0] = [head?.y, row?.y];
      assert.ok(headY >= 0 && headY < 800 && rowY < 0, `${path}: ${headY}, ${rowY}`);
    }
    await browser.leave(page);
  });
});
