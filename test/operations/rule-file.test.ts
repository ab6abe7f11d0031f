import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { importRules, ruleListDocument } from '../../src/operations/rules.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { refusal, Workshop, YEAR } from '../store/workshop.ts';
import { by, to, write } from './rule-lists.ts';

describe('contract 15: the list of rules', () => {
  it('15 prints what it reads, keeps the numbers of rules, and logs what changed', () => {
    const shop = new Workshop();
    shop.project();
    const first = write(
      shop,
      ['One', by('a'), to('A')],
      ['Two', { accountCode: { startsWith: '7' }, amount: { from: 0.5 } }, to('B')],
    );
    const document = ruleListDocument(first, shop.organisation.currency);
    const before = shop.everything();
    importRules(shop, JSON.parse(JSON.stringify(document)), shop.actor());
    assert.equal(shop.everything(), before, 'nothing to change');
    const { rules } = write(
      shop,
      ['Two', by('b'), to('B')],
      ['New', by('c'), to('A', 12.5), to('B')],
    );
    assert.deepEqual(
      rules.map(({ id, position, name }) => [id, position, name]),
      [
        [2, 1, 'Two'],
        [3, 2, 'New'],
      ],
    );
    const { details } = listAuditEntries(shop, 0).at(-1) ?? assert.fail();
    assert.deepEqual(
      details.changes.map(({ subject, before: was, after }) => [
        subject,
        was === null,
        after === null,
      ]),
      [
        ['rul_0000000001', false, true],
        ['rul_0000000002', false, false],
        ['rul_0000000003', true, false],
      ],
    );
  });

  it('15 a line that a rule uses cannot be removed, and the refusal names the rule', () => {
    const shop = new Workshop();
    shop.project();
    importRules(
      shop,
      [{ name: 'Rent', on: false, conditions: by('a'), shares: [to('B')] }],
      shop.actor(),
    );
    const without = { ...YEAR, budgetLines: [{ code: 'A', name: 'Line A' }] };
    const importing = () => importProjects(shop, without, shop.actor());
    assert.throws(importing, refusal('conflict', /used by the rule "Rent"/));
    write(shop);
    assert.doesNotThrow(importing);
  });

  const wrong: [what: string, change: object, place: string, message: RegExp][] = [
    ['no name', { name: ' ' }, 'rules[0].name', /required/],
    ['a long name', { name: 'x'.repeat(101) }, 'rules[0].name', /longer than 100/],
    ['the name of the built-in rule', { name: 'By account code' }, 'rules[0].name', /Another rule/],
    ['an unknown member', { valid: true }, 'rules[0].valid', /unknown/],
    [
      'a blank text',
      { conditions: { contact: { is: ' ' } } },
      'rules[0].conditions.contact.is',
      /leave the condition out/,
    ],
    [
      'is and contains',
      { conditions: { contact: { is: 'a', contains: 'b' } } },
      'rules[0].conditions.contact',
      /one of/,
    ],
    [
      'amount alone',
      { conditions: { amount: { from: 1 } } },
      'rules[0].conditions',
      /at least one/,
    ],
    [
      'a blank provider, which would take any',
      { conditions: { ...by('a'), provider: '' } },
      'rules[0].conditions.provider',
      /leave the condition out/,
    ],
    [
      'an amount of nothing',
      { conditions: { ...by('a'), amount: {} } },
      'rules[0].conditions.amount',
      /from, to or both/,
    ],
    [
      'a long condition',
      { conditions: by('x'.repeat(256)) },
      'rules[0].conditions.contact.contains',
      /255/,
    ],
    [
      'amounts turned round',
      { conditions: { ...by('a'), amount: { from: 2, to: 1 } } },
      'rules[0].conditions.amount',
      /larger/,
    ],
    [
      'a negative amount',
      { conditions: { ...by('a'), amount: { to: -2 } } },
      'rules[0].conditions.amount.to',
      /minus/,
    ],
    [
      'a fraction of a penny',
      { conditions: { ...by('a'), amount: { to: 0.001 } } },
      'rules[0].conditions.amount.to',
      /decimal/,
    ],
    ['days turned round', { from: '2026-02-01', until: '2026-01-01' }, 'rules[0].until', /before/],
    ['no day', { from: '2026-02-30' }, 'rules[0].from', /no 30 February/],
    [
      'another direction',
      { conditions: { ...by('a'), direction: 'up' } },
      'rules[0].conditions.direction',
      /"out" or "in"/,
    ],
    ['no shares', { shares: [] }, 'rules[0].shares', /Choose/],
    ['too much', { shares: [to('A', 60), to('B', 44)] }, 'rules[0].shares', /104%. Take 4% off/],
    ['too little', { shares: [to('A', 60), to('B', 25)] }, 'rules[0].shares', /85%/],
    ['no rest', { shares: [to('A', 100), to('B')] }, 'rules[0].shares', /nothing for the rest/],
    ['two rests', { shares: [to('A'), to('B')] }, 'rules[0].shares', /Only one/],
    ['0%', { shares: [to('A', 0), to('B')] }, 'rules[0].shares[0].percent', /above 0/],
    [
      'three decimals',
      { shares: [to('A', 1.005), to('B')] },
      'rules[0].shares[0].percent',
      /2 decimals/,
    ],
    [
      'percent and rest',
      { shares: [{ line: 'A', percent: 5, rest: true }] },
      'rules[0].shares[0].percent',
      /Use percent/,
    ],
    [
      'one line twice',
      { shares: [to('A', 50), to('A')] },
      'rules[0].shares[1].line',
      /already has this line/,
    ],
    ['an unknown line', { shares: [to('Z')] }, 'rules[0].shares[0].line', /no budget line "Z"/],
    [
      'an unknown project',
      { shares: [{ ...to('A'), project: 'Core' }] },
      'rules[0].shares[0].line',
      /no project "Core"/,
    ],
    ['21 shares', { shares: Array(21).fill(to('A', 1)) }, 'rules[0].shares', /more than 20/],
  ];
  for (const [what, change, place, message] of wrong) {
    it(`15 refuses ${what} with its place, and stores nothing`, () => {
      const shop = new Workshop();
      shop.project();
      const one = { name: 'Rent', conditions: by('a'), shares: [to('A')], ...change };
      const before = shop.everything();
      assert.throws(
        () => importRules(shop, { rules: [one] }, shop.actor()),
        (error: unknown) => {
          const { details } = error as { details: { field: string; message: string }[] };
          const found = details.find(({ field }) => field === place);
          assert.match(found?.message ?? JSON.stringify(details), message);
          return true;
        },
      );
      assert.equal(shop.everything(), before);
    });
  }

  const once: [fault: object, place: string][] = [
    [{ conditions: { accountCode: { is: 'x'.repeat(65) } } }, 'conditions.accountCode.is'],
    [{ conditions: { contact: { startsWith: 'a' } } }, 'conditions.contact.startsWith'],
    [{ conditions: { provider: 'bank' } }, 'conditions.provider'],
    [{ shares: [{ line: 'A', percent: '10' }, to('B')] }, 'shares[0].percent'],
    [{ shares: [{ line: 'A', percent: 5, rest: true }] }, 'shares[0].percent'],
    [{ shares: [to('Z', 50)] }, 'shares[0].line'],
  ];
  for (const [fault, place] of once) {
    it(`15 names one fault of ${place} once: ${Object.keys(fault)}`, () => {
      const shop = new Workshop();
      shop.project();
      const one = { name: 'Rent', conditions: by('a'), shares: [to('A')], ...fault };
      assert.throws(
        () => importRules(shop, [one], shop.actor()),
        (error: unknown) => {
          const { details } = error as { details: { field: string }[] };
          const fields = details.map(({ field }) => field);
          assert.deepEqual(fields, [`rules[0].${place}`]);
          return true;
        },
      );
    });
  }

  it('15 refuses 10,000 rules, a name twice, and lines of others', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const theirs = shop.addOrganisation();
    const [other = 0] = shop.project(['T'], theirs);
    const one = (name: string, line = 'A') => ({ name, conditions: by('a'), shares: [to(line)] });
    const refused = (list: unknown, message: RegExp) => {
      assert.throws(() => importRules(shop, list, shop.actor()), refusal('invalid_input', message));
    };
    refused(
      Array.from({ length: 10_000 }, (_, at) => one(`${at}`)),
      /more than 500/,
    );
    refused([one('x'), one('x')], /rules\[1\].name: Another/);
    refused([one('x', formatId('bln', other))], /no budget line/);
    refused([one('x', 'T')], /no budget line/);
    refused('rules', /object/);
    assert.equal(write(shop, ['x', by('a'), to(formatId('bln', a))]).rules.length, 1);
  });

  it('15 needs the project where two have a line of that code', () => {
    const shop = new Workshop();
    shop.project();
    shop.import({
      ...YEAR,
      name: 'Two',
      budgetLines: [{ code: 'A', name: 'A' }, { name: 'Rooms' }],
    });
    const shares = (share: object) => () => write(shop, ['x', by('a'), { rest: true, ...share }]);
    assert.throws(shares({ line: 'A' }), refusal('invalid_input', /Several projects/));
    const named = (share: object) => shares(share)().rules[0]?.shares[0]?.budgetLineId;
    assert.equal(named({ line: 'A', project: 'Two' }), 3);
    assert.equal(named({ line: 'A', project: 'prj_0000000001' }), 1);
    assert.equal(named({ line: 'Rooms' }), 4);
    assert.equal(named({ line: 'A', budgetLineId: 'bln_0000000002' }), 2);
    assert.equal(named({ line: 'Rooms', budgetLineId: 'bln_0000000099' }), 4);
  });
});
