import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import { skip } from './chromium.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

describe('the totals of a long list', () => {
  it('counts a long list on a page of its own, which the script fetches', async (test) => {
    const desk = await openDesk(test);
    const { browser, rows } = desk;
    const long = { ...rows[1], description: 'é'.repeat(1000), amount: 2 };
    for (let part = 0; part < 8; part += 1) {
      push(
        desk,
        Array.from({ length: 500 }, (_, at) => ({ ...long, externalId: `LONG-${part}-${at}` })),
      );
    }
    const soon = await browser.get('/transactions?q=éé');
    assert.match(soon.text, />To allocate<\/a>/);
    assert.match(textOf(soon.text), /Count and add up all matching transactions/);
    assert.match(soon.text, />All matching this\s+filter</);
    assert.match(soon.text, />1 to 40<\/span>/);
    const [, address = ''] = /href="([^"]*)" data-count/.exec(soon.text) ?? [];
    const { text } = await browser.get(address.replaceAll('&amp;', '&'));
    assert.match(text, /To allocate <span class="figure">4,000</);
    assert.match(textOf(text), /4,000 transactions money out 8,000\.00/);
    assert.match(text, />All 4,000 matching this\s+filter</);
    assert.match(text, />1 to 40 of 4,000<\/span>/);
  });

  it('does not say that nothing matches before all were looked at', async (test) => {
    const desk = await openDesk(test);
    const { browser, rows } = desk;
    const long = { ...rows[1], description: 'é'.repeat(1000), date: '2026-06-30' };
    for (let part = 0; part < 8; part += 1) {
      push(
        desk,
        Array.from({ length: 500 }, (_, at) => ({ ...long, externalId: `LONG-${part}-${at}` })),
      );
    }
    const soon = await browser.get('/transactions?q=hire');
    assert.match(textOf(soon.text), /Nothing found yet/);
    const [, address = ''] = /href="([^"]*)" data-search/.exec(soon.text) ?? [];
    const { text } = await browser.get(address.replaceAll('&amp;', '&'));
    assert.match(textOf(text), /4 transactions money out/);
    assert.match(text, /class="what"><a /);
  });
});

const RULE = `/rules/${formatId('rul', 1)}`;
const CLAIM = '/transactions/by-code/claim?code=9';

/** A desk with a rule, as if each step of a reading took a second. */
async function openSlow(test: TestContext) {
  const desk = await openDesk(test, 'admin');
  const shares = [{ line: 'B', rest: true }];
  const rule = { name: 'Ann', conditions: { contact: { is: 'Ann' } }, shares };
  importRules(desk.access, [rule], desk.service.actor());
  test.mock.method(process, 'cpuUsage', () => ({ user: 1_000_000, system: 0 }));
  return desk;
}

describe('figures that take longer than a page may', () => {
  it('15 what a rule takes follows its page; what a form has is shown at once', async (test) => {
    const { browser } = await openSlow(test);
    const soon = await browser.get(RULE);
    assert.match(textOf(soon.text), /the saved rule\. Count and add up all its transactions/);
    assert.doesNotMatch(soon.text, /Out, GBP/);
    const [, address = ''] = /href="([^"]*)" data-count/.exec(soon.text) ?? [];
    const { text } = await browser.get(address);
    assert.match(textOf(text), /the saved rule\. Transactions1 Out, GBP100\.00/);
    const conditions = { 'contact-how': 'contains', contact: 'a' };
    const form = { ...fieldsOf(soon.text, RULE), name: 'Ann', ...conditions, on: 'yes' };
    const sent = await browser.send(RULE, { ...form, line: 'B', amount: '', do: 'save' });
    assert.match(textOf(sent.text), /You changed the rule after this was shown/);
    assert.match(textOf(sent.text), /Transactions3 Out, GBP305\.00/);
  });

  it('what waits with an account code is counted after the page', async (test) => {
    const { browser, access, service } = await openSlow(test);
    const soon = await browser.get(CLAIM);
    assert.match(textOf(soon.text), /Count the transactions with this code/);
    const [, address = ''] = /href="([^"]*)" data-count/.exec(soon.text) ?? [];
    const { text } = await browser.get(address.replaceAll('&amp;', '&'));
    assert.match(textOf(text), /3 transactions with this code are not allocated, from/);
    assert.doesNotMatch(text, /data-count/);
    const old = { name: 'Old', startDate: '2020-01-01', endDate: '2020-12-31' };
    importProjects(access, { ...old, budgetLines: [{ code: 'O', name: 'Old' }] }, service.actor());
    const other = await browser.get(`${CLAIM}&line=O`);
    assert.match(textOf(other.text), /none of these transactions is on its days/);
    assert.equal((await browser.get(`${CLAIM}&line=B`)).status, 303);
  });

  it('the script fetches both', { skip }, async (test) => {
    const { url } = await openSlow(test);
    const faults: string[] = [];
    const browser = await openChromium();
    const page = await browser.signIn(url, {}, faults, 'admin@example.org');
    await page.goto(`${url}${RULE}`);
    await page.locator('.preview dl').waitFor();
    assert.match(await page.innerText('.preview'), /100\.00/);
    await page.goto(`${url}${CLAIM}`);
    await page.getByText('3 transactions with this code are').waitFor();
    assert.deepEqual(faults, []);
    await browser.leave(page);
  });
});
