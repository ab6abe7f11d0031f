import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addUser, Browser, openOffice } from './office.ts';

describe('undo', () => {
  it('refuses what is not there, and leads nowhere else', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, 'member@example.org');
    for (const act of ['1', '', 'x', '-1', '1e400']) {
      const { status } = await browser.send('/undo', { act, to: '/transactions' });
      assert.equal(status, 404, act);
    }
    const { status, location } = await browser.send('/undo', { to: '//evil.example' });
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/\?done=/);
    // Of nothing, there is nothing to undo.
    const { text } = await browser.get(location ?? '');
    assert.match(text, /0 transactions are as before\./);
    assert.doesNotMatch(text, />Undo</);
  });
});
