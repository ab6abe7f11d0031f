import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { countTransactions, listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { addUser, Browser, openOffice } from './office.ts';

/** Transactions of an act in three steps. */
const MANY = 401;

/** A desk on which someone allocated many transactions at once; `undo` is what its page sends. */
async function allocateMany(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test);
  const { browser, access } = desk;
  const row = (at: number) => ({
    externalId: `MANY-${at}`,
    date: '2026-02-01',
    description: 'Bus',
    contact: 'Many',
    amount: 5,
  });
  push(
    desk,
    Array.from({ length: MANY }, (_, at) => row(at)),
  );
  const query = 'do=allocate&scope=all&line=A&filters=contact%3DMany';
  const look = await browser.get(`/transactions/bulk?${query}`);
  const done = await browser.send(
    '/transactions/bulk/apply',
    fieldsOf(look.text, '/transactions/bulk/apply'),
  );
  const page = (await browser.get(done.location ?? '')).text;
  assert.match(page, /401 transactions allocated/);
  const own = fieldsOf(page, '/undo');
  const acts = [...page.matchAll(/name="act" value="(\d+)"/g)].map(([, act = '']) => act);
  assert.equal(acts.length, 3);
  const undo = [
    ['form', own['form'] ?? ''],
    ['to', own['to'] ?? ''],
    ...acts.map((act) => ['act', act]),
  ];
  const pushAgain = (ats: readonly number[]) => {
    push(
      desk,
      ats.map((at) => ({ ...row(at), amount: 6 })),
    );
  };
  const allocated = () =>
    finish(countTransactions(access, { contact: 'Many' })).byStatus.allocated.count;
  return { ...desk, undo, done: done.location ?? '', pushAgain, allocated };
}

describe('undo', () => {
  it('refuses what is not there, and leads nowhere else', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, 'member@example.org');
    for (const act of ['1', '', 'x', '-1', '1e400']) {
      const { status } = await browser.send('/undo', { act, to: '/transactions' });
      assert.equal(status, 404, act);
    }
    assert.equal((await browser.send('/undo', { to: '/' })).status, 404);
  });

  it('undoes all that has not changed since, in each step, and counts what has', async (test) => {
    const { browser, undo, pushAgain, allocated } = await allocateMany(test);
    // One of the step that is undone first.
    pushAgain([0, 400]);
    const foreign = undo.map(([name = '', value = '']) => [
      name,
      name === 'to' ? '//evil.example' : value,
    ]);
    const { status, location } = await browser.send('/undo', foreign);
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/\?done=/);
    assert.equal(allocated(), 0);
    const { text } = await browser.get('/transactions?tab=review');
    assert.match(text, /<b>2<\/b> transactions/);
  });

  it('is offered each time the page is loaded, while something is as it was left', async (test) => {
    const { browser, undo, done, pushAgain } = await allocateMany(test);
    pushAgain([0]);
    const some = (await browser.get(done)).text;
    assert.match(some, /401 transactions allocated/);
    assert.match(some, /action="\/undo"/);
    await browser.send('/undo', undo);
    const none = (await browser.get(done)).text;
    assert.match(none, /401 transactions allocated/);
    assert.doesNotMatch(none, /action="\/undo"/);
  });

  it('says so, and offers to undo the undoing', async (test) => {
    const { browser, undo, pushAgain, allocated } = await allocateMany(test);
    pushAgain([399]);
    const { location } = await browser.send('/undo', undo);
    const after = await browser.get(location ?? '');
    assert.match(
      after.text,
      /400 transactions are as before\. 1 has changed since and was not changed\./,
    );
    const again = [...after.text.matchAll(/name="act" value="(\d+)"/g)].map(([, act = '']) => act);
    const redo = await browser.send(
      '/undo',
      again.map((act) => ['act', act]),
    );
    assert.equal(redo.status, 303);
    assert.equal(allocated(), 400);
  });

  it('is in the history of a transaction, of its last change alone', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const [one, two] = [1, 2].map((at) => ({
      transactionId: formatId('txn', at),
      allocations: [{ budgetLineId: formatId('bln', 1) }],
    }));
    assert.ok(one !== undefined && two !== undefined);
    const open = `/transactions?open=${one.transactionId}`;
    const read = async () => (await browser.get(open)).text;
    assert.doesNotMatch(await read(), /action="\/undo"/);
    changeAll(access, allocations(access, [one]), service.actor());
    const before = await read();
    assert.equal([...before.matchAll(/action="\/undo"/g)].length, 1);
    assert.match(textOf(before), /Undo what was done /);
    const done = await browser.send('/undo', fieldsOf(before, '/undo'));
    assert.match(done.location ?? '', /^\/transactions\?open=txn_0000000001&done=/);
    assert.equal(finish(countTransactions(access)).byStatus.allocated.count, 0);
    // Undo of the other would come with it.
    changeAll(access, allocations(access, [one, two]), service.actor());
    assert.doesNotMatch(await read(), /action="\/undo"/);
  });

  it('is refused if all of it has changed since', async (test) => {
    const { browser, undo, access, service, allocated } = await allocateMany(test);
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = finish(
        listTransactions(access, {
          contact: 'Many',
          limit: 100,
          cursor,
        }),
      );
      const requests = items.map(({ id }) => ({
        transactionId: formatId('txn', id),
        allocations: [],
      }));
      changeAll(access, allocations(access, requests), service.actor());
      cursor = nextCursor ?? undefined;
    } while (cursor !== undefined);
    const { status, text } = await browser.send('/undo', undo);
    assert.equal(status, 409);
    assert.match(
      text,
      /<h1>Nothing was undone<\/h1>\s*<p>401 have changed since and were not changed\./,
    );
    assert.match(text, /href="\/transactions\?contact=Many">Back</);
    assert.equal(allocated(), 0);
  });
});
