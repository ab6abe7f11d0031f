import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  daysOf,
  hides,
  type PlacedShare,
  type Rule,
  type RuleConditions,
  type RuledTransaction,
  RuleFinder,
  splitShares,
} from '../../src/core/rules.ts';
import { Random } from './random.ts';

const YEAR = { startDate: '2026-01-01', endDate: '2026-12-31', isArchived: false };
const share = (more: Partial<PlacedShare> = {}): PlacedShare => {
  return { budgetLineId: 1, weight: null, ...YEAR, ...more };
};

function rule(conditions: RuleConditions, more: Partial<Rule<PlacedShare>> = {}) {
  const whole = { isOn: true, from: null, until: null, shares: [share()] };
  return { name: 'Rule', ...whole, conditions, ...more };
}

const HALL: RuledTransaction = {
  date: '2026-03-01',
  contact: 'Harbour  Hall',
  description: 'Hall rent,\nMarch',
  accountCode: '7300',
  projectCode: 'YOU',
  amountMinor: 30_000,
  provider: 'csv',
};

const takes = (one: Rule<PlacedShare>, transaction: Partial<RuledTransaction> = {}) => {
  return new RuleFinder([one]).find({ ...HALL, ...transaction }) !== undefined;
};

describe('contract 15: the conditions of a rule', () => {
  const cases: [what: string, conditions: RuleConditions, other: object, isTaken: boolean][] = [
    ['contact is, in any case', { contact: { is: 'HARBOUR hall' } }, {}, true],
    ['runs of white space are one', { contact: { is: ' Harbour\t Hall ' } }, {}, true],
    ['contact is the whole text', { contact: { is: 'Harbour' } }, {}, false],
    ['contact contains', { contact: { contains: 'hall' } }, {}, true],
    ['contact contains over a line end', { description: { contains: 'RENT, march' } }, {}, true],
    ['no contact', { contact: { contains: 'a' } }, { contact: null }, false],
    [
      'upper case that changes the length',
      { contact: { is: 'strasse' } },
      { contact: 'Straße' },
      true,
    ],
    ['description is', { description: { is: 'hall rent, march' } }, {}, true],
    ['code is', { accountCode: { is: '7300' } }, {}, true],
    ['code is, byte for byte', { accountCode: { is: 'a' } }, { accountCode: 'A' }, false],
    ['code starts with', { accountCode: { startsWith: '73' } }, {}, true],
    ['code starts with another', { accountCode: { startsWith: '74' } }, {}, false],
    ['no code', { accountCode: { startsWith: '7' } }, { accountCode: null }, false],
    ['project code is', { projectCode: { is: 'YOU' } }, {}, true],
    ['project code in another case', { projectCode: { is: 'you' } }, {}, false],
    ['provider', { provider: 'csv' }, {}, true],
    ['another provider', { provider: 'api' }, {}, false],
    ['out', { provider: 'csv', direction: 'out' }, {}, true],
    ['in', { provider: 'csv', direction: 'in' }, {}, false],
    ['in, of money in', { provider: 'csv', direction: 'in' }, { amountMinor: -1 }, true],
    ['from, included', { provider: 'csv', amount: { fromMinor: 30_000 } }, {}, true],
    ['above', { provider: 'csv', amount: { fromMinor: 30_001 } }, {}, false],
    ['to, included', { provider: 'csv', amount: { toMinor: 30_000 } }, {}, true],
    ['below', { provider: 'csv', amount: { toMinor: 29_999 } }, {}, false],
    ['the magnitude', { provider: 'csv', amount: { fromMinor: 5 } }, { amountMinor: -5 }, true],
    ['an amount of 0', { provider: 'csv' }, { amountMinor: 0 }, false],
    ['all have to hold', { contact: { is: 'Harbour Hall' }, provider: 'api' }, {}, false],
  ];
  for (const [what, conditions, other, isTaken] of cases) {
    it(`15 ${what}: ${isTaken ? 'taken' : 'left'}`, () => {
      assert.equal(takes(rule(conditions), other), isTaken);
    });
  }

  const days: [what: string, more: Partial<Rule<PlacedShare>>, isTaken: boolean][] = [
    ['its first day', { from: '2026-03-01' }, true],
    ['the day before', { from: '2026-03-02' }, false],
    ['its last day', { until: '2026-03-01' }, true],
    ['the day after', { until: '2026-02-28' }, false],
    ['off', { isOn: false }, false],
    ['one project is archived', { shares: [share(), share({ isArchived: true })] }, false],
    ['one project has ended', { shares: [share(), share({ endDate: '2026-02-28' })] }, false],
    ['one begins later', { shares: [share({ startDate: '2026-03-02' }), share()] }, false],
  ];
  for (const [what, more, isTaken] of days) {
    it(`15 ${what}: ${isTaken ? 'taken' : 'left'}`, () => {
      assert.equal(takes(rule({ provider: 'csv' }, more)), isTaken);
    });
  }

  it('15 has the days that it and its projects have in common, or none', () => {
    const later = { shares: [share(), share({ startDate: '2026-02-01', endDate: '2027-01-31' })] };
    const both = daysOf(rule({}, { ...later, until: '2026-06-30' }));
    assert.deepEqual(both, { from: '2026-02-01', until: '2026-06-30' });
    assert.equal(daysOf(rule({}, { from: '2027-01-01' })), undefined);
  });
});

describe('contract 15: the shares of a rule', () => {
  const parts: [amountMinor: number, weights: (number | null)[], shares: number[]][] = [
    [100, [null], [100]],
    [100, [6000, null], [60, 40]],
    [1, [5000, 5000], [1, 0]],
    [-1, [5000, null], [-1, 0]],
    [100, [3333, 3333, 3334], [33, 33, 34]],
    [10, [3333, 3333, null], [3, 3, 4]],
    [-105_001, [6000, 2500, null], [-63_001, -26_250, -15_750]],
  ];
  for (const [amountMinor, weights, shares] of parts) {
    it(`15 ${amountMinor} by ${weights.join(', ')}`, () => {
      const rules = weights.map((weight) => share({ weight }));
      assert.deepEqual(splitShares(amountMinor, rules), shares);
    });
  }

  it('15 a property: they add up exactly, with one sign, each within one of its part', () => {
    const random = new Random(15);
    for (let round = 0; round < 2000; round += 1) {
      const count = random.whole(1, 20);
      const weights: (number | null)[] = Array.from({ length: count }, () => random.whole(1, 400));
      const last = weights.slice(0, -1).reduce<number>((sum, each) => sum + (each ?? 0), 0);
      weights[count - 1] = random.once(2) ? null : 10_000 - last;
      const amountMinor = (random.once(2) ? 1 : -1) * random.whole(1, 999_999_999_999);
      const shares = splitShares(
        amountMinor,
        weights.map((weight) => share({ weight })),
      );
      assert.equal(
        shares.reduce((sum, each) => sum + each, 0),
        amountMinor,
      );
      for (const [at, each] of shares.entries()) {
        const exact = (amountMinor * (weights[at] ?? 10_000 - last)) / 10_000;
        assert.ok(Math.abs(each - exact) < 1.001, `${each} ${exact}`);
        assert.ok(each === 0 || Math.sign(each) === Math.sign(amountMinor));
      }
    }
  });
});

describe('contract 15: the order of rules', () => {
  it('15 a property: the first that fits takes it, as if they were tried one by one', () => {
    const random = new Random(16);
    const contacts = ['Ann', 'Bob', 'ann bob', null];
    const codes = ['1', '12', '2', null];
    const word = () => random.pick(['Ann', 'bob', 'a', 'x']);
    const code = () => random.pick(['1', '12', '2']);
    let taken = 0;
    for (let round = 0; round < 500; round += 1) {
      const rules = Array.from({ length: random.whole(0, 12) }, () =>
        rule(
          {
            ...(random.once(2) && {
              contact: random.once(2) ? { is: word() } : { contains: word() },
            }),
            ...(random.once(3) && {
              accountCode: random.once(2) ? { is: code() } : { startsWith: code() },
            }),
            ...(random.once(4) && { description: { contains: word() } }),
            ...(random.once(4) && { direction: random.pick(['in', 'out'] as const) }),
          },
          {
            isOn: !random.once(6),
            shares: [share({ isArchived: random.once(6) })],
            until: random.once(4) ? '2026-02-15' : null,
          },
        ),
      );
      for (let each = 0; each < 10; each += 1) {
        const transaction = {
          ...HALL,
          contact: random.pick(contacts),
          accountCode: random.pick(codes),
          description: word(),
          date: random.pick(['2026-02-10', '2026-03-01']),
          amountMinor: random.pick([5, -5]),
        };
        const first = rules.find((one) => new RuleFinder([one]).find(transaction) !== undefined);
        assert.equal(new RuleFinder(rules).find(transaction), first);
        if (first !== undefined) taken += 1;
      }
    }
    assert.ok(taken > 1000, `${taken}`);
  });
});

describe('contract 15: a rule that an earlier one hides', () => {
  it('15 a property: what hides takes all that the hidden one would', () => {
    const random = new Random(17);
    const word = () => random.pick(['ann', 'an', 'Ann B', 'b']);
    const code = () => random.pick(['1', '12', '2']);
    const any = () =>
      rule(
        {
          ...(random.once(2) && {
            contact: random.once(2) ? { is: word() } : { contains: word() },
          }),
          ...(random.once(2) && {
            accountCode: random.once(2) ? { is: code() } : { startsWith: code() },
          }),
          ...(random.once(3) && { amount: { fromMinor: random.whole(0, 9) } }),
          ...(random.once(3) && { direction: random.pick(['in', 'out'] as const) }),
        },
        { from: random.once(3) ? '2026-02-01' : null },
      );
    let hidden = 0;
    for (let round = 0; round < 2000; round += 1) {
      const [one, two] = [any(), any()];
      if (!hides(one, two)) continue;
      hidden += 1;
      for (let each = 0; each < 20; each += 1) {
        const transaction = {
          ...HALL,
          contact: word(),
          accountCode: code(),
          amountMinor: random.whole(-12, 12),
          date: random.pick(['2026-01-31', '2026-02-01']),
        };
        assert.notEqual(new RuleFinder([one, two]).find(transaction), two);
      }
    }
    assert.ok(hidden > 100, `${hidden}`);
    assert.equal(hides(rule({}, { isOn: false }), rule({})), false);
  });
});
