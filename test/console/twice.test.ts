/** Every form that did something, sent again as by a double click, leads to the same page. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { createResetLink, inviteUser } from '../../src/operations/users.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';
import { addUser, Browser, markOf, openOffice } from './office.ts';
import { DOING, useForms } from './walk-forms.ts';

describe('a form that is sent twice', () => {
  it('does what it does once, and leads to the same page twice', async (test) => {
    const office = await openOffice(test);
    const done = new Set<string>();
    await useForms(office, async ({ route, action, fields }, browser) => {
      if (!fields.some(([name]) => name === 'form')) return;
      const first = await browser.send(action, fields);
      if (first.status !== 303) return;
      const second = await browser.send(action, fields);
      assert.equal(second.status, 303, route);
      assert.equal(second.location, first.location, route);
      if (first.location?.includes('done=')) done.add(route);
    });
    assert.deepEqual([...done].sort(), DOING);
  });

  it('does so at once, too, and after what it was sent for is gone', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    const line = '/projects/prj_0000000001/lines/bln_0000000002';
    const { text } = await browser.get(line);
    const look = '/transactions/bulk?do=allocate&scope=all&line=A';
    const apply = '/transactions/bulk/apply';
    const bulk = fieldsOf((await browser.get(look)).text, apply);
    for (const [action, fields] of [
      [line, { ...fieldsOf(text, line), do: 'remove' }],
      [apply, bulk],
    ] as const) {
      const send = () => browser.send(action, fields);
      const [first, ...others] = [...(await Promise.all([send(), send()])), await send()];
      assert.equal(first?.status, 303, action);
      for (const other of others) assert.equal(other.location, first?.location, action);
    }
  });

  it('is not the same when it says something else', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };
    const { text } = await browser.get('/projects/new');
    const form = markOf(text);
    const targets = [];
    for (const name of ['One', 'One', 'Other']) {
      targets.push((await browser.send('/projects/new', { ...dates, name, form })).location);
    }
    assert.equal(targets[0], targets[1]);
    assert.notEqual(targets[0]?.split('?')[0], targets[2]?.split('?')[0]);
  });

  it('says nothing that is not so after another form has taken it back', async (test) => {
    const { browser } = await openDesk(test, 'admin');
    const archive = '/projects/prj_0000000001/archive';
    const allocate = '/transactions/allocate';
    const panel = '/transactions?open=txn_0000000002';
    for (const [page, action, typed] of [
      ['/projects/prj_0000000001/edit', archive, { do: 'archive' }],
      [panel, allocate, { do: 'save', line: 'A', amount: '5' }],
    ] as const) {
      const fields = { ...fieldsOf((await browser.get(page)).text, action), ...typed };
      const done = await browser.send(action, fields);
      const { text } = await browser.get(done.location ?? '');
      const back =
        action === archive
          ? await browser.send(action, {
              ...fieldsOf((await browser.get(page)).text, action),
              do: 'bring-back',
            })
          : await browser.send('/undo', fieldsOf(text, '/undo'));
      assert.equal(back.status, 303, action);
      assert.equal((await browser.send(action, fields)).status, 409, action);
    }
  });

  it('ends well for the forms of links, too, which work once', async (test) => {
    const office = await openOffice(test);
    const { service, org } = office;
    const access = service.access(org);
    const actor = service.actor();
    await addUser(office, 'owner');
    await addUser(office, 'member');
    const reset = createResetLink(access, 'member@example.org', actor);
    const by = { ...actor, name: formatId('usr', 1) };
    const invited = inviteUser(access, { email: 'new@example.org', role: 'member' }, by);
    const second = service.organisations.create({ name: 'Second', baseCurrency: 'GBP' }).id;
    await addUser({ ...office, org: second }, 'owner', 'boss@example.org');
    const boss = { ...actor, name: formatId('usr', 3) };
    const draft = { email: 'owner@example.org', role: 'member' } as const;
    const joining = inviteUser(service.access(second), draft, boss);
    for (const [token, browser, says] of [
      [reset, new Browser(office), /Your new password is set/],
      [invited, new Browser(office), /You have joined Test/],
      [joining, await Browser.of(office, 'owner@example.org'), /You have joined Second/],
    ] as const) {
      await browser.get(`/set-up?token=${token}`);
      const typed = { password: 'four other words here' };
      const [one, late, thief] = [browser.copy(), browser.copy(), browser.copy()];
      const clicks = [one, browser].map((each) => each.send('/set-up', typed));
      const [first, ...again] = [...(await Promise.all(clicks)), await late.send('/set-up', typed)];
      assert.equal(first?.status, 303);
      for (const each of again) assert.equal(each.location, first?.location);
      for (const each of [one, browser, late]) {
        assert.match(textOf((await each.get(first?.location ?? '')).text), says);
      }
      const guess = await thief.send('/set-up', { password: 'four wrong words here' });
      assert.match(guess.text, /This link does not work/);
    }
  });
});
