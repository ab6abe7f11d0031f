import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { effectOf } from '../../src/console/pasting/page.ts';
import { readPaste, writeTable } from '../../src/console/pasting/table.ts';
import { Reader } from '../../src/console/session/reader.ts';
import type { ProjectPlan } from '../../src/operations/project-plans.ts';
import { finish } from '../../src/operations/turns.ts';
import type { LinePlan } from '../../src/store/budget-lines.ts';

const GBP = { code: 'GBP', places: 2 };
const EUR = { code: 'EUR', places: 2 };

const STORED = {
  id: 1,
  name: 'Youth work',
  description: null,
  startDate: '2026-01-01',
  endDate: '2026-03-31',
  budgetMode: 'monthly',
  parentProjectId: null,
  funderName: null,
  funderReference: null,
  createdAtMs: 0,
  updatedAtMs: 0,
  archivedAtMs: null,
  codes: [] as readonly string[],
  toleranceHundredths: 1_000,
} as const;

/** A project of January to March 2026 without lines, or another one. */
function planOf(
  project: Partial<ProjectPlan['project']> = {},
  lines: readonly Partial<LinePlan>[] = [],
): ProjectPlan {
  const budget = { mode: 'monthly', byMonth: new Map<string, number>() } as const;
  return {
    project: { ...STORED, ...project },
    lines: lines.map((line, at) => {
      const texts = { code: null, name: `Line ${at + 1}`, category: null, accountCodes: [] };
      return { id: at + 1, kind: 'expense' as const, ...texts, budget, ...line };
    }),
  };
}

interface Given {
  readonly plan?: ProjectPlan;
  readonly locale?: string;
}

/** What a table says: the lines in short, notes and faults. */
function read(rows: readonly string[] | string, { plan = planOf(), locale = 'en-GB' }: Given = {}) {
  const text =
    typeof rows === 'string' ? rows : rows.map((row) => row.replaceAll('|', '\t')).join('\n');
  const currency = locale.startsWith('en') ? GBP : EUR;
  const reader = Reader.of(locale, { currency: currency, timeZone: 'UTC' });
  const { lines, notes, faults } = finish(readPaste(text, plan, reader));
  const short = lines.map(({ code, name, budget }) => {
    const amounts = budget.mode === 'total' ? [budget.totalMinor] : budget.byMonth.values();
    return [...(code === null ? [] : [code]), name, ...amounts];
  });
  return { lines: short, notes, faults };
}

const TWO = [
  ['Rent', 100_000, 100_000, 100_000],
  ['Trips', 5_000, 12_000],
];

/** Ordinary sheets of charities: all say the same two lines. */
const SHEETS: readonly (readonly [what: string, rows: readonly string[], given?: Given])[] = [
  [
    'the heads of our own grid, with spaces for nothing',
    ['Line|Jan 26|Feb 26|Mar 26', 'Rent|1,000.00|1,000.00|1,000.00', 'Trips|50|120|'],
  ],
  [
    'a title, pounds, a dash for nothing, a full year and a total',
    [
      'Harbour Trust: budget 2026|||||',
      '',
      'Budget line|Jan-26|Feb-26|Mar-26|Full year',
      'Rent| £1,000.00 | £1,000.00 | £1,000.00 |£3,000.00',
      'Trips| £50.00 | £120.00 ||£170.00',
      'TOTAL|£1,050.00|£1,120.00|£1,000.00|£3,170.00',
    ],
  ],
  [
    'the full year first, as in a template of charities, and no name over the lines',
    ['|Full Year|Jan|Feb|Mar', 'Rent|3000|1000|1000|1000', 'Trips|170|50|120|'],
  ],
  [
    'whole names of months, headings, and totals of parts',
    [
      'Item|January 2026|February 2026|March 2026|Notes',
      'Premises||||',
      'Rent|1,000|1,000|1,000|lease of 2024',
      'Total premises|1,000|1,000|1,000|',
      'Activities||||',
      'Trips|50|120||two coaches',
      'Total activities|50|120|0|',
      'Grand total|1,050|1,120|1,000|',
    ],
  ],
  [
    'a quarter after its months, and what was spent last year',
    [
      'Name|Last year|2026-01|2026-02|2026-03|Q1 2026',
      'Rent|11,500|1000|1000|1000|3000',
      'Trips|90|50|120||170',
    ],
  ],
  [
    'German months and amounts',
    [
      'Position|Jan. 26|Feb. 26|März 26|Summe',
      'Rent|1.000,00 €|1.000,00 €|1.000,00 €|3.000,00 €',
      'Trips|50,00 €|120,00 €|-|170,00 €',
      'Gesamt|1.050,00 €|1.120,00 €|1.000,00 €|3.170,00 €',
    ],
    { locale: 'de' },
  ],
  [
    'the same for a reader who writes them otherwise',
    ['Bezeichnung|Januar 2026|Februar 2026|März 2026', 'Rent|1.000|1.000|1.000', 'Trips|50|120|'],
  ],
  [
    'French months, and blanks between thousands',
    [
      'Poste|janv. 26|févr. 26|mars 26|Total',
      'Rent|1 000,00|1 000,00|1 000,00|3 000,00',
      'Trips|50,00|120,00||170,00',
    ],
    { locale: 'fr' },
  ],
  [
    'first days as heads, and a row of sums without a name',
    [
      'Expenditure|01/01/2026|01/02/2026|01/03/2026',
      'Rent|1000|1000|1000',
      'Trips|50|120|',
      '|1050|1120|1000',
    ],
  ],
  [
    'last days, and a percentage',
    [
      'Description|31/01/26|28/02/26|31/03/26|% of total',
      'Rent|1000|1000|1000|95%',
      'Trips|50|120||5%',
    ],
  ],
  [
    'a CSV file with amounts in quotation marks',
    [
      'Cost heading,"Jan ’26","Feb ’26","Mar ’26"',
      'Rent,"1,000.00","1,000.00","1,000.00"',
      'Trips,50.00,120.00,',
    ],
  ],
  [
    'a name with a line break',
    ['Line|1/2026|2/2026|3/2026', '"Re', 'nt"|1000|1000|1000', 'Trips|50|120|'],
  ],
];

const DIFFERS = '“2026” has 45.00 in row 2, where its months add up to 78.00.';

const TOO_LARGE = /^A table has at most 2,500 rows, 50,000 cells and 103 columns\. Copy less/;

describe('a pasted table', () => {
  for (const [what, rows, given] of SHEETS) {
    it(`can have ${what}`, () => {
      const { lines, faults } = read(rows, given);
      assert.deepEqual(faults, []);
      const plain = lines.map(([name, ...amounts]) => {
        const known = amounts.filter((minor) => minor !== 0);
        return [name === 'Re nt' ? 'Rent' : name, ...known];
      });
      assert.deepEqual(plain, TWO);
    });
  }

  it('says which parts it does not read, and which of its sums differ', () => {
    const { lines, notes, faults } = read([
      'Line|Jan|Feb|Year|Notes|Actual',
      'Income|||||',
      'Grant|10|10|20|promised|4',
      'Total income|10|10|20||4',
      'Expenses|||||',
      'Pay|3|3|6||',
      'Pension|1|1|3||',
      'Total staff|4|4|9||',
      'Rent|2|2|4||',
      'Total expenditure|6|7|||',
      'Surplus/(deficit)|4|3|||',
    ]);
    assert.deepEqual(faults, []);
    const names = lines.map(([name]) => name);
    assert.deepEqual(names, ['Grant', 'Pay', 'Pension', 'Rent']);
    assert.deepEqual(notes, [
      'Not in the table, so it does not change: Code, Category, Account codes, Mar 2026.',
      'Not read: “Notes”, “Actual”.',
      'Left out, because they are totals: row 4 Total income, row 8 Total staff, ' +
        'row 10 Total expenditure, row 11 Surplus/(deficit). ' +
        'To make a line of one, give it a code.',
      'The kind of the lines below: row 2 Income, row 5 Expenses.',
      'Row 10, Total expenditure, has 7.00 in “Feb”, where the rows above add up to 6.00.',
      '“Year” has 3.00 in row 7, where its months add up to 2.00.',
    ]);
  });

  it('compares quarters of the project or of the year, and years', () => {
    const months = [
      'Apr',
      'May',
      'Jun',
      'Jul',
      'Aug',
      'Sep',
      'Oct',
      'Nov',
      'Dec',
      'Jan',
      'Feb',
      'Mar',
    ];
    const days = { startDate: '2026-04-01', endDate: '2027-03-31' };
    const one = months.map((_, at) => `${at + 1}`).join('|');
    for (const [heads, cells] of [
      ['Q1|Q2|Q3|Q4|FY26/27', '6|15|24|33|78'],
      ['Q2 2026|Q3 2026|Q4 2026|Q1 2027|Total 2026/27', '6|15|24|33|78'],
      ['Apr–Sep|2026|Total', '|45|78'],
    ]) {
      const rows = [`Line|${months.join('|')}|${heads}`, `Rent|${one}|${cells}`];
      const { notes, faults } = read(rows, { plan: planOf(days) });
      assert.deepEqual(faults, []);
      assert.deepEqual(notes.slice(1), heads?.includes('Sep') ? [DIFFERS] : []);
    }
    const interleaved = ['Line|Jan|Feb|Q1|Mar|Q2|Total', 'Rent|1|2|3|4|4|7', 'Heat|1|1|2|5|6|7'];
    assert.deepEqual(read(interleaved).notes.slice(1), [
      '“Q2” has 6.00 in row 3, where its months add up to 5.00.',
    ]);
  });

  it('gets all of its faults said at once, each with its place', () => {
    const { faults } = read([
      'Line|Jan 26|Feb 26|Apr 26|May 26|Spare|Feb-26',
      'Rent|x|1,00.0|5|5|9|',
      '|1|2||||',
      'Food|#REF!|1|||9|',
      'Heat|12,345.678|9999999999999|7|||',
    ]);
    assert.deepEqual(faults, [
      'Two columns are the same: “Feb 26” and “Feb-26”. Leave one of them out.',
      'The amounts of Apr 2026 to May 2026 are outside the project, which runs from Jan 2026 to ' +
        'Mar 2026: Rent, Heat. Leave these columns out, or change the days of the project first.',
      '“Spare” has amounts but is not a month of the project. Leave the column out, or name the ' +
        'month in its head.',
      'Row 2, “Jan 26”: "x" is not an amount. Write it like 1234.50.',
      'Row 2, “Feb 26”: "1,00.0" is not an amount. Write it like 1234.50.',
      'Row 3 has no name.',
      'Row 4, “Jan 26”: "#REF!" is not an amount. Write it like 1234.50.',
      'Row 5, “Jan 26”: "12,345.678" has too many decimal places: GBP has 2.',
      'Row 5, “Feb 26”: "9999999999999" is too large.',
    ]);
  });

  const wrong: [rows: string[] | string, fault: RegExp, given?: Given][] = [
    ['', /^No row names the columns/],
    ['Rent\t1\nHeat\t2', /^No row names the columns/],
    [['Jan|Feb', '1|2'], /^No column has the names of the lines/],
    [['Line|Total', 'Rent|1'], /^The budget is by month, but no column is a month of Jan 2026 to/],
    [['Line|Jan|Mar|Mar', 'Rent|1|2|3'], /^Two columns are the same: “Mar” and “Mar”/],
    [['Line|Code|Line', 'a|b|c'], /^Two columns are the same: “Line” and “Line”/],
    [['Line|Jan|', 'Rent|1|2'], /^Column 3 has amounts but is not a month/],
    [['Line|Jan|Feb|Apr', 'Rent|1|2|3'], /^The amounts of “Apr” are outside the project/],
    [['Line|Jan', 'Rent|1.000', 'Trips|950.50'], /^Row 2, “Jan”: "1.000" can be two amounts/],
    [
      ['Line|Feb', 'Rent|1'],
      /^“Feb” can be Feb 2026 or Feb 2027\. Write the year/,
      { plan: planOf({ endDate: '2027-03-31' }) },
    ],
    [
      ['Line|Jan|Feb', 'Rent|1|2'],
      /^The project has one total for each line, but no column has a total\. Add a column Total/,
      { plan: planOf({ budgetMode: 'total' }) },
    ],
    [
      ['Line', 'Rent'],
      /^Row 2: several lines are called "Rent"\. Add the column Code/,
      { plan: planOf({}, [{ name: 'Rent' }, { code: 'A', name: 'Rent' }]) },
    ],
    [
      ['Code|Line', 'A|Rent', 'A|Hire'],
      /^Row 3 is the line of row 2: A Rent/,
      { plan: planOf({}, [{ code: 'A', name: 'Rent' }]) },
    ],
    [['Line', 'Jan|'.repeat(103)], /^A table has at most/],
    ['Line\n'.repeat(2_501), TOO_LARGE],
    [`Line\n${'\n'.repeat(50_000)}`, TOO_LARGE],
    [`${'Line\t'.repeat(300)}\n${'a\n'.repeat(200)}`, TOO_LARGE],
  ];
  for (const [at, [rows, fault, given]] of wrong.entries()) {
    it(`is refused (${at + 1}): ${fault.source}`, () => {
      const { faults } = read(rows, given);
      assert.match(faults[0] ?? '', fault);
      assert.equal(faults.length, 1, faults.join());
    });
  }

  it('knows a total by its name or its sums, unless it has a code or is a line', () => {
    const rows = ['Code|Line|Jan', 'A|Rent|5', 'B|Total Gas|5', '|Total hire|1', '|Sum insured|2'];
    const stored = planOf({}, [{ name: 'Total hire' }]);
    const names = (plan?: ProjectPlan) => read(rows, plan && { plan }).lines.map(([one]) => one);
    assert.deepEqual(names(), ['A', 'B', 'Sum insured']);
    assert.deepEqual(names(stored), ['A', 'B', 'Total hire', 'Sum insured']);
  });

  it('keeps a line without amounts that no other line follows, or that is there', () => {
    const names = (lines: readonly Partial<LinePlan>[]) => {
      const rows = ['Line|Jan', 'Staff|', 'Pay|3', 'New|', 'Total|3'];
      return read(rows, { plan: planOf({}, lines) }).lines.map(([name]) => name);
    };
    assert.deepEqual(names([]), ['Pay', 'New']);
    assert.deepEqual(names([{ name: 'Staff' }]), ['Staff', 'Pay', 'New']);
  });

  it('is read in one way of writing amounts', () => {
    const amounts = (...cells: string[]) => {
      return read(['Line|Jan', ...cells.map((cell, at) => `L${at}|${cell}`)]).lines.map(
        ([, minor]) => minor,
      );
    };
    assert.deepEqual(amounts('1.000', '950'), [100_000, 95_000]);
    assert.deepEqual(amounts('1,000', '950'), [100_000, 95_000]);
    assert.deepEqual(amounts('1.200,00 €', '(50,00)'), [undefined, -5_000]);
    assert.deepEqual(amounts('(1,200.00)', '-', '—', '£ -   ', '£5'), [-120_000, 0, 0, 0, 500]);
  });

  it('has one total where the project has, which its months are compared with', () => {
    const plan = planOf({ budgetMode: 'total' });
    const rows = ['Line|Jan|Feb|Budget', 'Rent|1|2|4', 'Heat|1|2|3', 'Total|||8'];
    const { lines, notes } = read(rows, { plan });
    assert.equal(lines.join(), 'Rent,400,Heat,300');
    assert.deepEqual(notes.slice(1), [
      'Months are compared, but not saved: the project has one total for each line.',
      'Left out, because they are totals: row 4 Total. To make a line of one, give it a code.',
      'Row 4, Total, has 8.00 in “Budget”, where the rows above add up to 7.00.',
      '“Budget” has 4.00 in row 2, where its months add up to 3.00.',
    ]);
    assert.equal(read(['Line|Total', 'Rent|4', 'Heat|3'], { plan }).notes.length, 1);
  });

  it('of a project is read as it was written', () => {
    const texts = ['"', '""', '"a" b', 'a "b"', '"a', "it's; x, y", 'Total', '1'];
    const byMonth = new Map([
      ['2026-01', -123_456],
      ['2026-03', 5],
    ]);
    const lines = texts.map((name, at) => {
      const budget = { mode: 'monthly', byMonth: at === 1 ? new Map<string, number>() : byMonth };
      return {
        name,
        category: name,
        accountCodes: ['7', '8'],
        budget: budget as LinePlan['budget'],
      };
    });
    for (const locale of ['en-GB', 'de', 'fr', 'de-CH']) {
      const plan = planOf({}, lines);
      const reader = Reader.of(locale, { currency: GBP, timeZone: 'UTC' });
      const table = finish(readPaste(writeTable(plan, reader), plan, reader));
      assert.deepEqual([table.faults, table.notes], [[], []]);
      const { same, added, removed } = effectOf(plan, table);
      assert.deepEqual([same, added.length, removed.length], [lines.length, 0, 0], locale);
    }
  });

  it('is read in steps, so that other requests are answered in between', () => {
    const reader = Reader.of('en-GB', { currency: GBP, timeZone: 'UTC' });
    const countSteps = (cells: (at: number) => string, heads = 'Jan 26\tFeb 26\tMar 26') => {
      const rows = Array.from({ length: 2_000 }, (_, at) => `Line ${at}\t${cells(at)}`);
      const steps = readPaste([`Line\t${heads}`, ...rows].join('\n'), planOf(), reader);
      let taken = 1;
      let step = steps.next();
      for (; !step.done; taken += 1) step = steps.next();
      assert.equal(step.value.lines.length, rows.length);
      return taken;
    };
    const few = countSteps(() => '1\t2\t3');
    assert.ok(few >= 10, `${few} steps`);
    // Each different text is read, with both decimal marks if some are wrong.
    assert.ok(countSteps((at) => `${at}.01\t${at}.02\t${at}.03`) >= few + 20);
    assert.ok(countSteps((at) => `a${at}\tb${at}\tc${at}`) >= few + 40);
    assert.ok(countSteps((at) => `1\tb${at}\tc${at}`, 'Jan 26\tOne\tOther') >= few + 15);
    // Columns of sums, each of which can add up the months after any other.
    const sums = 'Jan 26\tTotal\tFeb 26\tTotal\tTotal';
    assert.ok(countSteps(() => '1\t2\t3\t4\t5', sums) >= few + 5);
  });
});
