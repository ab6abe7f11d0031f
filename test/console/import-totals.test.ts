/** What a page says before and after an import is what is stored then: the database is asked. */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { listTransactions, pushTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { Random } from '../core/random.ts';
import { fieldsOf } from './desk.ts';
import { follow, openImport } from './importing.ts';
import { markOf } from './office.ts';

const ANSWERS = { map: 'externalId=Trans No', row: 'all' };
const HEADER = 'Date,Trans No,Supplier Name,Description,Money out,Money in';

/** A line of the file; a negative amount is money in. */
function line(id: string, amount: number, date = '2026-04-01'): string {
  const [out, into] = amount < 0 ? ['', (-amount).toFixed(2)] : [amount.toFixed(2), ''];
  return `${date},${id},Ann,Rent,${out},${into}`;
}

/** Lines with ids of their own, between those that a test is about: one step stores 200. */
function filling(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, at) => line(`F${from + at}`, from + at + 1));
}

/** The figures of a page about a file. */
function figuresOf(text: string) {
  const figure = (name: string) => {
    const found = new RegExp(`<dt>${name}</dt><dd>(\\S+) <small>([^<]*)</small>`).exec(text);
    return [found?.[1] ?? '0', found?.[2] ?? ''] as const;
  };
  const number = (said = '') => Number(said.replace('−', '-').replace(/[^\d.-]/g, ''));
  const [out, outRows] = figure('Money out, GBP');
  const [into, inRows] = figure('Money in, GBP');
  const [created, known] = figure('New');
  return {
    outMinor: Math.round(100 * number(out)),
    outRows: number(outRows),
    inMinor: Math.round(100 * number(into)),
    inRows: number(inRows),
    created: number(created),
    changed: number(/(\S+) changed/.exec(known)?.[1]),
    unchanged: number(/(\S+) as before/.exec(known)?.[1]),
    replaced: number(/<dt>Replaced<\/dt><dd>(\S+)/.exec(text)?.[1] ?? '0'),
    rejected: number(figure('Rejected')[0]),
  };
}

/** An office that also says what of some ids is stored. */
async function openStore(test: TestContext) {
  const desk = await openImport(test);
  const { access, service, browser, choose } = desk;
  const select = access.db.prepare<[], { id: string; amount: number; row: string }>(
    `select external_id as id, amount_minor as amount,
            json_array(date, description, contact, amount_minor) as row
       from transactions where provider = 'csv'`,
  );
  const stored = () => new Map(select.all().map((each) => [each.id, each]));
  const push = (provider: 'api' | 'csv', ids: readonly string[], amount: number) => {
    const rows = ids.map((externalId) => {
      return { externalId, date: '2026-04-01', description: 'Rent', contact: 'Ann', amount };
    });
    pushTransactions(access, { provider, dryRun: false, rows }, service.actor());
  };
  /** Shows a file whose ids are in a column. */
  const show = async (lines: readonly string[]) => {
    const { path } = await choose('ids.csv', `${[HEADER, ...lines].join('\n')}\n`);
    const page = await browser.get(`${path}?${new URLSearchParams(ANSWERS)}`);
    assert.equal(page.status, 200);
    return { path, page };
  };
  /** Imports such a file, and returns its pages before and after. */
  const importAll = async (lines: readonly string[]) => {
    const { path, page: before } = await show(lines);
    const known = stored();
    const form = { form: markOf(before.text), ...ANSWERS };
    const after = await follow(browser, await browser.send(path, form));
    return { before: before.text, after: after.text, known, now: stored() };
  };
  return { ...desk, push, show, importAll };
}

type Stored = Awaited<ReturnType<Awaited<ReturnType<typeof openStore>>['importAll']>>;

/** What the figures have to be, from what was stored before and after the import of these ids. */
function expectedOf({ known, now }: Stored, ids: ReadonlySet<string>) {
  const own = [...now.values()].filter(({ id }) => ids.has(id));
  const [out, into] = [
    own.filter((each) => each.amount >= 0),
    own.filter((each) => each.amount < 0),
  ];
  const sumOf = (rows: typeof own) => rows.reduce((sum, { amount }) => sum + amount, 0);
  const isKnown = own.filter(({ id }) => known.has(id));
  const unchanged = isKnown.filter(({ id, row }) => known.get(id)?.row === row).length;
  return {
    outMinor: sumOf(out),
    outRows: out.length,
    inMinor: sumOf(into),
    inRows: into.length,
    created: own.length - isKnown.length,
    changed: isKnown.length - unchanged,
    unchanged,
  };
}

describe('the figures of an import', () => {
  it('are what is stored, also of ids that the file repeats near and far', async (test) => {
    const { push, importAll } = await openStore(test);
    push('csv', ['SAME', 'BACK', 'MOVED'], 10);
    const lines = [
      ...filling(0, 5),
      line('NEAR', 100),
      line('NEAR', 70),
      line('FAR', 200),
      line('TURNED', 300),
      line('EQUAL', 400),
      line('SAME', 10),
      line('BACK', 11),
      line('MOVED', 12),
      line('KEPT', 500),
      ...filling(5, 300),
      line('FAR', 20),
      line('TURNED', -30),
      line('EQUAL', 400),
      line('SAME', 10),
      line('BACK', 10),
      line('MOVED', 13),
      line('KEPT', 50, '2026-02-30'),
    ];
    const done = await importAll(lines);
    const ids = new Set(lines.map((each) => each.split(',')[1] ?? ''));
    const expected = { ...expectedOf(done, ids), replaced: 7, rejected: 1 };
    assert.deepEqual(figuresOf(done.before), expected);
    assert.deepEqual(figuresOf(done.after), expected);
    assert.equal(expected.created, 305);
    assert.deepEqual([expected.changed, expected.unchanged], [1, 2]);
    for (const [id, amount] of Object.entries({ NEAR: 7000, FAR: 2000, TURNED: -3000 })) {
      assert.equal(done.now.get(id)?.amount, amount, id);
    }
    assert.equal(done.now.get('KEPT')?.amount, 50000, 'a rejected row replaces nothing');
    assert.match(done.before, /<p>316 rows, /);
    assert.match(done.before, /Import 306 transactions</);
    assert.match(done.after, /<h1>306 transactions imported</);
  });

  it('are what is stored, whatever the file repeats', async (test) => {
    const random = new Random(4);
    const { push, importAll } = await openStore(test);
    const pool = Array.from({ length: 40 }, (_, at) => `R${at}`);
    push('csv', pool.slice(0, 15), 3);
    for (const rows of [30, 210, 650]) {
      const drawn = Array.from({ length: rows }, () => {
        const date = random.once(9) ? '2026-02-30' : '2026-04-01';
        return line(random.pick(pool), random.whole(-3, 3), date);
      });
      const lines = [...filling(0, 60), ...drawn];
      const done = await importAll(lines);
      const good = lines.filter((each) => !each.startsWith('2026-02-30'));
      const ids = new Set(good.map((each) => each.split(',')[1] ?? ''));
      const replaced = good.length - ids.size;
      const rejected = lines.length - good.length;
      const expected = { ...expectedOf(done, ids), replaced, rejected };
      assert.deepEqual(figuresOf(done.before), expected);
      assert.deepEqual(figuresOf(done.after), expected);
    }
  });

  it('count a transaction once that needs review because of several rows', async (test) => {
    const { access, service, push, importAll } = await openStore(test);
    push('csv', ['ROW-1'], 10);
    const [pushed] = finish(listTransactions(access, { provider: 'csv' })).items;
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    const transactionId = formatId('txn', pushed?.id ?? 0);
    allocate(access, { transactionId, allocations }, service.actor());
    const { after } = await importAll([line('ROW-1', 11), ...filling(0, 250), line('ROW-1', 12)]);
    assert.match(after, /<a href="\/review">1 to review<\/a>/);
  });
});

describe('a page about a file warns', () => {
  it('of rows that later rows replace, with both lines and a way to other ids', async (test) => {
    const { browser, importAll, show } = await openStore(test);
    const lines = [line('A', 1), line('B', 2), line('A', 3), ...filling(0, 220), line('B', 4)];
    const { before, after } = await importAll(lines);
    for (const text of [before, after]) {
      const [, part = ''] = /<h2 id="replaced">(.*?)<\/section>/s.exec(text) ?? [];
      assert.match(part, /2 rows have the external id of a later row/);
      const rows = [...part.matchAll(/data-label="Line">(\d+)<.*?>line (\d+)<.*?<bdi>(.*?)</gs)];
      assert.deepEqual(
        rows.map(([, at, by, values]) => [at, by, values]),
        [
          ['2', '4', '2026-04-01 · A · Ann · Rent · 1.00'],
          ['3', '225', '2026-04-01 · B · Ann · Rent · 2.00'],
        ],
      );
      assert.match(text, /<dt>Replaced<\/dt><dd>2 <small><a href="#replaced"/);
    }
    assert.doesNotMatch(after, /Change the external id/);

    const many = Array.from({ length: 70 }, () => line('MANY', 1));
    const { path, page } = await show(many);
    assert.match(page.text, /<dt>Replaced<\/dt><dd>69 /);
    assert.match(page.text, /And 19 more/);
    const [, change = ''] = /href="([^"]*)">Change the external id/.exec(page.text) ?? [];
    const form = await browser.get(change.replaceAll('&amp;', '&'));
    assert.match(form.text, /name="set" value="externalId"/);
    const made = await browser.get(`${path}?map=externalId%3Dmade&row=all`);
    assert.doesNotMatch(made.text, /Replaced/);
  });

  it('of ids that a push has stored, with a link to both transactions', async (test) => {
    const { browser, push, show, importAll } = await openStore(test);
    push('api', ['A', 'B & C', 'KNOWN'], 1);
    push('csv', ['KNOWN'], 1);
    const lines = [
      line('A', 1),
      line('KNOWN', 2),
      ...filling(0, 220),
      line('B & C', 2),
      line('A', 5),
    ];
    const { before, after, now } = await importAll(lines);
    assert.equal(now.get('A')?.amount, 500);
    for (const text of [before, after]) {
      const [, part = ''] = /<h2 id="doubtful">(.*?)<\/section>/s.exec(text) ?? [];
      assert.match(part, /Perhaps stored twice.*>2 rows have .*exclude one of them/s);
      const found = part.matchAll(/data-label="Line">(\d+)<.*?href="([^"]*)"><bdi>(.*?)</gs);
      assert.deepEqual(
        [...found].map(([, at, href, id]) => [at, href, id]),
        [
          ['224', '/transactions?q=B+%26+C', 'B &amp; C'],
          ['225', '/transactions?q=A', 'A'],
        ],
      );
    }
    const list = await browser.get('/transactions?q=B+%26+C');
    assert.match(list.text, /<b>2<\/b> transactions/);
    const { page } = await show(lines);
    assert.match(page.text, /0 changed, 223 as before/);
    assert.doesNotMatch(page.text, /Perhaps stored twice/);
  });

  it('stores nothing that is read in another way than the page showed', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const rows = ['2026-04-21,T1,Rent,-12.50', '2026-04-22,T2,Chairs,-33.10'];
    const bank = ['Date,Id,Description,Amount', ...rows, ''].join('\n');
    const { path, page } = await choose('mine.csv', bank);
    const [, turn = ''] = /href="([^"]*)">Flip all signs/.exec(page.text) ?? [];
    await browser.get(turn);
    const other = await choose('theirs.csv', bank.replaceAll('T', 'U'));
    const [, answers] = turn.split('?');
    const theirs = await browser.get(`${other.path}?${answers}`);
    const kept = { ...fieldsOf(theirs.text, other.path), keep: 'yes' };
    await follow(browser, await browser.send(other.path, kept));
    assert.equal(imported().length, 2);
    const again = await follow(browser, await browser.send(path, fieldsOf(page.text, path)));
    assert.match(again.text, /Nothing was imported: the settings for this file have changed/);
    assert.deepEqual([imported().length, figuresOf(again.text).inMinor], [2, -4560]);
    await follow(browser, await browser.send(path, fieldsOf(again.text, path)));
    assert.equal(imported().length, 4);
  });
});
