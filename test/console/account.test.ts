import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createResetLink } from '../../src/operations/users.ts';
import { holdHash } from '../cheap-passwords.ts';
import { addUser, Browser, markOf, openOffice, PASSWORD } from './office.ts';

const EMAIL = 'member@example.org';
const NEW = 'four other words here';

describe("the user's own page", () => {
  it('changes the password, and ends the other sessions and links', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, EMAIL);
    const other = await Browser.of(office, EMAIL);
    const access = office.service.access(office.org);
    const token = createResetLink(access, EMAIL, office.service.actor());
    const sent = await browser.send('/account/password', { present: PASSWORD, password: NEW });
    assert.equal(sent.status, 303);
    assert.match((await browser.get(sent.location ?? '')).text, /Your password is changed/);
    assert.equal((await other.get('/')).location, '/sign-in');
    await other.get(`/set-up?token=${token}`);
    assert.equal((await other.get('/set-up')).status, 404);
    const again = (password: string) => other.send('/sign-in', { email: EMAIL, password });
    assert.equal((await again(PASSWORD)).status, 401);
    assert.equal((await again(NEW)).status, 303);
    const entries = office.service.audit.list(office.org);
    const entry = entries.find(({ action }) => action === 'user.password_changed');
    assert.deepEqual([entry?.actor !== undefined, entry?.actor], [true, entry?.subject]);
  });

  it('refuses to guess the current password, and a weak new one', async (test) => {
    const office = await openOffice(test, { monotonicMs: () => 0 });
    await addUser(office, 'member');
    const browser = await Browser.of(office, EMAIL);
    const change = (present: string, password = NEW) =>
      browser.send('/account/password', { present, password });
    for (const [present, password, fault] of [
      ['', NEW, /href="#present">Type your current password/],
      [PASSWORD, 'short', /href="#password">The password is shorter/],
      [PASSWORD, 'Member.2026', /href="#password">The password is too much like the email/],
    ] as const) {
      const { status, text } = await change(present, password);
      assert.equal(status, 422);
      assert.match(text, fault);
      assert.doesNotMatch(text, /value="(?:short|Member)/);
    }
    // Neither signing in nor changing the password was a wrong try.
    assert.equal((await change(PASSWORD, PASSWORD)).status, 303);
    for (let tries = 0; tries < 10; tries += 1) {
      const { status, text } = await change('three words to forget');
      assert.equal(status, 422);
      assert.match(text, /href="#present">This is not your password/);
    }
    const { status, headers } = await change(PASSWORD);
    assert.deepEqual([status, headers.get('retry-after')], [429, '900']);
    assert.equal((await browser.get('/account')).status, 200);
  });

  it('lists the sessions of the user alone, and ends one or all others', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    await addUser(office, 'owner');
    const owner = await Browser.of(office, 'owner@example.org');
    const browser = await Browser.of(office, EMAIL);
    const [second, third] = [await Browser.of(office, EMAIL), await Browser.of(office, EMAIL)];
    const page = await browser.get('/account');
    const ids = [...page.text.matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id);
    assert.equal(ids.length, 2);
    assert.equal(page.text.match(/\(this one\)/g)?.length, 1);
    const own = await owner.get('/account');
    assert.doesNotMatch(own.text, /name="id"/);
    for (const id of [ids[0] ?? '', '99', 'x', '']) {
      assert.equal(
        (await owner.send('/account/sessions', { id, confirmed: PASSWORD })).status,
        404,
      );
    }
    const form = markOf(page.text);
    const unproven = await browser.send('/account/sessions', { id: ids[0] ?? '', form });
    assert.match(unproven.text, /href="#confirmed">Type your password/);
    const wrong = { id: 'others', form, confirmed: 'three words to forget' };
    const { status, text } = await browser.send('/account/sessions', wrong);
    assert.equal(status, 422);
    assert.match(text, /href="#confirmed">This is not your password/);
    assert.equal((await second.get('/')).status, 200);
    const end = { id: ids[0] ?? '', form, confirmed: PASSWORD };
    const sent = await Promise.all([1, 2].map(() => browser.send('/account/sessions', end)));
    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303],
    );
    const ended = await Promise.all([second, third].map((each) => each.get('/')));
    assert.deepEqual(ended.map(({ status }) => status).sort(), [200, 303]);
    await browser.send('/account/sessions', { id: 'others', confirmed: PASSWORD });
    for (const each of [second, third]) assert.equal((await each.get('/')).location, '/sign-in');
    assert.equal((await browser.get('/')).status, 200);
    assert.equal((await owner.get('/')).status, 200);
  });

  it('ends no other session for one that ended while its password was checked', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const other = await Browser.of(office, EMAIL);
    const ends: readonly ((browser: Browser) => Promise<unknown>)[] = [
      (browser) => browser.send('/sign-out', {}),
      (browser) => browser.send('/sign-in', { email: EMAIL, password: PASSWORD }),
    ];
    for (const end of ends) {
      for (const which of [/value="(others)"/, /name="id" value="(\d+)"/]) {
        const browser = await Browser.of(office, EMAIL);
        const [, id = ''] = which.exec((await browser.get('/account')).text) ?? [];
        const hash = holdHash();
        const sent = browser.copy().send('/account/sessions', { id, confirmed: PASSWORD });
        await hash.asked;
        await end(browser);
        hash.release();
        const { status, text } = await sent;
        assert.equal(status, 403);
        assert.match(text, /You have signed out, or your role has changed/);
        assert.equal((await other.get('/')).status, 200);
        await browser.send('/sign-out', {});
      }
    }
    const trail = office.service.audit.list(office.org).map(({ action }) => action);
    assert.equal(trail.includes('session.ended'), false);
  });

  it('has another token after the password was typed, also for the second click', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, EMAIL);
    await Browser.of(office, EMAIL);
    const { text } = await browser.get('/account');
    const form = markOf(text);
    for (const [path, fields] of [
      ['/account/sessions', { id: 'others', confirmed: PASSWORD }],
      ['/account/password', { present: PASSWORD, password: NEW }],
    ] as const) {
      const [atOnce, late, thief] = [browser.copy(), browser.copy(), browser.copy()];
      const sent = { ...fields, form };
      const send = (each: Browser) => each.send(path, sent);
      const [one, two] = await Promise.all([send(browser), send(atOnce)]);
      const three = await send(late);
      assert.ok(one.location?.includes('done='), path);
      assert.deepEqual([two.location, three.location], [one.location, one.location]);
      const tokens = [browser, atOnce, late].map(({ cookies }) => cookies.get('budgetd'));
      assert.equal(new Set(tokens).size, 1, path);
      assert.equal((await late.get('/')).status, 200);
      // Whoever has the earlier token, but not the form, has nothing.
      assert.equal((await thief.get('/')).location, '/sign-in');
      const other = await thief.send(path, { ...sent, form: 'x'.repeat(16) });
      assert.match(other.location ?? '', /^\/sign-in/);
      assert.equal(thief.cookies.get('budgetd') === tokens[0], false);
    }
  });

  it('keeps that token from a form that was sent with the one before', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, EMAIL);
    const thief = browser.copy();
    const own = { form: 'x'.repeat(16), locale: 'en-GB', keys: 'on' };
    assert.equal((await thief.send('/account/format', own)).status, 303);
    // The password is right, what it is for is refused: this form has led nowhere.
    const form = markOf((await browser.get('/account')).text);
    const refused = { form, id: '999', confirmed: PASSWORD };
    assert.ok((await browser.send('/account/sessions', refused)).status >= 400);
    assert.notEqual(browser.cookies.get('budgetd'), thief.cookies.get('budgetd'));
    assert.match((await thief.send('/account/format', own)).location ?? '', /^\/sign-in/);
    assert.equal((await thief.get('/')).location, '/sign-in');
    assert.equal((await browser.get('/')).status, 200);
  });

  it('writes numbers as chosen or as the browser says, with keys or without', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, EMAIL);
    assert.match(
      (await browser.get('/account')).text,
      /data-decimal="." data-locale="en-GB"[^>]*data-sh/,
    );
    const chosen = await browser.send('/account/format', { locale: 'de-DE', keys: 'off' });
    const { text } = await browser.get(chosen.location ?? '');
    assert.match(text, /Your settings were saved/);
    assert.match(text, /data-decimal="," data-locale="de-DE" data-places="2">/);
    assert.match(text, /<option value="de-DE" selected>German \(Germany\): 1\.234,50 ·/);
    assert.match(text, /type="radio" name="keys" value="off" checked/);
    for (const [fields, fault] of [
      [{ locale: 'xx-YY', keys: 'on' }, /href="#locale">Choose how numbers/],
      [{ locale: '', keys: 'on' }, /href="#locale">Choose how numbers/],
      [{ locale: 'de-DE', keys: '' }, /href="#keys">Choose whether/],
    ] as const) {
      const wrong = await browser.send('/account/format', fields);
      assert.equal(wrong.status, 422);
      assert.match(wrong.text, fault);
    }
    await browser.send('/account/format', { locale: 'browser', keys: 'on' });
    assert.match(
      (await browser.get('/account')).text,
      /data-decimal="." data-locale="en-GB"[^>]*data-sh/,
    );
  });
});
