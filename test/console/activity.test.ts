import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { dayIn } from '../../src/core/time-zones.ts';
import { allocate, allocations } from '../../src/operations/allocations.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { createKey } from '../../src/operations/keys.ts';
import { getProjectPlan, readProject, saveProject } from '../../src/operations/project-plans.ts';
import { archiveProject, importProjects, removeProject } from '../../src/operations/projects.ts';
import { importRules } from '../../src/operations/rules.ts';
import { pushTransactions } from '../../src/operations/transactions.ts';
import { changeRole, inviteUser, removeUser } from '../../src/operations/users.ts';
import { exclusions } from '../../src/operations/workflow.ts';
import { listOrganisations } from '../../src/store/organisations.ts';
import { type ProjectInShort, projectToSave } from '../operations/project-to-save.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';
import { addUser } from './office.ts';

const OLD = { name: 'Old club', startDate: '2020-01-01', endDate: '2020-12-31' };

describe('the page of the activity', () => {
  it('says who did what, with before and after, and filters', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const shares = [{ budgetLineId: formatId('bln', 1) }];
    const transactionId = formatId('txn', 1);
    allocate(access, { transactionId, allocations: shares }, service.actor());
    const { text } = await browser.get('/activity');
    assert.match(text, /<b><bdi>library<\/bdi><\/b>\s<div>Allocated: <a [^>]*><bdi>Ann, 100/);
    assert.match(text, /Allocated to<\/span> nothing → <bdi>A Rent<\/bdi> 100\.00/);
    assert.match(text, /<div>Pushed transactions: 4 new</);
    assert.match(text, /<time[^>]*>\w+day,? \d+ [A-Z]\w+ 2026<.*<time[^>]*>\d\d:\d\d:\d\d</s);
    const keys = await browser.get('/activity?kind=keys');
    assert.match(keys.text, /No entries match the filter/);
    importRules(access, { automatic: true, rules: [] }, service.actor());
    const rules = await browser.get('/activity?kind=rules');
    assert.match(rules.text, /Changed the rules/);
    assert.match(rules.text, /<option value="statements">Statements</);
    const one = await browser.get(`/activity?subject=${transactionId}&kind=transactions`);
    assert.match(one.text, /Allocated: /);
    assert.doesNotMatch(one.text, /Created a project/);
    const wrong = await browser.get('/activity?from=yesterday');
    assert.equal(wrong.status, 422);
  });

  it('writes changes of projects and lines as the reader does', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const plan = getProjectPlan(access, formatId('prj', 1));
    const [rent, heat] = plan.lines;
    if (rent === undefined || heat === undefined) throw new Error('no lines');
    const monthly = { ...rent, amounts: { '2026-01': 10_001, '2026-03': 3_334 } };
    const codes = { ...heat, accountCodes: ['1', '2'] };
    const save = (input: ProjectInShort) =>
      saveProject(access, readProject(access, projectToSave(input)), service.actor());
    save({ ...plan.project, startDate: '2025-12-01', budgetLines: [monthly, codes] });
    const { text } = await browser.get('/activity?kind=projects');
    for (const words of [
      '<span class="soft">Budget, Jan 2026</span> 100.00 → 100.01',
      '<span class="soft">Budget, Mar 2026</span> nothing → 33.34',
      '<span class="soft">Account codes</span> nothing → <bdi>1, 2</bdi>',
      '<span class="soft">First day</span> <time datetime="2026-01-01">1 Jan 2026</time>',
      '<li><bdi>A Rent</bdi><ul',
      '<li><bdi>B Heat</bdi><ul',
    ]) {
      assert.ok(text.includes(words), words);
    }
    assert.doesNotMatch(text, /\{&quot;|Minor|accountCodes|bln_/);
    const totals = [{ ...rent, amounts: 20_000 }];
    save({ ...plan.project, budgetMode: 'total', budgetLines: totals });
    const later = (await browser.get('/activity?kind=projects')).text;
    assert.match(later, /The budget is given<\/span> by month → as one total/);
    assert.match(later, /Budget<\/span> 133\.35 → 200\.00/);
    assert.match(later, /<li><bdi>Heat<\/bdi><ul/);
  });
});

describe('an entry of the activity', () => {
  it('counts transactions and those that need review, and calls a key one', async (test) => {
    const { browser, access, service, rows, org } = await openDesk(test, 'admin');
    const actor = service.actor();
    const ids = [1, 2].map((number) => formatId('txn', number));
    const shares = [{ budgetLineId: formatId('bln', 1) }];
    changeAll(
      access,
      allocations(
        access,
        ids.map((transactionId) => ({ transactionId, allocations: shares })),
      ),
      actor,
    );
    changeAll(
      access,
      exclusions(access, [{ transactionId: formatId('txn', 3), reason: 'x' }]),
      actor,
    );
    const { id } = createKey(access, { name: 'demo', scopes: ['transactions:write'] }, actor);
    const again = rows.slice(0, 3).map((row, at) => ({ ...row, amount: row.amount + 5 - 5 * at }));
    const batch = { provider: 'api', dryRun: false, rows: again } as const;
    pushTransactions(service.access(org), batch, { ...actor, name: formatId('key', id) });
    const { text } = await browser.get('/activity');
    assert.match(text, /<div>Allocated 2 transactions to <bdi>A Rent<\/bdi> 201\.00</);
    assert.match(text, /<div>Excluded: <a [^>]*><bdi>Cat/);
    assert.match(text, /<b><bdi>key demo<\/bdi><\/b>/);
    assert.match(text, /<div>Made a key: <bdi>demo</);
    assert.match(
      text,
      /Pushed transactions: 2 changed, 1 the same\. <a[^>]*><span class="[\w ]*">1 needs review</,
    );
  });
});

describe('the activity names', () => {
  it('whom an owner invited, and what is gone', async (test) => {
    const desk = await openDesk(test, 'owner');
    const { browser, access, service } = desk;
    const actor = { ...service.actor(), name: formatId('usr', 1) };
    inviteUser(access, { email: 'bob@example.org', role: 'member' }, actor);
    await addUser(desk, 'member', 'cat@example.org');
    changeRole(access, { email: 'cat@example.org', role: 'admin' }, actor);
    removeUser(access, 'cat@example.org', actor);
    const [old] = importProjects(access, { ...OLD, budgetLines: [{ name: 'Hire' }] }, actor);
    const project = formatId('prj', old?.id ?? 0);
    archiveProject(access, { id: project, isArchived: true }, actor);
    removeProject(access, project, actor);
    const said = textOf((await browser.get('/activity')).text);
    for (const words of [
      'Invited a user: bob@example.org, as member',
      'Removed a user: cat@example.org',
      'Changed the role of a user: cat@example.org',
      'Created a project: Old club',
      'Archived a project: Old club',
      'Removed a project: Old club',
    ]) {
      assert.ok(said.includes(words), words);
    }
  });

  it('no line by its identifier, as neither do the history nor a refused Undo', async (test) => {
    const { browser, access, service } = await openDesk(test, 'admin');
    const transactionId = formatId('txn', 1);
    const shares = [{ budgetLineId: formatId('bln', 1) }];
    allocate(access, { transactionId, allocations: shares }, service.actor());
    allocate(access, { transactionId, allocations: [] }, service.actor());
    const days = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const plan = { name: 'Youth work', ...days, budgetLines: [{ code: 'B', name: 'Heat' }] };
    importProjects(access, plan, service.actor());
    const { text } = await browser.get('/activity');
    assert.match(textOf(text), /Allocated: Ann, 100\.00 to a removed budget line 100\.00/);
    const history = textOf((await browser.get(`/transactions?open=${transactionId}`)).text);
    assert.match(history, /Allocated to a removed budget line 100\.00 → nothing/);
    const undone = await browser.send('/undo', fieldsOf(text, '/undo'));
    assert.equal(undone.status, 409);
    assert.match(undone.text, /The budget line to which it was allocated was removed\./);
  });

  it('what changed in a rule as the page of the rules does', async (test) => {
    const { browser, access, service } = await openDesk(test, 'owner');
    const shares = [
      { budgetLineId: formatId('bln', 1), percent: 60 },
      { budgetLineId: formatId('bln', 2), rest: true },
    ];
    const rule = { name: 'Hall', conditions: { contact: { contains: 'hall' } }, shares };
    const first = { ...rule, name: 'First', from: '2026-02-01' };
    importRules(access, [rule], service.actor());
    importRules(
      access,
      { automatic: true, rules: [first, { ...rule, on: false }] },
      service.actor(),
    );
    const { text } = await browser.get('/activity?kind=rules');
    const said = textOf(text);
    for (const words of [
      'Fits nothing → contact contains hall',
      'Goes to nothing → A Rent 60%, B Heat the rest',
      'From nothing → 1 Feb 2026',
      'Order 1 → 2',
      'On yes → no',
      'Run after each push and import no → yes',
    ]) {
      assert.ok(said.includes(words), words);
    }
    assert.match(text, /<a href="\/rules\/rul_\w+"><bdi>Hall<\/bdi><\/a><ul/);
    assert.doesNotMatch(said, /\{|conditions|automatic/);
  });
});

describe('the page of the organisation', () => {
  it('shows what a plan switches off, and sets it', async (test) => {
    const { browser, access } = await openDesk(test, 'owner');
    const { text } = await browser.get('/settings/organisation');
    assert.match(text, /Requests with keys are refused from then on/);
    const none = await browser.send('/settings/organisation', { plan: 'x' });
    assert.equal(none.status, 422);
    const done = await browser.send('/settings/organisation', { plan: 'starter' });
    assert.equal(done.status, 303);
    assert.equal(listOrganisations(access)[0]?.plan, 'starter');
  });

  it('shows times and days in the time zone of the organisation', async (test) => {
    const { browser, access, clock } = await openDesk(test, 'owner');
    const path = '/settings/organisation/time-zone';
    const { text } = await browser.get('/settings/organisation');
    assert.match(text, /<option value="UTC" selected>UTC/);
    const wrong = await browser.send(path, { zone: 'Mars/Olympus' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /href="#zone">&quot;Mars\/Olympus&quot; is not a time zone/);
    const timesOf = async () => {
      const page = await browser.get('/activity?kind=organisation');
      return [...page.text.matchAll(/<time datetime="([^"T]+T[^"]+)">([^<]+)</g)].map(
        ([, instant, shown]) => `${instant} ${shown}`,
      );
    };
    const before = await timesOf();
    assert.match(before.join(), / \d\d:\d\d/);
    const done = await browser.send(path, { zone: 'Pacific/Kiritimati' });
    const page = await browser.get(done.location ?? '');
    assert.match(page.text, /Times are now shown for Pacific\/Kiritimati\./);
    assert.match(page.text, /<option value="Pacific\/Kiritimati" selected>/);
    const there = await timesOf();
    assert.equal(there.length, before.length + 1);
    assert.notDeepEqual(there.slice(1), before);
    assert.match((await browser.get('/activity')).text, /Time zone:\s+Pacific\/Kiritimati/);
    assert.equal(listOrganisations(access)[0]?.timeZone, 'Pacific/Kiritimati');
    const today = dayIn('Pacific/Kiritimati', clock.nowMs);
    assert.match((await browser.get(`/activity?from=${today}`)).text, /Changed the time zone/);
  });

  it('changes the name, and not over a change of someone else', async (test) => {
    const { browser, access } = await openDesk(test, 'owner');
    const path = '/settings/organisation/name';
    const { text } = await browser.get('/settings/organisation');
    assert.match(text, /GBP\. It cannot be changed/);
    const blank = await browser.send(path, { name: ' ', was: 'Test' });
    assert.equal(blank.status, 422);
    assert.match(blank.text, /href="#name">The name cannot be blank/);
    const done = await browser.send(path, { name: '<i>Trust</i>', was: 'Test' });
    const page = await browser.get(done.location ?? '');
    assert.match(page.text, /is now called <bdi>&lt;i&gt;Trust&lt;\/i&gt;<\/bdi>/);
    assert.match(page.text, /class="of">&lt;i&gt;Trust/);
    const stale = await browser.send(path, { name: 'Other', was: 'Test' });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /has just changed the name to &quot;&lt;i&gt;Trust/);
    assert.match(stale.text, /value="Other"/);
    assert.equal(listOrganisations(access)[0]?.name, '<i>Trust</i>');
    assert.match(
      (await browser.get('/activity')).text,
      /<div>Changed the name of the organisation/,
    );
  });
});
