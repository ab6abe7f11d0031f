import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { openLink } from '../../src/operations/links.ts';
import { changeRole, createResetLink, createUser } from '../../src/operations/users.ts';
import { listUsers } from '../../src/store/users.ts';
import { textOf } from './desk.ts';
import {
  addUser,
  Browser,
  markOf,
  type Office,
  openOffice,
  PASSWORD,
  type Shown,
} from './office.ts';

const OWNER = 'owner@example.org';
const LINK = /http:\/\/[^<\s]*\/set-up\?token=[\w-]{43}/;

async function enter(
  test: TestContext,
): Promise<{ office: Office; browser: Browser; ownerId: string }> {
  const office = await openOffice(test);
  const ownerId = await addUser(office, 'owner');
  return { office, browser: await Browser.of(office, OWNER), ownerId };
}

function rolesOf({ service, org }: Office): Record<string, string> {
  const users = listUsers(service.access(org));
  return Object.fromEntries(users.map(({ email, role }) => [email, role]));
}

const DRAFT = { email: 'ada@example.org', name: 'Ada <b>King</b>', role: 'admin' };

describe('the page of the users', () => {
  it('adds a user with a link, shown once, with which they set their password', async (test) => {
    const { office, browser } = await enter(test);
    const form = markOf((await browser.get('/settings/users/new')).text);
    const [one, two] = await Promise.all(
      [1, 2].map(() => browser.send('/settings/users/new', { ...DRAFT, form })),
    );
    assert.deepEqual([one?.status, two?.location], [303, one?.location]);
    const page = await browser.get(one?.location ?? '');
    assert.equal(page.status, 200);
    const [link = ''] = LINK.exec(page.text) ?? [];
    assert.ok(link.startsWith(office.url));
    assert.equal((await browser.get(one?.location ?? '')).status, 404);
    const list = await browser.get('/settings/users');
    assert.doesNotMatch(list.text, LINK);
    assert.doesNotMatch(list.text, /King/);
    assert.match(textOf(list.text), /Link works until Change ada@example\.org Admin 3 Feb 2026/);
    const ada = new Browser(office);
    const opened = await ada.get(link.slice(office.url.length));
    // The token leaves the address at once.
    assert.deepEqual([opened.status, opened.location], [303, '/set-up']);
    assert.match((await ada.get('/set-up')).text, /<h1>Join Test<\/h1>/);
    const entered = await ada.send('/set-up', { password: PASSWORD });
    assert.match(`${entered.status} ${entered.location}`, /^303 \/\?done=/);
    assert.equal((await ada.get('/settings/keys')).status, 200);
    assert.equal((await ada.get('/settings/users')).status, 403);
    assert.match(
      (await browser.get('/settings/users')).text,
      /<bdi>Ada &lt;b&gt;King&lt;\/b&gt;<\/bdi>/,
    );
    assert.doesNotMatch((await browser.get('/settings/users')).text, /Link works until/);
    const late = new Browser(office);
    await late.get(link.slice(office.url.length));
    assert.equal((await late.get('/set-up')).status, 404);
  });

  it('withdraws an invitation, whose link then does nothing', async (test) => {
    const { office, browser } = await enter(test);
    const invited = await browser.send('/settings/users/new', DRAFT);
    const { text } = await browser.get(invited.location ?? '');
    const [link = ''] = LINK.exec(text) ?? [];
    const guest = new Browser(office);
    await guest.get(link.slice(office.url.length));
    const { text: list } = await browser.get('/settings/users');
    assert.match(list, /name="invited" value="ada@example\.org"/);
    const withdrawal = { invited: 'ADA@example.org' };
    const done = await browser.send('/settings/users/remove', withdrawal);
    const { text: said } = await browser.get(done.location ?? '');
    assert.match(textOf(said), /The invitation of ADA@example\.org was withdrawn\./);
    assert.doesNotMatch(textOf(said), /Link works until/);
    assert.equal((await guest.send('/set-up', { password: PASSWORD })).status, 404);
    assert.equal((await browser.send('/settings/users/remove', withdrawal)).status, 404);
    const log = textOf((await browser.get('/activity')).text);
    assert.match(log, /Withdrew an invitation: ada@example\.org, as admin/);
  });

  it('gives a known address nothing before its user, signed in, accepts', async (test) => {
    const { office, browser } = await enter(test);
    const { service } = office;
    const theirs = service.access(
      service.organisations.create({ name: 'Well', baseCurrency: 'GBP' }).id,
    );
    const known = { email: 'known@example.org', role: 'owner', password: PASSWORD } as const;
    await createUser(theirs, known, service.actor());
    const reset = createResetLink(theirs, known.email, service.actor());
    const shown = new Map<string, string>();
    const links = new Map<string, string>();
    for (const email of [known.email, 'fresh@example.org']) {
      const sent = await browser.send('/settings/users/new', { ...DRAFT, email });
      const { text } = await browser.get(sent.location ?? '');
      const [link = ''] = LINK.exec(text) ?? [];
      links.set(email, link.slice(office.url.length));
      shown.set(
        email,
        text
          .replaceAll(link, '')
          .replaceAll(email, '')
          .replaceAll(/value="[\w-]+"/g, ''),
      );
    }
    assert.equal(shown.get(known.email), shown.get('fresh@example.org'));
    // Whoever has the link but not the password gets nothing, and sees what a new user would.
    const thief = new Browser(office);
    await thief.get(links.get(known.email) ?? '');
    const page = await thief.get('/set-up');
    assert.match(page.text, /name="password"/);
    const tried = await thief.send('/set-up', { password: 'four other words here' });
    assert.equal(tried.location, '/sign-in?to=%2Fset-up');
    assert.equal((await thief.get('/')).location, '/sign-in');
    // Nor does whoever invites, who is signed in as someone else.
    await browser.get(links.get(known.email) ?? '');
    assert.match((await browser.get('/set-up')).text, /You are signed in as/);
    assert.equal((await browser.send('/set-up', {})).status, 404);
    assert.deepEqual(rolesOf(office), { [OWNER]: 'owner' });
    // The user signs in on the way, and accepts.
    const user = new Browser(office);
    await user.get(links.get(known.email) ?? '');
    const to = '/set-up';
    const signedIn = await user.send('/sign-in', { email: known.email, password: PASSWORD, to });
    assert.equal(signedIn.location, to);
    assert.match((await user.get(to)).text, /in <b><bdi>Well<[\s\S]*Join\s+<bdi>Test</);
    assert.match((await user.send(to, {})).location ?? '', /^\/\?done=/);
    assert.deepEqual(rolesOf(office), { [OWNER]: 'owner', [known.email]: 'admin' });
    assert.equal((await user.get('/settings/keys')).status, 200);
    // A link for a password that an owner elsewhere made before does not lead in.
    assert.throws(() => openLink(theirs, reset, service.actor()));
  });

  it('is the same, byte for byte, whether the invited address is known or not', async (test) => {
    const seen = await Promise.all(
      ['known@example.org', 'fresh@example.org'].map(async (email) => {
        const { office, browser } = await enter(test);
        const { service } = office;
        const theirs = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
        await addUser({ ...office, org: theirs.id }, 'owner', 'known@example.org');
        const { nowMs } = office.clock;
        const shown: unknown[] = [];
        const show = async (request: Promise<Shown>) => {
          const { status, location, headers, text } = await request;
          shown.push([status, location, [...headers].filter(([name]) => name !== 'date'), text]);
          return { location: location ?? '', text };
        };
        // Twice: the second invitation ends the first.
        for (const typed of [email, email.toUpperCase()]) {
          const sent = await show(browser.send('/settings/users/new', { ...DRAFT, email: typed }));
          const page = await show(browser.get(sent.location));
          await show(browser.get(sent.location));
          for (const path of ['', '/new', '/link']) {
            await show(browser.get(`/settings/users${path}`));
          }
          await show(browser.get('/activity'));
          await show(browser.get('/'));
          // As the owner, who opens the link, sees it.
          await show(browser.get((LINK.exec(page.text)?.[0] ?? '').slice(office.url.length)));
          await show(browser.get('/set-up'));
        }
        assert.equal(office.clock.nowMs, nowMs);
        shown.push(service.audit.list(office.org));
        return JSON.stringify(shown)
          .replaceAll(new RegExp(email, 'gi'), 'EMAIL')
          .replaceAll(office.url, 'URL')
          .replaceAll(/token=[\w-]{43}|budgetd-link=[\w-]{43}/g, 'TOKEN')
          .replaceAll(/(done=|\\"form\\" value=\\")[\w-]{16}/g, 'MARK')
          .replaceAll(/req_[\w-]+/g, 'REQUEST');
      }),
    );
    assert.equal(seen[0], seen[1]);
  });

  it('makes links to the service, whatever the Host of the form says', async (test) => {
    const { office, browser } = await enter(test);
    const id = await addUser(office, 'member');
    for (const [path, fields] of [
      ['/settings/users/new', DRAFT],
      ['/settings/users/link', { id }],
    ] as const) {
      const headers = { host: 'evil.test', 'sec-fetch-site': 'same-origin' };
      const { location } = await browser.send(path, fields, headers);
      const [link = ''] = LINK.exec((await browser.get(location ?? '')).text) ?? [];
      assert.ok(link.startsWith(`${office.url}/set-up?token=`), link);
    }
  });

  it('keeps what was typed beside what is wrong with it', async (test) => {
    const { office, browser } = await enter(test);
    const taken = { email: OWNER.toUpperCase() };
    for (const [change, fault] of [
      [{ email: '' }, /href="#email">The email address cannot be blank/],
      [{ email: '<i>' }, /href="#email">&quot;&lt;i&gt;&quot; is not an email address/],
      [taken, /href="#email">owner@example\.org is already a user here/],
      [{ email: 'ad\u0430@x.org' }, /href="#email">&quot;ad\u0430&quot; in .* mixes Latin/],
      [{ role: 'king' }, /href="#role">Choose a role/],
    ] as const) {
      const { status, text } = await browser.send('/settings/users/new', { ...DRAFT, ...change });
      assert.equal(status, change === taken ? 409 : 422);
      assert.match(text, fault);
      assert.match(text, /value="Ada &lt;b&gt;King&lt;\/b&gt;"/);
    }
    assert.deepEqual(rolesOf(office), { [OWNER]: 'owner' });
  });

  it('changes a role, and refuses what was chosen for another one', async (test) => {
    const { office, browser } = await enter(test);
    const id = await addUser(office, 'member');
    const change = { id, was: 'member', [`role-${id}`]: 'admin' };
    const answer = await browser.send('/settings/users/role', change);
    const { text } = await browser.get(answer.location ?? '');
    assert.match(text, /<bdi>member@example\.org<\/bdi><\/b> is now admin/);
    assert.equal((await browser.send('/settings/users/role', change)).status, 303);
    const access = office.service.access(office.org);
    const other = { email: 'member@example.org', role: 'owner' } as const;
    changeRole(access, other, office.service.actor());
    const stale = await browser.send('/settings/users/role', { ...change, was: 'member' });
    assert.equal(stale.status, 409);
    assert.match(
      stale.text,
      /Someone else has just changed the role of member@example\.org to owner/,
    );
    const wrong = { id, was: 'owner', [`role-${id}`]: 'king' };
    assert.equal((await browser.send('/settings/users/role', wrong)).status, 422);
    assert.equal(rolesOf(office)['member@example.org'], 'owner');
  });

  it('leaves one owner when two demote each other at once', async (test) => {
    const { office, browser, ownerId } = await enter(test);
    const secondId = await addUser(office, 'owner', 'second@example.org');
    const second = await Browser.of(office, 'second@example.org');
    await Promise.all([
      browser.send('/settings/users/role', {
        id: secondId,
        was: 'owner',
        [`role-${secondId}`]: 'member',
      }),
      second.send('/settings/users/remove', { id: ownerId }),
    ]);
    const owners = Object.values(rolesOf(office)).filter((role) => role === 'owner');
    assert.equal(owners.length, 1);
  });

  it('neither removes nor demotes the last owner', async (test) => {
    const { office, browser, ownerId: id } = await enter(test);
    assert.match((await browser.get('/settings/users')).text, /The only owner/);
    for (const [path, fields] of [
      ['/settings/users/remove', { id }],
      ['/settings/users/role', { id, was: 'owner', [`role-${id}`]: 'member' }],
    ] as const) {
      const { status, text } = await browser.send(path, fields);
      assert.equal(status, 422);
      assert.match(text, new RegExp(`href="#${id}">owner@example.org is the only owner`));
    }
    assert.deepEqual(rolesOf(office), { [OWNER]: 'owner' });
  });

  it('ends the sessions of a user here, who cannot come back from elsewhere', async (test) => {
    const { office, browser } = await enter(test);
    const { service, clock } = office;
    const id = await addUser(office, 'member');
    const elsewhere = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
    await addUser({ ...office, org: elsewhere.id }, 'member');
    const [here, there] = [
      await Browser.of(office, 'member@example.org'),
      await Browser.of(office, 'member@example.org'),
    ];
    const go = (each: Browser, to: string) => {
      return each.send('/account/organisation', { organisation: to });
    };
    await go(there, elsewhere.id);
    clock.nowMs += 1000;
    const form = markOf((await browser.get('/settings/users')).text);
    const end = () => browser.send('/settings/users/sessions', { id, form });
    const [one, two] = await Promise.all([end(), end()]);
    assert.equal(one.location, two.location);
    const { text } = await browser.get(one.location ?? '');
    assert.match(text, /member@example\.org<\/bdi><\/b> has to sign in again[^:]*ended:\s+1\./);
    assert.equal((await here.get('/')).location, '/sign-in');
    // The owner neither ends nor learns of sessions in other organisations.
    assert.equal((await there.get('/')).status, 200);
    const back = await go(there, office.org);
    assert.deepEqual([back.status, /has ended your sessions/.test(back.text)], [403, true]);
    const again = await Browser.of(office, 'member@example.org');
    assert.equal((await go(again, office.org)).status, 303);
    assert.equal(rolesOf(office)['member@example.org'], 'member');
    const logged = service.audit.list(office.org);
    const ended = logged.filter(({ action }) => action === 'user.sessions_ended');
    assert.deepEqual(
      ended.map(({ subject, details }) => [subject, details['sessions']]),
      [[id, 1]],
    );
    const activity = await browser.get('/activity');
    assert.match(activity.text, /Ended the sessions of a user: <bdi>member@example/);
  });

  it('removes a user once, whose session ends', async (test) => {
    const { office, browser } = await enter(test);
    const id = await addUser(office, 'member');
    const member = await Browser.of(office, 'member@example.org');
    const form = markOf((await browser.get('/settings/users')).text);
    const [one, two] = await Promise.all(
      [1, 2].map(() => browser.send('/settings/users/remove', { id, form })),
    );
    assert.deepEqual([one?.status, two?.status], [303, 303]);
    assert.match((await browser.get(one?.location ?? '')).text, /is no longer a user here/);
    assert.equal((await member.get('/')).location, '/sign-in');
    assert.equal((await browser.send('/settings/users/remove', { id })).status, 404);
  });

  it('makes a link for a new password', async (test) => {
    const { office, browser } = await enter(test);
    const id = await addUser(office, 'member');
    const answer = await browser.send('/settings/users/link', { id });
    const { text } = await browser.get(answer.location ?? '');
    const [link = ''] = LINK.exec(text) ?? [];
    const other = new Browser(office);
    await other.get(link.slice(office.url.length));
    assert.match((await other.get('/set-up')).text, /For member@example\.org/);
  });

  it('makes no link for whoever asks, who would need no present password with it', async (test) => {
    const { office, browser } = await enter(test);
    const { text } = await browser.get('/settings/users');
    assert.doesNotMatch(text, /Make a link for a new password/);
    const [id = ''] = /usr_\d+/.exec(text) ?? [];
    const refused = await browser.send('/settings/users/link', { id });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /Your own password is changed under &quot;Your account&quot;/);
    const { source } = office.service;
    assert.equal(source.db.prepare('select count(*) from one_time_links').pluck().get(), 0);
  });

  it("neither finds nor takes over another organisation's users", async (test) => {
    const { office, browser } = await enter(test);
    const { service } = office;
    const { id: other } = service.organisations.create({ name: 'B', baseCurrency: 'GBP' });
    const foreign = await addUser({ ...office, org: other }, 'owner', 'foreign@example.org');
    for (const id of [foreign, 'usr_9999999999', 'nonsense', '']) {
      for (const act of ['role', 'remove', 'link', 'sessions']) {
        const fields = { id, was: 'owner', [`role-${id}`]: 'member' };
        const { status } = await browser.send(`/settings/users/${act}`, fields);
        assert.equal(status, 404, `${act} ${id}`);
      }
    }
    await addUser(office, 'member', 'foreign@example.org');
    const { text } = await browser.get('/settings/users');
    const [menu = ''] = /id="usr_0000000002"[\s\S]*?<\/tr>/.exec(text) ?? [];
    assert.match(textOf(menu), /also belongs to an organisation that you do not own/);
    assert.doesNotMatch(menu, /new password<\/button>/);
    assert.match(menu, /End the sessions/);
    const link = await browser.send('/settings/users/link', { id: foreign });
    assert.equal(link.status, 422);
    assert.match(link.text, /also belongs to an organisation that you do not own/);
  });
});
