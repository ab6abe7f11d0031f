import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixedPart } from '../../src/core/fixed-part.ts';
import { STRETCH } from '../../src/core/limits.ts';
import { writeRecoded } from '../../src/core/recoded.ts';
import { foldText, type TextCondition } from '../../src/core/rules.ts';
import { PROVIDERS, STATUSES, type TransactionOrder } from '../../src/core/transactions.ts';
import type { Position } from '../../src/store/pages.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { pageOfTransactions, type TransactionRecord } from '../../src/store/transactions.ts';
import { Random } from '../core/random.ts';
import { Workshop } from './workshop.ts';

/** Nearly all transactions, so that the others are rare. */
const BUSY_STATUSES = ['unallocated', 'allocated'] as const;
const CODES = ['A', 'B', 'ABC', null];
const CONTACTS = ['Ann', 'ann', 'Zoë', 'Ann 8', 'Ann   8', 'Ann 18', 'Zoë\u00a08', null];
const DESCRIPTIONS = [
  ...['Rent', 'RENT 2', 'Straße', 'other', 'Straße 7 rent', 'rent 12 May 40'],
  ...['Straße\n7', 'strasse 17', 'STRASSE\t 7'],
];

/** A stored transaction with its allocations. */
interface Known extends TransactionRecord {
  readonly shares: readonly KnownShare[];
  readonly isCleared: boolean;
}

interface KnownShare {
  readonly id: number;
  /** What made it: the same for all of a line. */
  readonly rule: string | null;
  readonly projectId: number;
  readonly category: string | null;
  readonly days: readonly [from: string, to: string];
}

describe('contract 4: any filters in any order, compared with a scan of all records', () => {
  for (const [count, rounds, limits] of [
    [300, 300, [1, 7, 100, 1000]],
    [22_000, 12, [1000, 50_000, 50_000]],
  ] as const) {
    it(`4 a property over ${count} transactions: lists each match once, in order`, () => {
      const random = new Random(count);
      const shop = new Workshop();
      const known = fill(shop, count, random);
      for (let round = 0; round < rounds; round += 1) {
        const filters = MANY[round] ?? anyFilters(random);
        const order = random.pick(['date', 'updatedAt'] as const);
        const wanted = known.filter((each) => matches(each, filters)).sort(ORDERS[order]);
        const page = { filters, order, limit: random.pick<number>(limits) };
        const found = walk(shop, { ...page, work: random.pick([count / 10, STRETCH.work]) });
        assert.deepEqual(
          found,
          wanted.map(({ id }) => id),
          JSON.stringify([filters, order]),
        );
      }
    });
  }
});

/** Filters that match much of an index. */
const MANY: readonly TransactionFilters[] = [
  { search: 'inv-' },
  { statuses: ['unallocated', 'allocated'], search: 'inv-' },
  { search: 'straße' },
  { words: [word('RENT'), word('straSSe')] },
  { words: [word('1', 100), word('other')] },
  { contactText: { contains: 'n 8' } },
  { contactText: { is: ' ANN  8' } },
  { descriptionText: { contains: 'STRASSE 7' } },
  { fixedPart: 'straße', statuses: ['unallocated'] },
  { statuses: ['unallocated', 'allocated'], provider: 'csv' },
  { statuses: ['excluded', 'allocated', 'unallocated'], search: 'rent', from: '2025-03-11' },
  { statuses: ['allocated'], updatedSinceMs: 30 },
];

function word(text: string, ...minors: number[]) {
  return { text, minors };
}

const ORDERS: Record<TransactionOrder, (a: Known, b: Known) => number> = {
  date: (a, b) => (a.date === b.date ? a.id - b.id : a.date < b.date ? 1 : -1),
  updatedAt: (a, b) => a.updatedAtMs - b.updatedAtMs || a.id - b.id,
};

/** The numbers of all listed transactions, stretch after stretch. */
function walk(shop: Workshop, page: Parameters<typeof pageOfTransactions>[1]): number[] {
  const found: number[] = [];
  let after: Position | undefined;
  do {
    const { items, next } = pageOfTransactions(shop, { ...page, after });
    assert.ok(items.length <= page.limit);
    found.push(...items.map(({ id }) => id));
    after = next;
  } while (after !== undefined);
  return found;
}

function matches(each: Known, filters: TransactionFilters): boolean {
  const { ids, from, to, statuses, provider, externalId, accountCode, contact } = filters;
  const { isAllocatable, isCleared, updatedSinceMs, search, words = [], isIn } = filters;
  const { reference, bankAccount, projectCode, externalIdPrefix } = filters;
  const { accountCodePrefix, isRecoded } = filters;
  const fold = (text: string | null) => (text ?? '').toLowerCase().replaceAll('ß', 'ss');
  const has = (part: string) =>
    [each.description, each.contact, each.externalId, each.reference].some((text) => {
      return fold(text).includes(fold(part));
    });
  const isAlike = fixedPart(each.description) === filters.fixedPart && each.contact === null;
  return (
    (ids === undefined || ids.includes(each.id)) &&
    (from === undefined || each.date >= from) &&
    (to === undefined || each.date <= to) &&
    (statuses === undefined || statuses.includes(each.status)) &&
    (isAllocatable === undefined || each.amountMinor !== 0) &&
    (provider === undefined || each.provider === provider) &&
    (externalId === undefined || each.externalId === externalId) &&
    (accountCode === undefined || each.accountCode === accountCode) &&
    (contact === undefined || each.contact === contact) &&
    (reference === undefined || each.reference === reference) &&
    (bankAccount === undefined || each.bankAccount === bankAccount) &&
    (projectCode === undefined || each.projectCode === projectCode) &&
    (externalIdPrefix === undefined || each.externalId?.startsWith(externalIdPrefix) === true) &&
    (accountCodePrefix === undefined || each.accountCode?.startsWith(accountCodePrefix) === true) &&
    (isRecoded === undefined || (each.recoded !== null) === isRecoded) &&
    (isCleared === undefined || each.isCleared === isCleared) &&
    matchesShares(each, filters) &&
    (updatedSinceMs === undefined || each.updatedAtMs >= updatedSinceMs) &&
    (search === undefined || has(search)) &&
    words.every(({ text, minors }) => has(text) || minors.includes(each.amountMinor)) &&
    fits(each.contact, filters.contactText) &&
    fits(each.description, filters.descriptionText) &&
    (filters.fixedPart === undefined || isAlike) &&
    (isIn === undefined || each.amountMinor < 0 === isIn) &&
    (filters.sizes === undefined || isBetween(Math.abs(each.amountMinor), filters.sizes))
  );
}

function isBetween(size: number, [least, most]: readonly [number, number]): boolean {
  return least <= size && size <= most;
}

function fits(text: string | null, condition: TextCondition | undefined): boolean {
  if (condition === undefined) return true;
  if (text === null) return false;
  const { is, contains = '' } = condition;
  return is === undefined
    ? foldText(text).includes(foldText(contains))
    : foldText(text) === foldText(is);
}

/** One allocation has to match all of these filters. The second project is below the first. */
function matchesShares({ shares, date }: Known, filters: TransactionFilters): boolean {
  const { projectId, branchId, budgetLineId, category, rule, isWithin, outside } = filters;
  const all = [projectId, branchId, budgetLineId, category, rule, isWithin, outside];
  if (all.every((value) => value === undefined)) return true;
  const isIn = ([from, to]: readonly [string, string]) => from <= date && date <= to;
  return shares.some(
    (share) =>
      (projectId === undefined || share.projectId === projectId) &&
      (branchId === undefined || share.projectId === branchId || branchId === 1) &&
      (budgetLineId === undefined || share.id === budgetLineId) &&
      (category === undefined || share.category === category) &&
      (rule === undefined || share.rule === rule) &&
      (isWithin === undefined || isIn(share.days)) &&
      (outside === undefined || !(isIn(share.days) && isIn(outside))),
  );
}

function anyFilters(random: Random): TransactionFilters {
  const days = [anyDay(random), anyDay(random)].sort();
  const all: Required<TransactionFilters> = {
    ids: Array.from({ length: 40 }, () => random.whole(0, 400)),
    from: days[random.once(8) ? 1 : 0] ?? '',
    to: days[random.once(8) ? 0 : 1] ?? '',
    statuses: STATUSES.filter(() => random.once(2)),
    isAllocatable: true,
    isCleared: random.once(2),
    provider: random.pick(PROVIDERS),
    externalId: `INV-${random.whole(0, 120)}`,
    accountCode: random.pick(['A', 'B', 'a']),
    contact: random.pick(['Ann', 'ann', 'Zoë', 'ANN']),
    reference: random.pick(['R-1', 'r-1', '10% off']),
    bankAccount: random.pick(['Main', 'Petty cash']),
    projectCode: random.pick(['YOU', 'you', 'ELD']),
    externalIdPrefix: random.pick(['INV-1', 'INV', 'inv', '%']),
    accountCodePrefix: random.pick(['A', 'AB', 'a']),
    isRecoded: random.once(2),
    projectId: random.whole(1, 3),
    branchId: random.whole(1, 3),
    budgetLineId: random.whole(1, 5),
    category: random.pick(['Premises', 'premises']),
    rule: random.pick(['Rent', 'rent']),
    isWithin: true,
    outside: ['2025-02-01', days[1] ?? ''],
    updatedSinceMs: random.whole(0, 60),
    search: random.pick(['rent', 'STRASSE', 'zoë', 'inv-1', 'nothing']),
    words: [word(random.pick(['rent', 'STRASSE', '2'])), word('40', random.pick([100, -300]))],
    contactText: {
      [random.pick(['is', 'contains'])]: random.pick(['zoë', 'ANN', 'ann 8', 'n  8', '%', 'n']),
    },
    descriptionText: {
      [random.pick(['is', 'contains'])]: random.pick(['rent', 'straSSe 7', 'E 7', '12 May 40']),
    },
    fixedPart: random.pick(['rent', 'straße', 'straße rent']),
    isIn: random.once(2),
    sizes: [random.whole(0, 200), random.whole(200, 400)],
  };
  const asked = Object.entries(all).filter(([, value]) => {
    return random.once(4) && !(Array.isArray(value) && value.length === 0);
  });
  return Object.fromEntries(asked);
}

function anyDay(random: Random): string {
  return `202${random.whole(5, 6)}-0${random.whole(1, 3)}-1${random.whole(0, 9)}`;
}

/** Two projects with two lines each. Inserts transactions directly, because that is faster. */
function fill(shop: Workshop, count: number, random: Random): Known[] {
  const lines = [
    { name: 'P', startDate: '2025-01-01', endDate: '2026-12-31' },
    { name: 'Q', startDate: '2025-01-15', endDate: '2026-02-14', parentProject: 'P' },
  ].flatMap((project): KnownShare[] => {
    const budgetLines = [{ name: 'one', category: 'Premises' }, { name: 'two' }];
    const [imported] = shop.import({ ...project, budgetLines });
    const days = [project.startDate, project.endDate] as const;
    return (imported?.lines ?? []).map(({ id }, at) => {
      const category = at === 0 ? 'Premises' : null;
      const rule = id % 3 === 0 ? 'Rent' : null;
      return { id, rule, projectId: imported?.id ?? 0, category, days };
    });
  });
  const insert = shop.db.prepare(
    `insert into transactions
       (organisation_id, provider, external_id, date, description, contact, amount_minor, status,
        allocated_minor, created_at, updated_at, account_code, reference, bank_account,
        project_code, recoded)
     values (1, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?, ?, ?, ?)`,
  );
  const allocate = shop.db.prepare(
    `insert into allocations (organisation_id, project_id, budget_line_id, transaction_id, date,
        under_review, amount_minor, created_at, updated_at, rule)
     values (1, ?, ?, ?, ?, 0, 1, 0, 0, ?)`,
  );
  const leave = shop.db.prepare('insert into left_alone values (1, ?, ?, ?)');
  const write = (index: number): Known => {
    const known = {
      provider: PROVIDERS[index % 3] ?? 'api',
      externalId: `INV-${Math.floor(index / 3)}`,
      date: anyDay(random),
      description: random.pick(DESCRIPTIONS),
      contact: random.pick(CONTACTS),
      amountMinor: index % 5 === 0 ? 0 : random.pick([100, 100, -300]),
      status: random.pick(random.once(50) ? STATUSES : BUSY_STATUSES),
      updatedAtMs: random.whole(0, 60),
      accountCode: random.pick(CODES),
      reference: random.pick(['R-1', 'r-1', '10% off', 'rent', null]),
      bankAccount: random.pick(['Main', 'main', 'Petty cash', null]),
      projectCode: random.pick(['YOU', 'you', 'ELD', null]),
    };
    const mark = { accountCode: 'A', projectCode: null, date: known.date, changedAtMs: 1 };
    const recoded = random.once(20) ? mark : null;
    const text = recoded && writeRecoded(recoded);
    const id = Number(insert.run(...Object.values(known), text).lastInsertRowid);
    const shares = random.once(3) ? lines.filter(() => random.once(2)) : [];
    for (const line of shares) {
      allocate.run(line.projectId, line.id, id, known.date, line.rule);
    }
    const rest = { allocatedMinor: 0, review: null, recoded, createdAtMs: 0 };
    // Left alone since another change, by an act that was undone, or cleared.
    const [stamp, isUndone] = [known.updatedAtMs - (id % 2), Math.floor(id / 2) % 2];
    leave.run(id, stamp, isUndone);
    const isCleared = stamp === known.updatedAtMs && isUndone === 0;
    return { id, ...known, ...rest, shares, isCleared };
  };
  return shop.db.transaction(() => Array.from({ length: count }, (_, index) => write(index)))();
}
