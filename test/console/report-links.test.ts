import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { openDesk, push, textOf } from './desk.ts';

const id = (number: number) => formatId('prj', number);

/** A project with two below each other, whose days are not its own. */
const PROJECTS = [
  {
    name: 'Centre',
    startDate: '2026-02-10',
    endDate: '2026-12-20',
    budgetLines: [
      { code: '1', name: 'Rent', category: 'Premises & land', budget: { '2026-03': 50 } },
      { code: '2', name: 'Heat', category: 'Premises & land' },
      { code: '3', name: 'Pay', category: 'People', budget: { '2026-02': 4_000 } },
      { code: '4', name: 'Other' },
    ],
  },
  {
    name: 'Garden',
    parentProject: 'Centre',
    startDate: '2026-02-01',
    endDate: '2027-01-15',
    budgetLines: [{ name: 'Plants' }],
  },
  {
    name: 'Pond',
    parentProject: 'Garden',
    startDate: '2026-05-15',
    endDate: '2026-12-31',
    budgetLines: [{ name: 'Fish' }, { name: 'Frogs', budget: { '2026-06': 1_000 } }],
  },
];

/** On the first and last days of all of them, and on others. */
const DAYS = [
  ...['2025-12-31', '2026-01-31', '2026-02-01', '2026-02-09', '2026-02-10', '2026-02-28'],
  ...['2026-03-31', '2026-04-01', '2026-05-14', '2026-05-15', '2026-06-30', '2026-11-02'],
  ...['2026-12-20', '2026-12-21', '2026-12-31', '2027-01-15', '2027-01-16'],
];

async function openCentre(test: Parameters<typeof openDesk>[0]) {
  const desk = await openDesk(test);
  const { access, service } = desk;
  importProjects(access, PROJECTS, service.actor());
  const rows = DAYS.flatMap((date, day) => {
    return [300, 90, -40, 500].map((amount, at) => {
      return { externalId: `D-${day}-${at}`, date, description: 'Split', amount: amount + day };
    });
  });
  push(desk, rows);
  for (const [at, { amount }] of rows.entries()) {
    const [one, two, three] = [3 + (at % 7), 3 + ((at + 3) % 7), 3 + ((at + 5) % 7)];
    const sign = Math.sign(amount);
    const parts = at % 4 === 3 ? [one, two, one, three] : at % 4 === 1 ? [one] : [one, two];
    const allocations = parts.map((line, part) => ({
      budgetLineId: formatId('bln', line),
      amountMinor: part === parts.length - 1 ? undefined : sign * 100 * (part + 1),
    }));
    allocate(access, { transactionId: formatId('txn', 5 + at), allocations }, service.actor());
  }
  return desk;
}

const numberIn = (text: string) => Number(text.replaceAll(',', '').replace('−', '-'));

/** The rows of a list, each with its part that counts, added up over all pages. */
async function addUp(browser: Awaited<ReturnType<typeof openDesk>>['browser'], target: string) {
  const first = await browser.get(target);
  assert.equal(first.status, 200, target);
  let [sum, page] = [0, first.text];
  for (;;) {
    for (const [row] of page.matchAll(/<tr role="row" id="txn_.*?<\/tr>/gs)) {
      const [, amount = ''] = /class="num">(.*?)<\/td>/s.exec(row) ?? [];
      const [, part] = /class="lines">.*?: <b>(.*?)<\/b>/s.exec(row) ?? [];
      sum += numberIn(part ?? textOf(amount).replace('in ', ''));
    }
    const [, next] = /href="([^"]*)" rel="next"/.exec(page) ?? [];
    if (next === undefined) break;
    page = (await browser.get(next.replaceAll('&amp;', '&'))).text;
  }
  const [, total = '0'] = /allocated (?:to|in) this \w+ <b>(.*?)<\/b>/.exec(first.text) ?? [];
  const [, back = ''] = /href="([^"]*)">Back to/.exec(first.text) ?? [];
  return { sum, total: numberIn(total), back: back.replaceAll('&amp;', '&') };
}

describe('the figures of a report', () => {
  for (const [shown, least] of [
    ['', 50],
    ['?by=quarters&order=own', 30],
    ['?show=categories', 40],
    ['?show=categories&fold=1', 50],
    ['?by=totals', 4],
    ['?by=quarters&show=over', 20],
  ] as const) {
    it(`each lead to transactions that add up to it: ${shown || 'by month'}`, async (test) => {
      const { browser } = await openCentre(test);
      const path = `/projects/${id(2)}${shown}`;
      const { text } = await browser.get(path);
      const links = [...text.matchAll(/href="(\/transactions\?[^"]*project=[^"]*)">(.*?)<\/a>/gs)];
      assert.ok(links.length > least, `${links.length} links`);
      let figures = 0;
      for (const [, target = '', label = ''] of links) {
        const { sum, total, back } = await addUp(browser, target.replaceAll('&amp;', '&'));
        assert.equal(total, sum, target);
        assert.match(back, new RegExp(`^${path.replace('?', '\\?')}#(?:lines|bln_\\d+)$`));
        const figure = numberIn(textOf(label).replace(' over budget', ''));
        if (label.includes('<bdi>')) continue;
        assert.equal(sum, figure, target);
        figures += 1;
      }
      assert.ok(figures > least / 2, `${figures} figures`);
    });
  }

  it('are by category, whose lines fold', async (test) => {
    const { browser } = await openCentre(test);
    const show = async (query: string) => {
      const { text } = await browser.get(`/projects/${id(2)}?${query}`);
      const heads = [...text.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>/gs)];
      const folds = [...text.matchAll(/href="([^"]*)#fold-\d+" aria-expanded="(\w+)"/g)];
      return {
        heads: heads.map(([, name = '']) => textOf(name).trim()),
        folds: folds.map(([, href = '', state]) => [href.replaceAll('&amp;', '&'), state]),
      };
    };
    const rest = ['Garden project below', 'All lines'];
    const land = ['Premises &amp; land 2 lines', '1 Rent', '2 Heat'];
    const all = await show('order=own');
    // A category of one line is that line.
    assert.deepEqual(all.heads, [...land, '3 Pay People', '4 Other', ...rest]);
    const [[fold = '', state] = []] = all.folds;
    assert.deepEqual([fold, state], [`/projects/${id(2)}?order=own&fold=1`, 'true']);
    const folded = await show('order=own&fold=1');
    assert.deepEqual(folded.heads, [land[0], '3 Pay People', '4 Other', ...rest]);
    assert.deepEqual(folded.folds, [[`/projects/${id(2)}?order=own`, 'false']]);
    const categories = await show('show=categories&order=own');
    assert.deepEqual(categories.heads, [land[0], 'People 1 line', '4 Other', ...rest]);
    const open = await show('show=categories&order=own&fold=2');
    assert.deepEqual(open.heads, [land[0], 'People 1 line', '3 Pay', '4 Other', ...rest]);
    const largest = await show('');
    assert.deepEqual(largest.heads.slice(0, 2), ['3 Pay People', land[0]]);
  });

  it('are folded at first where there are many, until one asks for all', async (test) => {
    const { browser, access, service } = await openDesk(test);
    const budgetLines = Array.from({ length: 41 }, (_, at) => {
      return { name: `Line ${at}`, category: `Group ${at % 5}`, budget: { '2026-01': at } };
    });
    const days = { startDate: '2026-01-01', endDate: '2028-12-31' };
    importProjects(access, { name: 'Large', ...days, budgetLines }, service.actor());
    const show = async (query: string) => {
      const { text } = await browser.get(`/projects/${id(2)}${query}`);
      const [, style = ''] = /<div class="(sheet[^"]*)"/.exec(text) ?? [];
      const [heads = ''] = /<thead>.*?<\/thead>/s.exec(text) ?? [];
      return [text.match(/<tr id="bln_/g)?.length ?? 0, heads.match(/<th /g)?.length, style];
    };
    assert.deepEqual(await show(''), [0, 4 + 12, 'sheet fits']);
    assert.deepEqual(await show('?show=all'), [40, 4 + 12, 'sheet tall']);
    assert.deepEqual(await show('?show=all&by=months'), [40, 4 + 36, 'sheet tall']);
    assert.deepEqual(await show('?by=totals'), [0, 4, 'sheet fits']);
    const csv = await browser.get(`/projects/${id(2)}?format=csv`);
    assert.match(csv.text, /,2026-01,/);
  });

  it('are of the lines over budget alone, those of projects below too', async (test) => {
    const { browser } = await openCentre(test);
    const home = await browser.get('/projects');
    const [, target = ''] = /href="([^"]*)"><span class="over">\d lines over/.exec(home.text) ?? [];
    assert.equal(target, `/projects/${id(2)}?show=over#lines`);
    const { text } = await browser.get(target.split('#', 1)[0] ?? '');
    const over = [...text.matchAll(/<tr id="bln_\d+"><th scope="row">(.*?)<\/th>/gs)];
    assert.ok(
      over.some(([, name = '']) => /Plants.* Garden/.test(textOf(name))),
      textOf(text),
    );
    const [, count] = /Lines over budget .*?>(\d)</s.exec(text) ?? [];
    assert.equal(over.length, Number(/Over (\d)/.exec(text)?.[1]), count);
    assert.doesNotMatch(text, /3 Pay|Pay<\/bdi>/);
  });
});

describe('the list of transactions', () => {
  it('refuses unknown days', async (test) => {
    const { browser } = await openDesk(test);
    const { text } = await browser.get(`/transactions?days=all&via=nowhere&project=${id(1)}`);
    assert.match(text, /The days are &quot;own&quot; or &quot;other&quot;, not &quot;all&quot;/);
    assert.doesNotMatch(text, /Back to/);
  });
});
