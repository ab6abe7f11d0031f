import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import type { Role } from '../../src/core/users.ts';
import { importProjects, listProjects } from '../../src/operations/projects.ts';
import { createUser } from '../../src/operations/users.ts';
import { fieldsOf, openDesk } from './desk.ts';
import { Browser, markOf } from './office.ts';
import { readPage } from './read-page.ts';

const CHANGE = '/account/organisation';
const USER = 'admin@example.org';

/** An admin of the first organisation who also belongs to a second one; a third one is foreign. */
async function openTwo(test: TestContext, role: Role = 'member') {
  const desk = await openDesk(test, 'admin');
  const { service } = desk;
  const [other, foreign] = ['Second', 'Third'].map((name) => {
    const { id } = service.organisations.create({ name, baseCurrency: 'EUR' });
    return service.access(id);
  });
  if (other === undefined || foreign === undefined) throw new Error('no organisations');
  const draft = { email: USER, role, password: undefined };
  await createUser(other, draft, service.actor());
  const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };
  importProjects(other, { name: 'Over there', ...dates, budgetLines: [] }, service.actor());
  const idOf = ({ organisation }: typeof other) => formatId('org', organisation.id);
  return { ...desk, other, otherId: idOf(other), foreignId: idOf(foreign) };
}

describe('someone who belongs to two organisations', () => {
  it('goes from one to the other, with the role and the pages of each', async (test) => {
    const { browser, otherId, org } = await openTwo(test);
    const home = await browser.get('/');
    assert.match(home.text, /class="menu"><form[\s\S]*<bdi>Second<\/bdi>/);
    readPage(home.text, '/');
    assert.match((await browser.get('/projects')).text, /Youth work/);
    assert.equal((await browser.get('/activity')).status, 200);
    const account = await browser.get('/account');
    assert.match(account.text, /Go to <bdi>Second<\/bdi>[\s\S]*member/);
    const fields = fieldsOf(home.text, CHANGE);
    assert.equal(fields['organisation'], otherId);
    const changed = await browser.send(CHANGE, fields);
    assert.match(changed.location ?? '', /^\/\?done=/);
    assert.equal((await browser.send(CHANGE, fields)).location, changed.location);
    const there = await browser.get(changed.location ?? '');
    assert.match(there.text, /<span class="of">Second<\/span>/);
    const projects = (await browser.get('/projects')).text;
    assert.match(projects, /Over there/);
    assert.doesNotMatch(projects, /Youth work/);
    assert.equal((await browser.get('/activity')).status, 403);
    assert.equal((await browser.get('/projects/prj_0000000001')).status, 404);
    const back = await browser.send(CHANGE, { organisation: org });
    assert.equal(back.status, 303);
    assert.equal((await browser.get('/activity')).status, 200);
  });

  it('reaches no other one', async (test) => {
    const { browser, foreignId } = await openTwo(test);
    for (const organisation of [foreignId, 'org_0000000099', 'x', '', '1']) {
      assert.equal((await browser.send(CHANGE, { organisation })).status, 404, organisation);
    }
    assert.match((await browser.get('/')).text, /<span class="of">Test<\/span>/);
  });

  it('changes nothing with a form of the organisation that was left', async (test) => {
    const { browser, otherId, access, other } = await openTwo(test, 'admin');
    const { text } = await browser.get('/projects/new');
    const fields = fieldsOf(text, '/projects/new');
    assert.equal(fields['form'], markOf(text.slice(text.indexOf('/projects/new'))));
    await browser.send(CHANGE, { organisation: otherId });
    const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const refused = await browser.send('/projects/new', { ...fields, ...dates, name: 'Late' });
    assert.equal(refused.status, 409);
    assert.match(refused.text, /from another organisation<[\s\S]*switched to <bdi>Second/);
    for (const each of [access, other]) {
      assert.equal(listProjects(each, { limit: 10 }).items.length, 1);
    }
    const own = fieldsOf((await browser.get('/projects/new')).text, '/projects/new');
    const done = await browser.send('/projects/new', { ...own, ...dates, name: 'Late' });
    assert.equal(done.status, 303);
    assert.equal(listProjects(other, { limit: 10 }).items.length, 2);
  });

  it('takes no file with a form of the organisation that was left', async (test) => {
    const { browser, otherId } = await openTwo(test, 'admin');
    const fields = async () => fieldsOf((await browser.get('/import')).text, '/import');
    const left = await fields();
    await browser.send(CHANGE, { organisation: otherId });
    const file = 'Date,Text,Amount\n2026-01-01,Tea,1.50\n';
    const refused = await browser.upload('a.csv', file, left);
    assert.equal(refused.status, 409);
    assert.match(refused.text, /from another organisation<[\s\S]*switched to <bdi>Second/);
    assert.equal((await browser.upload('a.csv', file, await fields())).status, 303);
  });

  it('has a menu without organisations if there is one', async (test) => {
    const { browser, ...office } = await openDesk(test, 'admin');
    const { text } = await browser.get('/account');
    assert.doesNotMatch(text, /account\/organisation|of-organisation/);
    const { location } = await new Browser(office).send(CHANGE, {});
    assert.equal(location, '/sign-in?unsaved=yes');
  });
});
