import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const ONE = formatId('txn', 1);

/** A desk with a transaction whose amount changed after it was allocated. */
async function openReview(test: Parameters<typeof openDesk>[0], amount: number) {
  const desk = await openDesk(test);
  const { service } = desk;
  const allocations = [
    { budgetLineId: formatId('bln', 1), amountMinor: 2500 },
    { budgetLineId: formatId('bln', 2) },
  ];
  allocate(desk.access, { transactionId: ONE, allocations }, service.actor());
  push(desk, [{ ...desk.rows[0], amount }]);
  return desk;
}

describe('the page of the reviews', () => {
  it('shows what each way would do, and settles', async (test) => {
    const { browser, access } = await openReview(test, 200);
    const { text } = await browser.get('/review');
    assert.match(text, /<p class="crumb">1 to review</);
    assert.match(text, /Allocated for<\/dt><dd>100\.00/);
    assert.match(text, /\+100\.00 <span class="small soft">\+100\.0%/);
    assert.match(text, /<b>50\.00<\/b> <span class="sub">\+25\.00/);
    assert.match(text, /id="rescale"\s+value="rescale" checked/);
    const hidden = fieldsOf(text, '/review');
    const none = await browser.send('/review', hidden);
    assert.equal(none.status, 422);
    assert.match(none.text, /Choose what happens to the allocations/);
    const done = await browser.send('/review', { ...hidden, way: 'rescale' });
    assert.equal(done.status, 303);
    const { status, allocatedMinor } = getTransaction(access, ONE);
    assert.deepEqual([status, allocatedMinor], ['allocated', 20_000]);
    const after = await browser.get(done.location ?? '');
    assert.match(after.text, /<bdi>Ann<\/bdi> is settled: its allocations\s+were rescaled\./);
    assert.match(after.text, /Nothing to review/);
    const undone = await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.equal(undone.status, 303);
    assert.equal(getTransaction(access, ONE).status, 'needs_review');
  });

  it('shows each of several allocations to one line', async (test) => {
    const { browser, access, service, rows, ...office } = await openDesk(test);
    const budgetLineId = formatId('bln', 1);
    const allocations = [{ budgetLineId, amountMinor: 6000 }, { budgetLineId }];
    allocate(access, { transactionId: ONE, allocations }, service.actor());
    push({ service, ...office }, [{ ...rows[0], amount: 200 }]);
    const { text } = await browser.get('/review');
    const cells = [...text.matchAll(/<td class="num">(?:<b>)?([\d.]+)(?:<\/b>|<\/td>)/g)];
    const shown = cells.slice(0, 4).map(([, amount]) => amount);
    assert.deepEqual(shown, ['60.00', '120.00', '40.00', '80.00']);
  });

  it('offers only what fits, and chooses nothing for an amount of 0', async (test) => {
    const { browser } = await openReview(test, 0);
    const { text } = await browser.get(`/review?open=${ONE}`);
    assert.doesNotMatch(text, /value="keep"/);
    assert.match(text, /class="hint">Keep is not possible: 100\.00 too much is allocated\.<\/p>/);
    assert.match(text, /<td class="num soft">–</);
    assert.doesNotMatch(text, /name="way"[^>]* checked/);
    assert.doesNotMatch(text, /value="rescale"/);
    const hidden = fieldsOf(text, '/review');
    const kept = await browser.send('/review', { ...hidden, way: 'keep' });
    assert.equal(kept.status, 409);
    assert.match(kept.text, /Nothing was settled/);
  });

  it('says of an amount that came back that it is money in, and no percentage', async (test) => {
    const { browser } = await openReview(test, -50);
    const { text } = await browser.get('/review');
    assert.match(text, /Keep is not possible: it is money in now\.<\/p>/);
    assert.match(text, /−150\.00<\/dd>/);
    assert.match(text, /value="rescale"/);
  });

  it('lets a transaction be settled that is voided while its page is open', async (test) => {
    const desk = await openReview(test, 200);
    const { browser, access, rows } = desk;
    const hidden = fieldsOf((await browser.get('/review')).text, '/review');
    push(desk, [{ ...rows[0], amount: 0 }]);
    const stale = await browser.send('/review', { ...hidden, way: 'rescale' });
    assert.equal(stale.status, 409);
    assert.match(textOf(stale.text), /has changed since.*Amount now, since [^.]*0\.00/);
    const again = { ...fieldsOf(stale.text, '/review'), way: 'clear' };
    const { status, location } = await browser.send('/review', again);
    assert.equal(status, 303);
    assert.match((await browser.get(location ?? '')).text, /Nothing to review/);
    assert.equal(getTransaction(access, ONE).allocatedMinor, 0);
    // A row of 0 waits for nobody.
    const waiting = (await browser.get('/transactions?tab=open')).text;
    assert.doesNotMatch(waiting, /<bdi>Ann</);
    assert.match(waiting, /<bdi>Bob</);
  });

  it('says which of how many it is, and which lines the others are allocated to', async (test) => {
    const desk = await openReview(test, 200);
    const { access, browser, rows, service } = desk;
    const allocations = [{ budgetLineId: formatId('bln', 2) }];
    const transactionId = formatId('txn', 2);
    allocate(access, { transactionId, allocations }, service.actor());
    push(desk, [{ ...rows[1], amount: 1 }]);
    const { text } = await browser.get('/review');
    assert.match(text, /<p class="crumb">1 of 2 to review<.*<bdi>Bob/s);
    assert.match(text, /Ann.*<bdi>A Rent<\/bdi> and 1 more<.*class="num lead"[^>]*>\+100\.00</s);
    const later = await browser.get(`/review?open=${ONE}`);
    assert.match(later.text, /<p class="crumb">2 of 2 to review<.*<bdi>Ann/s);
    push(desk, [{ ...rows[1], amount: 0 }]);
    assert.match((await browser.get(`/review?open=${ONE}`)).text, />0\.00, voided</);
  });

  it('refuses what has changed again, with the new figures', async (test) => {
    const desk = await openReview(test, 200);
    const { browser, rows } = desk;
    const hidden = fieldsOf((await browser.get('/review')).text, '/review');
    push(desk, [{ ...rows[0], amount: 300 }]);
    const stale = await browser.send('/review', { ...hidden, way: 'rescale' });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /has changed since[\s\S]*Amount now[\s\S]*300\.00/);
    const gone = await browser.get(`/review?open=${formatId('txn', 99)}`);
    assert.equal(gone.status, 404);
    const other = await browser.get(`/review?open=${formatId('txn', 2)}`);
    assert.match(other.text, /This transaction does not need a review/);
  });
});
