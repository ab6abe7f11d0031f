import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { listStatements } from '../../src/operations/statements.ts';
import { getStatement } from '../operations/statement-reads.ts';
import { fieldsOf, textOf } from './desk.ts';
import { addUser, Browser } from './office.ts';
import { ID, openPlay, PATH } from './play.ts';

describe('14 the draft in the console', () => {
  const DRAFT = `${PATH}/new`;
  const openAdmin = async (test: TestContext) => {
    const desk = await openPlay(test);
    desk.clock.nowMs = Date.UTC(2026, 1, 2);
    await addUser(desk, 'admin');
    const browser = await Browser.of(desk, 'member@example.org');
    return { ...desk, browser, admin: await Browser.of(desk, 'admin@example.org') };
  };
  const fieldsFor = async (browser: Browser) => {
    const { text } = await browser.get(DRAFT);
    const reasons = [...text.matchAll(/name="(reason-bln_\w+|note)"[^>]*>([^<]*)</g)];
    const typed = reasons.map(([, name = '', value = '']) => [name, value] as const);
    const fields = { ...fieldsOf(text, DRAFT), ...Object.fromEntries(typed) };
    return { ...fields, until: '2026-01', below: 'no' };
  };

  it('is written by members, and issued by admins with its texts', async (test) => {
    const { browser, admin, access, give } = await openAdmin(test);
    // A line without a budget.
    give(7, 5);
    assert.match((await admin.get(PATH)).text, />Start statement 1</);
    const fields = await fieldsFor(browser);
    const why = `reason-${formatId('bln', 5)}`;
    assert.ok(why in fields);
    const typed = { ...fields, note: ' Two\r\nlines ', [why]: 'A late start' };
    assert.equal((await browser.send(DRAFT, { ...typed, do: 'issue' })).status, 403);
    const saved = await browser.send(DRAFT, { ...typed, do: 'save' });
    assert.equal(saved.status, 303);
    const page = await admin.get(DRAFT);
    assert.match(page.text, /A late start/);
    const begun = await admin.get(PATH);
    assert.match(textOf(begun.text), /Jan 2026 Draft .*Continue statement 1/);
    const tab = `<li><a href="/projects/${ID}/edit">Edit</a></li>`;
    assert.ok(begun.text.includes(tab));
    assert.ok((await admin.get(`/projects/${ID}`)).text.includes(tab));
    assert.ok(!(await browser.get(PATH)).text.includes(tab));
    assert.equal(listAudit(access, { action: 'statement.draft_saved' }).length, 1);
    const stale = await browser.send(DRAFT, { ...fields, note: 'Mine', do: 'save' });
    assert.equal(stale.status, 409);
    assert.match(stale.text, /Someone else saved this draft[\s\S]*>Mine</);
    assert.match(textOf(stale.text), / member@example\.org saved this draft, .* above yours\./);
    assert.match(textOf(stale.text), /Covering note Saved: Two lines Mine/);
    const now = await fieldsFor(admin);
    const missing = await admin.send(DRAFT, { ...now, [why]: '', do: 'issue' });
    assert.equal(missing.status, 422);
    const summary = new RegExp(
      `</h1>[\\s\\S]*class="problem"[\\s\\S]*"#${why}">8 Bonus: give a reason`,
    );
    assert.match(missing.text, summary);
    assert.match(missing.text, /<details class="confirm" open>/);
    const long = await admin.send(DRAFT, { ...now, note: 'x'.repeat(9_999), do: 'save' });
    assert.equal(long.status, 422);
    assert.doesNotMatch(long.text, /<details class="confirm" open>/);
    assert.deepEqual(listStatements(access, ID), []);
    const done = await admin.send(DRAFT, { ...now, without: 'yes', do: 'issue' });
    assert.equal(done.status, 303);
    const issued = getStatement(access, ID, { number: 1 });
    assert.deepEqual([issued.note, issued.issuedBy?.name], ['Two\nlines', 'admin@example.org']);
    assert.ok(issued.lines.some(({ reason }) => reason === 'A late start'));
    assert.match((await admin.get(done.location ?? '')).text, /Statement 1 is issued\./);
  });

  it('is not issued when a figure has moved since the page was opened', async (test) => {
    const { admin, give, access } = await openAdmin(test);
    const fields = await fieldsFor(admin);
    give(7, 4);
    const moved = await admin.send(DRAFT, { ...fields, note: 'Kept', without: 'yes', do: 'issue' });
    assert.equal(moved.status, 409);
    assert.match(moved.text, /It was not issued: 2 figures have changed[\s\S]*>Kept</);
    const line = formatId('bln', 4);
    const [, said = ''] = new RegExp(`<a href="#${line}">([^<]*)</a>`).exec(moved.text) ?? [];
    assert.equal(said, '7 Pay: this period 330.00, now 350.00; to date 330.00, now 350.00');
    assert.ok(moved.text.includes(`id="${line}"`));
    assert.ok(!moved.text.includes('Saved: '));
    assert.deepEqual(listStatements(access, ID), []);
  });

  it('takes the texts of a statement that an admin withdraws, with a reason', async (test) => {
    const { admin, browser, issue, access } = await openAdmin(test);
    issue('2026-01', { note: 'First' });
    const path = `${PATH}/1`;
    const first = fieldsOf((await admin.get(path)).text, path);
    assert.equal((await browser.send(path, { withdrawal: 'Wrong' })).status, 403);
    assert.equal((await admin.send(path, { withdrawal: ' ' })).status, 422);
    assert.equal((await admin.send(path, { withdrawal: 'Wrong' })).status, 303);
    assert.equal(getStatement(access, ID, { number: 1 }).withdrawn?.reason, 'Wrong');
    assert.match((await admin.get(DRAFT)).text, />First</);
    assert.equal((await admin.send(path, { withdrawal: 'Again' })).status, 409);
    issue('2026-01');
    const late = await admin.send(path, { ...first, withdrawal: 'Again' });
    assert.equal(late.status, 409);
    assert.match(late.text, /Statement 1 has been withdrawn already, and issued again\./);
    assert.equal(getStatement(access, ID, { number: 1 }).withdrawn, null);
  });

  it('of a statement that someone else issued keeps what was written', async (test) => {
    const { admin, issue, browser } = await openAdmin(test);
    const fields = await fieldsFor(admin);
    const member = await fieldsFor(browser);
    issue('2026-01');
    const late = await admin.send(DRAFT, { ...fields, note: 'Kept', without: 'yes', do: 'issue' });
    assert.equal(late.status, 409);
    assert.match(late.text, /Statement 1 was issued while you were writing[\s\S]*>Kept</);
    assert.match(late.text, new RegExp(`<a href="${PATH}/1">Statement 1</a> was issued by`));
    assert.match(late.text, /Statement 2 <span class="tag draft">/);
    await admin.send(`${PATH}/1`, { withdrawal: 'Wrong' });
    const other = { ...fieldsOf(late.text, DRAFT), note: 'Kept', do: 'save' };
    const withdrawn = await admin.send(DRAFT, other);
    assert.match(withdrawn.text, /Statement 1 was withdrawn while you were writing[\s\S]*>Kept</);
    const saved = await browser.send(DRAFT, { ...member, note: 'Mine', do: 'save' });
    assert.match(textOf(saved.text), /admin@example\.org withdrew it, /);
  });
});
