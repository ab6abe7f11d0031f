/** What is left of an open page when its session has ended. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { skip } from './chromium.ts';
import { openDesk } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const NOON = Date.parse('2026-01-31T12:00:00Z');

describe('a page that is left open', { skip }, () => {
  it('is empty after 30 minutes, unless something in it is not saved', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const browser = await openChromium();
    const page = await browser.signIn(url, { locale: 'en-GB' }, []);
    // It stands still, else a busy machine would add what it takes to the minutes.
    await page.clock.install({ time: NOON });
    await page.clock.pauseAt(NOON + 1000);
    await page.goto(`${url}/transactions`);
    await page.clock.runFor('29:59');
    assert.equal(await page.locator('main').count(), 1);
    await page.clock.runFor('00:02');
    assert.equal(await page.locator('body').innerText(), 'Show the page again');
    await page.getByText('Show the page again').click();
    assert.equal(await page.locator('main').count(), 1);
    await page.goto(`${url}/projects/new`);
    await page.locator('[name=name]').first().fill('Youth work');
    await page.clock.runFor('30:01');
    assert.equal(await page.locator('[name=name]').first().inputValue(), 'Youth work');
    await page.context().close();
  });

  it('is empty once another tab has signed out', async (test) => {
    const { url } = await openDesk(test, 'owner');
    const browser = await openChromium();
    const page = await browser.signIn(url, { locale: 'en-GB' }, []);
    await page.goto(`${url}/transactions`);
    const other = await page.context().newPage();
    await other.goto(url);
    await other.evaluate(`document.querySelector('form[action="/sign-out"]').requestSubmit()`);
    await other.waitForURL(/sign-in/);
    await page.getByText('Show the page again').waitFor();
    assert.equal(await page.locator('main').count(), 0);
    await page.context().close();
  });
});
