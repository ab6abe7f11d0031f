import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chartPair } from '../../src/console/components/charts.ts';
import { Reader } from '../../src/console/session/reader.ts';
import { periodsBetween } from '../../src/core/calendar.ts';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { openDesk, push, textOf } from './desk.ts';

const PROJECT = `/projects/${formatId('prj', 1)}`;

/** A year in which all of a budget is spent, the same in every month. */
const YEAR = {
  periods: periodsBetween('2026-01-01', '2026-12-31', 'monthly'),
  cells: Array.from({ length: 12 }, () => ({ budgeted: 100_00, actual: 100_00, variance: 0 })),
  every: 'month',
  reader: Reader.of('en-GB', { currency: { code: 'GBP', places: 2 }, timeZone: 'UTC' }),
} as const;

describe('the page of a report', () => {
  it('17 says what of its days is not allocated, and leads to it', async (test) => {
    const desk = await openDesk(test);
    const { browser, access, service } = desk;
    push(desk, [{ ...desk.rows[0], externalId: 'IN', amount: -7.5 }]);
    const { text } = await browser.get(PROJECT);
    assert.match(
      textOf(text),
      /5 transactions of these days are not allocated, or not in full: 406\.00 GBP out and 7\.50/,
    );
    const [, target = ''] = /href="([^"]*)">See them/.exec(text) ?? [];
    const list = await browser.get(target.replaceAll('&amp;', '&'));
    assert.match(list.text, /<b>5<\/b> transactions/);
    const line = [{ budgetLineId: formatId('bln', 1) }];
    for (const number of [1, 2, 3, 4, 5]) {
      const transactionId = formatId('txn', number);
      allocate(access, { transactionId, allocations: line }, service.actor());
    }
    assert.doesNotMatch((await browser.get(PROJECT)).text, /not in full/);
  });

  it('links figures to their transactions, and says what its charts show', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    for (const number of [1, 2]) {
      const transactionId = formatId('txn', number);
      allocate(access, { transactionId, allocations }, service.actor());
    }
    const { text } = await browser.get(PROJECT);
    assert.match(text, /Over budget<\/dt><dd><span class="over">101/);
    assert.match(text, /<desc id="bars-finding">Over budget in Jan\./);
    const [, target = ''] = /href="(\/transactions\?[^"]*line=[^"]*)"/.exec(text) ?? [];
    const list = await browser.get(target.replaceAll('&amp;', '&'));
    assert.match(list.text, /<b>2<\/b> transactions/);
    assert.match(list.text, /Budget line <bdi>A Rent/);
    const part = { budgetLineId: formatId('bln', 1), amountMinor: 2_500 };
    allocate(
      access,
      {
        transactionId: formatId('txn', 2),
        allocations: [part, { budgetLineId: formatId('bln', 2) }],
      },
      service.actor(),
    );
    const split = await browser.get(target.replaceAll('&amp;', '&'));
    assert.match(split.text, /class="lines"><bdi>A Rent<\/bdi>: <b>25\.00<\/b> and 1 more/);
    const whole = { transactionId: formatId('txn', 2), allocations };
    allocate(access, whole, service.actor());
    assert.match(text, /<figcaption>Month by month /);
    // Payments of later days are among them.
    assert.match(text, /Actual <span class="sub">recorded</);
    assert.match(text, /<svg class="chart" width="620" height="240"\s+viewBox="0 0 620 240"/);
    assert.match(text, /<small>the whole project<.*201<\/a> <small>recorded, 201% of the budget</s);
    assert.match(
      text,
      /aria-current="page">Largest first<\/a>\s+<a href="[^"]*order=own#lines">Own order</,
    );
    const own = await browser.get(`${PROJECT}?order=own`);
    assert.match(own.text, /">Largest first<\/a>\s+<a href="[^"]*" aria-current="page">Own order</);
    assert.match(text, /1 line without figures is left out/);
    const quarters = await browser.get(`${PROJECT}?by=quarters`);
    assert.match(quarters.text, />Jan–Mar <span class="sub">2026/);
    assert.match(quarters.text, /Over budget in Jan–Mar\..*aria-current="page">Quarters</s);
    assert.match(quarters.text, /<figcaption>Quarter by quarter /);
    const [, book = ''] = /href="([^"]*format=xlsx)">XLSX/.exec(text) ?? [];
    const workbook = await browser.get(book);
    assert.match(workbook.headers.get('content-disposition') ?? '', /2026-12\.xlsx"/);
    assert.ok(workbook.text.startsWith('PK'));
    const csv = await browser.get(`${PROJECT}?format=csv`);
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.match(csv.text, /Youth work,A,Rent,,2026-01,2026-01-01,2026-01-31,GBP,100\.00,201\.00/);
    assert.equal((await browser.get(`/projects/${formatId('prj', 9)}`)).status, 404);
  });

  it('says what is over, under review and on other days below a project too', async (test) => {
    const { browser, access, service, rows, ...office } = await openDesk(test);
    const parentProject = 'Youth work';
    const days = { startDate: '2026-02-01', endDate: '2026-12-31' };
    const budgetLines = [{ name: 'Plants' }, { name: 'Tools' }];
    importProjects(
      access,
      { name: 'Garden', ...days, parentProject, budgetLines },
      service.actor(),
    );
    push({ service, ...office }, [
      { externalId: 'BACK', date: '2026-01-05', description: 'Back', amount: -100 },
    ]);
    const [one, back, two] = [1, 5, 2].map((id) => formatId('txn', id));
    for (const [transactionId = '', line] of [
      [one, 3],
      [back, 4],
      [two, 3],
    ] as const) {
      const allocations = [{ budgetLineId: formatId('bln', line) }];
      allocate(access, { transactionId, allocations }, service.actor());
    }
    push({ service, ...office }, [{ ...rows[1], amount: 7 }]);
    const { text } = await browser.get(PROJECT);
    assert.match(
      text,
      /Lines over budget<\/dt><dd><a[^>]*><span class="over">1<.*by 201 in total/s,
    );
    assert.match(text, /under review<\/span> <span>Of\s+the actual amounts, 101\.00 count/);
    assert.match(text, /Other days/);
    assert.match((await browser.get('/projects')).text, /1 line over/);
    const garden = await browser.get(`/projects/${formatId('prj', 2)}`);
    assert.match(garden.text, /Other days/);
  });

  it('has a CSV file of every line that the page adds up, in its periods', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const line = (name: string, budget: Record<string, number>) => ({ name, budget });
    const days = { startDate: '2025-11-01', endDate: '2026-03-31' };
    const projects = [
      {
        ...days,
        name: 'Ausflüge',
        parentProject: 'Youth work',
        budgetLines: [line('Bus', { '2025-11': 7, '2026-01': 20, '2026-03': 1.5 })],
      },
      {
        startDate: '2026-02-10',
        endDate: '2026-03-20',
        name: 'Camp',
        parentProject: 'Ausflüge',
        budgetLines: [line('Tents', { '2026-02': 4 })],
      },
    ];
    importProjects(access, projects, service.actor());
    const allocations = [{ budgetLineId: formatId('bln', 3) }];
    const transactionId = formatId('txn', 1);
    allocate(access, { transactionId, allocations }, service.actor());
    browser.headers['accept-language'] = 'de';
    const { text } = await browser.get(PROJECT);
    assert.match(
      text,
      /exact amounts of every line, also of the projects below, in CSV with a decimal point/,
    );
    const { headers, text: csv } = await browser.get(`${PROJECT}?format=csv&by=quarters`);
    const disposition = headers.get('content-disposition');
    assert.equal(
      disposition,
      'attachment; filename="Youth work 2026-01 to 2026-12 by quarter.csv"',
    );
    const below = csv.split('\r\n').filter((entry) => /^(?:Ausflüge|Camp)/.test(entry));
    assert.deepEqual(
      below.filter((entry) => !/,0\.00,0\.00,0\.00,expense$/.test(entry)),
      [
        'Ausflüge,,Bus,,2026-Q1,2026-01-01,2026-03-31,GBP,21.50,100.00,-78.50,expense',
        'Ausflüge,,Bus,,outside,,,GBP,7.00,0.00,7.00,expense',
        'Camp,,Tents,,2026-Q1,2026-02-10,2026-03-20,GBP,4.00,0.00,4.00,expense',
      ],
    );
    assert.ok(below.includes('Camp,,Tents,,2026-Q2,,,GBP,0.00,0.00,0.00,expense'));
    const child = await browser.get(`/projects/${formatId('prj', 2)}?format=csv`);
    assert.match(
      child.headers.get('content-disposition') ?? '',
      /"Ausfluge 2025-11 to 2026-03\.csv"; filename\*=UTF-8''Ausfl%C3%BCge%202025-11%20to/,
    );
  });

  it('says the same budget to today in any periods, which is that of the months', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const months = (budget: object) => [{ name: 'Rent', budget }];
    const spring = { startDate: '2026-01-01', endDate: '2026-06-30' };
    const projects = [
      { ...spring, name: 'Spring', budgetLines: months({ '2026-01': 100, '2026-03': 800 }) },
      { ...spring, name: 'Heat', parentProject: 'Spring', budgetLines: months({ '2026-01': 20 }) },
    ];
    importProjects(access, projects, service.actor());
    for (const by of ['months', 'quarters', 'totals']) {
      const { text } = await browser.get(`/projects/${formatId('prj', 2)}?by=${by}`);
      assert.match(text, /Budgeted to today<\/dt><dd>120 /, by);
    }
  });

  it('counts a quarter of a project below by its months', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const projects = [
      { name: 'Spring', startDate: '2026-03-01', endDate: '2026-05-31' },
      {
        name: 'Winter',
        parentProject: 'Spring',
        startDate: '2026-01-01',
        endDate: '2026-03-31',
        budgetLines: [{ name: 'Oil', budget: { '2026-01': 500, '2026-03': 30 } }],
      },
    ];
    importProjects(access, projects, service.actor());
    const { text } = await browser.get(`/projects/${formatId('prj', 2)}?by=quarters`);
    const [, foot = ''] = text.split('<tfoot>');
    assert.deepEqual(
      [...foot.matchAll(/<span\s+class="sub">([\d–]+)<\/span>/g)].map(([, budget]) => budget),
      ['30', '–'],
    );
  });

  it('keeps the name of the actual within its chart', () => {
    const labelAt = (today: string) => {
      const { text } = chartPair({ ...YEAR, today });
      return /class="strong" x="([\d.]+)" y="([\d.]+)">([^<]+)/.exec(text)?.slice(1);
    };
    const [, middleY] = labelAt('2026-06-30') ?? [];
    const [lateX, lateY, name = ''] = labelAt('2026-12-31') ?? [];
    // Its letters are 12 wide at most, and it begins before the line ends, at 528.
    assert.deepEqual([Number(lateX) + 12 * name.length, Number(lateX) < 528], [620, true]);
    // Below the end of the line, which is at the top.
    assert.ok(Number(lateY) < Number(middleY) && Number(lateY) > 22 + 20, lateY);
  });

  it('adds up the projects below, in its own periods', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const child = {
      name: 'Summer <i>',
      startDate: '2026-06-01',
      endDate: '2027-01-31',
      budgetMode: 'total',
      parentProject: 'Youth work',
      budgetLines: [{ name: 'Camp', budget: 800 }],
    };
    importProjects(access, child, service.actor());
    const { text } = await browser.get(PROJECT);
    assert.match(text, /Budget<\/dt><dd>900/);
    assert.match(text, /<bdi>Summer &lt;i&gt;<\/bdi><\/a> <span\s+class="sub">project below/);
    const below = await browser.get(`/projects/${formatId('prj', 2)}`);
    assert.match(below.text, /Projects<\/a> · <a href="[^"]*"><bdi>Youth work/);
    const list = await browser.get('/projects');
    assert.match(list.text, /below <bdi>Youth work/);
  });
});
