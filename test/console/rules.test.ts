import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { RULE_LIMITS as LIMITS, PUSH_ROWS } from '../../src/core/limits.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { listBudgetLines } from '../../src/operations/budget-lines.ts';
import { archiveProject } from '../../src/operations/projects.ts';
import { runRules } from '../../src/operations/rule-runs.ts';
import { importRules } from '../../src/operations/rules.ts';
import { getTransaction } from '../../src/operations/transactions.ts';
import { exclude } from '../../src/operations/workflow.ts';
import { readRules } from '../../src/store/rules.ts';
import { fieldsOf, openDesk, push, textOf } from './desk.ts';
import { Browser } from './office.ts';

const RULES = [
  {
    name: 'Ann <b>',
    conditions: { contact: { is: 'Ann & Co' }, direction: 'out' },
    shares: [
      { line: 'A', percent: 60 },
      { line: 'B', rest: true },
    ],
  },
  {
    name: 'Old',
    until: '2025-01-31',
    conditions: { provider: 'api' },
    shares: [{ line: 'A', rest: true }],
  },
];

async function openRules(test: TestContext) {
  const desk = await openDesk(test, 'admin');
  importRules(desk.access, RULES, desk.service.actor());
  const row = { date: '2026-01-05', description: 'x', contact: 'ann & CO' };
  push(desk, [{ ...row, externalId: 'R-1', amount: 10 }]);
  const number = 5;
  return { ...desk, taken: () => getTransaction(desk.access, formatId('txn', number)).status };
}

describe('the list of rules', () => {
  it('15 says what each does and would take now, in its order', async (test) => {
    const { browser } = await openRules(test);
    const { text } = await browser.get('/rules');
    const said = textOf(text);
    assert.match(said, /contact is Ann &amp; Co and money goes out/);
    assert.match(said, /60% *A /);
    assert.match(said, /the rest *B /);
    assert.match(said, /Old Ended/);
    assert.match(text, /<bdi>Ann &lt;b&gt;<\/bdi>/);
    assert.match(said, /last By account code/);
  });

  it('15 leads from its counts to what they count', async (test) => {
    const { browser, access, service } = await openRules(test);
    const before = await browser.get('/rules');
    assert.match(before.text, /<a href="\/rules\/rul_0+1"><b>1<\/b><\/a>/);
    assert.doesNotMatch(before.text, /via=rules/);
    await runRules(access, service.actor());
    const { text } = await browser.get('/rules');
    const [, path = '', count] =
      /<a href="(\/transactions\?rule=Ann[^"]*)">(\d+)<\/a>/.exec(text) ?? [];
    assert.equal(count, '1');
    const list = textOf((await browser.get(path.replaceAll('&amp;', '&'))).text);
    assert.match(list, /Back to the rules/);
    assert.match(list, /All 1 To allocate 0/);
    assert.match(list, /Remove Allocated by the rule Ann &lt;b&gt;/);
    assert.match(list, /1 transaction .*allocated by this rule 10\.00/);
  });

  it('15 is moved and emptied by admins; what was seen late is refused', async (test) => {
    const { browser, access } = await openRules(test);
    const { text } = await browser.get('/rules');
    const down = fieldsOf(text, '/rules');
    const moved = await browser.send('/rules', { ...down, rule: formatId('rul', 1), act: 'down' });
    assert.match((await browser.get(moved.location ?? '')).text, /is now rule 2\./);
    const names = () => readRules(access).rules.map(({ name, isOn }) => [name, isOn]);
    assert.deepEqual(names(), [
      ['Old', true],
      ['Ann <b>', true],
    ]);
    const late = await browser.send('/rules', { ...down, rule: formatId('rul', 2), act: 'remove' });
    assert.equal(late.status, 409);
    assert.match(late.text, /The rules have changed since/);
    assert.doesNotMatch((await browser.get('/rules')).text, /value="remove"/);
    const own = await browser.get(`/rules/${formatId('rul', 2)}`);
    await browser.send('/rules', fieldsOf(own.text, '/rules'));
    assert.deepEqual(names(), [['Ann <b>', true]]);
  });

  it('15 says when the rules run', async (test) => {
    const { browser, access } = await openRules(test);
    const { rule: _, act: __, ...mark } = fieldsOf((await browser.get('/rules')).text, '/rules');
    await browser.send('/rules', { ...mark, automatic: 'yes' });
    assert.equal(readRules(access).automatic, true);
    const { rule: _r, act: _a, ...next } = fieldsOf((await browser.get('/rules')).text, '/rules');
    await browser.send('/rules', { ...next, byCode: 'off' });
    const { automatic, byAccountCode } = readRules(access);
    assert.deepEqual([automatic, byAccountCode], [true, false]);
  });
});

describe('a run of the rules', () => {
  it('15 does exactly what it showed, and can be undone', async (test) => {
    const desk = await openRules(test);
    const { browser, taken } = desk;
    const { text } = await browser.get('/rules/run');
    assert.match(textOf(text), /1 · Ann &lt;b&gt;/);
    assert.match(textOf(text), /By month .*Jan 2026 ?2 ?110\.00 ?0\.00/);
    assert.match(textOf(text), /Not allocated ?3 fit no rule/);
    assert.match(
      textOf(text),
      /Bob ?9 ?101\.00 ?no line claims it Choose a line to claim it 9 Make a rule for Bob/,
    );
    assert.match(text, /href="\/rules\/new\?contact=Bob&amp;direction=out"/);
    const [, rule = ''] = /name="rule" id="rule"\s+value="([^"]*)"/.exec(text) ?? [];
    assert.equal(rule, `${formatId('rul', 1)}~1`);
    const shown = fieldsOf(text, '/rules/run');
    const none = await browser.send('/rules/run', shown);
    assert.equal(none.status, 422);
    assert.match(none.text, /Select at least one rule/);
    push(desk, [
      { externalId: 'R-2', date: '2026-01-06', description: 'y', contact: 'Ann & Co', amount: 1 },
    ]);
    const done = await browser.send('/rules/run', {
      ...fieldsOf(none.text, '/rules/run'),
      ...shown,
      rule,
    });
    const after = await browser.get(done.location ?? '');
    assert.match(textOf(after.text), /1 transaction allocated by 1 rule: 10\.00 out\./);
    assert.equal(taken(), 'allocated');
    const home = async () => textOf((await browser.get('/')).text);
    assert.match(await home(), /Allocated by rules ?1 since yesterday, 10\.00/);
    await browser.send('/undo', fieldsOf(after.text, '/undo'));
    assert.equal(taken(), 'unallocated');
    assert.doesNotMatch(await home(), /Allocated by rules/);
    const whole = textOf((await browser.get('/rules/run')).text);
    assert.match(whole, /1 · Ann/, 'who asks for a run gets what was undone again');
    await runRules(desk.access, desk.service.actor());
    assert.match(await home(), /Allocated by rules ?3 since yesterday, 111\.00/);
    desk.clock.nowMs += 2 * 86_400_000;
    const later = await Browser.of(desk, 'admin@example.org');
    assert.doesNotMatch(textOf((await later.get('/')).text), /Allocated by rules/);
  });

  it('15 reaches no more than it showed, also if others are the oldest by then', async (test) => {
    const desk = await openRules(test);
    const { browser, access, service } = desk;
    const row = { date: '2026-02-01', description: 'x', contact: 'Ann & Co', amount: 1 };
    const between = LIMITS.previewed - 6;
    const others = Array.from({ length: between }, (_, at) => ({
      ...{ ...row, externalId: `B-${at}`, contact: 'Bob' },
    }));
    // Of a day, those with the highest numbers come first.
    push(desk, [{ ...row, externalId: 'last' }]);
    while (others.length > 0) push(desk, others.splice(0, PUSH_ROWS));
    push(desk, [{ ...row, externalId: 'first' }]);
    const seen = (await browser.get('/rules/run')).text;
    assert.match(textOf(seen), /These are the oldest 10,000 to allocate/);
    const rule = `${formatId('rul', 1)}~2`;
    assert.ok(seen.includes(`value="${rule}"`));
    exclude(access, { transactionId: formatId('txn', 1), reason: 'x' }, service.actor());
    const sent = await browser.send('/rules/run', { ...fieldsOf(seen, '/rules/run'), rule });
    const done = await browser.get(sent.location ?? '');
    assert.match(textOf(done.text), /2 transactions allocated by 1 rule: 11\.00 out\./);
    const statusOf = (at: number) => getTransaction(access, formatId('txn', at)).status;
    assert.deepEqual([6, between + 7].map(statusOf), ['unallocated', 'allocated']);
  });

  it('15 leaves what has changed, and shows a changed list again', async (test) => {
    const desk = await openRules(test);
    const { browser, access, service, taken } = desk;
    const seen = (await browser.get('/rules/run')).text;
    const sent = { ...fieldsOf(seen, '/rules/run'), rule: `${formatId('rul', 1)}~1` };
    const row = { externalId: 'R-1', date: '2026-01-05', description: 'x', contact: 'Ann & Co' };
    push(desk, [{ ...row, amount: 11 }]);
    const left = await browser.send('/rules/run', sent);
    assert.match(
      textOf((await browser.get(left.location ?? '')).text),
      /0 transactions allocated by 0 rules[\s\S]*1 has changed since and was not changed/,
    );
    const fresh = {
      ...fieldsOf((await browser.get('/rules/run')).text, '/rules/run'),
      rule: sent.rule,
    };
    importRules(access, [], service.actor());
    const refused = await browser.send('/rules/run', fresh);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /The rules or a project have changed/);
    assert.equal(taken(), 'unallocated');
  });
});

/** What the form of a rule has, but for what changes. */
const FORM = {
  ...{ name: 'Hall', contact: 'Bob', 'contact-how': 'contains', on: 'yes', line: ['A', 'B'] },
  ...{ amount: ['60', ''], 'amount-from': '10', 'amount-to': '1,000.50', direction: 'out' },
};

describe('the form of a rule', () => {
  const fill = (fields: Record<string, string | string[]>) => {
    return Object.entries(fields).flatMap(([name, value]) => {
      return [value].flat().map((text) => [name, text] as const);
    });
  };

  it('15 makes a rule and changes it, and says what it would take', async (test) => {
    const { browser, access } = await openDesk(test, 'admin');
    const seen = fieldsOf((await browser.get('/rules/new')).text, '/rules/new');
    const preview = await browser.send('/rules/new', fill({ ...seen, ...FORM, do: 'save' }));
    assert.equal(preview.status, 200);
    assert.equal(readRules(access).rules.length, 0, 'not before it was shown');
    const shown = fieldsOf(preview.text, '/rules/new');
    const made = await browser.send('/rules/new', fill({ ...shown, ...FORM, do: 'save' }));
    const after = textOf((await browser.get(made.location ?? '')).text);
    assert.match(after, /Hall is saved\. It would take 1 transaction now, 101\.00 out\./);
    const [rule] = readRules(access).rules;
    assert.deepEqual(rule?.conditions, {
      contact: { contains: 'Bob' },
      amount: { fromMinor: 1000, toMinor: 100_050 },
      direction: 'out',
    });
    assert.deepEqual(
      rule.shares.map(({ lineCode, weight }) => [lineCode, weight]),
      [
        ['A', 6000],
        ['B', null],
      ],
    );
    const path = `/rules/${formatId('rul', rule.id)}`;
    const { text } = await browser.get(path);
    assert.match(text, /value="contains" selected/);
    assert.match(text, /id="amount-to"[^>]* value="1000\.50"/);
    assert.match(text, /aria-label="Share 1" value="60%"/);
    const stale = fieldsOf(text, path);
    const changed = { ...FORM, name: 'Hall 2', on: 'no', until: '2026-06-30' };
    const asked = await browser.send(path, fill({ ...stale, ...changed, do: 'save' }));
    assert.match(textOf(asked.text), /You changed the rule after this was shown\. This is what it/);
    assert.equal(readRules(access).rules[0]?.name, 'Hall');
    const now = fieldsOf(asked.text, path);
    assert.equal((await browser.send(path, fill({ ...now, ...changed, do: 'save' }))).status, 303);
    const [next, ...others] = readRules(access).rules;
    assert.deepEqual(
      [next?.id, next?.name, next?.isOn, next?.until, others.length],
      [rule.id, 'Hall 2', false, '2026-06-30', 0],
    );
    const typed = { ...FORM, name: 'Late' };
    const looked = await browser.send(path, fill({ ...stale, ...typed, do: 'show' }));
    const marks = fieldsOf(looked.text, path);
    const late = await browser.send(path, fill({ ...marks, ...typed, do: 'save' }));
    assert.equal(late.status, 409);
    assert.match(textOf(late.text), /The rules have changed since[\s\S]*The saved rule/);
    assert.match(late.text, /value="Late"/);
    assert.equal(readRules(access).rules[0]?.name, 'Hall 2');
  });

  it('15 says at its field what is wrong, keeps what was typed, stores nothing', async (test) => {
    const { browser, access } = await openRules(test);
    const seen = fieldsOf((await browser.get('/rules/new')).text, '/rules/new');
    const nothing = { contact: '', direction: 'in' };
    const cases: readonly [Record<string, string | string[]>, field: string, says: RegExp][] = [
      [{ name: ' ' }, 'name', /required/],
      [{ name: 'Old' }, 'name', /Another rule has this name/],
      [{ name: 'By account code' }, 'name', /Another rule has this name/],
      [nothing, 'contact', /Fill in at least one of contact, description/],
      [{ contact: 'x'.repeat(256) }, 'contact', /255/],
      [{ amount: ['60', '44'] }, 'amount-1', /Shares come to 104%\. Take 4% off\./],
      [{ amount: ['60', '25'] }, 'amount-1', /come to 85%\. One of them can take the rest\./],
      [{ amount: ['', ''] }, 'amount-1', /Only one share can take the rest/],
      [{ amount: ['x', ''] }, 'amount-0', /Type a percentage/],
      [{ line: ['', 'B'], amount: ['25', ''] }, 'line-0', /Choose a budget line for 25%\./],
      [{ line: ['A', 'Zed'] }, 'line-1', /No budget line matches/],
      [{ line: ['A', 'A'] }, 'line-1', /An earlier share already has this line/],
      [{ line: '', amount: '' }, 'line-0', /Choose a budget line\./],
      [{ 'amount-from': '2000' }, 'amount-to', /The first amount is larger than the second/],
      [{ 'amount-from': '-5' }, 'amount-from', /without the minus/],
      [{ 'amount-from': 'five' }, 'amount-from', /is not an amount/],
      [{ from: '2026-02-01', until: '2026-01-01' }, 'until', /The last day is before the first/],
      [{ from: '2026-02-30' }, 'from', /no 30 February/],
    ];
    for (const [fields, field, says] of cases) {
      const sent = { ...seen, ...FORM, note: '', ...fields };
      const { status, text } = await browser.send('/rules/new', fill(sent));
      assert.equal(status, 422, field);
      const [, said = ''] = new RegExp(`<a href="#${field}">([^<]*)</a>`).exec(text) ?? [];
      assert.match(said, says, JSON.stringify(fields));
      assert.match(text, new RegExp(`id="${field}"`));
    }
    assert.equal(readRules(access).rules.length, 2);
    const { text } = await browser.send('/rules/new', fill({ ...seen, ...FORM, do: 'add' }));
    assert.match(text, /aria-label="Share 3"/);
    const even = await browser.send('/rules/new', fill({ ...seen, ...FORM, do: 'split' }));
    assert.match(even.text, /aria-label="Share 2" value="50%"/);
    assert.equal((await browser.get('/rules/rul_x')).status, 404);
  });

  it('15 shows what it takes by line and month, and why it leaves the others', async (test) => {
    const desk = await openRules(test);
    const { browser, access, service } = desk;
    const actor = service.actor();
    const row = { description: 'y', contact: 'Ann & Co' };
    push(desk, [
      { ...row, externalId: 'S-1', date: '2026-02-06', amount: 0.03 },
      { ...row, externalId: 'S-2', date: '2026-02-07', amount: 5, accountCode: 'x' },
      { ...row, externalId: 'S-3', date: '2026-02-07', amount: 7, accountCode: 'x' },
      { ...row, externalId: 'S-4', date: '2025-12-31', amount: 8 },
      { ...row, externalId: 'S-5', date: '2026-02-08', amount: -9 },
      { ...row, externalId: 'S-6', date: '2026-02-08', amount: 11 },
      { ...row, externalId: 'S-7', date: '2026-02-09', amount: 13, reference: 'by hand' },
      { ...row, externalId: 'S-8', date: '2026-02-09', amount: 17 },
    ]);
    const id = (number: number) => formatId('txn', number);
    const [line] = listBudgetLines(access).items;
    const allocations = [{ budgetLineId: formatId('bln', line?.id ?? 0) }];
    allocate(access, { transactionId: id(12), seenUpdatedAtMs: undefined, allocations }, actor);
    exclude(access, { transactionId: id(11), reason: 'x', seenUpdatedAtMs: undefined }, actor);
    allocate(access, { transactionId: id(13), seenUpdatedAtMs: undefined, allocations }, actor);
    const none = { transactionId: id(13), seenUpdatedAtMs: undefined, allocations: [] };
    allocate(access, none, actor);
    const first = {
      name: 'Code x',
      conditions: { accountCode: { is: 'x' } },
      shares: [{ line: 'B', rest: true }],
    };
    importRules(access, [first, RULES[0]], actor);
    const path = `/rules/${formatId('rul', 1)}`;
    const { text } = await browser.get(path);
    const said = textOf(text);
    assert.match(said, /These figures are for the saved rule\. Transactions2 Out, GBP10\.03/);
    assert.match(said, /Goes toJan 2026Feb 2026TotalLeft after/);
    assert.match(said, /A Rent Youth work ?6\.000\.026\.0281/);
    assert.match(said, /B Heat Youth work ?4\.000\.014\.014 over/);
    assert.match(said, /0\.03 0\.02 \+ 0\.01/);
    assert.match(said, /Taken by an earlier rule 2 ?By rule 1, Code x ?12\.00/);
    const left = said.slice(said.indexOf('It also fits'));
    for (const each of [
      /1 ?Allocated by a person ?13\.00/,
      /1 ?Excluded, or under review ?11\.00/,
      /1 ?Dated outside the project of a line ?8\.00/,
      /1 ?Allocations removed by a person ?17\.00/,
    ]) {
      assert.match(left, each);
    }
    await runRules(access, actor);
    assert.match(
      textOf((await browser.get(path)).text),
      /2 ?Allocated by this rule before ?10\.03/,
    );
    const shown = fieldsOf(text, path);
    const sent = { ...shown, ...FORM, contact: 'ann & co', 'amount-from': '10', do: 'show' };
    const narrow = textOf((await browser.send(path, fill(sent))).text);
    assert.match(narrow, /Nothing is saved yet\. These figures are for the rule in the form\./);
    assert.match(narrow, /Transactions0 .*1 ?Allocated by this rule before ?10\.00/);
  });

  it('15 is filled in from an allocation by hand', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const id = formatId('txn', 2);
    const open = (await browser.get(`/transactions?open=${id}`)).text;
    assert.doesNotMatch(open, /Make a rule of this/);
    const shown = fieldsOf(open, '/transactions/allocate');
    const shares = { line: ['A', 'B', 'A'], amount: ['33', '', '0.67'], do: 'save' };
    const done = await browser.send('/transactions/allocate', fill({ ...shown, ...shares }));
    const { text } = await browser.get(done.location ?? '');
    const links = [...text.matchAll(/href="(\/rules\/new\?[^"]*)">Make a rule of this/g)];
    assert.equal(links.length, 2, 'in the message and in the panel');
    const form = (await browser.get((links[0]?.[1] ?? '').replaceAll('&amp;', '&'))).text;
    assert.match(form, /id="contact"[^>]*\s+value="Bob"/);
    assert.match(form, /<option value="out" selected>/);
    assert.match(form, /id="from"[^>]* value="2026-01-01"/);
    assert.match(form, /aria-label="Share 1" value="33\.34%"/);
    assert.match(form, /aria-label="Share 2" value=""/);
    assert.equal(readRules(access).rules.length, 0, 'never by itself');
    archiveProject(access, { id: formatId('prj', 1), isArchived: true }, service.actor());
    assert.doesNotMatch((await browser.get(`/transactions?open=${id}`)).text, /Make a rule of/);
  });

  it('15 is read by members, who cannot send it', async (test) => {
    const desk = await openDesk(test);
    importRules(desk.access, RULES, desk.service.actor());
    const list = (await desk.browser.get('/rules')).text;
    assert.doesNotMatch(list, /New rule/);
    const path = `/rules/${formatId('rul', 1)}`;
    assert.ok(list.includes(`href="${path}"`));
    const { text } = await desk.browser.get(path);
    assert.match(textOf(text), /An admin of your organisation changes the rules\./);
    assert.match(text, /<fieldset class="rule-form" disabled>/);
    assert.doesNotMatch(text, new RegExp(`action="${path}"`));
    assert.equal((await desk.browser.send(path, fill(FORM))).status, 403);
  });
});
