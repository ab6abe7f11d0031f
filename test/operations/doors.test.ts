import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate, listAllocations } from '../../src/operations/allocations.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { createKey, revokeKey } from '../../src/operations/keys.ts';
import { createOrganisation, setOrganisation } from '../../src/operations/organisations.ts';
import { listAll } from '../../src/operations/pages.ts';
import { getProject, getReport, listProjects } from '../../src/operations/projects.ts';
import {
  countTransactions,
  getTransaction,
  listTransactions,
  pushTransactions,
} from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclude, resolveReview, restore } from '../../src/operations/workflow.ts';
import type { Access } from '../../src/store/access.ts';
import { findKey, listKeys } from '../../src/store/keys.ts';
import { openHouse } from '../library/house.ts';
import { refusal, row, rows, Workshop } from '../store/workshop.ts';

const ACTOR = { name: 'tester', requestId: 'r-1', nowMs: Date.parse('2026-02-01T09:00:00Z') };
const NOBODYS = 'prj_0000000099';

/** A workshop with a project, and a transaction of 100.00. */
function open() {
  const shop = new Workshop();
  const [a = 0, b = 0] = shop.project().map((id) => id ?? 0);
  const transactionId = formatId('txn', shop.pushOne({}));
  const access: Access = { db: shop.db, organisation: shop.organisation };
  const lines = [formatId('bln', a), formatId('bln', b)] as const;
  return { shop, access, transactionId, lines, projectId: formatId('prj', 1) };
}

describe('an operation takes public identifiers and minor units, and returns records', () => {
  it('allocates in minor units, and the report has minor units too', () => {
    const { access, transactionId, lines, projectId } = open();
    const [a, b] = lines;
    const allocations = [
      { budgetLineId: a, amountMinor: 1, note: ' deposit ' },
      { budgetLineId: b },
    ];
    const record = allocate(access, { transactionId, allocations }, ACTOR);
    assert.deepEqual([record.amountMinor, record.allocatedMinor], [10_000, 10_000]);
    assert.deepEqual(
      listAllocations(access, projectId).items.map(({ amountMinor, note }) => [amountMinor, note]),
      [
        [1, 'deposit'],
        [9999, null],
      ],
    );
    const { rows: found, totals, granularity } = getReport(access, projectId);
    assert.deepEqual(
      found.map(({ total }) => total.actual),
      [1, 9999],
    );
    assert.deepEqual([totals.total.actual, granularity], [10_000, 'monthly']);
  });

  it('records who acts, as the caller says', () => {
    const { access, transactionId } = open();
    exclude(access, { transactionId, reason: 'Own transfer' }, ACTOR);
    const last = listAudit(access, { subject: transactionId }).at(-1);
    assert.deepEqual([last?.actor, last?.requestId], ['tester', 'r-1']);
  });

  it('refuses an identifier of another kind, of another organisation, or of nothing', () => {
    const { access, lines, shop, transactionId } = open();
    const theirs: Access = { db: shop.db, organisation: shop.addOrganisation() };
    for (const id of ['nonsense', lines[0], 'txn_0000000099']) {
      assert.throws(() => getTransaction(access, id), refusal('not_found'));
      const refused = [
        () => allocate(access, { transactionId: id, allocations: [] }, ACTOR),
        () => exclude(access, { transactionId: id, reason: 'x' }, ACTOR),
        () => restore(access, { transactionId: id }, ACTOR),
        () => resolveReview(access, { transactionId: id, resolution: 'keep' }, ACTOR),
      ];
      for (const act of refused) assert.throws(act, refusal('not_found'));
    }
    assert.throws(() => getTransaction(theirs, transactionId), refusal('not_found'));
    assert.throws(() => getProject(theirs, formatId('prj', 1)), refusal('not_found'));
    assert.throws(() => listAllocations(access, NOBODYS), refusal('not_found'));
    assert.throws(() => getReport(access, NOBODYS), refusal('not_found'));
  });

  it('refuses a wrong text of a person with invalid_input', () => {
    const { access } = open();
    const key = (change: object) => () => {
      createKey(access, { name: 'erp', scopes: ['projects:read'], ...change }, ACTOR);
    };
    const draft = { name: 'Second', baseCurrency: 'GBP' };
    const cases: [act: () => unknown, why: RegExp][] = [
      [key({ name: ' ' }), /blank/],
      [key({ scopes: [] }), /at least one scope/],
      [key({ expiresAt: '2026-02-30' }), /2026-02-30/],
      [
        () => setOrganisation(access, { member: 'plan', value: 'gold' }, ACTOR),
        /plan must be one of/,
      ],
      [() => createOrganisation(access, { ...draft, baseCurrency: 'gbp' }, ACTOR), /gbp/],
    ];
    for (const [act, why] of cases) assert.throws(act, refusal('invalid_input', why));
  });

  it('a key is found by its text, also once it is revoked', () => {
    const { access } = open();
    const draft = { name: 'erp', scopes: ['projects:read'], expiresAt: '2026-12-31' } as const;
    const { id, key } = createKey(access, draft, ACTOR);
    const revokedAtMs = revokeKey(access, formatId('key', id), ACTOR);
    assert.equal(findKey(access, key)?.revokedAtMs, revokedAtMs);
    assert.equal(findKey(access, `${key.slice(0, -1)}!`), undefined);
    const [record] = listKeys(access);
    // Valid through its last day.
    assert.equal(record?.expiresAtMs, Date.parse('2027-01-01T00:00:00Z'));
  });
});

describe('the pages of a list', () => {
  it('have a cursor that only the same list with the same filters accepts', () => {
    const { access, shop } = open();
    shop.push(rows(9));
    const filter = { from: '2026-01-01', limit: 4 };
    const first = finish(listTransactions(access, filter));
    const cursor = first.nextCursor ?? '';
    const second = finish(listTransactions(access, { ...filter, limit: 100, cursor }));
    assert.equal(second.nextCursor, null);
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    assert.equal(new Set(ids).size, finish(listTransactions(access)).items.length);
    const others = [
      () => finish(listTransactions(access, { cursor })),
      () => finish(listTransactions(access, { ...filter, order: 'updatedAt', cursor })),
      () => listProjects(access, { cursor }),
      () => listAllocations(access, NOBODYS, { cursor }),
    ];
    for (const list of others) assert.throws(list, refusal('invalid_cursor'));
  });

  it('have every record once when a status is named twice, and none for no status', () => {
    const { access, shop } = open();
    shop.push(rows(9));
    const twice = { statuses: ['unallocated', 'unallocated', 'excluded'] } as const;
    const all = finish(listTransactions(access, { statuses: ['unallocated'] })).items;
    const found = listAll((page) =>
      finish(listTransactions(access, { ...twice, ...page, limit: 2 })),
    );
    assert.deepEqual(found, all);
    assert.equal(finish(countTransactions(access, twice)).count, all.length);
    for (const order of ['date', 'updatedAt'] as const) {
      assert.deepEqual(finish(listTransactions(access, { statuses: [], order })).items, []);
    }
    assert.equal(finish(countTransactions(access, { statuses: [] })).count, 0);
  });

  it('refuse a limit that no page has', () => {
    const { access } = open();
    for (const limit of [0, -1, 1.5, 1001, Number.NaN, Number.POSITIVE_INFINITY]) {
      const message = /^The limit must be 1 to 1000, not /;
      assert.throws(
        () => finish(listTransactions(access, { limit })),
        refusal('invalid_input', message),
      );
    }
  });

  it('an unknown identifier in a filter matches nothing', () => {
    const { access, transactionId, projectId } = open();
    const found = (list: { readonly items: readonly unknown[] }) => list.items.length;
    for (const unknown of ['nonsense', NOBODYS]) {
      assert.equal(found(finish(listTransactions(access, { ids: [unknown] }))), 0);
      assert.equal(found(finish(listTransactions(access, { projectId: unknown }))), 0);
      assert.equal(found(listProjects(access, { parentProjectId: unknown })), 0);
      assert.equal(found(listAllocations(access, projectId, { transactionId: unknown })), 0);
      assert.equal(found(listAllocations(access, projectId, { budgetLineId: unknown })), 0);
    }
    assert.equal(found(finish(listTransactions(access, { ids: ['nonsense', transactionId] }))), 1);
  });
});

describe('access', () => {
  it('10 refuses with conflict once the service is closed', async (t) => {
    const { service, org } = await openHouse(t);
    const access = service.access(org);
    const batch = { rows: [row()], provider: 'api', dryRun: false } as const;
    assert.equal(pushTransactions(access, batch, service.actor()).meta.created, 1);
    await service.close();
    const closed = refusal('conflict', /closed/);
    assert.throws(() => finish(listTransactions(access)), closed);
    assert.throws(() => pushTransactions(access, batch, service.actor()), closed);
    assert.throws(() => service.access(org), closed);
  });

  it('to an unknown organisation is refused', async (t) => {
    const { service } = await openHouse(t);
    for (const id of ['org_0000000099', 'nonsense', '']) {
      assert.throws(() => service.access(id), refusal('not_found', /no organisation/));
    }
  });
});
