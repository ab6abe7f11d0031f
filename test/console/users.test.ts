import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { changeRole, listUsers } from '../../src/operations/users.ts';
import { addUser, Browser, markOf, type Office, openOffice, PASSWORD } from './office.ts';

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

const DRAFT = { email: 'ada@example.org', name: 'Ada <b>King</b>', role: 'admin', start: 'link' };

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
    assert.match(list.text, /<bdi>Ada &lt;b&gt;King&lt;\/b&gt;<\/bdi>/);
    const token = new URL(link).searchParams.get('token') ?? '';
    const ada = new Browser(office);
    const entered = await ada.send('/set-up', { token, password: PASSWORD });
    assert.equal(entered.status, 303);
    assert.equal((await ada.get('/settings/keys')).status, 200);
    assert.equal((await ada.get('/settings/users')).status, 403);
    assert.equal((await new Browser(office).get(`/set-up?token=${token}`)).status, 404);
  });

  it('adds a user with a password', async (test) => {
    const { office, browser } = await enter(test);
    const draft = { ...DRAFT, start: 'password', password: PASSWORD };
    const answer = await browser.send('/settings/users/new', draft);
    const { text } = await browser.get(answer.location ?? '');
    assert.match(
      text,
      /role="status"[^>]*><p><b><bdi>ada@example\.org<\/bdi><\/b> is now a user here/,
    );
    await Browser.of(office, 'ada@example.org');
  });

  it('keeps what was typed beside what is wrong with it, but no password', async (test) => {
    const { office, browser } = await enter(test);
    for (const [change, fault] of [
      [{ email: '' }, /href="#email">The e-mail address cannot be blank/],
      [{ email: '<i>' }, /href="#email">&quot;&lt;i&gt;&quot; is not an e-mail address/],
      [{ email: OWNER.toUpperCase() }, /href="#email">owner@example\.org is already a user here/],
      [{ role: 'king' }, /href="#role">Choose a role/],
      [{ start: '' }, /href="#start">Choose how/],
      [{ start: 'password', password: 'Password1!' }, /href="#password">The password is too easy/],
    ] as const) {
      const { status, text } = await browser.send('/settings/users/new', { ...DRAFT, ...change });
      assert.equal(status, 422);
      assert.match(text, fault);
      assert.match(text, /value="Ada &lt;b&gt;King&lt;\/b&gt;"/);
      assert.doesNotMatch(text, /Password1!/);
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
      /Somebody else changed member@example\.org meanwhile, who is now owner/,
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
    const opened = await new Browser(office).get(link.slice(office.url.length));
    assert.match(opened.text, /For member@example\.org/);
  });

  it("neither finds nor takes over another organisation's users", async (test) => {
    const { office, browser } = await enter(test);
    const { service } = office;
    const { id: other } = service.organisations.create({ name: 'B', baseCurrency: 'GBP' });
    const foreign = await addUser({ ...office, org: other }, 'owner', 'foreign@example.org');
    for (const id of [foreign, 'usr_9999999999', 'nonsense', '']) {
      for (const act of ['role', 'remove', 'link']) {
        const fields = { id, was: 'owner', [`role-${id}`]: 'member' };
        const { status } = await browser.send(`/settings/users/${act}`, fields);
        assert.equal(status, 404, `${act} ${id}`);
      }
    }
    const added = await browser.send('/settings/users/new', {
      ...DRAFT,
      email: 'foreign@example.org',
    });
    const { text } = await browser.get(added.location ?? '');
    assert.match(text, /signs\s+in with the password that they already have/);
    assert.doesNotMatch(text, LINK);
    const link = await browser.send('/settings/users/link', { id: foreign });
    assert.equal(link.status, 422);
    assert.match(link.text, /also belongs to an organisation that you do not own/);
  });
});
