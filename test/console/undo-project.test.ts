import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { getProjectPlan } from '../../src/operations/project-plans.ts';
import { fieldsOf, openDesk } from './desk.ts';
import { addUser, Browser } from './office.ts';

const ID = formatId('prj', 1);
const EDIT = `/projects/${ID}/edit`;
const CELL = `${formatId('bln', 1)}.2026-01`;
const DETAILS = { name: 'Youth work', startDate: '2026-01-01', endDate: '2026-12-31' };

describe('a change of a project', () => {
  it('offers Undo, which a member may not use and a later change ends', async (test) => {
    const office = await openDesk(test, 'admin');
    const { browser, access } = office;
    const before = getProjectPlan(access, ID);
    const send = async (fields: object) => {
      const hidden = fieldsOf((await browser.get(EDIT)).text, EDIT);
      const look = await browser.send(EDIT, { ...hidden, ...DETAILS, ...fields });
      const [, agree] = /name="agree" value="([^"]*)"/.exec(look.text) ?? [];
      if (agree === undefined) return look;
      return browser.send(EDIT, { ...hidden, ...DETAILS, ...fields, agree });
    };
    const done = await send({ [CELL]: '100.00', mode: 'total' });
    assert.equal(getProjectPlan(access, ID).project.budgetMode, 'total');
    const undo = fieldsOf((await browser.get(done.location ?? '')).text, '/undo');
    await addUser(office, 'member');
    const member = await Browser.of(office, 'member@example.org');
    assert.equal((await member.send('/undo', undo)).status, 403);
    assert.match((await browser.get('/activity')).text, /action="\/undo"/);
    const undone = await browser.send('/undo', undo);
    assert.match((await browser.get(undone.location ?? '')).text, /Youth work<\/bdi> is as before/);
    const after = getProjectPlan(access, ID);
    assert.deepEqual(after.lines, before.lines);
    const { updatedAtMs } = after.project;
    assert.deepEqual(after.project, { ...before.project, updatedAtMs });
    await send({ name: 'Other', mode: 'monthly' });
    const late = await browser.send('/undo', { ...undo, act: String(updatedAtMs) });
    assert.deepEqual([late.status, /has changed since/.test(late.text)], [409, true]);
  });
});
