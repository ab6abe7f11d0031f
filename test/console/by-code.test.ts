import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { COUNTED, PUSH_ROWS, RULE_LIMITS } from '../../src/core/limits.ts';
import { archiveProject, importProjects } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import {
  countTransactions,
  getTransaction,
  listTransactions,
} from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclude } from '../../src/operations/workflow.ts';
import { mapShares } from '../../src/store/shares.ts';
import { previewByAccountCode } from '../operations/by-code.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';

const PATH = '/rules/run?only=code';
const RUN = '/rules/run';
const CLAIM = '/transactions/by-code/claim';

describe('the page of allocating by account code', () => {
  it('allocates exactly what it showed, and can be undone', async (test) => {
    const desk = await openDesk(test);
    const { browser, access, service } = desk;
    const rules = [
      { name: 'All', conditions: { provider: 'api' }, shares: [{ line: 'B', rest: true }] },
    ];
    importRules(access, rules, service.actor());
    const { location } = await browser.get('/transactions/by-code');
    assert.equal(location, PATH);
    const { text } = await browser.get(PATH);
    assert.match(text, /<bdi>A Rent<\/bdi> <span class="soft">· <bdi>Youth work/);
    assert.match(textOf(text), /Not allocated.* Cat 9 102\.00 no line claims it/);
    assert.match(text, /name="rule" id="rule"\s+value="code~1"/);
    const hidden = fieldsOf(text, RUN);
    const none = await browser.send(RUN, hidden);
    assert.equal(none.status, 422);
    assert.match(none.text, /Select at least one rule/);
    assert.equal(fieldsOf(none.text, RUN)['only'], 'code');
    const late = { externalId: 'LATE', date: '2026-01-05', description: 'Late', amount: 5 };
    push(desk, [{ ...late, accountCode: '7500' }]);
    const done = await browser.send(RUN, { ...hidden, rule: 'code~1' });
    const after = await browser.get(done.location ?? '');
    assert.match(after.text, /1 transaction allocated by 1 rule: 100\.00 out/);
    const statuses = () => [1, 5].map((id) => getTransaction(access, formatId('txn', id)).status);
    assert.deepEqual(statuses(), ['allocated', 'unallocated']);
    assert.deepEqual(
      mapShares(access, [{ id: 1 }])
        .get(1)
        ?.map(({ rule }) => rule),
      ['By account code'],
    );
    await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.deepEqual(statuses(), ['unallocated', 'unallocated']);
  });

  it('leads beyond the oldest, if these wait for ever', async (test) => {
    const desk = await openDesk(test);
    const { browser, access } = desk;
    const unknown = { description: 'x', amount: 1, accountCode: 'nobody' };
    const days = ['2026-02-01', '2026-02-02'];
    const rows = Array.from({ length: RULE_LIMITS.previewed }, (_, at) => {
      return {
        ...unknown,
        externalId: `O-${at}`,
        date: days[Math.floor((2 * at) / RULE_LIMITS.previewed)],
      };
    });
    while (rows.length > 0) push(desk, rows.splice(0, PUSH_ROWS));
    exclude(access, { transactionId: formatId('txn', 1), reason: 'x' }, desk.service.actor());
    const late = { externalId: 'LATE', date: '2026-02-03', description: 'x', amount: 5 };
    push(desk, [{ ...late, accountCode: '7500' }]);
    const { text } = await browser.get(PATH);
    assert.match(
      textOf(text),
      /These are the oldest 10,000 to allocate\. Continue from 2 Feb 2026/,
    );
    assert.match(textOf(text), /Nothing for the rules to do/);
    const cut = textOf((await browser.get(`${PATH}&from=2026-01-31`)).text);
    assert.match(
      cut,
      /the oldest 10,000 to allocate from 31 Jan 2026 on\. Continue from 2 Feb 2026/,
    );
    const [, path = ''] = /href="([^"]*)">Continue from/.exec(text) ?? [];
    const next = await browser.get(path.replaceAll('&amp;', '&'));
    assert.doesNotMatch(next.text, /These are the oldest/);
    const sent = await browser.send(RUN, { ...fieldsOf(next.text, RUN), rule: 'code~1' });
    assert.match(sent.location ?? '', /^\/rules\/run\?only=code&from=2026-02-02&done=/);
    const done = await browser.get(sent.location ?? '');
    assert.match(done.text, /1 transaction allocated by 1 rule: 5\.00 out/);
    assert.equal((await browser.get(`${PATH}&from=2026-02-30`)).status, 422);
  });

  it('leads to a line that is to claim a code, which its own page saves', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const { text } = await browser.get(PATH);
    const [, target = ''] = /href="([^"]*claim[^"]*)">Choose a line/.exec(text) ?? [];
    const choice = await browser.get(target);
    assert.match(choice.text, /Claim account code <bdi>9</);
    assert.equal((await browser.get(`${target}&line=nothing`)).status, 422);
    const line = formatId('bln', 2);
    const { location } = await browser.get(`${target}&line=${line}`);
    assert.equal(location, `/projects/${formatId('prj', 1)}/lines/${line}?claim=9`);
    const form = await browser.get(location ?? '');
    assert.match(form.text, /id="accountCodes"[^>]*value="9"/);
    const fields = { code: 'B', name: 'Heat', category: '', kind: 'expense', accountCodes: '9' };
    const path = location ?? '';
    const saved = await browser.send(path, { ...fieldsOf(form.text, path), ...fields });
    const after = textOf((await browser.get(saved.location ?? '')).text);
    assert.match(after, /Heat is saved\. .*Allocate by account code .* B Heat · Youth work 3 306/);
    assert.deepEqual(
      previewByAccountCode(access).map(({ kind }) => kind),
      ['claimed', 'claimed', 'claimed', 'claimed'],
    );
  });

  it('leads to a line on whose days many others are looked at first', async (test) => {
    const desk = await openDesk(test, 'admin');
    const row = { date: '2026-02-01', description: 'Other', amount: 1, accountCode: '8' };
    for (let at = 0; at <= COUNTED.work; at += PUSH_ROWS) {
      const idOf = (of: number) => ({ externalId: `Other-${at + of}` });
      push(
        desk,
        Array.from({ length: PUSH_ROWS }, (_, of) => ({ ...row, ...idOf(of) })),
      );
    }
    assert.equal((await desk.browser.get(`${CLAIM}?code=9&line=B`)).status, 303);
  });

  it('says which line claims a code whose project does not run on those days', async (test) => {
    const desk = await openDesk(test, 'admin');
    const { browser, access, service } = desk;
    const dates = ['2015-06-30', '2025-12-31', '2027-02-01'];
    push(
      desk,
      dates.map((date, at) => {
        const accountCode = date === '2027-02-01' ? 'K' : '7500';
        return { externalId: date, date, description: 'Rent', amount: 10 + at, accountCode };
      }),
    );
    const old = { name: 'Old', startDate: '2027-01-01', endDate: '2027-12-31' };
    const budgetLines = [{ name: 'Kit', accountCodes: ['K'] }];
    const [kept] = importProjects(access, { ...old, budgetLines }, service.actor());
    const archiving = { id: formatId('prj', kept?.id ?? 0), isArchived: true };
    archiveProject(access, archiving, service.actor());
    const text = textOf((await browser.get(PATH)).text);
    for (const why of [
      'A Rent of Youth work claims it, but the project runs from 1 Jan 2026 to 31 Dec 2026. ' +
        'These transactions are dated 30 Jun 2015.',
      'Kit of Old claims it, but the project is archived.',
      '9 102.00 no line claims it',
    ]) {
      assert.ok(text.includes(why), why);
    }
    const none = textOf((await browser.get(`${CLAIM}?code=7500`)).text);
    assert.match(
      none,
      /2 transactions with this code are not allocated, from 30 Jun 2015 to 31 Dec 2025\./,
    );
    assert.match(none, /No project with budget lines runs on these days\./);
    const wrong = await browser.get(`${CLAIM}?code=7500&line=B`);
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /Youth work runs from .*: none of these transactions is on its days/);
  });

  it('17 names lines of an ambiguous code, and a code that no project has', async (test) => {
    const desk = await openDesk(test, 'admin');
    const { browser, access, service } = desk;
    const year = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const elders = { name: 'Elders', ...year, codes: ['ELD'] };
    const youth = { name: 'Youth 2', ...year, codes: ['YOU'] };
    const budgetLines = [{ code: 'E', name: 'Hall', accountCodes: ['7500'] }];
    const projects = [
      { ...elders, budgetLines },
      { ...youth, budgetLines: [{ name: 'Kit' }] },
    ];
    importProjects(access, projects, service.actor());
    push(
      desk,
      [null, 'ELD', 'YOU', 'X'].map((projectCode, at) => ({
        ...{ externalId: `P-${at}`, date: '2026-02-03', description: 'Hall', amount: 10 + at },
        ...{ accountCode: '7500', projectCode },
      })),
    );
    const { text } = await browser.get(PATH);
    const words = textOf(text);
    for (const part of [
      'last · By account code 1 11.00 E Hall · Elders',
      '7500 10.00 several lines claim it: A Rent of Youth work, E Hall of Elders',
      '7500 12.00 no line claims it in a project with this project code',
      '7500 13.00 no project has this project code',
    ]) {
      assert.ok(words.includes(part), `${part} is not in ${words}`);
    }
    // In a run of all rules its count leads here.
    assert.match((await browser.get('/rules/run')).text, /<a href="\/rules\/run\?only=code">1</);
    assert.doesNotMatch(text, /<a href="\/rules\/run\?only=code">1</);
    const claims = [...text.matchAll(/href="([^"]*claim[^"]*)">/g)].map(([, to = '']) => to);
    assert.deepEqual([...new Set(claims)].sort(), [
      '/transactions/by-code/claim?code=7500&amp;project=YOU',
      '/transactions/by-code/claim?code=9',
    ]);
    const claim = `${CLAIM}?code=7500&project=YOU`;
    const choice = await browser.get(claim);
    assert.match(textOf(choice.text), /Claim account code 7500 for project code YOU/);
    const offered = [...choice.text.matchAll(/<optgroup label="([^"]*)"/g)];
    assert.deepEqual(
      offered.map(([, name]) => name),
      ['Youth 2'],
    );
    const other = await browser.get(`${claim}&line=E`);
    assert.equal(other.status, 422);
    assert.match(other.text, /Elders does not have this project code\. Choose another line\./);
    const line = formatId('bln', 4);
    const { location } = await browser.get(`${claim}&line=${line}`);
    assert.equal(location, `/projects/${formatId('prj', 3)}/lines/${line}?claim=7500`);
  });

  it('says what it allocated and what it left, when one changes while it runs', async (test) => {
    const desk = await openDesk(test);
    const { browser, access, service } = desk;
    const row = { date: '2026-01-09', description: 'Bus', contact: 'Many', accountCode: '7500' };
    push(
      desk,
      Array.from({ length: 900 }, (_, at) => ({ ...row, externalId: `MANY-${at}`, amount: 5 })),
    );
    const { text } = await browser.get(PATH);
    const sent = browser.send(RUN, { ...fieldsOf(text, RUN), rule: 'code~901' });
    const allocated = () => finish(countTransactions(access, {})).byStatus.allocated.count;
    while (allocated() === 0) await new Promise((resolve) => setImmediate(resolve));
    const { items } = finish(
      listTransactions(access, { statuses: ['unallocated'], contact: 'Many' }),
    );
    // The one that comes last.
    const transactionId = formatId('txn', Math.min(...items.map(({ id }) => id)));
    exclude(access, { transactionId, reason: 'x' }, service.actor());
    const after = await browser.get((await sent).location ?? '');
    assert.match(after.text, /900 transactions allocated by 1 rule: 4,595\.00 out\./);
    assert.match(after.text, /out\.\s+1 has changed since and was not changed\./);
    assert.equal(allocated(), 900);
    const acts = [...after.text.matchAll(/name="act" value="(\d+)"/g)];
    await browser.send(
      '/undo',
      acts.map(([, act = '']) => ['act', act]),
    );
    assert.equal(allocated(), 0);
  });
});
