/** A second factor: set up, asked for, required, lost (contract 16). */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeQR } from 'qr/decode.js';
import { listAudit } from '../../src/operations/audit.ts';
import { codeAt } from '../../src/operations/one-time-codes.ts';
import { createResetLink } from '../../src/operations/users.ts';
import { listUsers } from '../../src/store/users.ts';
import { ADA, BOB, CODE_PAGE, FACTOR_PAGE, half, openHouse, STEP_MS, setUp } from './factors.ts';
import { Browser, PASSWORD } from './office.ts';

const MINUTE_MS = 60_000;

/** What an authenticator reads in the QR code of a page: an address. */
function readQr(text: string): URL {
  const [, size = '0'] = /<svg class="qr" viewBox="0 0 (\d+) \1"/.exec(text) ?? [];
  const side = Number(size) * MODULE_PIXELS;
  const data = new Uint8Array(side * side * 3).fill(255);
  const paint = (x: number, y: number) => data.fill(0, (y * side + x) * 3, (y * side + x) * 3 + 3);
  for (const [, ...run] of text.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    const [x = 0, y = 0, length = 0] = run.map((each) => Number(each) * MODULE_PIXELS);
    for (let down = 0; down < MODULE_PIXELS; down += 1) {
      for (let along = 0; along < length; along += 1) paint(x + along, y + down);
    }
  }
  return new URL(decodeQR({ width: side, height: side, data }));
}

const MODULE_PIXELS = 4;

describe('16 a second factor', () => {
  it('is set up with a secret, proven with a code, and has recovery codes', async (test) => {
    const { office, access, ada } = await openHouse(test);
    const other = await Browser.of(office, ADA);
    const page = await ada.get(FACTOR_PAGE);
    const address = readQr(page.text);
    assert.equal(address.searchParams.get('issuer'), 'budgetd, Test');
    const [, secret = ''] = /id="secret">([A-Z2-7 ]+)</.exec(page.text) ?? [];
    assert.equal(address.searchParams.get('secret'), secret.replaceAll(' ', ''));
    assert.match(page.headers.get('cache-control') ?? '', /no-store/);
    assert.equal((await ada.get(FACTOR_PAGE)).text.includes('id="secret"'), true);
    const wrong = await ada.send(FACTOR_PAGE, { do: 'set-up', code: '000000' });
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.text,
      /This code is not right\. Wait for the next one\. .*set your phone’s clock/,
    );
    const blank = await ada.send(FACTOR_PAGE, { do: 'set-up', code: ' ' });
    assert.match(blank.text, /class="fault"[^>]*>Enter the code\.</);
    const { authenticator, codes, place } = await setUp(office, ada);
    const again = await ada.get(place);
    assert.deepEqual([again.status, again.location], [303, FACTOR_PAGE]);
    for (const code of codes) assert.match(code, /^[2-9a-hjkmnp-tv-z]{4}-[2-9a-hjkmnp-tv-z]{4}$/);
    assert.equal((await other.get('/')).location, '/sign-in', 'other sessions have ended');
    assert.equal((await ada.get('/')).status, 200);
    assert.equal(listUsers(access)[0]?.secondFactor, 1);
    // The code that set it up is used.
    const browser = await half(office);
    assert.equal((await browser.send(CODE_PAGE, { code: authenticator.code() })).status, 401);
    const stored = JSON.stringify(listAudit(access, {}));
    for (const secret of [...codes, authenticator.code()]) assert.ok(!stored.includes(secret));
    assert.equal(listAudit(access, { action: 'user.second_factor_set' }).length, 1);
  });

  it('is asked for after the right password alone, and keeps the way back', async (test) => {
    const { office, ada } = await openHouse(test);
    const { authenticator } = await setUp(office, ada);
    const wrong = new Browser(office);
    const refused = await wrong.send('/sign-in', { email: ADA, password: 'not this one' });
    assert.equal(refused.status, 401);
    assert.ok(!refused.text.includes(CODE_PAGE));
    assert.equal((await wrong.get(CODE_PAGE)).location?.split('?')[0], '/sign-in');
    const browser = await half(office, ADA, '/projects?x=1');
    assert.equal((await browser.get('/')).location, '/sign-in', 'no page before the code');
    const page = await browser.get(`${CODE_PAGE}?to=%2Fprojects%3Fx%3D1`);
    assert.match(page.text, /name="to" value="\/projects\?x=1"/);
    assert.match(page.text, /autocomplete="one-time-code"/);
    assert.match(
      page.text,
      /the person who runs the service can:\s<code>budgetd users reset-second-f/,
    );
    const blank = await browser.send(CODE_PAGE, { code: '' });
    assert.equal(blank.status, 422);
    assert.match(blank.text, /class="fault"[^>]*>Enter the code\.</);
    const code = authenticator.next();
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`;
    const done = await browser.send(CODE_PAGE, { code: typed, to: '/projects?x=1' });
    assert.deepEqual([done.status, done.location], [303, '/projects?x=1']);
    assert.equal((await browser.get('/projects')).status, 200);
    // Used up, also by another browser.
    const second = await half(office);
    const used = await second.send(CODE_PAGE, { code });
    assert.equal(used.status, 401);
    assert.match(used.text, /This code is not right, or was used already\. Type the next one\./);
    // The clock of a phone that is two minutes slow or fast.
    for (const minutes of [-2, 2]) {
      const step = Math.floor((office.clock.nowMs + minutes * MINUTE_MS) / STEP_MS);
      const off = await second.send(CODE_PAGE, { code: codeAt(authenticator.secret, step) });
      assert.equal(off.status, 401);
      assert.match(off.text, /Type the next one\. If that is wrong too, set your phone’s clock\./);
    }
  });

  it('takes codes one step off, ten minutes long, and not after another password', async (test) => {
    const { office, access, ada } = await openHouse(test);
    const { authenticator } = await setUp(office, ada);
    const late = await half(office);
    office.clock.nowMs += 10 * MINUTE_MS + 1;
    const answer = await late.send(CODE_PAGE, { code: authenticator.code() });
    assert.deepEqual([answer.status, answer.location], [303, '/sign-in?late=yes']);
    assert.match(
      (await late.get('/sign-in?late=yes')).text,
      /Too much time has passed\. Sign in again/,
    );
    const intime = await half(office);
    office.clock.nowMs += 10 * MINUTE_MS - STEP_MS;
    const before = codeAt(authenticator.secret, Math.floor(office.clock.nowMs / STEP_MS) - 1);
    assert.equal((await intime.send(CODE_PAGE, { code: before })).status, 303);
    const other = await half(office);
    const link = createResetLink(access, ADA, office.service.actor());
    const reset = new Browser(office);
    await reset.get(`/set-up?token=${link}`);
    const set = await reset.send('/set-up', { password: 'another three words' });
    assert.deepEqual([set.status, set.location], [303, '/sign-in'], 'no way round');
    assert.ok(!reset.cookies.has('budgetd'));
    const ended = await other.send(CODE_PAGE, { code: authenticator.next() });
    assert.equal(ended.location, '/sign-in?late=yes');
  });

  it('counts wrong codes, which the right password does not set back', async (test) => {
    const { office, ada } = await openHouse(test);
    const { authenticator } = await setUp(office, ada);
    const statuses: number[] = [];
    for (let at = 0; at < 12; at += 1) {
      const browser = new Browser(office);
      const first = await browser.send('/sign-in', { email: ADA, password: PASSWORD });
      if (first.status !== 303) statuses.push(first.status);
      else statuses.push((await browser.send(CODE_PAGE, { code: '000000' })).status);
    }
    assert.equal(statuses.filter((status) => status === 401).length <= 10, true);
    assert.equal(statuses.at(-1), 429);
    authenticator.next();
    assert.equal((await ada.get('/')).status, 200, 'who is signed in stays so');
  });

  it('lets a recovery code in once, and says how many are left', async (test) => {
    const { office, ada } = await openHouse(test);
    const { codes } = await setUp(office, ada);
    const [first = '', second = ''] = codes;
    const typed = [first.toUpperCase(), second.replace('-', '')];
    for (const [at, recovery] of typed.entries()) {
      const browser = await half(office);
      const { status, location } = await browser.send(CODE_PAGE, { recovery });
      assert.equal(status, 303);
      assert.match(
        (await browser.get(location ?? '')).text,
        new RegExp(`${9 - at} recovery codes are left`),
      );
    }
    const browser = await half(office);
    const used = await browser.send(CODE_PAGE, { recovery: first });
    assert.equal(used.status, 401);
    assert.match(used.text, /This recovery code is not right, or was used already/);
  });

  it('is renewed, replaced and removed with the password and a code', async (test) => {
    const { office, access, ada } = await openHouse(test);
    const { authenticator, codes } = await setUp(office, ada);
    const send = (act: string, change: object = {}) => {
      return ada.send(FACTOR_PAGE, {
        do: act,
        present: PASSWORD,
        code: authenticator.next(),
        ...change,
      });
    };
    const bare = await ada.send(FACTOR_PAGE, { do: 'set-up', code: '000000' });
    assert.equal(bare.status, 422);
    for (const { text } of [bare, await ada.get(FACTOR_PAGE)])
      assert.doesNotMatch(text, /id="secret"/);
    assert.equal((await send('remove', { present: 'wrong' })).status, 422);
    assert.equal((await send('remove', { code: '000000' })).status, 422);
    assert.equal(listUsers(access)[0]?.secondFactor, 1);
    const spaced = ` ${[...authenticator.next()].join(' ')} `;
    const renewed = await send('codes', { code: spaced });
    assert.equal(renewed.status, 303, 'spaces are ignored');
    const { text } = await ada.get(renewed.location ?? '');
    assert.match(text, /New recovery codes/);
    const browser = await half(office);
    assert.equal(
      (await browser.send(CODE_PAGE, { recovery: codes[0] ?? '' })).status,
      401,
      'old ones',
    );
    const [, fresh = ''] = /<code>([\w-]{9})<\/code>/.exec(text) ?? [];
    assert.equal((await send('other')).status, 303);
    const old = authenticator.secret;
    const next = await setUp(office, ada);
    assert.notDeepEqual(next.authenticator.secret, old);
    const without = await half(office);
    assert.equal((await without.send(CODE_PAGE, { recovery: fresh })).status, 401, 'a new set');
    const code = next.authenticator.next();
    const removed = await ada.send(FACTOR_PAGE, { do: 'remove', present: PASSWORD, code });
    assert.equal(removed.status, 303);
    assert.equal(listUsers(access)[0]?.secondFactor, 0);
    assert.equal((await Browser.of(office, ADA).then((each) => each.get('/'))).status, 200);
    assert.equal(listAudit(access, { action: 'user.second_factor_removed' }).length, 1);
  });

  it('is required: who has none can set it up or sign out, also in open sessions', async (test) => {
    const { office, access, ada } = await openHouse(test);
    const ORGANISATION = '/settings/organisation/second-factor';
    const bob = await Browser.of(office, BOB);
    const { text } = await ada.get('/settings/organisation');
    assert.doesNotMatch(text, /value="everyone"/);
    assert.match(
      text,
      /Of 2 users, these have none: [^<]*\. Before you\nrequire one for everyone, <a href="/,
    );
    const early = await ada.send(ORGANISATION, { factor: 'everyone' });
    assert.equal(early.status, 409);
    assert.match(early.text, /Set up your own second factor first\./);
    const { authenticator } = await setUp(office, ada);
    await Browser.of(office, BOB);
    assert.equal((await ada.send(ORGANISATION, { factor: 'everyone' })).status, 303);
    assert.match(
      (await ada.get('/settings/organisation')).text,
      /these have none: member@example\.org/,
    );
    for (const path of ['/', '/transactions', '/account', '/projects', '/help']) {
      assert.equal((await bob.get(path)).location, FACTOR_PAGE, path);
    }
    const form = await bob.send('/account/format', { locale: 'de-DE', keys: 'on' });
    assert.deepEqual([form.status, form.location], [303, FACTOR_PAGE]);
    const code = authenticator.next();
    const removal = await ada.send(FACTOR_PAGE, { do: 'remove', present: PASSWORD, code });
    assert.equal(removal.status, 409);
    await setUp(office, bob);
    assert.equal((await bob.get('/')).status, 200);
    assert.equal(listAudit(access, { action: 'organisation.second_factor_required' }).length, 1);
    const left = new Browser(office);
    await left.send('/sign-in', { email: BOB, password: PASSWORD });
    assert.equal((await bob.send('/sign-out', {})).location, '/sign-in?signed-out=yes');
  });

  it('is removed by an owner, and the user signs in with the password', async (test) => {
    const { office, access, ada } = await openHouse(test);
    const bob = await Browser.of(office, BOB);
    await setUp(office, bob);
    const { text } = await ada.get('/settings/users');
    assert.match(text, /Remove the second factor/);
    const done = await ada.send('/settings/users/second-factor', { id: 'usr_0000000002' });
    assert.equal(done.status, 303);
    assert.equal((await bob.get('/')).location, '/sign-in');
    assert.equal((await (await Browser.of(office, BOB)).get('/')).status, 200);
    const [entry] = listAudit(access, { action: 'user.second_factor_reset' });
    assert.deepEqual([entry?.actor, entry?.subject], ['usr_0000000001', 'usr_0000000002']);
    const own = await ada.send('/settings/users/second-factor', { id: 'usr_0000000001' });
    assert.equal(own.status, 422);
  });
});

describe('16 the password again', () => {
  it('after 15 minutes, for users, keys, plan and backups; typed values stay', async (test) => {
    const { office, access, ada } = await openHouse(test);
    const fields = { email: 'cat@example.org', name: 'Cat <b>', role: 'member' };
    office.clock.nowMs += 15 * MINUTE_MS + 1;
    const asked = await ada.send('/settings/users/new', fields);
    assert.equal(asked.status, 422);
    assert.match(asked.text, /action="\/settings\/users\/new"/);
    assert.match(asked.text, /name="name" value="Cat &lt;b&gt;"/);
    assert.match(asked.text, /type="password"/);
    assert.deepEqual(listAudit(access, { action: 'user.invited' }), []);
    const wrong = await ada.send('/settings/users/new', { ...fields, 'own-password': 'no' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /This is not your password/);
    const done = await ada.send('/settings/users/new', { ...fields, 'own-password': PASSWORD });
    assert.equal(done.status, 303);
    assert.equal(listAudit(access, { action: 'user.invited' }).length, 1);
    // Not asked again for a while.
    const key = { name: 'erp', scope: 'projects:read', ends: 'never' };
    assert.notEqual(
      (await ada.send('/settings/keys/new', key)).text.includes('own-password'),
      true,
    );
    office.clock.nowMs += 15 * MINUTE_MS + 1;
    for (const path of [
      '/settings/keys/new',
      '/settings/keys/revoke',
      '/settings/organisation',
      '/settings/organisation/second-factor',
      '/settings/backups',
      '/settings/users/link',
      '/settings/users/role',
      '/settings/users/sessions',
      '/settings/users/second-factor',
      '/settings/users/remove',
    ]) {
      const { status, text } = await ada.send(path, { id: 'usr_0000000002' });
      assert.deepEqual([status, text.includes('name="own-password"')], [422, true], path);
    }
    const free = await ada.send('/settings/organisation/name', { name: 'New', was: 'Test' });
    assert.equal(free.status, 303);
  });
});
