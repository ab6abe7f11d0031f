/** Every count and sum of the pages is what SQL says, with up to 1,000,000 transactions. */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import type { Access } from '../../src/store/access.ts';
import { openHouse } from '../library/house.ts';
import { IS_HEAVY, IS_SLOW, repetitions } from '../repetitions.ts';
import { textOf } from './desk.ts';
import { fillLarge } from './large.ts';
import { addUser, Browser } from './office.ts';

/** Three tenths are to allocate, more than Home groups and a run of the rules takes. */
const COUNT = repetitions(40_000, 100_000, 1_000_000);
const PROJECT = formatId('prj', 1);
type Amount = 'budget' | 'actual';
const OPEN = `t.status in ('unallocated', 'partially_allocated') and t.amount_minor <> 0`;
const LINKED = (what: string) =>
  `exists (select 1 from allocations a join budget_lines l on l.id = a.budget_line_id
            where a.organisation_id = t.organisation_id and a.transaction_id = t.id and ${what})`;
const PART = (what: string) =>
  `(select ifnull(sum(a.amount_minor), 0) from allocations a
      join budget_lines l on l.id = a.budget_line_id
     where a.organisation_id = t.organisation_id and a.transaction_id = t.id and ${what})`;
const TEXT = `(t.description || char(10) || ifnull(t.contact, '') || char(10) || t.external_id)`;

/** Filters of the list, as an address has them and as SQL does; and what is allocated. */
const FILTERS: readonly (readonly [query: string, where: string, allocated?: string])[] = [
  ['', '1'],
  ['tab=open', OPEN],
  ['tab=review', `t.status = 'needs_review'`],
  ['tab=allocated', `t.status = 'allocated'`],
  ['tab=excluded', `t.status = 'excluded'`],
  ['accountCode=C5', `t.account_code = 'C5'`],
  ['tab=open&accountCode=X1', `${OPEN} and t.account_code = 'X1'`],
  ['contact=Supplier+8', `t.contact = 'Supplier 8'`],
  ['way=in&from=2026-03-01&to=2026-03-31', `t.amount_minor < 0 and t.date like '2026-03-%'`],
  ['recoded=true', 't.recoded is not null'],
  [`project=${PROJECT}`, LINKED('a.project_id = 1'), PART('a.project_id = 1')],
  [
    `project=${PROJECT}&category=Category+3`,
    LINKED(`a.project_id = 1 and l.category = 'Category 3'`),
    PART(`a.project_id = 1 and l.category = 'Category 3'`),
  ],
  ['q=bank+invoice', `${TEXT} like '%bank%' and ${TEXT} like '%invoice%'`],
  ['tab=open&q=supplier+33', `${OPEN} and ${TEXT} like '%supplier%' and ${TEXT} like '%33%'`],
  ['q=nobody', '0'],
];

const money = (minor: number) =>
  (minor / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 }).replace('-', '−');
const whole = (minor: number) =>
  (minor / 100).toLocaleString('en-GB', { maximumFractionDigits: 0 }).replace('-', '−');
const many = (count: number) => count.toLocaleString('en-GB');

describe('the figures of the pages', { skip: !IS_SLOW && !IS_HEAVY }, () => {
  let access: Access;
  let read: (path: string) => Promise<string>;
  let close = async () => {};
  after(() => close());
  const ask = <Found extends object>(sql: string) =>
    access.db.prepare<[], Found>(sql).all() as readonly Found[];
  before(async () => {
    const house = await openHouse(undefined);
    close = () => house.service.close();
    access = house.service.access(house.org);
    await fillLarge(house, access, COUNT);
    await addUser(house, 'owner');
    const { url } = await house.service.listen({ port: 0 });
    const browser = await Browser.of({ url }, 'owner@example.org');
    browser.headers['accept-language'] = 'en-GB';
    read = async (path) => {
      const { status, text } = await browser.get(path);
      assert.equal(status, 200, path);
      return textOf(text);
    };
  });

  for (const [query, where, allocated = 't.allocated_minor'] of FILTERS) {
    it(`are right in the list of "${query}"`, async () => {
      const [sums] = ask<{ count: number; out: number; in: number; allocated: number }>(
        `select count(*) as count, ifnull(sum(max(t.amount_minor, 0)), 0) as out,
                ifnull(sum(min(t.amount_minor, 0)), 0) as "in",
                ifnull(sum(${allocated}), 0) as allocated
           from transactions t where ${where}`,
      );
      assert.ok(sums !== undefined);
      const said = await read(`/transactions?${query}${query === '' ? '' : '&'}count=all`);
      if (sums.count === 0) return assert.match(said, /No transaction matches all/);
      const [noun] = /transactions? money/.exec(said) ?? [];
      const { out, in: into } = sums;
      const parts = `money out ${money(out)} money in ${money(Math.abs(into))} allocated`;
      const at = said.indexOf(`${many(sums.count)} ${noun} out`);
      assert.ok(at > 0, `${many(sums.count)}: ${said.slice(said.indexOf('Filter'), 3000)}`);
      const line = said.slice(at, at + 200);
      assert.ok(line.includes(parts), `${parts}: ${line}`);
      assert.match(line, new RegExp(`allocated[a-z ]* ${money(sums.allocated)} GBP`));
    });
  }

  it('are right on Home, and of each project', async () => {
    const said = await read('/');
    const [sums] = ask<
      Record<'open' | 'review' | 'part' | 'all' | 'out' | 'into' | 'left', number>
    >(
      `select sum(status = 'unallocated' and amount_minor <> 0) as open,
              sum(status = 'needs_review') as review, sum(status = 'partially_allocated') as part,
              count(*) as "all",
              sum(iif(status = 'unallocated', max(amount_minor, 0), 0)) as out,
              sum(iif(status = 'unallocated', min(amount_minor, 0), 0)) as "into",
              sum(iif(status = 'partially_allocated', amount_minor - allocated_minor, 0)) as left
         from transactions`,
    );
    assert.ok(sums !== undefined);
    const { open, review, part, all, out, into, left } = sums;
    const some = [`${many(review)} to review`, `${many(open)} to allocate`];
    const heading = [...some, `${many(part)} allocated in`].join(', ');
    assert.ok(said.includes(heading), `${heading}: ${said.slice(0, 2000)}`);
    assert.ok(said.includes(`${money(out)} GBP out and ${money(-into)} GBP in.`), money(out));
    assert.ok(said.includes(`${money(left)} GBP left to allocate`), money(left));
    assert.ok(said.includes(`Transactions${many(all)}`));
    const projects = ask<Record<'budget' | 'actual' | 'over', number> & { name: string }>(
      `select p.name, sum(b) as budget, sum(a) as actual, sum(a > b) as over
         from (select l.project_id,
                      (select ifnull(sum(amount_minor), 0) from budget_amounts m
                        where m.organisation_id = l.organisation_id
                          and m.project_id = l.project_id and m.budget_line_id = l.id) as b,
                      (select ifnull(sum(s.amount_minor), 0) from allocations s
                        where s.organisation_id = l.organisation_id
                          and s.project_id = l.project_id and s.budget_line_id = l.id) as a
                 from budget_lines l) join projects p on p.id = project_id group by p.id`,
    );
    assert.equal(projects.length, 62);
    const list = await read('/projects');
    for (const { name, budget, actual, over } of projects) {
      const row = `${whole(budget)} ${whole(actual)} ${whole(budget - actual)} `;
      const end = over === 0 ? '' : `${many(over)} ${over === 1 ? 'line' : 'lines'} over`;
      assert.ok(list.includes(row + end), `${name}: ${row}${end}`);
    }
  });

  it('are right in a report, of each category, line and month', async () => {
    const cells = ask<Record<'line' | 'category' | 'month', string> & Record<Amount, number>>(
      `select l.code || ' ' || l.name as line, l.category, m.month, m.amount_minor as budget,
              (select ifnull(sum(a.amount_minor), 0) from allocations a
                where a.organisation_id = l.organisation_id and a.project_id = l.project_id
                  and a.budget_line_id = l.id and substr(a.date, 1, 7) = m.month) as actual
         from budget_lines l join budget_amounts m
           on m.organisation_id = l.organisation_id and m.project_id = l.project_id
          and m.budget_line_id = l.id
        where l.project_id = 1 order by l.id, m.month`,
    );
    const said = (await read(`/projects/${PROJECT}`)).replaceAll('·', '0');
    const report = said.replaceAll(' over budget', '');
    const sumOf = (some: typeof cells, name: Amount) =>
      whole(some.reduce((sum, cell) => sum + cell[name], 0));
    const pairOf = (some: typeof cells) => sumOf(some, 'budget') + sumOf(some, 'actual');
    assert.ok(report.includes(`Budget${sumOf(cells, 'budget')}`));
    assert.ok(report.includes(`Actual${sumOf(cells, 'actual')}`));
    const categories = new Set(cells.map(({ category }) => category));
    assert.equal(categories.size, 8);
    for (const category of categories) {
      const pair = pairOf(cells.filter((cell) => cell.category === category));
      assert.ok(report.includes(`${category} 5 lines ${pair}`), `${category}: ${pair}`);
    }
    const lines = new Set(cells.map(({ line }) => line));
    assert.equal(lines.size, 40);
    for (const line of lines) {
      const own = cells.filter((cell) => cell.line === line);
      const months = own.map(({ budget, actual }) => `${whole(actual)} ${whole(budget)}`);
      const [, row] = report.split(`${line} ${pairOf(own)}`);
      const left = /^[−\d,]* (?:\d+% )?\w+ /.exec(row ?? '')?.[0] ?? '';
      assert.ok(row?.startsWith(`${left}${months.join(' ')} `), `${line}: ${months}`);
    }
    const [open] = ask<Record<'count' | 'out' | 'in', number>>(
      `select count(*) as count, sum(max(left, 0)) as out, sum(max(-left, 0)) as "in"
        from (select amount_minor - allocated_minor as left from transactions t where ${OPEN})`,
    );
    assert.ok(open !== undefined);
    const days = `${many(open.count)} transactions of these days are not allocated, or not in full`;
    assert.ok(said.includes(`${days}: ${money(open.out)} GBP out and ${money(open.in)} GBP in`));
  });

  it('are right in the review, and of a code that no line claims', async () => {
    const [sums] = ask<Record<'all' | 'own' | 'sum' | 'waiting', number>>(
      `select (select count(*) from transactions where status = 'needs_review') as "all",
              count(distinct t.id) as own, sum(a.amount_minor) as sum,
              (select count(*) from transactions t
                where ${OPEN} and t.account_code = 'X1') as waiting
         from transactions t join allocations a
           on a.organisation_id = t.organisation_id and a.transaction_id = t.id
        where t.status = 'needs_review' and a.project_id = 1`,
    );
    assert.ok(sums !== undefined);
    const { all, own, sum, waiting } = sums;
    assert.match(await read('/review'), new RegExp(`1 of ${many(all)} to review`));
    const report = await read(`/projects/${PROJECT}`);
    const doubt = `${many(own)} under review Of the actual amounts, ${money(sum)} count here`;
    assert.ok(report.includes(doubt), doubt);
    const claim = await read('/transactions/by-code/claim?code=X1&count=all');
    assert.ok(claim.includes(`${many(waiting)} transactions with this code are not`), `${waiting}`);
  });

  it('are right of the rules, of one of them and of their run', async () => {
    const [byCode] = ask<{ count: number }>(
      `select count(distinct transaction_id) as count from allocations
        where rule = 'By account code'`,
    );
    const rules = await read('/rules');
    assert.ok(rules.includes(`Always ${many(byCode?.count ?? 0)} `), rules.slice(-900));
    const contacts = Array.from({ length: 20 }, (_, at) => `'Supplier ${at * 9}'`).join();
    const takes = ask<{ count: number; sum: number; month: string }>(
      `select count(*) as count, sum(amount_minor) as sum, substr(date, 1, 7) as month
         from (select * from transactions where status = 'unallocated' and amount_minor <> 0
                order by date, id desc limit 10000)
        where amount_minor > 0 and contact in (${contacts}) group by 3 order by 3`,
    );
    const [count, sum] = takes.reduce(
      (all, each) => [all[0] + each.count, all[1] + each.sum],
      [0, 0],
    );
    const run = await read('/rules/run');
    assert.ok(run.includes(`${many(count)} transactions ${money(sum)} out`), `${count} ${sum}`);
    assert.match(run, new RegExp(`${many(10_000 - count)} fit no rule`));
    assert.match(rules, new RegExp(`${many(count)} ?Transactions the rules would allocate now`));
    const months = run.slice(run.indexOf('By month'), run.indexOf('Left as'));
    for (const each of takes) {
      assert.ok(months.includes(`${many(each.count)} ${money(each.sum)} 0.00`), each.month);
    }
    const [first] = ask<{ count: number; sum: number }>(
      `select count(*) as count, sum(amount_minor) as sum from transactions
        where status = 'unallocated' and amount_minor > 0 and contact = 'Supplier 9'`,
    );
    const rule = await read(`/rules/${formatId('rul', 2)}?count=all`);
    assert.ok(
      rule.includes(`Transactions${many(first?.count ?? 0)} Out, GBP${money(first?.sum ?? 0)}`),
    );
  });
});
