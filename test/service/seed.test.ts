import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createService, type SeedDraft, type Service } from '../../src/index.ts';
import { refusal } from '../store/workshop.ts';

const YEAR = {
  name: 'Youth work',
  startDate: '2026-01-01',
  endDate: '2026-12-31',
  budgetLines: [
    { code: 'RENT', name: 'Rent', accountCodes: ['7100'], budget: { '2026-01': 1200 } },
    { name: 'Power' },
  ],
};
const row = (externalId: string, amount: number) => ({
  externalId,
  date: '2026-01-15',
  description: 'Payment',
  amount,
});

describe('seed', () => {
  it('creates an organisation with all its data in one call', async (t) => {
    const service = await open(t);
    const { organisationId, keys, projects, budgetLines, transactions } = service.seed({
      name: 'Harbour Trust',
      keys: { erp: ['transactions:write'], reader: ['projects:read', 'reports:read'] },
      projects: [YEAR],
      transactions: [row('INV-1', 1000), row('INV-2', 300), row('INV-3', 5)],
      allocations: {
        'INV-1': 'RENT',
        'INV-2': [{ line: 'RENT', amount: 100, note: 'a third' }, { line: 'Power' }],
      },
    });
    assert.deepEqual(Object.keys(keys), ['erp', 'reader']);
    assert.match(keys.erp, /^bdg_live_/);
    assert.deepEqual(
      service.organisations.list().map(({ id, name, baseCurrency }) => [id, name, baseCurrency]),
      [[organisationId, 'Harbour Trust', 'GBP']],
    );
    assert.deepEqual(Object.keys(budgetLines), ['RENT', 'Power']);
    const { data } = service.projects.report(organisationId, projects['Youth work'] ?? '');
    assert.deepEqual(
      data.rows.map(({ total }) => total.actual),
      [1100, 200],
    );
    const listed = service.transactions.list(organisationId).data;
    const statuses = new Map(listed.map(({ id, status }) => [id, status]));
    assert.deepEqual(
      ['INV-1', 'INV-2', 'INV-3'].map((each) => statuses.get(transactions[each] ?? '')),
      ['allocated', 'allocated', 'unallocated'],
    );
  });

  it('takes every member of a project file, in its types too', async (t) => {
    const service = await open(t);
    const { organisationId, projects } = service.seed({
      projects: [
        {
          name: 'Pump',
          description: 'A well',
          startDate: '2026-01-01',
          endDate: '2026-12-31',
          currency: 'GBP',
          budgetMode: 'total',
          funder: { name: 'The Lottery', reference: 'P-1' },
          codes: ['PUM'],
          tolerancePercent: null,
          archived: true,
          budgetLines: [
            {
              code: 'G',
              name: 'Grant',
              category: 'In',
              kind: 'income',
              accountCodes: ['4'],
              budget: 9,
            },
          ],
        },
      ],
    });
    const document = service.statements.show(organisationId, projects['Pump'] ?? '');
    assert.equal(document.tolerancePercent, null);
    assert.deepEqual(
      document.lines.map(({ kind, budget }) => [kind, budget]),
      [['income', 9]],
    );
  });

  it('works without arguments, and more than once', async (t) => {
    const service = await open(t);
    const [one, two] = [service.seed(), service.seed({ name: 'Second', baseCurrency: 'JPY' })];
    assert.notEqual(one.organisationId, two.organisationId);
    assert.deepEqual(one.keys, {});
  });

  it('accepts more rows than a push', async (t) => {
    const service = await open(t);
    const rows = Array.from({ length: 1201 }, (_, index) => row(`N-${index}`, index));
    const { transactions } = service.seed({ transactions: rows });
    assert.equal(Object.keys(transactions).length, 1201);
  });

  const wrong: [why: string, draft: SeedDraft, message: RegExp][] = [
    [
      'a row',
      { transactions: [row('A', 1), { ...row('B', 2), date: '2026-02-30' }] },
      /transactions\[1\]\.date/,
    ],
    ['a project', { projects: [{ ...YEAR, endDate: '2025-01-01' }] }, /endDate/],
    ['no such line', allocating({ A: 'FUEL' }), /budget line "FUEL"\. It has: RENT, Power\./],
    ['no such row', allocating({ B: 'RENT' }), /transaction "B"\. It has: A\./],
    ['too much', allocating({ A: [{ line: 'RENT', amount: 2 }] }), /./],
    ['two lines of one name', { projects: [YEAR, { ...YEAR, name: 'Again' }] }, /called RENT/],
    ['a scope', { keys: { erp: ['everything' as never] } }, /everything/],
    ['a currency', { baseCurrency: 'POUNDS' }, /POUNDS/],
  ];
  for (const [why, draft, message] of wrong) {
    it(`is refused and stores nothing: ${why}`, async (t) => {
      const service = await open(t);
      assert.throws(() => service.seed(draft), refusal('invalid_input', message));
      assert.deepEqual(service.organisations.list(), []);
    });
  }
});

function allocating(allocations: NonNullable<SeedDraft['allocations']>): SeedDraft {
  return { projects: [YEAR], transactions: [row('A', 1)], allocations };
}

async function open(t: { after(work: () => Promise<void>): void }): Promise<Service> {
  const service = await createService({ database: ':memory:' });
  t.after(() => service.close());
  return service;
}
