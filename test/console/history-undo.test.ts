import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate, allocations } from '../../src/operations/allocations.ts';
import { changeMany, inSteps } from '../../src/operations/changes.ts';
import { countTransactions, pushTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclude, restore } from '../../src/operations/workflow.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { addUser, Browser } from './office.ts';

const LINE = [{ budgetLineId: formatId('bln', 1) }];

/** The entries of the activity, each as a person reads it. */
function entriesOf(text: string): { said: string; markup: string }[] {
  const [, list = ''] = text.split('<ol class="activity">');
  return list.split(/(?=<li><time)/).flatMap((markup) => {
    return markup.startsWith('<li><time') ? [{ said: textOf(markup), markup }] : [];
  });
}

/** 401 transactions that someone allocated at once, in three steps. */
async function openMany(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test, 'admin');
  const { access, service } = desk;
  const row = (at: number, amount: number) => ({
    externalId: `MANY-${at}`,
    date: '2026-02-01',
    description: 'Bus',
    contact: 'Many',
    amount,
  });
  const ids = Array.from({ length: 401 }, (_, at) => at);
  push(
    desk,
    ids.map((at) => row(at, 5)),
  );
  const requests = ids.map((at) => ({ transactionId: formatId('txn', 5 + at), allocations: LINE }));
  const actor = { ...service.actor(), requestId: 'one-request' };
  await changeMany(
    access,
    inSteps(requests, (step) => allocations(access, step)),
    actor,
  );
  const counts = () => finish(countTransactions(access, { contact: 'Many' })).byStatus;
  return { ...desk, counts, pushAgain: (at: number) => push(desk, [row(at, 6)]) };
}

describe('the history', () => {
  it('undoes what was done at once, also what began on the next page', async (test) => {
    const desk = await openMany(test);
    const { browser, access, service, counts, pushAgain } = desk;
    for (let time = 0; time < 24; time += 1) {
      const transactionId = formatId('txn', 1);
      exclude(access, { transactionId, reason: 'Transfer' }, service.actor());
      restore(access, { transactionId }, service.actor());
    }
    pushAgain(0);
    const { text } = await browser.get('/activity');
    const last = entriesOf(text).at(-1);
    assert.match(
      last?.said ?? '',
      /Allocated 401 transactions to A Rent 2,005\.00.*Undo what was done at/,
    );
    assert.equal(entriesOf(text).length, 50);
    const [, next = ''] = /href="([^"]*)" rel="next"/.exec(text) ?? [];
    const older = await browser.get(next.replaceAll('&amp;', '&'));
    assert.doesNotMatch(older.text, /Allocated \d/);
    assert.match(older.text, /Pushed transactions: 401 new/);
    const entries = entriesOf(text);
    assert.match(entries[1]?.said ?? '', /Restored: Ann, 100\.00/);
    // Only the last of many changes of one transaction is as it was left.
    assert.equal(entries.filter(({ markup }) => markup.includes('action="/undo"')).length, 2);
    // Another person, another day.
    await addUser(desk, 'owner');
    const other = await Browser.of(desk, 'owner@example.org');
    const acts = [...(last?.markup ?? '').matchAll(/name="act" value="(\d+)"/g)];
    assert.equal(acts.length, 3);
    const form = [
      ...Object.entries(fieldsOf(last?.markup ?? '', '/undo')).filter(([name]) => name !== 'act'),
      ...acts.map(([, act = '']) => ['act', act]),
    ];
    const done = await other.send('/undo', form);
    assert.match(done.location ?? '', /^\/activity\?.*done=/);
    const after = await other.get(done.location ?? '');
    assert.match(
      after.text,
      /400 transactions are as before\. 1 has changed since and was not changed\./,
    );
    assert.equal(counts().unallocated.count, 400);
    assert.match(entriesOf(after.text)[0]?.said ?? '', /400 transactions: allocated transactions/);
    const again = await other.send(
      '/undo',
      form.filter(([name]) => name !== 'form'),
    );
    assert.equal(again.status, 409);
  });

  it('has what was done in hundreds of steps as one entry', async (test) => {
    const desk = await openDesk(test, 'admin');
    const { browser, access, service } = desk;
    const externalIds = Array.from({ length: 301 }, (_, at) => `STEP-${at}`);
    const row = { date: '2026-02-01', description: 'Bus', contact: 'Many', amount: 5 };
    push(
      desk,
      externalIds.map((externalId) => ({ externalId, ...row })),
    );
    const steps = externalIds.map((_, at) => () => {
      return allocations(access, [{ transactionId: formatId('txn', 5 + at), allocations: LINE }]);
    });
    await changeMany(access, steps, { ...service.actor(), requestId: 'one-request' });
    const { text } = await browser.get('/activity');
    const [{ said = '', markup = '' } = {}] = entriesOf(text);
    assert.match(
      said,
      /Allocated 301 transactions ?301 changes.*And 281 more\. .*Undo what was done/,
    );
    const acts = [...markup.matchAll(/name="act" value="(\d+)"/g)];
    const fields = Object.entries(fieldsOf(markup, '/undo')).filter(([name]) => name !== 'act');
    const form = [...fields, ...acts.map(([, act = '']) => ['act', act])];
    const { location } = await browser.send('/undo', form);
    assert.match((await browser.get(location ?? '')).text, /301 transactions are as before/);
  });

  it('takes back an import days later, but nothing that was done to it since', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const text = 'Date,Reference,Details,Money out\n2026-01-09,T1,Rent,1200\n2026-01-10,T2,Fee,2\n';
    const { location } = await browser.upload('june & july.csv', text);
    await browser.send(location ?? '', {});
    const transactionId = formatId('txn', 5);
    allocate(access, { transactionId, allocations: LINE }, service.actor());
    assert.match((await browser.get('/import')).text, /href="\/activity\?kind=pushes"/);
    const list = (await browser.get('/activity?kind=pushes')).text;
    const [newest, oldest] = entriesOf(list);
    assert.match(newest?.said ?? '', /Imported june &amp; july\.csv: 2 new/);
    assert.match(oldest?.said ?? '', /Pushed transactions: 4 new.*Exclude what it brought/);
    const form = fieldsOf(newest?.markup ?? '', '/undo');
    const wrong = await browser.send('/undo', { ...form, by: 'usr_0000000099' });
    assert.equal(wrong.status, 404);
    assert.equal((await browser.send('/undo', { ...form, since: 'x' })).status, 404);
    const done = await browser.send('/undo', form);
    const after = await browser.get(done.location ?? '');
    assert.match(
      textOf(after.text),
      /1 transaction excluded\. 1 has changed since and was not changed\.\s*Undo/,
    );
    const [newer] = entriesOf(after.text);
    assert.doesNotMatch(newer?.said ?? '', /Exclude what it brought/);
    const excluded = await browser.get('/activity?kind=transactions');
    assert.match(excluded.text, /Import of june &amp; july\.csv taken back/);
    assert.equal(finish(countTransactions(access)).byStatus.allocated.count, 1);
  });

  it('has the whole file of a push as one entry, as the first page does', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const sizes = [7, 120, 120, 31];
    for (const [batch, size] of sizes.entries()) {
      const rows = Array.from({ length: size }, (_, at) => ({
        externalId: `P-${batch}-${at}`,
        date: '2026-02-01',
        description: 'Bus',
        amount: 1,
      }));
      const actor = { ...service.actor(), requestId: `request-${batch}` };
      pushTransactions(access, { provider: 'api', dryRun: false, rows }, actor);
    }
    const { text } = await browser.get('/activity?kind=pushes');
    const said = entriesOf(text).map((entry) => /: ([\d,]+ new)/.exec(entry.said)?.[1]);
    assert.deepEqual(said, ['271 new', '7 new', '4 new']);
    assert.match(textOf((await browser.get('/')).text), /271 new, none rejected/);
  });
});
