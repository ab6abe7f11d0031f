import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { foldCase } from '../../src/core/text.ts';
import type { TransactionOrder } from '../../src/core/transactions.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import type { Position } from '../../src/store/pages.ts';
import { pageOfProjects } from '../../src/store/projects.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { pageOfTransactions } from '../../src/store/transactions.ts';
import { Random } from '../core/random.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from './single-changes.ts';
import { row, rows, START_MS, Workshop, YEAR } from './workshop.ts';

function list(shop: Workshop, filters: TransactionFilters = {}, order: TransactionOrder = 'date') {
  return pageOfTransactions(shop, { filters, order, limit: 1000 }).items;
}

describe('4.5 the list of transactions: order and filters', () => {
  const shop = new Workshop();
  const [a = 0] = shop.project();
  shop.import({ ...YEAR, name: 'Other', budgetLines: [{ name: 'O' }] });
  const sent = [
    { externalId: '1', date: '2026-01-10', contact: 'Ann', accountCode: 'A', amount: 1 },
    { externalId: '2', date: '2026-03-10', contact: 'ann', accountCode: 'B', amount: 2 },
    { externalId: '3', date: '2026-01-10', contact: 'Ann ', accountCode: 'a', amount: 3 },
    { externalId: '4', date: '2026-02-10', description: 'Miete Straße', amount: 4 },
    { externalId: '5', date: '2026-01-11', description: 'ΟΔΟΣΑ 100% _x', amount: 5 },
  ];
  for (const each of sent) {
    shop.nowMs += 1000;
    shop.push([row(each)]);
  }
  shop.push([row({ externalId: '1', description: 'from a file' })], { provider: 'csv' });
  shop.nowMs += 1000;
  shop.allocate(1, [[a, 100]]);
  shop.allocate(2, [[a, 50]]);
  shop.allocate(3, [
    [a, 100],
    [3, 100],
  ]);
  shop.push([row({ ...sent[2], amount: 33 })]);
  excludeTransaction(shop, { transactionId: 4, reason: 'x' }, shop.actor());

  it('4 by date: newest first, then id', () => {
    assert.deepEqual(
      list(shop).map(({ id }) => id),
      [2, 4, 6, 5, 1, 3],
    );
  });

  it('4 by updatedAt: oldest first, then id', () => {
    const found = list(shop, {}, 'updatedAt');
    assert.deepEqual(
      found.map(({ id }) => id),
      [5, 6, 1, 2, 3, 4],
    );
    const times = found.map(({ updatedAtMs }) => updatedAtMs);
    assert.deepEqual(times, [...times].sort());
  });

  const filters: [filters: TransactionFilters, wanted: number[], why: string][] = [
    [{ from: '2026-02-10' }, [2, 4], 'from is inclusive'],
    [{ to: '2026-01-10' }, [1, 3], 'to is inclusive'],
    [{ from: '2026-01-11', to: '2026-02-10' }, [4, 6, 5], 'both'],
    [{ from: '2026-02-01', to: '2026-01-01' }, [], 'from after to returns an empty list'],
    [{ statuses: ['excluded'] }, [4], 'excluded'],
    [{ statuses: ['needs_review'] }, [3], 'under review'],
    [{ statuses: ['allocated'] }, [1], 'allocated'],
    [{ statuses: ['partially_allocated'] }, [2], 'partly'],
    [{ statuses: ['unallocated'] }, [6, 5], 'unallocated'],
    [{ statuses: ['allocated', 'excluded', 'needs_review'] }, [4, 1, 3], 'several'],
    [{ provider: 'csv' }, [6], 'a provider'],
    [{ provider: 'manual' }, [], 'a provider without transactions'],
    [{ externalId: '1' }, [6, 1], 'an externalId of any provider'],
    [{ externalId: '1', provider: 'api' }, [1], 'an externalId of one provider'],
    [{ externalId: '1 ' }, [], 'externalId compares byte for byte'],
    [{ accountCode: 'A' }, [1], 'filters compare byte for byte'],
    [{ contact: 'Ann' }, [1, 3], 'contact was trimmed when stored'],
    [{ contact: 'ANN' }, [], 'contact is case-sensitive'],
    [{ projectId: 1 }, [2, 1, 3], 'allocated to the project'],
    [{ projectId: 2 }, [3], 'allocated twice to a project, listed once'],
    [{ projectId: 1, from: '2026-01-10', to: '2026-01-10' }, [1, 3], 'a project and one date'],
    [{ projectId: 1, from: '2026-01-11', to: '2026-03-09' }, [], 'a project between dates'],
    [{ projectId: 99 }, [], 'an unknown identifier matches nothing'],
    [{ updatedSinceMs: START_MS + 6000 }, [2, 4, 1, 3], 'updatedSince is inclusive'],
    [{ updatedSinceMs: START_MS + 9000 }, [], 'nothing changed since then'],
    [{ search: 'miete' }, [4], 'q in the description'],
    [{ search: 'STRASSE' }, [4], 'q ignores case beyond ASCII'],
    [{ search: 'οδος' }, [5], 'q matches a final sigma within a word'],
    [{ search: 'ΑΝΝ' }, [], 'q does not match Greek with Latin letters'],
    [{ search: 'aNN' }, [2, 1, 3], 'q in the contact'],
    [{ search: '6' }, [], 'q does not search amounts or dates'],
    [{ search: '4' }, [4], 'q in the externalId'],
    [{ search: '%' }, [5], '% is not a wildcard in q'],
    [{ search: '_x' }, [5], '_ is not a wildcard in q'],
    [{ search: ' ' }, [4, 6, 5], 'q is not trimmed'],
    [{ search: 'rent', statuses: ['allocated'] }, [1], 'filters combine'],
    [
      {
        from: '2026-01-01',
        to: '2026-01-31',
        statuses: ['allocated', 'needs_review'],
        provider: 'api',
        accountCode: 'A',
        contact: 'Ann',
        projectId: 1,
        updatedSinceMs: START_MS,
        search: 'RENT',
        externalId: '1',
      },
      [1],
      'all filters combine',
    ],
  ];
  for (const [filter, wanted, why] of filters) {
    it(`4 ${JSON.stringify(filter)} returns [${wanted}]: ${why}`, () => {
      assert.deepEqual(
        list(shop, filter).map(({ id }) => id),
        wanted,
      );
      const byUpdate = list(shop, filter, 'updatedAt').map(({ id }) => id);
      assert.deepEqual(byUpdate.sort(), [...wanted].sort());
    });
  }

  it('2.4 records do not contain raw data, or who excluded them, when and why', () => {
    const members = [
      ...['id', 'provider', 'externalId', 'date', 'description', 'contact', 'accountCode'],
      ...['reference', 'bankAccount', 'projectCode'],
      ...[
        'amountMinor',
        'status',
        'allocatedMinor',
        'review',
        'recoded',
        'createdAtMs',
        'updatedAtMs',
      ],
    ];
    for (const record of list(shop)) {
      assert.deepEqual(Object.keys(record).sort(), members.sort());
    }
  });
});

describe('contract 4: paging through a list while rows are pushed', () => {
  for (const seed of [1, 2, 3]) {
    for (const order of ['date', 'updatedAt'] as const) {
      it(`4 by ${order}, unchanged transactions are listed exactly once (seed ${seed})`, () => {
        const random = new Random(seed);
        const shop = new Workshop();
        for (let batch = 0; batch < 6; batch += 1) {
          shop.nowMs += random.whole(0, 1);
          shop.push(rows(30, (index) => ({ externalId: `${batch}/${index}`, date: day(random) })));
        }
        const before = new Map(list(shop).map((each) => [each.id, each]));
        const seen = walk(shop, order, () => {
          shop.nowMs += random.whole(-1, 2);
          shop.push([
            row({ externalId: `new ${shop.nowMs} ${random.fraction()}`, date: day(random) }),
            row({ externalId: `${random.whole(0, 5)}/${random.whole(0, 29)}`, date: day(random) }),
          ]);
        });
        const unchanged = list(shop).filter(({ id, updatedAtMs }) => {
          return before.get(id)?.updatedAtMs === updatedAtMs;
        });
        assert.ok(unchanged.length > 100 && unchanged.length < 180);
        for (const { id } of unchanged) assert.equal(seen.filter((each) => each === id).length, 1);
      });
    }
  }

  it('4 by updatedAt, a changed transaction is listed again, so that none is missed', () => {
    const shop = new Workshop();
    for (let index = 0; index < 20; index += 1) {
      shop.nowMs += 10;
      shop.push([row({ externalId: `${index}` })]);
    }
    let pages = 0;
    const seen = walk(shop, 'updatedAt', () => {
      pages += 1;
      if (pages > 3) return;
      shop.nowMs += 10;
      shop.push([row({ externalId: `${pages}`, amount: 7 })]);
    });
    assert.deepEqual(seen.slice(-3), [2, 3, 4]);
    assert.equal(seen.length, 23);
  });

  it('4 limit can change between pages, even among equal dates', () => {
    const shop = new Workshop();
    shop.push(rows(50));
    const found: number[] = [];
    let after: Position | undefined;
    for (const limit of [1, 2, 7, 1, 30, 9, 5]) {
      const page = pageOfTransactions(shop, {
        filters: {},
        order: 'date',
        after,
        limit,
      });
      found.push(...page.items.map(({ id }) => id));
      if (page.next === undefined) break;
      after = page.next;
    }
    assert.deepEqual(
      found,
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
  });

  it('4 a full last page has no cursor', () => {
    const shop = new Workshop();
    shop.push(rows(6));
    for (const order of ['date', 'updatedAt'] as const) {
      for (const filters of [{}, { search: 'rent' }]) {
        const page = { filters, order, limit: 6 };
        const { items, next } = pageOfTransactions(shop, page);
        assert.deepEqual([items.length, next], [6, undefined]);
      }
    }
  });

  it('4 with a filter, a page can end among equal dates', () => {
    const shop = new Workshop();
    const all = rows(40, (index) => ({
      date: `2026-01-${10 + (index % 3)}`,
      accountCode: index % 2 === 0 ? 'A' : 'B',
    }));
    shop.push(all);
    const whole = list(shop, { accountCode: 'A' }).map(({ id }) => id);
    assert.equal(whole.length, 20);
    assert.deepEqual(
      walk(shop, 'date', () => {}, { accountCode: 'A' }),
      whole,
    );
    assert.deepEqual(walk(shop, 'date', () => {}, { search: 'rent' }).length, 40);
  });

  it('4 a search finds what folding finds, in short and long texts, plain or not', () => {
    const shop = new Workshop();
    const random = new Random(20);
    const parts = ['rent', 'SS', 'ß', 'ſ', 'K', 'ı', 'é', '%', '_', '\\', ' ', 'x'.repeat(190)];
    const text = () =>
      Array.from({ length: random.whole(1, 4) }, () => random.pick(parts)).join('');
    const named = rows(400, (index) => ({
      externalId: `${index}${random.pick(parts)}`,
      description: `${text()}.`,
      contact: random.once(3) ? null : `.${text()}`,
    }));
    shop.push(named);
    const all = list(shop);
    for (let turn = 0; turn < 60; turn += 1) {
      const search = random.once(2) ? text() : text().toUpperCase();
      const isFound = (each: string | null) => foldCase(each ?? '').includes(foldCase(search));
      assert.deepEqual(
        list(shop, { search }).map(({ id }) => id),
        all
          .filter((each) => [each.description, each.contact, each.externalId].some(isFound))
          .map(({ id }) => id),
        search,
      );
    }
  });

  it('4 projects and allocations have their own order', () => {
    const shop = new Workshop();
    const names = ['b', 'a', 'ä', 'B', 'c', '10', '9'];
    shop.import(names.map((name) => ({ ...YEAR, name, budgetLines: [{ name: 'L' }] })));
    const whole = pageOfProjects(shop, { limit: 99 }).items;
    const projects: string[] = [];
    let last: Position | undefined;
    do {
      const page = pageOfProjects(shop, { after: last, limit: 1 });
      projects.push(...page.items.map(({ name }) => name));
      last = page.next;
    } while (last !== undefined);
    assert.deepEqual(
      projects,
      whole.map(({ name }) => name),
    );

    shop.push(rows(9, (index) => ({ date: `2026-01-1${index % 3}` })));
    for (let id = 1; id <= 9; id += 1) shop.allocate(id, [[1, 1]]);
    const page = { projectId: 1, limit: 99 };
    const allocations = pageOfAllocations(shop, page).items.map(({ id }) => id);
    const found: number[] = [];
    let after: Position | undefined;
    do {
      const one = pageOfAllocations(shop, { projectId: 1, after, limit: 1 });
      found.push(...one.items.map(({ id }) => id));
      after = one.next;
    } while (after !== undefined);
    assert.deepEqual(found, allocations);
  });
});

describe('contract 4: a clock that goes back', () => {
  it('4 updatedAt never decreases, so an incremental reader misses nothing', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.pushOne({ externalId: '1' });
    shop.pushOne({ externalId: '2' });
    const seenUntil = shop.transaction(2).updatedAtMs;
    shop.nowMs -= 3_600_000;
    shop.pushOne({ externalId: '1', amount: 5 });
    shop.pushOne({ externalId: '3' });
    shop.allocate(2, [[a, 10_000]]);
    const since = list(shop, { updatedSinceMs: seenUntil + 1 }).map(({ id }) => id);
    assert.deepEqual(since.sort(), [1, 2, 3]);
    for (const { createdAtMs, updatedAtMs } of list(shop)) assert.ok(updatedAtMs >= createdAtMs);
  });

  it('4 every change of a returned field changes updatedAt, even within a millisecond', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const request = (resolution: 'keep' | 'rescale') => ({ transactionId: 1, resolution });
    const changes: (() => unknown)[] = [
      () => shop.push([row({ description: 'Other' })]),
      () => shop.allocate(1, [[a, 100]]),
      () => shop.push([row({ amount: 200 })]),
      () => resolveReview(shop, request('keep'), shop.actor()),
      () => shop.push([row({ amount: 300 })]),
      () => resolveReview(shop, request('rescale'), shop.actor()),
      () => shop.allocate(1, []),
      () => excludeTransaction(shop, { transactionId: 1, reason: 'x' }, shop.actor()),
      () => shop.push([row({ amount: 1 }), row({ amount: 2 })]),
      () => restoreTransaction(shop, { transactionId: 1 }, shop.actor()),
    ];
    shop.pushOne({});
    for (const change of changes) {
      const before = shop.transaction(1);
      change();
      const after = shop.transaction(1);
      assert.ok(after.updatedAtMs > before.updatedAtMs, String(change));
      assert.equal(after.createdAtMs, START_MS + 1);
    }
    assert.ok(shop.transaction(1).updatedAtMs < START_MS + 20);
    const still = shop.transaction(1);
    shop.push([row({ amount: 2 }), row({ amount: 2, memo: 1 })]);
    assert.deepEqual(shop.transaction(1), still);
  });

  it('4 the same for projects and rescaled allocations', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[a, 10_000]]);
    shop.nowMs -= 3_600_000;
    shop.push([row({ amount: 200 })]);
    const { review } = shop.transaction(1);
    assert.equal(review?.changedAtMs, shop.transaction(1).updatedAtMs);
    assert.ok((review?.changedAtMs ?? 0) > START_MS);
    const request = { transactionId: 1, resolution: 'rescale' } as const;
    resolveReview(shop, request, shop.actor());
    shop.import({ ...YEAR, description: 'new', budgetLines: [{ code: 'A', name: 'Line A' }] });
    const [allocation] = pageOfAllocations(shop, { projectId: 1, limit: 9 }).items;
    const [project] = pageOfProjects(shop, { limit: 9 }).items;
    assert.equal(allocation?.amountMinor, 20_000);
    for (const each of [allocation, project]) {
      assert.ok(each !== undefined && each.updatedAtMs > each.createdAtMs);
    }
  });
});

function day(random: Random): string {
  return `2026-0${random.whole(1, 3)}-${random.pick(['01', '02', '03', '04'])}`;
}

/** The transactions listed in pages of 7. Calls a function after each page. */
function walk(
  shop: Workshop,
  order: TransactionOrder,
  between: () => void,
  filters: TransactionFilters = {},
): number[] {
  const seen: number[] = [];
  let after: Position | undefined;
  do {
    const page = pageOfTransactions(shop, { filters, order, after, limit: 7 });
    seen.push(...page.items.map(({ id }) => id));
    after = page.next;
    if (seen.length > 2000) assert.fail('the pages do not end');
    if (seen.length < 150) between();
  } while (after !== undefined);
  return seen;
}
