/** What pages of statements and rules offer: only what is not always refused. */

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { RULE_LIMITS } from '../../src/core/limits.ts';
import { importRules } from '../../src/operations/rules.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';
import { addUser, Browser } from './office.ts';

const ID = formatId('prj', 1);
const PATH = `/projects/${ID}/statements`;

async function openIssued(test: TestContext, months: readonly string[]) {
  const desk = await openDesk(test, 'admin');
  const { access, service } = desk;
  for (const to of months) {
    const actor = { ...service.actor(), nowMs: Date.UTC(2027, 0, 1) };
    issueStatement(access, ID, { to, withoutReasons: true }, actor);
  }
  return desk;
}

it('14 admins withdraw the newest alone, and each page says why not', async (test) => {
  const { browser, ...desk } = await openIssued(test, ['2026-01', '2026-12']);
  const older = await browser.get(`${PATH}/1`);
  assert.doesNotMatch(older.text, /Withdraw it/);
  assert.match(older.text, /Statement 2 exists\. Only the newest statement can be withdrawn\./);
  assert.match(older.text, new RegExp(`Later: <a href="${PATH}/2">statement 2</a>`));
  const forced = await browser.send(`${PATH}/1`, { withdrawal: 'Wrong' });
  assert.equal(forced.status, 409);
  const newest = await browser.get(`${PATH}/2`);
  const said = 'Its months are open again, and the draft of statement 3 becomes statement 2,';
  assert.ok(textOf(newest.text).includes(said));
  assert.doesNotMatch(newest.text, /Later:/);
  await addUser(desk, 'member');
  const member = await Browser.of(desk, 'member@example.org');
  const read = await member.get(`${PATH}/2`);
  assert.match(read.text, /<p class="soft">An admin of your organisation withdraws it\.<\/p>/);
});

it('14 a draft without anything to report is not issued', async (test) => {
  const { browser } = await openIssued(test, ['2026-12']);
  const path = `${PATH}/new`;
  const { text } = await browser.get(path);
  assert.doesNotMatch(text, /value="issue"/);
  assert.match(text, /<span class="soft">All months are reported, and nothing has changed since/);
  const fields = { ...fieldsOf(text, path), note: '', without: 'yes', do: 'issue' };
  assert.equal((await browser.send(path, fields)).status, 409);
});

it('15 offers no other rule when it is full, nor a share that no rule can have', async (test) => {
  const { browser, access, service } = await openDesk(test, 'admin');
  const conditions = { contact: { is: 'Ann' } };
  const shares = [{ budgetLineId: formatId('bln', 1), rest: true }];
  const rules = Array.from({ length: RULE_LIMITS.rules }, (_, at) => ({
    name: `R ${at}`,
    conditions,
    shares,
  }));
  importRules(access, rules, service.actor());
  const full = /There are 500 rules already\. Remove one first\./;
  const { text } = await browser.get('/rules');
  assert.match(text, full);
  assert.doesNotMatch(text, /rules\/new/);
  const page = await browser.get('/rules/new');
  assert.match(page.text, full);
  assert.doesNotMatch(page.text, /value="show"/);
  const query = Array.from({ length: RULE_LIMITS.shares }, () => 'line=&amount=1').join('&');
  importRules(access, [], service.actor());
  assert.match((await browser.get('/rules/new?line=&amount=1')).text, />Add a line</);
  assert.doesNotMatch((await browser.get(`/rules/new?${query}`)).text, />Add a line</);
});
