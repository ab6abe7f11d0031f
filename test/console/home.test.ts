import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { openDesk, push, textOf } from './desk.ts';
import { addUser, Browser, openOffice } from './office.ts';

const PROJECT = { name: '<i>Youth</i>', startDate: '2026-01-01', endDate: '2026-12-31' };
const LINES = [{ code: 'A', name: 'Rent', budget: { '2026-01': 1234.5 } }];
const ROW = { externalId: '1', date: '2026-01-05', description: 'Rent', amount: 10 };

describe('the first page', () => {
  it('has three steps at first, which tick themselves off', async (test) => {
    const office = await openOffice(test);
    const { service, org } = office;
    await addUser(office, 'admin');
    await addUser(office, 'member');
    const admin = await Browser.of(office, 'admin@example.org');
    const member = await Browser.of(office, 'member@example.org');
    const access = service.access(org);
    const look = async (browser = admin) => (await browser.get('/')).text;
    const done = (text: string) => text.match(/<li class="done">/g)?.length ?? 0;

    const first = await look();
    assert.equal(done(first), 0);
    const buttons = [...first.matchAll(/class="button(| primary)" href="([^"]*)"/g)];
    assert.deepEqual(
      buttons.map(([, look, path]) => [path, look]),
      [
        ['/projects/new', ' primary'],
        ['/settings/keys/new', ''],
        ['/import', ''],
      ],
    );
    for (const [, , path = ''] of buttons) assert.equal((await admin.get(path)).status, 200);
    const other = await look(member);
    assert.doesNotMatch(other, /href="\/(?:projects\/new|settings|import)/);
    assert.equal(other.match(/Ask an admin or an owner to do this/g)?.length, 3);

    importProjects(access, { ...PROJECT, budgetLines: [] }, service.actor());
    const empty = await look();
    assert.equal(done(empty), 0);
    assert.match(empty, /<bdi>&lt;i&gt;Youth&lt;\/i&gt;<\/bdi> has no budget lines yet/);
    importProjects(access, { ...PROJECT, budgetLines: LINES }, service.actor());
    const budgeted = await look();
    assert.equal(done(budgeted), 1);
    assert.match(budgeted, /Youth&lt;\/i&gt;<\/bdi>: 1 line, 1,234\.50/);
    const draft = { name: 'erp', scopes: ['transactions:write'] as const };
    const { id: keyId } = service.keys.create(org, draft);
    assert.equal(done(await look()), 2);
    service.keys.revoke(org, keyId);
    assert.equal(done(await look()), 1);
    push(office, [ROW]);
    assert.match(await look(), /<h1>1 to allocate<\/h1>\s*<p><time[^>]*>\w+day,? \d+ \w+ 2026</);
  });

  it('has a job for what a line claims, and one for the rest', async (test) => {
    const desk = await openDesk(test);
    const jobs = async () => {
      const { text } = await desk.browser.get('/');
      const list = /<ul class="jobs">(.*?)<\/ul>/s.exec(text)?.[1] ?? '';
      const items = list.split('</li>').slice(0, -1);
      const plain = items.map((item) => item.replaceAll(/<[^>]*>|\s+/g, ' ').replace(/\s+/g, ' '));
      return [/<h1>(.*?)<\/h1>/.exec(text)?.[1], ...plain.map((item) => item.trim())];
    };
    assert.deepEqual(await jobs(), [
      '4 to allocate',
      '1 Not allocated, and one budget line claims their code 100.00 GBP under 1 account code. ' +
        'Allocate by code',
      '3 Not allocated, and no single budget line claims their code on their date 306.00 GBP , ' +
        'account code 9 . Allocate by hand',
    ]);
    const coded = desk.rows.map((row, at) => ({ ...row, projectCode: ['YOU', 'Y', 'X', 'X'][at] }));
    push(desk, coded);
    assert.match((await jobs())[2] ?? '', / GBP , account code 9 \. Allocate by hand$/);
    const home = (await desk.browser.get('/')).text;
    assert.match(home, /<a href="\/rules\/run\?only=code#left">306\.00 GBP<\/a>/);
    assert.match(home, /href="\/transactions\?tab=open&amp;accountCode=9&amp;via=home"><code>/);
    const project = { name: 'Elders', startDate: '2026-01-01', endDate: '2026-12-31' };
    for (const archived of [true, false]) {
      importProjects(desk.access, { ...project, codes: ['Y'], archived }, desk.service.actor());
      assert.deepEqual(await jobs(), [
        '4 to allocate',
        '4 Not allocated, and no single budget line claims their code on their date 406.00 GBP , ' +
          'account codes 7500 , 9 . No project has these project codes: X 205.00 GBP, ' +
          'YOU 100.00 GBP. Allocate by hand',
      ]);
    }
    const { text: all } = await desk.browser.get('/');
    assert.match(all, /<a href="\/transactions\?tab=open&amp;via=home">406\.00 GBP<\/a>/);
    importProjects(desk.access, { ...project, codes: [] }, desk.service.actor());
    const transactionId = formatId('txn', 1);
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    allocate(desk.access, { transactionId, allocations }, desk.service.actor());
    push(desk, [{ ...desk.rows[0], amount: 70 }]);
    const [heading, review] = await jobs();
    assert.equal(heading, '1 to review, 3 to allocate');
    assert.equal(
      review,
      '1 Changed after they were allocated By −30.00 GBP in total. The reports count the old ' +
        'amounts. Review',
    );
  });

  it('counts those whose allocations someone removed, which no rule takes', async (test) => {
    const { access, service, browser } = await openDesk(test);
    for (const [at, line] of [1, 2, 1, 1].entries()) {
      const transactionId = formatId('txn', at + 1);
      const allocations = [{ budgetLineId: formatId('bln', line) }];
      allocate(access, { transactionId, allocations }, service.actor());
      if (at > 1) continue;
      allocate(access, { transactionId, allocations: [] }, service.actor());
    }
    const { text } = await browser.get('/');
    assert.match(text, /<h1>2 to allocate<\/h1>/);
    const said = /2 Not allocated, because someone removed their allocations 201\.00 GBP\. Rules/;
    assert.match(textOf(text.replaceAll('<', ' <')).replaceAll(' .', '.'), said);
  });

  it('says of payments without a code how much went out and came in', async (test) => {
    const { access, service, browser, rows, ...desk } = await openDesk(test);
    for (const at of [1, 2, 3]) {
      const allocations = [{ budgetLineId: formatId('bln', 1) }];
      allocate(access, { transactionId: formatId('txn', at + 1), allocations }, service.actor());
    }
    const row = { date: '2026-01-20', description: 'Bank' };
    const bank = [50, -1_200].map((amount) => ({ ...row, externalId: `B${amount}`, amount }));
    push({ service, ...desk }, bank);
    const said = /2 Not allocated, and without an account code 50\.00 GBP out and 1,200\.00 GBP in/;
    const read = async () => {
      return (await browser.get('/')).text.replaceAll(/<[^>]*>|\s+/g, ' ').replace(/\s+/g, ' ');
    };
    const beside = await read();
    assert.match(
      beside,
      /1 Not allocated, and one budget line claims their code 100\.00 GBP under/,
    );
    assert.match(beside, said);
    const transactionId = formatId('txn', 1);
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    allocate(access, { transactionId, allocations }, service.actor());
    assert.match(await read(), said);
  });

  it('has each project above those whose figures it includes', async (test) => {
    const desk = await openDesk(test);
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const child = (name: string, parentProject: string) => ({ name, ...days, parentProject });
    const projects = [child('A child', 'Youth work'), child('Below', 'A child')];
    importProjects(desk.access, projects, desk.service.actor());
    for (const path of ['/', '/projects']) {
      const { text } = await desk.browser.get(path);
      const names = [
        ...text.matchAll(/(?:class="(below-\d)".*?)?href="\/projects\/prj_\w+"><bdi>(.*?)</g),
      ];
      const shown = names.map(([, look = '', name]) => `${look} ${name}`);
      assert.deepEqual(shown, [' Youth work', 'below-1 A child', 'below-2 Below'], path);
    }
  });

  it('says what came last, to each role what it may see', async (test) => {
    const desk = await openDesk(test, 'admin');
    const { browser, service, org, access, rows } = desk;
    await addUser(desk, 'member');
    const member = await Browser.of(desk, 'member@example.org');
    const { key } = service.keys.create(org, {
      name: '<b>erp</b>',
      scopes: ['transactions:write'],
    });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const changed = rows.map((row, at) => (at === 0 ? row : { ...row, amount: 7 }));
    const body = JSON.stringify({ rows: [...changed, {}] });
    await fetch(`${desk.url}/api/v1/transactions`, { method: 'POST', headers, body });
    // What came later hides no push.
    const allocations = [{ budgetLineId: formatId('bln', 1) }];
    for (let times = 0; times < 30; times += 1) {
      const note = String(times);
      const transactionId = formatId('txn', 1);
      const shares = allocations.map((each) => ({ ...each, note }));
      allocate(access, { transactionId, allocations: shares }, service.actor());
    }
    const { text } = await browser.get('/');
    assert.match(text, /Last push<\/dt><dd><time[^>]*>today 12:00 UTC<\/time>/);
    assert.match(text, /key <a href="\/settings\/keys"><bdi>&lt;b&gt;erp&lt;\/b&gt;<\/bdi>/);
    assert.match(
      text,
      /3 updated, 1 unchanged, <a href="\/activity\?kind=transactions">1 rejected<\/a>/,
    );
    assert.match(text, /Transactions<\/dt><dd><a href="\/transactions">4</);
    assert.match(text, /Last backup/);
    const other = (await member.get('/')).text;
    assert.match(other, /3 updated, 1 unchanged, 1 rejected/);
    assert.doesNotMatch(other, /erp|Last backup|\/settings|\/activity/);
  });

  it('counts the last of several pushes of a program without those before', async (test) => {
    const desk = await openDesk(test);
    push(desk, desk.rows.slice(1));
    const said = textOf((await desk.browser.get('/')).text);
    assert.match(said, /Last push\s*today 12:00 UTC 3 unchanged, none rejected/);
  });
});
