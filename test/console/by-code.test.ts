import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { fieldsOf, openDesk, push } from './desk.ts';

const PATH = '/transactions/by-code';

describe('the page of allocating by account code', () => {
  it('allocates exactly what it showed, and can be undone', async (test) => {
    const desk = await openDesk(test);
    const { browser, access } = desk;
    const { text } = await browser.get(PATH);
    assert.match(text, /<bdi>A Rent<\/bdi> <span class="soft">· <bdi>Youth work/);
    assert.match(text, /Left as they\s+are[\s\S]*<code>9<\/code>[\s\S]*no line claims it/);
    const [, group = ''] = /name="group" id="group" value="([^"]*)"/.exec(text) ?? [];
    assert.equal(group, `${formatId('bln', 1)}~7500`);
    const hidden = fieldsOf(text, PATH);
    const none = await browser.send(PATH, hidden);
    assert.equal(none.status, 422);
    assert.match(none.text, /Tick what to allocate/);
    const late = { externalId: 'LATE', date: '2026-01-05', description: 'Late', amount: 5 };
    push(desk, [{ ...late, accountCode: '7500' }]);
    const done = await browser.send(PATH, { ...hidden, group });
    const after = await browser.get(done.location ?? '');
    assert.match(after.text, /1 transaction allocated by account code, 100\.00\s+together/);
    const statuses = () => [1, 5].map((id) => getTransaction(access, formatId('txn', id)).status);
    assert.deepEqual(statuses(), ['allocated', 'unallocated']);
    await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.deepEqual(statuses(), ['unallocated', 'unallocated']);
  });
});
