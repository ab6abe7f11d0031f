import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { finish } from '../../src/operations/turns.ts';
import { listProjectCodes, listSharedCodes, sumClaims } from '../../src/store/account-codes.ts';
import { row, rows, Workshop, YEAR } from '../store/workshop.ts';
import { allocateByAccountCode } from './by-code.ts';

const rent = (accountCode = '7100') => [{ name: 'Rent', accountCodes: [accountCode] }];
const youth = { ...YEAR, name: 'Youth', codes: ['YOU', 'Y2'], budgetLines: rent() };
const elders = { ...YEAR, name: 'Elders', codes: ['ELD'], budgetLines: rent() };

/** Pushes a row of account code 7100 for each project code, and runs. */
async function run(shop: Workshop, projectCodes: readonly (string | null)[], other: object = {}) {
  const accountCode = '7100';
  shop.push(
    projectCodes.map((projectCode, at) => {
      return row({ externalId: `${at}`, accountCode, projectCode, ...other });
    }),
  );
  const outcome = await allocateByAccountCode(shop, shop.actor());
  const lines = [...outcome.lines].map(([id, { transactions }]) => [id, transactions]);
  shop.check();
  return { ...outcome, lines };
}

describe('contract 17: by account code looks at project codes', () => {
  it('17 tells two projects with the same account code apart', async () => {
    const shop = new Workshop();
    shop.import([youth, elders]);
    const outcome = await run(shop, ['YOU', 'ELD', 'Y2', 'eld', 'X', null]);
    assert.deepEqual(outcome.lines.sort(), [
      [1, 2],
      [2, 1],
    ]);
    const { allocated, ambiguous, unmatched, ambiguousCodes } = outcome;
    assert.deepEqual([allocated, ambiguous, unmatched], [3, 1, 2]);
    assert.deepEqual(ambiguousCodes, [
      { accountCode: '7100', projectCode: null, count: 1, budgetLineIds: [1, 2] },
    ]);
  });

  it('17 does not look at them while no project has codes', async () => {
    const shop = new Workshop();
    shop.import([{ ...youth, codes: [] }]);
    assert.deepEqual((await run(shop, ['YOU', 'X', null])).lines, [[1, 3]]);
    const [group, ...others] = finish(sumClaims(shop));
    assert.deepEqual([group, others], [undefined, []]);
    shop.import([{ ...elders, codes: [] }]);
    const { ambiguousCodes } = await run(shop, ['YOU', 'ELD'], {
      contact: 'x',
      date: '2026-02-02',
    });
    assert.deepEqual(ambiguousCodes, []);
    shop.push(
      ['YOU', 'ELD'].map((projectCode) => {
        return row({ externalId: projectCode, accountCode: '7100', projectCode });
      }),
    );
    const left = await allocateByAccountCode(shop, shop.actor());
    assert.deepEqual(left.ambiguousCodes, [
      { accountCode: '7100', projectCode: null, count: 2, budgetLineIds: [1, 2] },
    ]);
  });

  it('17 looks at them when only an archived project has some, which claim nothing', async () => {
    const shop = new Workshop();
    shop.import([
      { ...youth, codes: [] },
      { ...elders, archived: true },
    ]);
    const { lines, unmatched } = await run(shop, ['ELD', 'X', null]);
    assert.deepEqual([lines, unmatched], [[[1, 1]], 2]);
    assert.deepEqual(listProjectCodes(shop), new Set(['ELD']));
  });

  it('17 a project below does not inherit the codes of the one above', async () => {
    const shop = new Workshop();
    const below = { ...elders, codes: [], parentProject: 'Youth' };
    shop.import([{ ...youth, budgetLines: [] }, below]);
    const { lines, unmatched } = await run(shop, ['YOU', null]);
    assert.deepEqual([lines, unmatched], [[[1, 1]], 1]);
  });

  it('17 a row without an account code is unmatched, whatever its project code', async () => {
    const shop = new Workshop();
    shop.import([youth]);
    const { allocated, unmatched } = await run(shop, ['YOU'], { accountCode: null });
    assert.deepEqual([allocated, unmatched], [0, 1]);
  });

  it('17 several projects can have the same code, such as one a year', async () => {
    const shop = new Workshop();
    const days = { startDate: '2027-01-01', endDate: '2027-12-31' };
    shop.import([youth, { ...youth, ...days, name: 'Youth 2027' }]);
    const both = ['2026-12-31', '2027-01-01'];
    shop.push(both.map((date) => row({ externalId: date, date, ...CODED })));
    const { lines } = await allocateByAccountCode(shop, shop.actor());
    assert.deepEqual([...lines.keys()].sort(), [1, 2]);
    shop.import({ ...elders, codes: ['YOU'] });
    shop.push([row({ externalId: 'new', ...CODED })]);
    const { ambiguousCodes } = await allocateByAccountCode(shop, shop.actor());
    assert.deepEqual(ambiguousCodes, [
      { accountCode: '7100', projectCode: 'YOU', count: 1, budgetLineIds: [1, 3] },
    ]);
  });

  it('17 names at most 100 ambiguous codes, the most frequent first', async () => {
    const shop = new Workshop();
    const accountCodes = Array.from({ length: 101 }, (_, at) => `${1000 + at}`);
    const budgetLines = ['A', 'B'].map((name) => ({ name, accountCodes }));
    shop.import({ ...YEAR, budgetLines });
    shop.push(rows(102, (at) => ({ externalId: `${at}`, accountCode: `${1000 + (at % 101)}` })));
    shop.push([row({ externalId: 'last', accountCode: '1100' })]);
    const { ambiguous, ambiguousCodes } = await allocateByAccountCode(shop, shop.actor());
    assert.equal(ambiguous, 103);
    assert.deepEqual(
      ambiguousCodes.map(({ accountCode, count }) => [accountCode, count]),
      [['1000', 2], ['1100', 2], ...accountCodes.slice(1, 99).map((code) => [code, 1])],
    );
  });

  it('17 looks for a project code once in each project, in short steps', (test) => {
    const shop = new Workshop();
    const { accountCodes } = rent()[0] ?? {};
    const budgetLines = Array.from({ length: 50 }, (_, at) => ({ name: `${at}`, accountCodes }));
    shop.import({ ...youth, budgetLines });
    shop.push(rows(250, (at) => ({ externalId: `${at}`, ...CODED, projectCode: `other ${at}` })));
    const compared = countCompared(test);
    const steps = sumClaims(shop);
    let before = 0;
    for (let step = steps.next(); ; step = steps.next()) {
      assert.ok(compared() - before <= 100);
      before = compared();
      if (step.done) break;
    }
    assert.equal(before, 250);
  });

  it('17 sums what would happen by account code and line, and what stays by project code', () => {
    const shop = new Workshop();
    shop.import([youth, elders]);
    const codes = ['YOU', 'Y2', 'X', 'X', null, null];
    shop.push(codes.map((projectCode, at) => row({ externalId: `${at}`, ...CODED, projectCode })));
    shop.pushOne({ externalId: 'other', accountCode: '7' });
    const sums = (code?: string) =>
      finish(sumClaims(shop, code)).map((group) => {
        const { kind, projectCode, count, budgetLineIds, sumMinor } = group;
        return [kind, projectCode, count, budgetLineIds, sumMinor];
      });
    const ofCode = [
      ['ambiguous', null, 2, [1, 2], 20_000],
      ['claimed', null, 2, [1], 20_000],
      ['unmatched', 'X', 2, [], 20_000],
    ];
    const other = ['unmatched', null, 1, [], 10_000];
    assert.deepEqual(sums('7100').sort(), ofCode);
    assert.deepEqual(sums('7'), [other]);
    assert.deepEqual(sums().sort(), [...ofCode.slice(0, 2), other, ...ofCode.slice(2)]);
  });
});

/** How often a project code of the test above has been looked for so far. */
function countCompared(test: TestContext): () => number {
  let count = 0;
  const { has } = Set.prototype;
  test.mock.method(Set.prototype, 'has', function look(this: Set<unknown>, value: unknown) {
    if (typeof value === 'string' && value.startsWith('other ')) count += 1;
    return has.call(this, value);
  });
  return () => count;
}

const CODED = { accountCode: '7100', projectCode: 'YOU' };

describe('contract 17: projects whose lines claim the same account codes', () => {
  const later = { startDate: '2026-12-31', endDate: '2027-12-30' };
  const pair = { projects: ['Elders', 'Youth'], accountCodes: ['7100'] };
  const cases: [what: string, one: object, two: object, isShared: boolean][] = [
    ['neither has codes', { codes: [] }, { codes: [] }, true],
    ['one alone has codes', {}, { codes: [] }, true],
    ['both have codes and share one', {}, { codes: ['ELD', 'Y2'] }, true],
    ['both have codes and share none', {}, {}, false],
    ['only the last day is the same', { codes: [] }, later, true],
    ['their days differ', { codes: [] }, { ...later, startDate: '2027-01-01' }, false],
    ['one is archived', { codes: [] }, { archived: true }, false],
    ['their account codes differ', { codes: [] }, { budgetLines: rent('71') }, false],
  ];
  for (const [what, one, two, isShared] of cases) {
    it(`17 ${what}: ${isShared ? 'a pair' : 'none'}`, () => {
      const shop = new Workshop();
      shop.import([
        { ...youth, ...one },
        { ...elders, ...two },
      ]);
      for (const ids of [[1], [2], [1, 2]]) {
        const found = listSharedCodes(shop, ids);
        const names = found.map(({ projects, ...each }) => {
          return { ...each, projects: [...projects].sort() };
        });
        const projectCodes = what.endsWith('share one') ? ['Y2'] : [];
        assert.deepEqual(names, isShared ? [{ ...pair, projectCodes }] : []);
      }
      assert.deepEqual(listSharedCodes(shop, []), []);
    });
  }

  it('17 takes about as long for lines with one code as for lines with one each', () => {
    const tookMs = (codeOf: (at: number) => string) => {
      const shop = new Workshop();
      const budgetLines = Array.from({ length: 1000 }, (_, at) => {
        return { name: `${at}`, accountCodes: [codeOf(at)] };
      });
      shop.import(['One', 'Two'].map((name) => ({ ...YEAR, name, budgetLines })));
      const tries = Array.from({ length: 5 }, () => {
        const beganMs = performance.now();
        assert.equal(listSharedCodes(shop, [1, 2]).length, 1);
        return performance.now() - beganMs;
      });
      // Other programs make some of them longer.
      return Math.min(...tries);
    };
    const eachMs = tookMs(String);
    // Pairs of lines would be a thousand times as many.
    assert.ok(tookMs(() => '7100') < 50 * eachMs);
  });

  it('17 is one for each pair, with all of their codes, only if asked for one of them', () => {
    const shop = new Workshop();
    const accountCodes = ['7100', '7200'];
    const budgetLines = ['A', 'B'].map((name) => ({ name, accountCodes }));
    const names = ['One', 'Two', 'Three'];
    shop.import(names.map((name) => ({ ...YEAR, name, budgetLines })));
    const sorted = (ids: readonly number[]) => {
      return listSharedCodes(shop, ids).map(({ projects, accountCodes: codes }) => {
        assert.deepEqual([...codes].sort(), accountCodes);
        return [...projects].sort().join(' ');
      });
    };
    assert.deepEqual(sorted([1, 2, 3]).sort(), ['One Three', 'One Two', 'Three Two']);
    assert.deepEqual(sorted([2]).sort(), ['One Two', 'Three Two']);
    shop.import({ ...YEAR, name: 'Four', budgetLines: [] });
    assert.deepEqual(sorted([4]), []);
    const theirs = { db: shop.db, organisation: shop.addOrganisation() };
    assert.deepEqual(listSharedCodes(theirs, [1, 2, 3]), []);
  });
});
