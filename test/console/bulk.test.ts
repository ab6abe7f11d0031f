import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { countTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const BULK = '/transactions/bulk';
const APPLY = '/transactions/bulk/apply';

/** A desk with eight payments more on line A, of 5 to 12, and one on both lines. */
async function openFullDesk(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test, 'owner');
  const { access, service, browser } = desk;
  const row = (at: number) => ({ externalId: `F${at}`, date: '2026-02-01', amount: 5 + at });
  push(
    desk,
    Array.from({ length: 8 }, (_, at) => ({ ...row(at), description: `Fair ${at}` })),
  );
  const [a, b] = [1, 2].map((line) => ({ budgetLineId: formatId('bln', line) }));
  const whole = a === undefined ? [] : [a];
  const requests = Array.from({ length: 8 }, (_, at) => ({
    transactionId: formatId('txn', 5 + at),
    allocations: at === 0 && a && b ? [{ ...a, amountMinor: 200 }, b] : whole,
  }));
  changeAll(access, allocations(access, requests), service.actor());
  const statuses = () => {
    const { byStatus } = finish(countTransactions(access));
    return [byStatus.allocated.count, byStatus.unallocated.count];
  };
  const look = async (query: string) => (await browser.get(`${BULK}?${query}`)).text;
  return { ...desk, statuses, look };
}

describe('the look before a change of several', () => {
  it('is refused for a filter that the list refuses', async (test) => {
    const { look } = await openFullDesk(test);
    const query = 'do=exclude&scope=all&filters=from%3D2026-02-30';
    assert.match(await look(query), /&quot;2026-02-30&quot;: There is no 30 February 2026\./);
    assert.match(await look('do=exclude&scope=all&filters=way%3Dup'), /Money goes/);
  });

  it('says the filter in words, some of them, and what each line has left', async (test) => {
    const { look } = await openFullDesk(test);
    const filters = encodeURIComponent('q=fair&from=2026-01-15');
    const page = await look(`do=allocate&scope=all&line=B&filters=${filters}`);
    const text = textOf(page);
    assert.match(text, /Of this filter: All, Text: fair, From 15 Jan 2026/);
    assert.match(page, /href="\/transactions\?q=fair&amp;from=2026-01-15"/);
    assert.match(text, /8 transactions, 68\.00 GBP in total: they have allocations already/);
    assert.match(text, /Left in B Heat after: 3 over, or 68 over if all are replaced/);
    assert.match(text, /Left in A Rent after: 35, or 100 if all are replaced/);
    assert.equal([...page.matchAll(/<tr role="row">\n<td/g)].length, 5);
    assert.match(text, /Fair 4 9\.00 A Rent And 3 more\./);
    assert.match(page, /<button class="button primary" id="do">Allocate<\/button>/);
    const plain = await look('do=allocate&scope=all&line=B&filters=q%3Dhire');
    assert.match(plain, /id="do">Allocate 4 transactions<\/button>/);
  });

  it('clears the allocations of a filter, and Undo brings them back', async (test) => {
    const { look, browser, statuses } = await openFullDesk(test);
    assert.deepEqual(statuses(), [8, 4]);
    const page = await look('do=clear&scope=all&filters=');
    assert.match(textOf(page), /8 transactions, 68\.00 GBP in total: cleared of their allocations/);
    assert.match(textOf(page), /4 transactions not changed: excluded, or without allocations/);
    assert.match(textOf(page), /Left in A Rent after: 100/);
    assert.match(page, /id="do">Clear the allocations of 8 transactions<\/button>/);
    const done = await browser.send(APPLY, fieldsOf(page, APPLY));
    assert.equal(done.status, 303);
    assert.deepEqual(statuses(), [0, 12]);
    const after = (await browser.get(done.location ?? '')).text;
    assert.match(textOf(after), /8 transactions cleared of their allocations, 68\.00 in total/);
    const log = textOf((await browser.get('/activity')).text);
    assert.match(log, /Cleared the allocations of 8 transactions/);
    await browser.send('/undo', fieldsOf(after, '/undo'));
    assert.deepEqual(statuses(), [8, 4]);
  });

  it('clears the selected ones at once', async (test) => {
    const { browser, statuses } = await openFullDesk(test);
    const { text } = await browser.get('/transactions?tab=allocated');
    assert.match(text, /value="clear">Clear allocations</);
    const ids = [...text.matchAll(/name="id" value="([^"]*)"/g)].map(([, id = '']) => ['id', id]);
    const hidden = Object.entries(fieldsOf(text, BULK));
    const clear = [['do', 'clear'], ['scope', 'selected'], ...ids.slice(0, 2)];
    const sent = await browser.send(BULK, [...hidden, ...clear]);
    assert.match(sent.location ?? '', /^\/transactions\?tab=allocated&done=/);
    assert.deepEqual(statuses(), [6, 6]);
  });

  it('refuses too many in the list as it was', async (test) => {
    const desk = await openFullDesk(test);
    const { browser } = desk;
    for (let from = 0; from < 10_000; from += 500) {
      const rows = Array.from({ length: 500 }, (_, at) => {
        return { externalId: `M${from + at}`, date: '2026-03-01', description: 'Bus', amount: 1 };
      });
      push(desk, rows);
    }
    const wish = { do: 'exclude', scope: 'all', filters: 'tab=open' };
    const { status, text } = await browser.send(BULK, wish);
    assert.equal(status, 422);
    assert.match(textOf(text), /This filter has more than 10,000 transactions, the most/);
    assert.match(text, /<option\s+value="all" id="all" selected>All 10,004 matching/);
    const one = await browser.get('/transactions?q=ann');
    assert.match(one.text, /id="all">The one matching this\s+filter</);
  });
});
