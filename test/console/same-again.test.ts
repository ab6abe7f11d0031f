/** After an allocation by hand, others like it are offered for the same line. */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { exclude } from '../../src/operations/workflow.ts';
import { skip } from './chromium.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { openChromium } from './shared-chromium.ts';

const LIST = '/transactions?tab=open&q=stationer';
const BULK = '/transactions/bulk';

/** A desk with a bank's payments: six to one shop, of which one came back and one is of 2025. */
async function openBankDesk(test: TestContext) {
  const desk = await openDesk(test);
  const row = (at: number, more = {}) => ({
    externalId: `B${at}`,
    date: `2026-03-${String(30 - at)}`,
    description: `CARD ${4711 + at} STATIONER ON ${10 + at} MAR`,
    amount: 10 + at,
    ...more,
  });
  push(desk, [
    row(1),
    row(2),
    row(3, { date: '2026-04-03', description: 'card 0001 Stationer on 3 April 2026' }),
    row(4, { amount: -4 }),
    row(5, { date: '2025-12-31' }),
    row(6, { contact: 'Ann', description: 'CARD 1 STATIONER ON 2 MAR' }),
    row(7, { description: 'CARD 1 STATIONER LONDON ON 2 MAR' }),
  ]);
  const at = (number: number) => getTransaction(desk.access, formatId('txn', number));
  const statuses = () => [5, 6, 7, 8, 9, 10, 11].map((number) => at(number).status === 'allocated');
  return { ...desk, at, statuses };
}

const FIRST = [true, false, false, false, false, false, false];
const ALIKE = [true, true, true, false, false, false, false];

/** Allocates the first in its row, and returns the page that says so. */
async function allocateFirst({ browser }: Awaited<ReturnType<typeof openBankDesk>>) {
  const { text } = await browser.get(LIST);
  const [, name = ''] = /name="(for\.txn_0000000005\.[^"]*)"/.exec(text) ?? [];
  const sent = await browser.send(BULK, { ...fieldsOf(text, BULK), do: 'rows', [name]: 'heat' });
  const page = (await browser.get(sent.location ?? '')).text;
  return { page, offer: fieldsOf(page, BULK) };
}

describe('the same again', () => {
  it('allocates the others with the same fixed part of the text, and Undo all', async (test) => {
    const desk = await openBankDesk(test);
    // No line can have what is 0.
    const zero = { externalId: 'B0', date: '2026-03-01', amount: 0 };
    push(desk, [{ ...zero, description: 'CARD 9 STATIONER ON 1 MAR' }]);
    const { page, offer } = await allocateFirst(desk);
    assert.match(
      textOf(page),
      /to B Heat, 11\.00 in total\. ?Undo ?2 more like “card stationer on”, 25\.00 GBP in total/,
    );
    assert.deepEqual(desk.statuses(), FIRST);
    const [, link = ''] = /href="([^"]*)">2 more</.exec(page) ?? [];
    const shown = await desk.browser.get(link.replaceAll('&amp;', '&'));
    assert.match(textOf(shown.text), /Text like card stationer on.*Money out.*2 transactions/);
    const done = await desk.browser.send(BULK, offer);
    assert.equal(done.status, 303);
    assert.match(done.location ?? '', /^\/transactions\?tab=open&q=stationer&done=.*#for-txn_/);
    assert.deepEqual(desk.statuses(), ALIKE);
    const after = (await desk.browser.get(done.location ?? '')).text;
    assert.match(textOf(after), /2 transactions allocated to B Heat, 25\.00 in total\./);
    await desk.browser.send('/undo', fieldsOf(after, '/undo'));
    assert.deepEqual(desk.statuses(), FIRST);
  });

  it('names the line if several got transactions', async (test) => {
    const { browser } = await openBankDesk(test);
    const { text } = await browser.get(LIST);
    const names = [5, 8].map((number) => {
      return new RegExp(`name="(for\\.txn_000000000${number}\\.[^"]*)"`).exec(text)?.[1] ?? '';
    });
    const [first = '', second = ''] = names;
    const rows = { ...fieldsOf(text, BULK), do: 'rows', [second]: 'rent', [first]: 'heat' };
    const page = (await browser.get((await browser.send(BULK, rows)).location ?? '')).text;
    assert.match(
      textOf(page),
      /2 transactions allocated, 7\.00 in total.*2 more like .*25\.00 GBP in total, to B Heat\./,
    );
  });

  it('shows what would happen if there are others than were offered', async (test) => {
    const desk = await openBankDesk(test);
    const { offer } = await allocateFirst(desk);
    const late = { externalId: 'B8', date: '2026-05-01', description: 'CARD 9 STATIONER ON 1 MAY' };
    push(desk, [{ ...late, amount: 1 }]);
    const sent = await desk.browser.send(BULK, offer);
    assert.match(sent.location ?? '', /^\/transactions\/bulk\?/);
    assert.deepEqual(desk.statuses(), FIRST);
    const look = (await desk.browser.get(sent.location ?? '')).text;
    assert.match(textOf(look), /3 transactions, 26\.00 GBP in total: allocated to B Heat/);
    const apply = '/transactions/bulk/apply';
    const done = await desk.browser.send(apply, fieldsOf(look, apply));
    assert.match(done.location ?? '', /^\/transactions\?tab=open&q=stationer&done=/);
    assert.deepEqual(desk.statuses(), ALIKE);
  });

  it('shows it also if as many of the same amounts take the place of others', async (test) => {
    const desk = await openBankDesk(test);
    const { offer } = await allocateFirst(desk);
    const { access, service } = desk;
    exclude(access, { transactionId: formatId('txn', 6), reason: 'x' }, service.actor());
    const late = { externalId: 'B8', date: '2026-05-01', description: 'CARD 9 STATIONER ON 1 MAY' };
    push(desk, [{ ...late, amount: 12 }]);
    const sent = await desk.browser.send(BULK, offer);
    assert.match(sent.location ?? '', /^\/transactions\/bulk\?/);
    assert.deepEqual(desk.statuses(), FIRST);
  });

  it('goes by the contact where there is one, and the panel leads on', async (test) => {
    const desk = await openDesk(test);
    const row = (at: number) => ({ date: '2026-06-01', description: `Work ${at}`, amount: at });
    push(
      desk,
      [1, 2, 3].map((at) => ({ ...row(at), externalId: `E${at}`, contact: 'Eve & Co' })),
    );
    const { browser, access } = desk;
    const { text } = await browser.get('/transactions?tab=open&open=txn_0000000005');
    const form = fieldsOf(text, '/transactions/allocate');
    const send = (more: Record<string, string>) =>
      browser.send('/transactions/allocate', { ...form, do: 'next', note: '', ...more });
    const sent = await send({ line: 'A', amount: '' });
    const page = (await browser.get(sent.location ?? '')).text;
    assert.match(textOf(page), /2 more of Eve &amp; Co, 5\.00 GBP in total/);
    const done = await browser.send(BULK, fieldsOf(page, BULK));
    assert.match(done.location ?? '', /open=txn_0000000004&.*#line-0$/);
    for (const number of [5, 6, 7]) {
      assert.equal(getTransaction(access, formatId('txn', number)).status, 'allocated');
    }
  });

  it('is not offered for a part, for two lines, and where the text says nothing', async (test) => {
    const desk = await openBankDesk(test);
    const { browser } = desk;
    const numbers = { date: '2026-03-01', amount: 7, externalId: 'N1', description: '000124 MAR' };
    push(desk, [numbers, { ...numbers, externalId: 'N2', description: '000125 MAR' }]);
    const forms: readonly [number: number, ...fields: string[]][] = [
      [5, 'line=A', 'amount=2'],
      [6, 'line=A', 'amount=2', 'line=B', 'amount='],
      [12, 'line=A', 'amount='],
    ];
    for (const [number, ...fields] of forms) {
      const { text } = await browser.get(`/transactions?open=${formatId('txn', number)}`);
      const hidden = Object.entries(fieldsOf(text, '/transactions/allocate'));
      const sent = await browser.send('/transactions/allocate', [
        ...hidden,
        ['do', 'save'],
        ...fields.map((each) => each.split('=')),
      ]);
      assert.equal(sent.status, 303);
      const page = (await browser.get(sent.location ?? '')).text;
      assert.match(page, /role="status"/);
      assert.doesNotMatch(page, /The same for them/);
    }
  });

  it('takes one key in a browser, from the field of the next row', { skip }, async (test) => {
    const { url, statuses } = await openBankDesk(test);
    const faults: string[] = [];
    const browser = await openChromium();
    const page = await browser.signIn(url, {}, faults, 'member@example.org');
    await page.goto(url + LIST);
    const field = page.locator('#for-txn_0000000005');
    await field.focus();
    await page.keyboard.type('hea=');
    assert.equal(await field.inputValue(), 'hea=');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-same]');
    // Keys are for the script, which runs once the page has loaded.
    await page.waitForLoadState();
    assert.deepEqual(statuses(), FIRST);
    await page.keyboard.press('=');
    await page.waitForURL(/#for-txn_/);
    await page.getByText('2 transactions allocated').waitFor();
    assert.deepEqual(statuses(), ALIKE);
    await page.locator('[id^="for-txn_"]:focus').waitFor();
    assert.deepEqual(faults, []);
    await browser.leave(page);
  });

  it('takes one key with too many lines for a list, and the panel has the focus', {
    skip,
  }, async (test) => {
    const { url, access, service, statuses } = await openBankDesk(test);
    const budgetLines = Array.from({ length: 300 }, (_, at) => ({ name: `Place ${at}` }));
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    importProjects(access, { name: 'Many', ...days, budgetLines }, service.actor());
    const browser = await openChromium();
    const page = await browser.signIn(url, {}, [], 'member@example.org');
    await page.goto(url + LIST);
    await page.locator('#for-txn_0000000005').focus();
    await page.keyboard.type('heat');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-same]');
    // Keys are for the script, which runs once the page has loaded.
    await page.waitForLoadState();
    await page.keyboard.press('=');
    await page.getByText('2 transactions allocated').waitFor();
    assert.deepEqual(statuses(), ALIKE);
    await page.locator('tbody .what a').first().click();
    await page.locator('#line-0:focus').waitFor();
    await page.context().close();
  });
});
