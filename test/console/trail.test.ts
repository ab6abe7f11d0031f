import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { requestJson } from '../../src/cli/log.ts';
import { formatId, readId } from '../../src/core/ids.ts';
import { foldEmail } from '../../src/core/users.ts';
import type { RecordedRequest } from '../../src/index.ts';
import { createSignInLink } from '../../src/operations/links.ts';
import { inviteUser } from '../../src/operations/users.ts';
import type { ServiceOptions } from '../../src/service-options.ts';
import { listUsers } from '../../src/store/users.ts';
import { setUp } from './factors.ts';
import { addUser, Browser, type Office, openOffice, PASSWORD } from './office.ts';

const EMAIL = 'member@example.org';
const TYPED = 'no password of mine';

/** An office with a member, and what its log got. */
async function openWatched(test: TestContext, options: Partial<ServiceOptions> = {}) {
  const seen: RecordedRequest[] = [];
  const onRequest = (request: RecordedRequest) => seen.push(request);
  const office = await openOffice(test, { onRequest, ...options });
  const userId = await addUser(office, 'member');
  return { ...office, seen, userId };
}

/** The entries of sign-ins and refusals, once those that are written after the answer are there. */
async function listTrail({ service, org }: Pick<Office, 'service' | 'org'>) {
  await new Promise(setImmediate);
  return service.audit.list(org).filter(({ action }) => action.startsWith('session.'));
}

const shortOf = ({ userId, refusal, status, clientAddress }: RecordedRequest) => {
  return [status, userId, refusal, clientAddress];
};

describe('the trail', () => {
  it('has sign-ins, wrong passwords, sign-outs and ended sessions, with the user', async (test) => {
    const office = await openWatched(test);
    const { seen, userId } = office;
    const browser = new Browser(office);
    await browser.send('/sign-in', { email: EMAIL, password: TYPED });
    await browser.send('/sign-in', { email: 'Nobody@example.org', password: TYPED });
    const one = await Browser.of(office, EMAIL);
    await Browser.of(office, EMAIL);
    await one.send('/account/sessions', { id: 'others', confirmed: PASSWORD });
    await one.send('/account/password', { present: TYPED, password: 'quite another one 77' });
    await one.send('/sign-out', {});
    const trail = await listTrail(office);
    const from = { changes: [], clientAddress: '127.0.0.1' };
    assert.deepEqual(
      trail.map(({ action, actor, subject, details }) => [action, actor, subject, details]),
      [
        ['session.password_refused', 'console', userId, { ...from, page: '/sign-in' }],
        ['session.started', userId, userId, from],
        ['session.started', userId, userId, from],
        ['session.ended', userId, userId, { ...from, sessions: 1 }],
        ['session.password_refused', 'console', userId, { ...from, page: '/account/password' }],
        ['session.signed_out', userId, userId, from],
      ],
    );
    assert.deepEqual(seen.map(shortOf), [
      [401, userId, 'wrong_password', '127.0.0.1'],
      [401, null, 'wrong_password', '127.0.0.1'],
      [303, userId, null, '127.0.0.1'],
      [303, userId, null, '127.0.0.1'],
      [303, userId, null, '127.0.0.1'],
      [422, userId, 'wrong_password', '127.0.0.1'],
      [303, userId, null, '127.0.0.1'],
    ]);
    const hash = createHash('sha256')
      .update(foldEmail('nobody@example.org'))
      .digest('hex')
      .slice(0, 12);
    assert.deepEqual([seen[0]?.emailHash, seen[1]?.emailHash], [null, hash]);
  });

  it('has who signs in by a link or an invitation, and in which organisation', async (test) => {
    const office = await openWatched(test);
    const { service, org, seen, userId } = office;
    const second = service.organisations.create({ name: 'Second', baseCurrency: 'EUR' });
    const boss = await addUser({ ...office, org: second.id }, 'owner', 'boss@example.org');
    const by = { ...service.actor(), name: boss };
    const invite = (email: string) => {
      return inviteUser(service.access(second.id), { email, role: 'member' }, by);
    };
    const lastLine = (): unknown[] => {
      const { status, userId: who, clientAddress, route } = seen.at(-1) ?? assert.fail();
      return [status, who, clientAddress, route];
    };
    const trailOf = async (id: string) => {
      return (await listTrail({ service, org: id })).map(({ action, actor, details }) => {
        return [action, actor, details['clientAddress']];
      });
    };
    const password = { password: 'four other words here' };
    const fresh = new Browser(office);
    await fresh.get(`/set-up?token=${invite('new@example.org')}`);
    await fresh.send('/set-up', password);
    const isNew = (email: string) => email === 'new@example.org';
    const found = listUsers(service.access(second.id)).find(({ email }) => isNew(email));
    const joined = formatId('usr', found?.id ?? 0);
    assert.deepEqual(lastLine(), [303, joined, '127.0.0.1', '/set-up']);
    const member = await Browser.of(office, EMAIL);
    await member.get(`/set-up?token=${invite(EMAIL)}`);
    await member.send('/set-up', {});
    assert.deepEqual(lastLine(), [303, userId, '127.0.0.1', '/set-up']);
    await member.send('/account/organisation', { organisation: org });
    const access = service.access(org);
    const link = createSignInLink(access, { id: readId('usr', userId) ?? 0 }, service.actor());
    const other = new Browser(office);
    await other.get(`/set-up?token=${link}`);
    await other.send('/set-up', {});
    assert.deepEqual(lastLine(), [303, userId, '127.0.0.1', '/set-up']);
    const started = (who: string) => ['session.started', who, '127.0.0.1'];
    assert.deepEqual(await trailOf(second.id), [started(joined), started(userId)]);
    assert.deepEqual(
      await trailOf(org),
      [1, 2, 3].map(() => started(userId)),
    );
  });

  it('can be read by fail2ban with the filter in the docs', async (test) => {
    const office = await openWatched(test);
    const browser = new Browser(office);
    await browser.send('/sign-in', { email: EMAIL, password: TYPED });
    await browser.send('/sign-in', { email: EMAIL, password: PASSWORD });
    await setUp(office, browser);
    const other = new Browser(office);
    await other.send('/sign-in', { email: EMAIL, password: PASSWORD });
    await other.send('/sign-in/code', { code: '000 000' });
    const docs = readFileSync(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
    const [, filter = ''] = /^failregex = (.+)$/m.exec(docs) ?? [];
    const pattern = new RegExp(filter.replace('<HOST>', '([0-9a-f.:]+)'));
    const found = office.seen.filter((each) => pattern.test(requestJson(each)));
    assert.deepEqual(found.map(shortOf), [
      [401, office.userId, 'wrong_password', '127.0.0.1'],
      [401, office.userId, 'wrong_code', '127.0.0.1'],
    ]);
    for (const { refusal } of found) assert.ok(docs.includes(`\n| \`${refusal}\` |`));
  });

  it('has refused roles and forms of other sites', async (test) => {
    const office = await openWatched(test);
    const { seen, userId } = office;
    const browser = await Browser.of(office, EMAIL);
    assert.equal((await browser.get('/settings/users')).status, 403);
    const foreign = { 'sec-fetch-site': 'cross-site', 'x-forwarded-for': '192.0.2.9' };
    assert.equal((await browser.send('/sign-out', {}, foreign)).status, 403);
    const [, role] = await listTrail(office);
    assert.deepEqual(
      [role?.action, role?.actor, role?.details['page']],
      ['session.role_refused', userId, '/settings/users'],
    );
    assert.deepEqual(seen.slice(1).map(shortOf), [
      [403, userId, 'role', '127.0.0.1'],
      [403, userId, 'other_site', '127.0.0.1'],
    ]);
  });

  it('cannot fill the disk: a locked account and repeated refusals add nothing', async (test) => {
    const office = await openWatched(test);
    const browser = new Browser(office);
    const statuses: number[] = [];
    for (let turn = 0; turn < 13; turn += 1) {
      const { status } = await browser.send('/sign-in', { email: EMAIL, password: TYPED });
      statuses.push(status);
    }
    assert.deepEqual(statuses.slice(9), [401, 429, 429, 429]);
    assert.equal(office.seen.at(-1)?.refusal, 'too_many_tries');
    assert.equal((await listTrail(office)).length, 10);
    await addUser(office, 'admin');
    const admin = await Browser.of(office, 'admin@example.org');
    for (let turn = 0; turn < 13; turn += 1) await admin.get('/settings/users');
    assert.equal((await listTrail(office)).length, 10 + 1 + 10);
  });

  it('has no secret and no typed text, and no address if that is set', async (test) => {
    const office = await openWatched(test, { logAddresses: false });
    const browser = new Browser(office);
    const stray = `${PASSWORD} in the wrong field`;
    await browser.send('/sign-in', { email: stray, password: TYPED });
    await browser.send('/sign-in', { email: EMAIL, password: TYPED });
    await browser.send('/sign-in', { email: 'typed@example.org', password: TYPED });
    const signedIn = await Browser.of(office, EMAIL);
    await signedIn.get(`/settings/users?secret=${encodeURIComponent(TYPED)}`);
    const [token = ''] = signedIn.cookies.values();
    assert.equal(token.length, 43);
    const logged = office.seen.map(({ query: _, path: __, body, ...line }) => {
      assert.equal(body, undefined);
      return line;
    });
    const all = JSON.stringify([logged, await listTrail(office)]);
    for (const secret of [
      PASSWORD,
      TYPED,
      token,
      'typed@',
      EMAIL,
      '127.0.0.1',
      'clientAddress":"',
    ]) {
      assert.ok(!all.includes(secret), secret);
    }
  });

  it('is in the activity for admins, with words', async (test) => {
    const office = await openWatched(test);
    const browser = new Browser(office);
    await browser.send('/sign-in', { email: EMAIL, password: TYPED });
    await browser.send('/sign-in', { email: EMAIL, password: PASSWORD });
    await browser.get('/settings/users');
    await addUser(office, 'admin');
    const admin = await Browser.of(office, 'admin@example.org');
    const { text } = await admin.get('/activity?kind=sessions');
    const words = text.replace(/<[^>]*>/g, '');
    assert.match(
      words,
      /Refused a wrong password or code: member@example\.org: \/sign-in, from 127\.0\.0\.1/,
    );
    assert.match(words, /Asked for a page that the role does not allow: \/settings\/users, from/);
    assert.match(words, /Signed in, from 127\.0\.0\.1/);
    assert.doesNotMatch((await admin.get('/activity?kind=backups')).text, /Signed in/);
  });
});
