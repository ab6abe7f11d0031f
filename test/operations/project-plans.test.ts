import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { ChangeRefused } from '../../src/core/refusals.ts';
import {
  getProjectPlan,
  type ProjectPlan,
  readProject,
  saveProject,
  undoProjects,
} from '../../src/operations/project-plans.ts';
import { listHistory } from '../../src/store/audit.ts';
import { folderFor, refusal, row, Workshop, YEAR } from '../store/workshop.ts';
import { type ProjectInShort, projectToSave } from './project-to-save.ts';

const LINES = [
  { code: 'A', name: 'Grants', accountCodes: ['A'], amounts: { '2026-01': 500 } },
  { code: 'B', name: 'Pay', category: 'Staff', amounts: { '2026-02': 700 } },
  { name: 'Other' },
];
const INPUT: ProjectInShort = { ...YEAR, budgetLines: LINES };
const SHELTER = 'prj_0000000001';
const [LINE_A, LINE_B, LINE_C] = ['bln_0000000001', 'bln_0000000002', 'bln_0000000003'];

/** A workshop in which a project was saved, and how to save one. */
function open(file?: string) {
  const shop = new Workshop(file);
  const access = { db: shop.db, organisation: shop.organisation };
  const save = (input: ProjectInShort) =>
    saveProject(access, readProject(access, projectToSave(input)), shop.actor());
  return { shop, access, save };
}

const shownLines = ({ lines }: ProjectPlan) => lines.map(({ id, code, name }) => [id, code, name]);

describe('saving a project', () => {
  it('creates it, and its plan has everything to save it again without a change', () => {
    const { shop, access, save } = open();
    assert.equal(save(INPUT).change, 'created');
    const plan = getProjectPlan(access, SHELTER);
    assert.deepEqual([plan.project.name, plan.project.budgetMode], ['Shelter', 'monthly']);
    assert.deepEqual(plan.lines, [
      {
        id: 1,
        code: 'A',
        name: 'Grants',
        category: null,
        kind: 'expense',
        accountCodes: ['A'],
        budget: { mode: 'monthly', byMonth: new Map([['2026-01', 500]]) },
      },
      {
        id: 2,
        code: 'B',
        name: 'Pay',
        category: 'Staff',
        kind: 'expense',
        accountCodes: [],
        budget: { mode: 'monthly', byMonth: new Map([['2026-02', 700]]) },
      },
      {
        id: 3,
        code: null,
        name: 'Other',
        category: null,
        kind: 'expense',
        accountCodes: [],
        budget: { mode: 'monthly', byMonth: new Map() },
      },
    ]);
    const before = shop.everything();
    const { updatedAtMs: seenUpdatedAtMs } = plan.project;
    const again = save({ ...INPUT, id: 1, seenUpdatedAtMs });
    assert.equal(again.change, 'unchanged');
    assert.equal(shop.everything(), before);
  });

  it('is undone whole, in the order of its lines, unless lines came or went', () => {
    const { shop, access, save } = open();
    save(INPUT);
    const plan = getProjectPlan(access, SHELTER);
    const stamp = () => getProjectPlan(access, SHELTER).project.updatedAtMs;
    const undo = (atMs: number) => undoProjects(access, atMs, shop.actor());
    const [a = {}, b = {}, c = {}] = LINES;
    const changed = { name: 'Home', endDate: '2026-06-30', funderName: 'Fund', codes: ['X'] };
    const budgetLines = [
      { ...c, id: 3, name: 'Rest' },
      { ...b, id: 2, kind: 'income' as const, amounts: { '2026-03': 1 } },
      { ...a, id: 1, code: 'C', accountCodes: [], amounts: {} },
    ] as ProjectInShort['budgetLines'];
    save({ ...INPUT, ...changed, toleranceHundredths: null, id: 1, budgetLines });
    const atMs = stamp();
    undo(atMs);
    const { project, lines } = getProjectPlan(access, SHELTER);
    assert.deepEqual(lines, plan.lines);
    assert.deepEqual({ ...project, updatedAtMs: 0 }, { ...plan.project, updatedAtMs: 0 });
    assert.throws(() => undo(atMs), refusal('conflict', /has changed since/));
    const undone = stamp();
    undo(undone);
    assert.deepEqual(shownLines(getProjectPlan(access, SHELTER)), [
      [3, null, 'Rest'],
      [2, 'B', 'Pay'],
      [1, 'C', 'Grants'],
    ]);
    save({ ...INPUT, id: 1, budgetLines: LINES.slice(0, 1) });
    assert.equal(undo(stamp()), undefined);
  });

  it('renames it, and its lines keep their allocations', () => {
    const { shop, access, save } = open();
    save(INPUT);
    const id = shop.pushOne({});
    shop.allocate(id, [[1, 10_000]]);
    const budgetLines = [
      { ...LINES[0], id: 1, code: 'G', name: 'Gifts' },
      { ...LINES[1], name: 'Salaries' },
      { id: 3, name: 'The rest' },
    ];
    const saved = save({ ...INPUT, id: 1, name: 'Night shelter', budgetLines });
    assert.deepEqual([saved.id, saved.change, saved.name], [1, 'updated', 'Night shelter']);
    assert.deepEqual(shownLines(getProjectPlan(access, SHELTER)), [
      [1, 'G', 'Gifts'],
      [2, 'B', 'Salaries'],
      [3, null, 'The rest'],
    ]);
    assert.deepEqual(shop.shares(), [[1, 10_000]]);
    const [last] = listHistory(shop, SHELTER).slice(-1);
    assert.deepEqual(
      last?.details.changes.map(({ subject, before, after }) => [subject, before, after]),
      [
        [SHELTER, { name: 'Shelter' }, { name: 'Night shelter' }],
        [LINE_A, { code: 'A', name: 'Grants' }, { code: 'G', name: 'Gifts' }],
        [LINE_B, { name: 'Pay' }, { name: 'Salaries' }],
        [LINE_C, { name: 'Other' }, { name: 'The rest' }],
      ],
    );
    shop.check();
  });

  it('lines can exchange their codes, and a new line can take the code of a removed one', () => {
    const { shop, access, save } = open();
    save(INPUT);
    const swapped = [
      { id: 1, code: 'B', name: 'Grants' },
      { id: 2, code: 'A', name: 'Pay' },
    ];
    save({ ...INPUT, id: 1, budgetLines: swapped });
    const plan = () => shownLines(getProjectPlan(access, SHELTER));
    assert.deepEqual(plan(), [
      [1, 'B', 'Grants'],
      [2, 'A', 'Pay'],
    ]);
    const taken = [{ id: 1, code: 'A', name: 'Grants' }];
    save({ ...INPUT, id: 1, budgetLines: taken });
    assert.deepEqual(plan(), [[1, 'A', 'Grants']]);
    shop.check();
  });

  it('reads it again if it has changed since it was read, or is another one', () => {
    const { shop, access, save } = open();
    save(INPUT);
    save({ ...INPUT, name: 'Kitchen' });
    const stale = getProjectPlan(access, SHELTER);
    const months = { '2026-01': 500, '2026-03': 9 };
    const withMarch = [{ ...LINES[0], name: 'Grants', amounts: months }, ...LINES.slice(1)];
    save({ ...INPUT, id: 1, budgetLines: withMarch });
    const fresh = getProjectPlan(access, SHELTER);
    for (const [id, known] of [
      [1, stale],
      [2, fresh],
      [1, fresh],
    ] as const) {
      const name = id === 1 ? 'Shelter' : 'Kitchen';
      const project = readProject(access, projectToSave({ ...INPUT, name, id }));
      saveProject(access, { ...project, known }, shop.actor());
      const [line] = getProjectPlan(access, formatId('prj', id)).lines;
      assert.deepEqual(line?.budget, { mode: 'monthly', byMonth: new Map([['2026-01', 500]]) });
      save({ ...INPUT, id: 1, budgetLines: withMarch });
    }
  });

  it('moves it under a parent and back', () => {
    const { access, save } = open();
    save(INPUT);
    const { id } = save({ ...INPUT, name: 'Kitchen', parentProjectId: 1 });
    const parent = () => getProjectPlan(access, 'prj_0000000002').project.parentProjectId;
    assert.deepEqual([id, parent()], [2, 1]);
    save({ ...INPUT, id: 2, name: 'Kitchen', budgetLines: [] });
    assert.equal(parent(), null);
  });

  it('takes one total for each line', () => {
    const { access, save } = open();
    const budgetLines = [{ code: 'A', name: 'Grants', amounts: 1234 }];
    save({ ...INPUT, budgetMode: 'total', budgetLines });
    const [line] = getProjectPlan(access, SHELTER).lines;
    assert.deepEqual(line?.budget, { mode: 'total', totalMinor: 1234 });
  });
});

describe('saving a project is refused', () => {
  it('when it has changed since it was seen, also by another process', (t) => {
    const file = join(folderFor(t), 'shared.db');
    const { shop, access, save } = open(file);
    save(INPUT);
    const seen = getProjectPlan(access, SHELTER).project;
    const other = new Workshop(file);
    other.import({ ...YEAR, description: 'Theirs', budgetLines: [] }, shop.organisation);
    const before = shop.everything();
    const stale = { ...INPUT, id: 1, seenUpdatedAtMs: seen.updatedAtMs };
    assert.throws(
      () => save(stale),
      (error: unknown) => {
        assert.ok(error instanceof ChangeRefused);
        assert.deepEqual(
          [error.code, error.refusals[0]?.subject, error.refusals[0]?.now],
          ['conflict', SHELTER, getProjectPlan(access, SHELTER).project],
        );
        return true;
      },
    );
    assert.equal(shop.everything(), before);
    other.db.close();
    shop.db.close();
  });

  const wrong: [
    input: Partial<ProjectInShort>,
    code: 'not_found' | 'invalid_input' | 'conflict',
    message: RegExp,
  ][] = [
    [{ name: 'Kitchen' }, 'conflict', /prj_0000000002 is already called "Kitchen"/],
    [{ id: 9 }, 'not_found', /prj_0000000009/],
    [{ id: 3 }, 'not_found', /prj_0000000003/],
    [{ parentProjectId: 3 }, 'not_found', /prj_0000000003/],
    [{ parentProjectId: 1 }, 'invalid_input', /form a cycle/],
    [{ name: ' ' }, 'invalid_input', /name/],
    [{ startDate: '2026-02-30' }, 'invalid_input', /There is no 30 February 2026/],
    [{ endDate: '2025-12-31' }, 'invalid_input', /before startDate/],
    [
      { budgetLines: [] },
      'conflict',
      /bln_0000000001\) has allocations of 1 transaction and cannot be/,
    ],
  ];
  for (const [change, code, message] of wrong) {
    it(`${JSON.stringify(change)}: ${code}`, () => {
      const { shop, save } = open();
      save(INPUT);
      save({ ...INPUT, name: 'Kitchen' });
      shop.import({ ...YEAR, budgetLines: [{ name: 'Line' }] }, shop.addOrganisation());
      shop.push([row()]);
      shop.allocate(1, [[1, 1]]);
      const before = shop.everything();
      const act = () => save({ ...INPUT, id: 1, ...change });
      assert.throws(act, refusal(code, message));
      assert.equal(shop.everything(), before);
    });
  }

  const wrongLines: [lines: ProjectInShort['budgetLines'], message: RegExp][] = [
    [
      [
        { id: 1, name: 'X' },
        { id: 1, name: 'Y' },
      ],
      /listed twice/,
    ],
    [[{ id: 4, name: 'X' }], /no budget line bln_0000000004 in this/],
    [[{ id: 7, name: 'X' }], /no budget line bln_0000000007 in this/],
    [[{ name: 'X' }, { name: 'X' }], /An earlier line has the same code/],
    [[{ name: 'X', amounts: { '2027-01': 1 } }], /2027-01 is outside the project/],
    [[{ name: 'X', amounts: { '2026-01': 0.5 } }], /decimal places/],
    [[{ name: 'X', amounts: { '2026-01': 10 ** 12 } }], /too large/],
  ];
  for (const [budgetLines, message] of wrongLines) {
    it(`the lines ${JSON.stringify(budgetLines)}: ${message}`, () => {
      const { shop, save } = open();
      save(INPUT);
      save({ ...INPUT, name: 'Kitchen' });
      shop.import({ ...YEAR, budgetLines: [{ name: 'Line' }] }, shop.addOrganisation());
      const before = shop.everything();
      assert.throws(() => save({ ...INPUT, id: 1, budgetLines }), message);
      assert.equal(shop.everything(), before);
    });
  }

  it('a plan of another organisation is not found', () => {
    const { shop, access, save } = open();
    save(INPUT);
    const theirs = { ...access, organisation: shop.addOrganisation() };
    assert.throws(() => getProjectPlan(theirs, SHELTER), refusal('not_found'));
  });
});
