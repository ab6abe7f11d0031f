import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { readProjectFile } from '../../src/operations/project-file.ts';

const GBP = { code: 'GBP', places: 2 };
const PROJECT = { name: 'Shelter', startDate: '2025-04-15', endDate: '2026-03-31' };
const LINE = { code: 'A', name: 'Grants' };

describe('contract 8: a valid project file', () => {
  it('8 reads one project with every member', () => {
    const file = {
      name: ' Shelter ',
      description: ' Two\r\nlines ',
      startDate: '2025-04-01',
      endDate: '2026-03-31',
      currency: 'GBP',
      budgetMode: 'monthly',
      parentProject: ' Homes ',
      funder: { name: ' The Fund ', reference: ' F-1 ' },
      codes: [' YOU ', 'A, B'],
      budgetLines: [
        {
          code: ' D3701 ',
          name: ' Grants ',
          category: ' Out ',
          accountCodes: [' D3701 ', 'D3702', 'D3701'],
          budget: { '2025-04': 12000, '2026-03': -0.5, '2025-05': 0 },
        },
      ],
    };
    assert.deepEqual(readProjectFile(file, GBP), [
      {
        name: 'Shelter',
        description: 'Two\nlines',
        startDate: '2025-04-01',
        endDate: '2026-03-31',
        budgetMode: 'monthly',
        parentProject: 'Homes',
        funderName: 'The Fund',
        funderReference: 'F-1',
        codes: ['YOU', 'A, B'],
        toleranceHundredths: 1_000,
        budgetLines: [
          {
            code: 'D3701',
            name: 'Grants',
            category: 'Out',
            accountCodes: ['D3701', 'D3702'],
            budget: {
              mode: 'monthly',
              byMonth: new Map([
                ['2025-04', 1_200_000],
                ['2026-03', -50],
                ['2025-05', 0],
              ]),
            },
          },
        ],
      },
    ]);
  });

  it('8 reads an array of projects with only the required members', () => {
    const other = { ...PROJECT, name: 'Other', budgetMode: 'total', budgetLines: [LINE] };
    const [first, second, ...more] = readProjectFile([PROJECT, other], GBP);
    assert.deepEqual(more, []);
    assert.deepEqual(first, {
      ...PROJECT,
      description: null,
      budgetMode: 'monthly',
      parentProject: null,
      funderName: null,
      funderReference: null,
      codes: [],
      toleranceHundredths: 1_000,
      budgetLines: [],
    });
    assert.deepEqual(second?.budgetLines, [
      {
        ...LINE,
        category: null,
        accountCodes: [],
        budget: { mode: 'total', totalMinor: 0 },
      },
    ]);
  });

  it('8 an optional member can be null or absent', () => {
    const none = { description: null, parentProject: null, funder: null, codes: null };
    const nothing = { ...none, budgetLines: null };
    const line = { ...LINE, code: null, category: null, accountCodes: null, budget: null };
    assert.deepEqual(
      readProjectFile({ ...PROJECT, ...nothing }, GBP),
      readProjectFile(PROJECT, GBP),
    );
    assert.deepEqual(
      readProjectFile({ ...PROJECT, budgetLines: [line] }, GBP),
      readProjectFile({ ...PROJECT, budgetLines: [{ name: LINE.name }] }, GBP),
    );
  });

  it('17 a project has up to 50 codes of up to 64 characters', () => {
    const codes = Array.from({ length: 50 }, (_, at) => '\u{1F600}'.repeat(62) + 10 * (at + 1));
    const longest = codes.slice(0, 9);
    assert.deepEqual(readProjectFile({ ...PROJECT, codes: longest }, GBP)[0]?.codes, longest);
    const short = codes.map((_, at) => `${at}`);
    assert.deepEqual(readProjectFile({ ...PROJECT, codes: short }, GBP)[0]?.codes, short);
  });

  it('8 a total can be negative, and is read in minor units of the currency', () => {
    const file = {
      ...PROJECT,
      budgetMode: 'total',
      budgetLines: [{ ...LINE, budget: -20.5 }],
    };
    const [project] = readProjectFile(file, GBP);
    assert.deepEqual(project?.budgetLines[0]?.budget, { mode: 'total', totalMinor: -2050 });
    const [yen] = readProjectFile(
      { ...file, budgetLines: [{ ...LINE, budget: 20 }] },
      { code: 'JPY', places: 0 },
    );
    assert.deepEqual(yen?.budgetLines[0]?.budget, { mode: 'total', totalMinor: 20 });
  });

  it('8 two lines can share a name if their codes differ or one has no code', () => {
    const lines = [LINE, { ...LINE, code: 'B' }, { name: 'Grants' }];
    const [project] = readProjectFile({ ...PROJECT, budgetLines: lines }, GBP);
    assert.equal(project?.budgetLines.length, 3);
  });

  it('8 lengths are counted after trimming, for account codes too', () => {
    const accountCodes = [` ${'x'.repeat(64)} `];
    const [project] = readProjectFile(
      { ...PROJECT, budgetLines: [{ ...LINE, accountCodes }] },
      GBP,
    );
    assert.deepEqual(project?.budgetLines[0]?.accountCodes, ['x'.repeat(64)]);
  });

  it('8 a project can last one day', () => {
    const day = { ...PROJECT, endDate: PROJECT.startDate };
    assert.equal(readProjectFile(day, GBP).length, 1);
  });
});

describe('contract 8: a project file is refused with the path of every error', () => {
  const line = (change: object) => ({ budgetLines: [{ ...LINE, ...change }] });
  const cases: [change: object, problems: string[]][] = [
    [{ name: undefined }, ['name']],
    [{ name: '  ' }, ['name']],
    [{ name: 'x'.repeat(256) }, ['name']],
    [{ name: 'a\nb' }, ['name']],
    [{ name: 'a\ud83d' }, ['name']],
    [{ description: 7 }, ['description']],
    [{ description: 'x'.repeat(2001) }, ['description']],
    [{ description: 'a\u0000' }, ['description']],
    [{ startDate: undefined }, ['startDate']],
    [{ startDate: '2025-02-29' }, ['startDate']],
    [{ startDate: '1899-12-31' }, ['startDate']],
    [{ startDate: '2025-04-01T00:00:00Z' }, ['startDate']],
    [{ endDate: null }, ['endDate']],
    [{ endDate: '2026-04-31' }, ['endDate']],
    [{ endDate: '2200-01-01' }, ['endDate']],
    [{ endDate: '2025-04-14' }, ['endDate']],
    [{ startDate: 'x', endDate: 'y' }, ['startDate', 'endDate']],
    [{ currency: 'EUR' }, ['currency']],
    [{ currency: 'gbp' }, ['currency']],
    [{ budgetMode: 'yearly' }, ['budgetMode']],
    [{ budgetMode: 1 }, ['budgetMode']],
    [{ parentProject: 3 }, ['parentProject']],
    [{ parentProject: 'a\tb' }, ['parentProject']],
    [{ funder: {} }, ['funder.name']],
    [{ archived: 'yes' }, ['archived']],
    [{ codes: 'YOU' }, ['codes']],
    [{ codes: ['YOU', null] }, ['codes[1]']],
    [{ codes: [' '] }, ['codes[0]']],
    [{ codes: ['x'.repeat(65)] }, ['codes[0]']],
    [{ codes: ['a\tb'] }, ['codes[0]']],
    [{ codes: ['YOU', 'A', ' YOU'] }, ['codes[2]']],
    [{ codes: Array.from({ length: 51 }, (_, at) => `${at}`) }, ['codes']],
    [{ funder: { name: 'F', reference: 1 } }, ['funder.reference']],
    [{ funder: { name: 'F', since: 1 } }, ['funder.since']],
    [{ budgetLines: {} }, ['budgetLines']],
    [{ budgetlines: [] }, ['budgetlines']],
    [{ id: 'prj_1' }, ['id']],
    [line({ name: '' }), ['budgetLines[0].name']],
    [line({ name: 5 }), ['budgetLines[0].name']],
    [line({ code: 5 }), ['budgetLines[0].code']],
    [line({ category: [] }), ['budgetLines[0].category']],
    [line({ colour: 'red' }), ['budgetLines[0].colour']],
    [line({ accountCodes: 'D1' }), ['budgetLines[0].accountCodes']],
    [line({ accountCodes: ['D1', 2] }), ['budgetLines[0].accountCodes[1]']],
    [line({ accountCodes: [' '] }), ['budgetLines[0].accountCodes[0]']],
    [line({ accountCodes: ['x'.repeat(65)] }), ['budgetLines[0].accountCodes[0]']],
    [line({ budget: 20000 }), ['budgetLines[0].budget']],
    [line({ budget: [] }), ['budgetLines[0].budget']],
    [line({ budget: { '2025-03': 1 } }), ['budgetLines[0].budget.2025-03']],
    [line({ budget: { '2026-04': 1 } }), ['budgetLines[0].budget.2026-04']],
    [line({ budget: { '2025-13': 1 } }), ['budgetLines[0].budget.2025-13']],
    [line({ budget: { '2025-Q2': 1 } }), ['budgetLines[0].budget.2025-Q2']],
    [line({ budget: { '2025-04': '1' } }), ['budgetLines[0].budget.2025-04']],
    [line({ budget: { '2025-04': null } }), ['budgetLines[0].budget.2025-04']],
    [line({ budget: { '2025-04': 1.005 } }), ['budgetLines[0].budget.2025-04']],
    [line({ budget: { '2025-04': 1e11 } }), ['budgetLines[0].budget.2025-04']],
    [{ budgetMode: 'total', ...line({ budget: '5' }) }, ['budgetLines[0].budget']],
    [{ budgetMode: 'total', ...line({ budget: {} }) }, ['budgetLines[0].budget']],
    [{ budgetMode: 'total', ...line({ budget: 0.001 }) }, ['budgetLines[0].budget']],
    [{ budgetLines: [LINE, { ...LINE, name: 'Other' }] }, ['budgetLines[1]']],
    [{ budgetLines: [{ name: 'G' }, { name: ' G ' }] }, ['budgetLines[1]']],
    [
      { budgetLines: [{ code: 'A', name: 'x' }, {}, {}] },
      ['budgetLines[1].name', 'budgetLines[2].name'],
    ],
    [{ endDate: 'soon', ...line({ budget: { '2025-04': 1, '2030-01': 2 } }) }, ['endDate']],
    [
      { name: 7, currency: 'USD', ...line({ name: null }) },
      ['name', 'currency', 'budgetLines[0].name'],
    ],
  ];
  for (const [change, problems] of cases) {
    it(`8 ${JSON.stringify(change).slice(0, 70)}: ${problems.join(', ')}`, () => {
      assert.deepEqual(fieldsOf({ ...PROJECT, ...change }).sort(), [...problems].sort());
    });
  }

  it('8 a project with too large a report is refused, with the numbers', () => {
    const lines = (count: number) => {
      return Array.from({ length: count }, (_, at) => ({ code: `${at}`, name: 'Line' }));
    };
    const sized = (endDate: string, count: number) => {
      return { name: 'P', startDate: '2000-01-31', endDate, budgetLines: lines(count) };
    };
    const largest = ['2049-12-31', '2000-01-31', '2000-12-01', '2199-12-31'].map((endDate, at) => {
      return { ...sized(endDate, [40, 2000, 2000, 10][at] ?? 0), name: `P${at}` };
    });
    assert.equal(readProjectFile(largest, GBP).length, 4);
    for (const [file, field, message] of [
      [
        sized('2000-01-31', 2001),
        'budgetLines',
        /^There are 2,001 lines, more than 2,000\. Split /,
      ],
      [
        sized('2049-12-31', 41),
        'budgetLines',
        /^41 lines over 600 months make a report of 24,600 cells, more than 24,000\. Split /,
      ],
    ] as const) {
      assert.throws(
        () => readProjectFile(file, GBP),
        (error) => {
          assert.ok(error instanceof Failure);
          const [detail, ...more] = error.details;
          assert.deepEqual([detail?.field, more], [field, []]);
          assert.match(detail?.message ?? '', message);
          return true;
        },
      );
    }
  });

  it('8 names a member that must be an object', () => {
    assert.ok(fieldsOf({ ...PROJECT, funder: 'The Fund' }).includes('funder'));
    assert.ok(fieldsOf({ ...PROJECT, budgetLines: [LINE, 7] }).includes('budgetLines[1]'));
  });

  it('8 in an array each path begins with the index of the project', () => {
    const wrong = { ...PROJECT, name: 'B', budgetLines: [{ ...LINE, budget: { '2024-01': 1 } }] };
    assert.deepEqual(fieldsOf([PROJECT, wrong, 5]).slice(0, 2), [
      '[1].budgetLines[0].budget.2024-01',
      '[2]',
    ]);
  });

  it('8 a repeated project is refused at its second place', () => {
    assert.deepEqual(fieldsOf([PROJECT, { ...PROJECT, name: ' Shelter' }]), ['[1].name']);
    assert.deepEqual(
      fieldsOf([
        { ...PROJECT, name: '' },
        { ...PROJECT, name: '' },
      ]),
      ['[0].name', '[1].name'],
    );
  });

  for (const document of [null, 'project', 5, true, undefined]) {
    it(`8 ${JSON.stringify(document)} is not a project file: the error has no field`, () => {
      assert.equal(fieldsOf(document)[0], null);
    });
  }

  it('8 the refusal is one invalid_input that names the first error and counts the rest', () => {
    assert.throws(
      () => readProjectFile({ ...PROJECT, name: '', currency: 'EUR', budgetMode: '' }, GBP),
      (error: unknown) => {
        assert.ok(error instanceof Failure);
        assert.equal(error.code, 'invalid_input');
        assert.match(error.message, /^[a-zA-Z]+: .* \(and 2 more\)$/);
        return error.details.every(({ code, message }) => code !== '' && message !== '');
      },
    );
  });

  it('8 an impossible amount and a non-number get different messages', () => {
    const messages = [1.005, 1e11, '1', Number.NaN].map((budget) => {
      const budgetLines = [{ ...LINE, budget: { '2025-04': budget } }];
      try {
        return readProjectFile({ ...PROJECT, budgetLines }, GBP).length;
      } catch (error) {
        return String(error);
      }
    });
    assert.match(String(messages[0]), /2 decimal places of GBP/);
    assert.match(
      String(messages[1]),
      /100000000000 is too large\. The largest amount is 9999999999\.99 GBP/,
    );
    assert.match(String(messages[2]), /Use a number such as 1200, not "1"\./);
    assert.match(String(messages[3]), /Use a number such as 1200, not NaN\./);
  });

  it('8 the message names a date that does not exist, not just the format', () => {
    const messages = [
      '2026-02-29',
      '2026-13-01',
      '2026-00-10',
      '2300-01-01',
      '1.2.2026',
      5,
      {},
    ].map((endDate) => {
      try {
        return readProjectFile({ ...PROJECT, endDate }, GBP).length;
      } catch (error) {
        return error instanceof Failure ? error.message : String(error);
      }
    });
    assert.deepEqual(messages, [
      'endDate: There is no 29 February 2026.',
      'endDate: There is no month 13. Write the date as YYYY-MM-DD.',
      'endDate: There is no month 00. Write the date as YYYY-MM-DD.',
      'endDate: The year 2300 is not between 1900 and 2199.',
      'endDate: Write the date as YYYY-MM-DD, not "1.2.2026".',
      'endDate: Write the date as YYYY-MM-DD, not "5".',
      'endDate: Write the date as YYYY-MM-DD, not an object.',
    ]);
  });

  it('8 a member called __proto__ is unknown like any other', () => {
    const file: unknown = JSON.parse(
      JSON.stringify(PROJECT).replace('{', '{ "__proto__": { "description": "x" }, '),
    );
    assert.deepEqual(fieldsOf(file), ['__proto__']);
  });

  it('8 the holes of a list are errors, and a bigint is shown', () => {
    const afterHole = (value: unknown) => new Array(1).concat(value);
    const budgetLines = afterHole({ ...LINE, accountCodes: afterHole('1') });
    const wrong = ['budgetLines[0]', 'budgetLines[1].accountCodes[0]'];
    assert.deepEqual(fieldsOf({ ...PROJECT, budgetLines }), wrong);
    assert.deepEqual(fieldsOf(afterHole(PROJECT)), ['[0]']);
    assert.deepEqual(fieldsOf({ ...PROJECT, name: 5n }), ['name']);
    assert.deepEqual(fieldsOf({ ...PROJECT, budgetMode: 5n }), ['budgetMode']);
  });

  it('8 a wrong document stays as it was', () => {
    const file = { ...PROJECT, name: 7, budgetLines: [{ ...LINE, budget: { '2025-13': 1 } }] };
    const before = structuredClone(file);
    assert.equal(fieldsOf(file).length, 2);
    assert.deepEqual(file, before);
  });

  it('8 shows at most 50 errors', () => {
    const lines = Array.from({ length: 80 }, () => ({ code: 5 }));
    assert.equal(fieldsOf({ ...PROJECT, budgetLines: lines }).length, 50);
  });
});

/** The fields of the errors in a file. */
function fieldsOf(document: unknown): (string | null)[] {
  try {
    readProjectFile(document, GBP);
  } catch (error) {
    if (error instanceof Failure) return error.details.map(({ field }) => field);
    throw error;
  }
  return [];
}
