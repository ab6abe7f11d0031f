import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createService } from '../../src/index.ts';
import { folderFor, refusal } from '../store/workshop.ts';
import { type House, importYear, openHouse, pushOne, row, START } from './house.ts';

const get = ({ service, org }: House, id: string) => service.transactions.get(org, id).data;

describe('transactions in the library are documents of the interface', () => {
  it('4 a transaction has every documented member, null when unset', async (t) => {
    const house = await openHouse(t);
    const id = pushOne(house);
    assert.deepEqual(get(house, id), {
      id,
      provider: 'api',
      externalId: 'INV-1',
      date: '2026-01-31',
      description: 'Rent',
      contact: null,
      amount: 100,
      currency: 'GBP',
      accountCode: null,
      reference: null,
      bankAccount: null,
      projectCode: null,
      status: 'unallocated',
      allocatedAmount: 0,
      review: null,
      recoded: null,
      createdAt: START,
      updatedAt: START,
    });
  });

  for (const [currency, amount, part] of [
    ['JPY', 1500, 1],
    ['KWD', -12.345, -0.001],
    ['CLF', 99999999.9999, 0.0001],
    ['GBP', -0.01, -0.01],
  ] as const) {
    it(`1 an organisation in ${currency} keeps ${amount} unchanged`, async (t) => {
      const house = await openHouse(t, { currency });
      const { a, projectId } = importYear(house);
      const id = pushOne(house, { amount });
      const { service, org } = house;
      const lines = [{ budgetLineId: a, amount: part }];
      const { data } = service.transactions.allocate(org, id, lines);
      assert.deepEqual([data.amount, data.allocatedAmount], [amount, part]);
      const { totals } = service.projects.report(org, projectId).data;
      assert.equal(totals.total.actual, part);
      pushOne(house, { amount: amount === 1500 ? 3 : amount * 2 > 9e7 ? 1 : amount * 2 });
      assert.equal(get(house, id).review?.previousAmount, amount);
    });
  }

  it('4.6 a push of 0 rows, or of more than 500, is refused', async (t) => {
    const { service, org } = await openHouse(t);
    for (const rows of [[], new Array(501).fill(row())]) {
      const push = () => service.transactions.push(org, rows);
      assert.throws(push, refusal('invalid_envelope', /1 to 500/));
    }
    assert.deepEqual(service.transactions.list(org).data, []);
  });

  it('6 dryRun gives the same results and writes nothing', async (t) => {
    const { service, org } = await openHouse(t);
    const { data, meta } = service.transactions.push(org, [row(), 7], { dryRun: true });
    assert.deepEqual([meta.created, meta.rejected, meta.dryRun], [1, 1, true]);
    assert.equal(data[0] && 'id' in data[0] ? data[0].id : '', null);
    assert.deepEqual(service.transactions.list(org).data, []);
    const wrong = { dryRun: 'maybe' };
    assert.throws(
      () => service.transactions.push(org, [row()], wrong),
      refusal('invalid_parameter'),
    );
  });

  it('8 import uses the provider csv and does not change pushed transactions', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const pushed = pushOne(house);
    const { data, meta } = service.transactions.import(org, [row({ amount: 5 }), 7]);
    assert.deepEqual([meta.created, meta.rejected], [1, 1]);
    const id = data[0] !== undefined && 'id' in data[0] ? (data[0].id ?? '') : '';
    assert.deepEqual([get(house, id).provider, get(house, id).amount], ['csv', 5]);
    assert.deepEqual([get(house, pushed).provider, get(house, pushed).amount], ['api', 100]);
    const again = service.transactions.import(org, [row({ amount: 6 })], { dryRun: true });
    assert.deepEqual([again.meta.updated, get(house, id).amount], [1, 5]);
  });

  it('4 a list accepts the parameters of the interface, which bind its cursor', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    for (let day = 1; day <= 5; day += 1) {
      pushOne(house, { externalId: `${day}`, date: `2026-01-0${day}` });
    }
    const first = service.transactions.list(org, { from: '2026-01-02', limit: 2 });
    assert.deepEqual(
      first.data.map(({ externalId }) => externalId),
      ['5', '4'],
    );
    const cursor = first.meta.nextCursor ?? '';
    pushOne(house, { externalId: '6', date: '2026-01-06' });
    const second = service.transactions.list(org, { from: '2026-01-02', limit: 9, cursor });
    assert.deepEqual(
      second.data.map(({ externalId }) => externalId),
      ['3', '2'],
    );
    assert.equal(second.meta.nextCursor, null);
    const invalid = refusal('invalid_cursor');
    assert.throws(() => service.transactions.list(org, { cursor }), invalid);
    for (const query of [
      { limit: 0 },
      { limit: 1001 },
      { colour: 'red' },
      { from: '2026-02-30' },
    ]) {
      assert.throws(() => service.transactions.list(org, query), refusal('invalid_parameter'));
    }
  });
});

describe('contract 5: the workflow, with identifiers and major units', () => {
  it('8 each line gets its amount; a line without an amount gets the rest', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const { a, b, projectId } = importYear(house);
    const lines = [{ budgetLineId: a }, { budgetLineId: b, amount: 0.1 + 0.2, note: ' deposit ' }];
    const { data } = service.transactions.allocate(org, pushOne(house), lines);
    assert.deepEqual([data.status, data.allocatedAmount], ['allocated', 100]);
    const list = service.projects.allocations(org, projectId);
    assert.deepEqual(
      list.data.map(({ budgetLine, amount, note }) => [budgetLine.code, amount, note]),
      [
        ['A', 99.7, null],
        ['B', 0.3, 'deposit'],
      ],
    );
  });

  it('5 impossible amounts and notes are refused, and nothing changes', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const { a, b } = importYear(house);
    const id = pushOne(house);
    const cases: [
      lines: { budgetLineId: string; amount?: number; note?: string }[],
      why: RegExp,
    ][] = [
      [[{ budgetLineId: a, amount: 1.005 }], /2 decimal places/],
      [[{ budgetLineId: a, amount: 1e13 }], /is too large\. The largest is 9999999999\.99\./],
      [[{ budgetLineId: a, amount: Number.NaN }], /is too large\. The largest is 9999999999\.99\./],
      [
        [{ budgetLineId: a, amount: 100.01 }],
        /is 100\.00 GBP; .* add up to 100\.01 GBP, 0\.01 GBP too much/,
      ],
      [[{ budgetLineId: a, amount: -1 }], /sign/],
      [[{ budgetLineId: a, amount: 0 }], /An allocation cannot be 0/],
      [[{ budgetLineId: a }, { budgetLineId: b }], /^Only one allocation can have no amount/],
      [[{ budgetLineId: a, amount: 100 }, { budgetLineId: b }], /An allocation cannot be 0/],
      [[{ budgetLineId: a, note: 'x'.repeat(2001) }], /2000 characters/],
      [[{ budgetLineId: a, note: 'a\nb' }], /contains a control character/],
    ];
    for (const [lines, why] of cases) {
      const allocate = () => service.transactions.allocate(org, id, lines);
      assert.throws(allocate, refusal('invalid_input', why));
    }
    assert.equal(get(house, id).status, 'unallocated');
    assert.deepEqual(
      service.audit.list(org).filter(({ subject }) => subject === id),
      [],
    );
  });

  it('8 a message about a missing record has the identifier from the call', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const { a } = importYear(house);
    const id = pushOne(house);
    const { transactions } = service;
    for (const wrong of ['txn_0000000099', 'nonsense', a]) {
      const gone = refusal(
        'not_found',
        new RegExp(`transaction.* ${wrong}|"${wrong}" is not the id`),
      );
      assert.throws(() => transactions.get(org, wrong), gone);
      assert.throws(() => transactions.allocate(org, wrong, []), gone);
      assert.throws(() => transactions.exclude(org, wrong, 'x'), gone);
      assert.throws(() => transactions.restore(org, wrong), gone);
      assert.throws(() => transactions.review(org, wrong, 'keep'), gone);
    }
    for (const wrong of ['bln_0000000099', 'nonsense', id]) {
      const gone = refusal(
        'not_found',
        new RegExp(`budget line.* ${wrong}|"${wrong}" is not the id`),
      );
      const allocate = () => transactions.allocate(org, id, [{ budgetLineId: wrong, amount: 1 }]);
      assert.throws(allocate, gone);
    }
  });

  it('5 allocateByAccountCode answers requests between two steps', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    importYear(house);
    for (let batch = 0; batch < 12; batch += 1) {
      const index = (at: number) => ({ externalId: `${batch}/${at}`, accountCode: 'A' });
      const rows = Array.from({ length: 500 }, (_, at) => row(index(at)));
      service.transactions.push(org, rows);
    }
    const { key } = service.keys.create(org, { name: 'erp', scopes: ['transactions:read'] });
    const { url } = await service.listen({ port: 0 });
    const headers = { authorization: `Bearer ${key}` };
    const query = `${url}/api/v1/transactions?status=allocated&limit=1`;
    let isDone = false;
    let answersMeanwhile = 0;
    const asking = (async () => {
      while (!isDone) {
        const response = await fetch(query, { headers });
        assert.equal(response.status, 200);
        await response.arrayBuffer();
        if (!isDone) answersMeanwhile += 1;
      }
    })();
    const { allocated } = await service.transactions.allocateByAccountCode(org);
    isDone = true;
    await asking;
    assert.equal(allocated, 6000);
    assert.ok(answersMeanwhile > 0);
  });

  it('5 allocateByAccountCode, exclude, restore and review return the document', async (t) => {
    const house = await openHouse(t);
    const { service, org } = house;
    const { transactions } = service;
    const { a } = importYear(house);
    const [one, two] = [
      pushOne(house, { externalId: '1', accountCode: 'A' }),
      pushOne(house, { externalId: '2', accountCode: 'A' }),
    ];
    assert.equal(transactions.exclude(org, two, ' Own transfer ').data.status, 'excluded');
    const steps: number[] = [];
    const outcome = await transactions.allocateByAccountCode(org, ({ allocated }) =>
      steps.push(allocated),
    );
    assert.deepEqual(
      [outcome, steps],
      [
        {
          allocated: 1,
          ambiguous: 0,
          unmatched: 0,
          ambiguousCodes: [],
          lines: [{ budgetLineId: a, transactions: 1, amount: 100 }],
        },
        [1],
      ],
    );
    assert.equal(transactions.restore(org, two).data.status, 'unallocated');
    assert.equal((await transactions.allocateByAccountCode(org)).allocated, 1);
    const [other] = service.projects.import(org, {
      ...{ name: 'Other', startDate: '2026-01-01', endDate: '2026-12-31' },
      budgetLines: [{ name: 'Line', accountCodes: ['A'] }],
    });
    pushOne(house, { externalId: '3', accountCode: 'A' });
    const budgetLineIds = [a, other?.budgetLines[0]?.budgetLineId];
    assert.deepEqual((await transactions.allocateByAccountCode(org)).ambiguousCodes, [
      { accountCode: 'A', projectCode: null, count: 1, budgetLineIds },
    ]);
    house.clock.nowMs += 1000;
    pushOne(house, { externalId: '1', accountCode: 'A', amount: 80 });
    assert.deepEqual(get(house, one).review, {
      reason: 'amount_changed',
      previousAmount: 100,
      changedAt: '2026-01-31T12:00:01.000Z',
    });
    const unfit = () => transactions.review(org, one, 'keep');
    assert.throws(unfit, refusal('conflict', /Rescale, replace or clear/));
    const { data } = transactions.review(org, one, 'rescale');
    assert.deepEqual([data.status, data.allocatedAmount, data.review], ['allocated', 80, null]);
    assert.throws(() => transactions.review(org, one, 'keep'), refusal('conflict', /not under/));
    const unknown = () => transactions.review(org, one, 'forget' as never);
    assert.throws(unknown, refusal('invalid_input', /keep, rescale, clear, by-account-code/));
    assert.ok(service.check().every(({ ok }) => ok));
  });

  it('17 settles what was recoded or voided, one by one and together', async (t) => {
    const house = await openHouse(t);
    const { transactions } = house.service;
    importYear(house);
    const externalIds = ['1', '2', '3', '4'];
    const push = (change: object) =>
      externalIds.map((externalId) => {
        return pushOne(house, { externalId, accountCode: 'A', ...change });
      });
    const [one = '', two = ''] = push({});
    await transactions.allocateByAccountCode(house.org);
    push({ accountCode: 'B' });
    const moved = transactions.review(house.org, one, 'by-account-code').data;
    assert.deepEqual([moved.status, moved.recoded], ['allocated', null]);
    assert.equal(transactions.review(house.org, two, 'keep').data.recoded, null);
    pushOne(house, { externalId: '4', accountCode: 'none' });
    const settle = (way: 'recode' | 'keep' | 'void') => transactions.settleAll(house.org, way);
    assert.deepEqual(await settle('recode'), { settled: 1, left: 1 });
    assert.deepEqual(await settle('keep'), { settled: 1, left: 0 });
    push({ amount: 0 });
    assert.deepEqual(await settle('void'), { settled: 4, left: 0 });
    await assert.rejects(settle('all' as never), refusal('invalid_input', /recode, keep, void/));
  });

  it('17 says how many were settled before something stopped it', async (t) => {
    const house = await openHouse(t);
    const { org, service } = house;
    const { transactions } = service;
    importYear(house);
    const push = (amount: number) => {
      for (const from of [0, 300]) {
        const rows = Array.from({ length: 300 }, (_, at) => {
          return row({ externalId: `INV-${from + at}`, accountCode: 'A', amount });
        });
        transactions.push(org, rows);
      }
    };
    push(100);
    await transactions.allocateByAccountCode(org);
    push(0);
    const [{ id } = { id: '' }] = transactions.list(org, { limit: 1 }).data;
    const settling = transactions.settleAll(org, 'void');
    while (get(house, id).status === 'needs_review') await setImmediate();
    void service.close();
    const said = /^500 transactions were settled\. The rest was not changed: .* is closed/;
    await assert.rejects(settling, refusal('conflict', said));
  });

  for (const when of ['in a step', 'between two steps']) {
    it(`15 says how many were allocated before the service was closed ${when}`, async (t) => {
      const house = await openHouse(t);
      const { org, service } = house;
      importYear(house);
      const rows = Array.from({ length: 500 }, (_, at) => {
        return row({ externalId: `INV-${at}`, accountCode: 'A' });
      });
      service.transactions.push(org, rows);
      let isBegun = false;
      const run = service.transactions.allocateByAccountCode(org, () => {
        isBegun = true;
        if (when === 'in a step') void service.close();
      });
      run.catch(() => {});
      while (!isBegun) await setImmediate();
      void service.close();
      const said =
        /^[1-4]\d\d transactions were allocated\. The rest was not changed: .* is closed/;
      await assert.rejects(run, refusal('conflict', said));
    });
  }

  for (const reason of ['', '  ', 'x'.repeat(2001), 'a\u0000']) {
    it(`5 refuses the reason ${JSON.stringify(reason).slice(0, 9)}`, async (t) => {
      const house = await openHouse(t);
      const id = pushOne(house);
      const exclude = () => house.service.transactions.exclude(house.org, id, reason);
      assert.throws(exclude, refusal('invalid_input'));
      assert.equal(get(house, id).status, 'unallocated');
    });
  }
});

describe('allocating while another process pushes', () => {
  it('5 the rest is computed from the stored amount, not from one read before', async (t) => {
    const database = join(folderFor(t), 'budgetd.db');
    const house = await openHouse(t, { database, create: true });
    const other = await createService({ database });
    t.after(() => other.close());
    const { a, b } = importYear(house);
    const id = pushOne(house, { amount: 100 });
    const wish = {
      // Runs during the call, like a push by another process.
      get budgetLineId() {
        other.transactions.push(house.org, [row({ amount: 300 })]);
        return b;
      },
    };
    const wishes = [{ budgetLineId: a, amount: 40 }, wish];
    const { data } = house.service.transactions.allocate(house.org, id, wishes);
    assert.deepEqual([data.amount, data.allocatedAmount, data.status], [300, 300, 'allocated']);
  });
});
