/** Every kind of work on transactions asks for its own permission, whichever form asks for it. */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { PERMISSIONS, type Permission, type Role } from '../../src/core/users.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { getTransaction, listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclude, resolveReview, restore } from '../../src/operations/workflow.ts';
import { changeOne } from '../../src/store/acts.ts';
import { undoing } from '../../src/store/undo.ts';
import { fieldsOf, openDesk, push } from './desk.ts';

/** An admin, in an organisation with a transaction of every kind, where owners do some of it. */
async function openWith(test: TestContext, changed: Partial<Record<Permission, Role>>) {
  const desk = await openDesk(test, 'admin');
  const before = { ...PERMISSIONS };
  Object.assign(PERMISSIONS, changed);
  test.after(() => Object.assign(PERMISSIONS, before));
  const { access, service, rows, browser } = desk;
  const actor = service.actor();
  const [plain = '', out = '', changedId = ''] = [1, 2, 3].map((id) => formatId('txn', id));
  const excluded = exclude(access, { transactionId: out, reason: 'x' }, actor);
  const allocations = [{ budgetLineId: formatId('bln', 2) }];
  allocate(access, { transactionId: changedId, allocations }, actor);
  push(desk, [{ ...rows[2], amount: 90 }]);
  const states = () => {
    const { items } = finish(listTransactions(access, { limit: 10 }));
    return JSON.stringify(
      items.map(({ id, status, allocatedMinor }) => [id, status, allocatedMinor]),
    );
  };
  const seen = (id: string) => String(getTransaction(access, id).updatedAtMs);
  const bulk = (id: string, more: Record<string, string>) => {
    return browser.send('/transactions/bulk/apply', { id: `${id}.${seen(id)}`, ...more });
  };
  return { ...desk, actor, plain, out, changedId, excluded, states, seen, bulk };
}

const LINE = formatId('bln', 2);

describe('a permission', () => {
  it('for excluding holds for every form that excludes or restores', async (test) => {
    const office = await openWith(test, { exclude: 'owner' });
    const { browser, access, actor, plain, out, excluded, states, seen, bulk } = office;
    const file = 'Date,Reference,Details,Money out\n2026-01-09,T1,Rent,1200.50\n';
    const held = await browser.upload('a.csv', file);
    await browser.send(held.location ?? '', {});
    while (finish(listTransactions(access, { provider: 'csv' })).items.length === 0) {
      await browser.get(held.location ?? '');
    }
    const taken = fieldsOf((await browser.get(held.location ?? '')).text, '/undo');
    const undoAct = (atMs: number) => changeOne(access, undoing(access, atMs), actor).updatedAtMs;
    const undone = undoAct(excluded.updatedAtMs);
    const again = undoAct(undone);
    const before = states();
    for (const [door, send] of Object.entries({
      exclude: () =>
        browser.send('/transactions/exclude', { id: plain, seen: seen(plain), reason: 'x' }),
      restore: () => browser.send('/transactions/restore', { id: out, seen: seen(out) }),
      'restore several': () =>
        browser.send('/transactions/bulk', { do: 'restore', id: `${out}.${seen(out)}` }),
      'exclude several': () => bulk(plain, { do: 'exclude', reason: 'x' }),
      'undo the undoing of an undoing': () => browser.send('/undo', { act: String(again) }),
      'take back an import': () => browser.send('/undo', taken),
    })) {
      const { status, text } = await send();
      assert.equal(status, 403, door);
      assert.match(text, /Your role does not allow this[\s\S]*Only owners of/, door);
      assert.equal(states(), before, door);
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(listAudit(access, { action: 'session.role_refused' }).length > 0, true);
    const allocated = await bulk(plain, { do: 'allocate', line: LINE });
    assert.equal(allocated.status, 303);
    const restored = restore(access, { transactionId: out }, actor);
    assert.equal((await browser.send('/undo', { act: String(restored.updatedAtMs) })).status, 403);
  });

  it('for reviews holds for every form that ends or reopens one', async (test) => {
    const office = await openWith(test, { review: 'owner' });
    const { browser, access, actor, plain, changedId, states, seen, bulk } = office;
    const before = states();
    const own = { id: changedId, seen: seen(changedId) };
    for (const [door, send] of Object.entries({
      review: () => browser.send('/review', { ...own, way: 'clear' }),
      replace: () =>
        browser.send('/transactions/allocate', { ...own, line: LINE, amount: '', do: 'save' }),
      'replace several': () => bulk(changedId, { do: 'allocate', line: LINE, existing: 'replace' }),
    })) {
      assert.equal((await send()).status, 403, door);
      assert.equal(states(), before, door);
    }
    const review = { transactionId: changedId, resolution: 'clear' } as const;
    const settled = resolveReview(access, review, actor);
    assert.equal((await browser.send('/undo', { act: String(settled.updatedAtMs) })).status, 403);
    assert.equal((await bulk(plain, { do: 'exclude', reason: 'x' })).status, 303);
  });

  it('for allocating leaves the other work to whoever may do it', async (test) => {
    const { browser, plain, out, seen, bulk, changedId } = await openWith(test, {
      allocate: 'owner',
    });
    assert.equal((await bulk(plain, { do: 'allocate', line: LINE })).status, 403);
    assert.equal((await browser.get('/transactions/by-code')).status, 403);
    assert.equal((await bulk(plain, { do: 'exclude', reason: 'x' })).status, 303);
    const settled = { id: changedId, seen: seen(changedId), way: 'clear' };
    assert.equal((await browser.send('/review', settled)).status, 303);
    const { status } = await browser.send('/transactions/restore', { id: out, seen: seen(out) });
    assert.equal(status, 303);
  });
});
