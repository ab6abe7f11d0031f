import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listAuditEntries } from '../../src/store/audit.ts';
import { listLines } from '../../src/store/budget-lines.ts';
import { findProject, pageOfProjects } from '../../src/store/projects.ts';
import { findReport } from '../../src/store/reports.ts';
import { refusal, START_MS, Workshop, YEAR } from './workshop.ts';

const LINES = [
  { code: 'A', name: 'Grants', accountCodes: ['A', 'A2'], budget: { '2026-01': 5, '2026-03': 7 } },
  { name: 'Other', category: 'Rest', budget: {} },
];
const FULL = {
  ...YEAR,
  description: 'Beds',
  currency: 'GBP',
  funder: { name: 'The Fund', reference: 'F-1' },
  codes: ['YOU', 'A2'],
  budgetLines: LINES,
};

const projectOf = (shop: Workshop, id = 1) => findProject(shop, id);
/** The months with a budget, of every line, and their amounts. */
function budgetsOf(shop: Workshop): unknown[] {
  const sql = 'select month, amount_minor from budget_amounts order by month';
  return shop.db.prepare(sql).raw().all();
}

const linesOf = (shop: Workshop, id = 1) => listLines(shop, id);
const actionsSince = (shop: Workshop, sinceMs: number) => {
  return listAuditEntries(shop, sinceMs).map(({ action, subject }) => [action, subject]);
};

describe('contract 8: importing projects', () => {
  it('8 creates a project with its lines, account codes and budgets', () => {
    const shop = new Workshop();
    const [imported] = shop.import(FULL);
    assert.deepEqual(
      [imported?.id, imported?.name, imported?.lines.map(({ code, name }) => [code, name])],
      [
        1,
        'Shelter',
        [
          ['A', 'Grants'],
          [null, 'Other'],
        ],
      ],
    );
    assert.deepEqual(projectOf(shop), {
      id: 1,
      name: 'Shelter',
      description: 'Beds',
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      budgetMode: 'monthly',
      parentProjectId: null,
      funderName: 'The Fund',
      funderReference: 'F-1',
      createdAtMs: START_MS,
      updatedAtMs: START_MS,
      archivedAtMs: null,
      codes: ['YOU', 'A2'],
      toleranceHundredths: 1_000,
    });
    assert.deepEqual(
      linesOf(shop).map(({ totalMinor }) => totalMinor),
      [null, null],
    );
    assert.deepEqual(budgetsOf(shop), [
      ['2026-01', 500],
      ['2026-03', 700],
    ]);
    assert.deepEqual(actionsSince(shop, START_MS).at(-1), ['project.created', 'prj_0000000001']);
    shop.check();
  });

  it('8 importing the same file again changes nothing and logs nothing', () => {
    const shop = new Workshop();
    const file = [FULL, { ...YEAR, name: 'Child', parentProject: 'Shelter', budgetMode: 'total' }];
    const first = shop.import(file).map((project) => ({ ...project, change: 'unchanged' }));
    const before = shop.everything();
    shop.nowMs += 60_000;
    assert.deepEqual(shop.import(file), first);
    assert.equal(shop.everything(), before);
    assert.deepEqual(shop.import([...file].reverse()), [...first].reverse());
    assert.equal(shop.everything(), before);
  });

  const changes: [what: string, change: object][] = [
    ['description', { description: 'Rooms' }],
    ['no description', { description: null }],
    ['startDate', { startDate: '2025-12-01' }],
    ['endDate', { endDate: '2027-01-31' }],
    ['no funder', { funder: null }],
    ['another reference', { funder: { name: 'The Fund', reference: 'F-2' } }],
    ['no codes', { codes: null }],
    ['the order of codes', { codes: ['A2', 'YOU'] }],
    ['a parent', { parentProject: 'Parent' }],
    [
      'budgetMode',
      { budgetMode: 'total', budgetLines: [{ code: 'A', name: 'Grants', budget: 12 }] },
    ],
    ['the order of the lines', { budgetLines: [...LINES].reverse() }],
    ["a line's name", { budgetLines: [{ ...LINES[0], name: 'Gifts' }, LINES[1]] }],
    ["a line's category", { budgetLines: [{ ...LINES[0], category: 'In' }, LINES[1]] }],
    ["a line's account codes", { budgetLines: [{ ...LINES[0], accountCodes: ['A'] }, LINES[1]] }],
    [
      'the order of account codes',
      { budgetLines: [{ ...LINES[0], accountCodes: ['A2', 'A'] }, LINES[1]] },
    ],
    ["a month's budget", { budgetLines: [{ ...LINES[0], budget: { '2026-01': 5 } }, LINES[1]] }],
    ['an added line', { budgetLines: [...LINES, { name: 'New' }] }],
    ['a removed line', { budgetLines: [LINES[0]] }],
  ];
  for (const [what, change] of changes) {
    it(`8 updates a project with the same name: ${what}`, () => {
      const shop = new Workshop();
      shop.import([FULL, { ...YEAR, name: 'Parent' }]);
      const [grants] = linesOf(shop);
      const untouched = projectOf(shop, 2);
      shop.nowMs += 1000;
      shop.import({ ...FULL, ...change });
      const project = projectOf(shop);
      assert.deepEqual([project?.createdAtMs, project?.updatedAtMs], [START_MS, shop.nowMs]);
      assert.deepEqual(actionsSince(shop, shop.nowMs), [['project.updated', 'prj_0000000001']]);
      assert.equal(linesOf(shop).find(({ code }) => code === 'A')?.id, grants?.id);
      assert.deepEqual(projectOf(shop, 2), untouched);
      shop.check();
      const after = shop.everything();
      shop.nowMs += 1000;
      shop.import({ ...FULL, ...change });
      assert.equal(shop.everything(), after);
    });
  }

  it('8 archives a project or brings it back, and without the member leaves it as it is', () => {
    const shop = new Workshop();
    const act = (archived?: boolean) => {
      shop.nowMs += 1000;
      const [imported] = shop.import({ ...FULL, ...(archived === undefined ? {} : { archived }) });
      const isArchived = (projectOf(shop)?.archivedAtMs ?? null) !== null;
      return [
        imported?.change,
        isArchived,
        ...actionsSince(shop, shop.nowMs).map(([name]) => name),
      ];
    };
    assert.deepEqual(act(true), ['created', true, 'project.created', 'project.archived']);
    assert.deepEqual(act(), ['unchanged', true]);
    assert.deepEqual(act(true), ['unchanged', true]);
    assert.deepEqual(act(false), ['updated', false, 'project.brought_back']);
    assert.deepEqual(act(), ['unchanged', false]);
    assert.equal(projectOf(shop)?.updatedAtMs, shop.nowMs - 1000);
    shop.check();
  });

  it('4 changing the budget mode removes the old budget', () => {
    const shop = new Workshop();
    shop.import(FULL);
    shop.import({ ...FULL, budgetMode: 'total', budgetLines: [{ ...LINES[0], budget: 12 }] });
    assert.deepEqual(budgetsOf(shop), []);
    assert.deepEqual(
      linesOf(shop).map(({ totalMinor }) => totalMinor),
      [1200],
    );
    shop.import(FULL);
    assert.deepEqual(
      linesOf(shop).map(({ totalMinor }) => totalMinor),
      [null, null],
    );
  });

  it('5 two projects can use the same code', () => {
    const shop = new Workshop();
    shop.import([FULL, { ...FULL, name: 'Second' }]);
    assert.equal(linesOf(shop, 2)[0]?.code, 'A');
  });

  it('8 two lines that swap codes keep their codes and swap names', () => {
    const shop = new Workshop();
    const two = (one: string, other: string) => ({
      ...YEAR,
      budgetLines: [
        { code: one, name: 'First' },
        { code: other, name: 'Second' },
      ],
    });
    shop.import(two('A', 'B'));
    const ids = new Map(linesOf(shop).map(({ code, id }) => [code, id]));
    shop.import(two('B', 'A'));
    assert.deepEqual(
      linesOf(shop).map(({ code, name, id }) => [code, name, id]),
      [
        ['B', 'First', ids.get('B')],
        ['A', 'Second', ids.get('A')],
      ],
    );
  });
});

describe('contract 8: a line missing from a later import', () => {
  it('8 is removed when it no longer has allocations', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const id = shop.pushOne({});
    shop.allocate(id, [[b, 10_000]]);
    shop.allocate(id, [[a, 10_000]]);
    const imported = shop.import({ ...YEAR, budgetLines: [{ code: 'A', name: 'Line A' }] });
    assert.deepEqual(
      imported[0]?.lines.map(({ id: line }) => line),
      [a],
    );
    assert.deepEqual(findReport(shop, 1)?.lines.length, 1);
    shop.check();
  });

  it('8 is removed with its budget and account codes', () => {
    const shop = new Workshop();
    shop.import(FULL);
    shop.import({ ...FULL, budgetLines: [LINES[1]] });
    assert.deepEqual(budgetsOf(shop), []);
    const codes = shop.db.prepare('select count(*) from budget_line_account_codes').pluck().get();
    assert.equal(codes, 0);
    shop.check();
  });

  it('8 is named in a refusal of the whole file when it has allocations', () => {
    const shop = new Workshop();
    const [, b = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[b, 1]]);
    const before = shop.everything();
    const file = [
      { ...YEAR, name: 'New', budgetLines: [{ name: 'N' }] },
      { ...YEAR, description: 'changed', budgetLines: [{ code: 'A', name: 'Line A' }] },
    ];
    assert.throws(() => shop.import(file), refusal('conflict', /B "Line B" \(bln_\w+\)/));
    assert.equal(shop.everything(), before);
  });

  it('8 without a code is named by its name; adding a code makes it another line', () => {
    const shop = new Workshop();
    shop.import({ ...YEAR, budgetLines: [{ name: 'Plain' }] });
    shop.allocate(shop.pushOne({}), [[1, 1]]);
    const coded = { ...YEAR, budgetLines: [{ code: 'P', name: 'Plain' }] };
    assert.throws(() => shop.import(coded), refusal('conflict', /"Plain"/));
    shop.allocate(1, []);
    shop.import(coded);
    assert.notEqual(linesOf(shop)[0]?.id, 1);
  });
});

describe('contract 8: parents of projects', () => {
  it('8 can be stored already, or come later in the same file', () => {
    const shop = new Workshop();
    shop.import([
      { ...YEAR, name: 'Child', parentProject: 'Parent' },
      { ...YEAR, name: 'Parent' },
    ]);
    shop.import({ ...YEAR, name: 'Grandchild', parentProject: 'Child' });
    const parents = pageOfProjects(shop, { limit: 9 }).items;
    assert.deepEqual(
      parents.map(({ name, parentProjectId }) => [name, parentProjectId]),
      [
        ['Child', 2],
        ['Grandchild', 1],
        ['Parent', null],
      ],
    );
  });

  const circles: [why: string, file: object[]][] = [
    ['itself', [{ ...YEAR, parentProject: 'Shelter' }]],
    ['its child', [{ ...YEAR, name: 'Top', parentProject: 'Bottom' }]],
    [
      'two of one file',
      [
        { ...YEAR, name: 'One', parentProject: 'Two' },
        { ...YEAR, name: 'Two', parentProject: 'One' },
      ],
    ],
    [
      'a cycle above another project of the file',
      [
        { ...YEAR, name: 'Hanging', parentProject: 'One' },
        { ...YEAR, name: 'One', parentProject: 'Two' },
        { ...YEAR, name: 'Two', parentProject: 'One' },
      ],
    ],
  ];
  for (const [why, file] of circles) {
    it(`8 cannot form a cycle: ${why}`, () => {
      const shop = new Workshop();
      shop.import([
        { ...YEAR, name: 'Top' },
        { ...YEAR, name: 'Middle', parentProject: 'Top' },
        { ...YEAR, name: 'Bottom', parentProject: 'Middle' },
      ]);
      const before = shop.everything();
      assert.throws(() => shop.import(file), refusal('invalid_input', /cycle/));
      assert.equal(shop.everything(), before);
    });
  }

  it('are at most 19 above each other, also for what is below the one that is saved', () => {
    const shop = new Workshop();
    const chain = (name: string, length: number) =>
      Array.from({ length }, (_, at) => ({
        ...YEAR,
        name: `${name} ${at + 1}`,
        ...(at > 0 && { parentProject: `${name} ${at}` }),
      }));
    shop.import([...chain('A', 20), ...chain('B', 2)]);
    const before = shop.everything();
    const message = /^Project "C 21" has more than 19 projects above it\. Choose a parent further/;
    assert.throws(() => shop.import(chain('C', 21)), refusal('invalid_input', message));
    const moved = { ...YEAR, name: 'B 1', parentProject: 'A 19' };
    assert.throws(() => shop.import([moved]), refusal('invalid_input', /^Project "B 2" has more/));
    assert.equal(shop.everything(), before);
    // Such a chain, from before there was a limit, is in nobody's way.
    const top = `(select id from projects where name = 'A 20')`;
    shop.db.exec(`update projects set parent_project_id = ${top} where name = 'B 1'`);
    shop.import([{ ...YEAR, name: 'D' }]);
  });

  it('8 must exist, otherwise nothing is imported', () => {
    const shop = new Workshop();
    const before = shop.everything();
    const file = [FULL, { ...YEAR, name: 'Child', parentProject: 'shelter' }];
    assert.throws(() => shop.import(file), refusal('invalid_input', /"shelter"/));
    assert.equal(shop.everything(), before);
  });

  it('8 can be swapped with their children', () => {
    const shop = new Workshop();
    shop.import([
      { ...YEAR, name: 'One' },
      { ...YEAR, name: 'Two', parentProject: 'One' },
    ]);
    shop.import([
      { ...YEAR, name: 'One', parentProject: 'Two' },
      { ...YEAR, name: 'Two' },
    ]);
    assert.deepEqual(
      [projectOf(shop, 1), projectOf(shop, 2)].map((each) => each?.parentProjectId),
      [2, null],
    );
  });
});

describe('4.1 the list of projects', () => {
  it('4 is ordered by name (code points), then id', () => {
    const shop = new Workshop();
    const names = ['b', 'B', 'a', 'Z', 'é', 'z', '\uffee', '😀', '10', '9', 'a b', 'ab'];
    shop.import(names.map((name) => ({ ...YEAR, name })));
    const found = pageOfProjects(shop, { limit: 99 }).items.map(({ name }) => name);
    const wanted = ['10', '9', 'B', 'Z', 'a', 'a b', 'ab', 'b', 'z', 'é', '\uffee', '😀'];
    assert.deepEqual(found, wanted);
  });

  it('4 can be filtered by parentProjectId and updatedSince (inclusive)', () => {
    const shop = new Workshop();
    shop.import([{ ...YEAR, name: 'Top' }]);
    shop.nowMs += 1000;
    shop.import([
      { ...YEAR, name: 'Low', parentProject: 'Top' },
      { ...YEAR, name: 'Lower', parentProject: 'Low' },
    ]);
    const names = (page: object) => {
      return pageOfProjects(shop, { limit: 9, ...page }).items.map(({ name }) => name);
    };
    assert.deepEqual(names({ parentProjectId: 1 }), ['Low']);
    assert.deepEqual(names({ parentProjectId: 0 }), []);
    assert.deepEqual(names({ updatedSinceMs: START_MS }), ['Low', 'Lower', 'Top']);
    assert.deepEqual(names({ updatedSinceMs: START_MS + 1 }), ['Low', 'Lower']);
    assert.deepEqual(names({ updatedSinceMs: shop.nowMs, parentProjectId: 2 }), ['Lower']);
    assert.deepEqual(names({ updatedSinceMs: shop.nowMs + 1 }), []);
    assert.deepEqual(names({ limit: 1, after: { sort: 'Low', id: 2 } }), ['Lower']);
  });
});
