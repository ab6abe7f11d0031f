import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { FORMS, SESSIONS } from '../../src/core/limits.ts';
import { changeRole, createUser, removeUser, setPassword } from '../../src/operations/users.ts';
import { listSessions } from '../../src/store/sessions.ts';
import { holdHash } from '../cheap-passwords.ts';
import { addUser, Browser, openOffice, PASSWORD } from './office.ts';
import { enterAs } from './walk-pages.ts';

const EMAIL = 'owner@example.org';
const MINUTE_MS = 60_000;

describe('signing in', () => {
  it('leads back to the page that was asked for, with its query', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const browser = new Browser(office);
    const refused = await browser.get('/');
    assert.deepEqual([refused.status, refused.location], [303, '/sign-in']);
    const { status, text } = await browser.get('/sign-in?to=%2F%3Fa%3D1%2B1');
    assert.equal(status, 200);
    assert.match(text, /name="to" value="\/\?a=1\+1"/);
    const entered = await browser.send('/sign-in', {
      email: ' OWNER@example.org ',
      password: PASSWORD,
      to: '/?a=1+1',
    });
    assert.deepEqual([entered.status, entered.location], [303, '/?a=1+1']);
    const home = await browser.get('/');
    assert.equal(home.status, 200);
    assert.match(home.text, /<h1>Three steps to the first report<\/h1>/);
    assert.equal((await browser.get('/sign-in')).location, '/');
  });

  it('hides passwords, lets managers fill them in, and every page has Sign out', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const fields = async (browser: Browser, path: string) => {
      const { text } = await browser.get(path);
      assert.equal(text.includes('action="/sign-out"'), path !== '/sign-in');
      return [...text.matchAll(/<input [^>]*name="(?:present|password)"[^>]*>/g)].map(String);
    };
    const asked = await fields(new Browser(office), '/sign-in');
    const browser = await Browser.of(office, EMAIL);
    const [present, fresh, ...rest] = await fields(browser, '/account');
    assert.deepEqual([asked.length, rest.length], [1, 0]);
    for (const field of [...asked, present]) {
      assert.match(field ?? '', /type="password" autocomplete="current-password"/);
    }
    assert.match(fresh ?? '', /type="password" autocomplete="new-password"/);
    assert.deepEqual(await fields(browser, '/'), []);
  });

  for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', '']) {
    it(`never leads to another host: ${JSON.stringify(to)}`, async (test) => {
      const office = await openOffice(test);
      await addUser(office, 'owner');
      const browser = new Browser(office);
      const { location } = await browser.send('/sign-in', { email: EMAIL, password: PASSWORD, to });
      assert.equal(location, '/');
    });
  }

  it('a wrong password and an unknown email get the same answer, no cookie', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const browser = new Browser(office);
    const pairs = [
      [EMAIL, 'three words to forget'],
      ['nobody@example.org', PASSWORD],
    ] as const;
    const [known, unknown] = await Promise.all(
      pairs.map(([email, password]) => browser.send('/sign-in', { email, password })),
    );
    assert.deepEqual([known?.status, unknown?.status], [401, 401]);
    assert.equal(known?.text, unknown?.text.replace('nobody@example.org', EMAIL));
    assert.match(known?.text ?? '', /<title>Error: Sign in/);
    assert.doesNotMatch(known?.text ?? '', /three words/);
    assert.equal(browser.cookies.size, 0);
  });

  it('begins no session for a browser that has gone, as after a second click', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const body = new URLSearchParams({ email: EMAIL, password: PASSWORD }).toString();
    const socket = connect(Number(new URL(office.url).port), '127.0.0.1');
    const head = ['POST /sign-in HTTP/1.1', 'Host: localhost', 'Sec-Fetch-Site: same-origin'];
    const about = ['Content-Type: application/x-www-form-urlencoded'];
    about.push(`Content-Length: ${body.length}`);
    const { asked, release } = holdHash();
    socket.write([...head, ...about, '', body].join('\r\n'));
    await asked;
    socket.destroy();
    await once(socket, 'close');
    // Once this is answered, the service has seen the other connection close.
    const browser = new Browser(office);
    for (let pages = 0; pages < 2; pages += 1) await browser.get('/sign-in');
    release();
    await Browser.of(office, EMAIL);
    assert.equal(listSessions(office.service.source, 1, office.clock.nowMs).length, 1);
  });

  it('after ten tries of an email, says when to try again', async (test) => {
    let tickMs = 0;
    const office = await openOffice(test, { monotonicMs: () => tickMs });
    await addUser(office, 'owner');
    const browser = new Browser(office);
    for (let tries = 0; tries < 10; tries += 1) {
      const { status } = await browser.send('/sign-in', { email: EMAIL, password: 'wrong' });
      assert.equal(status, 401);
    }
    const right = { email: EMAIL.toUpperCase(), password: PASSWORD };
    const refused = await browser.send('/sign-in', right);
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('retry-after'), '900');
    assert.match(refused.text, /Wait 15 minutes/);
    tickMs += 15 * MINUTE_MS;
    assert.equal((await browser.send('/sign-in', right)).status, 303);
  });
});

describe('a form is as large as its page needs', () => {
  it('16 KiB to sign in, 64 KiB for a name, 2 MiB for a table', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const browser = await Browser.of(office, EMAIL);
    for (const [path, bytes] of [
      ['/sign-in', FORMS.openBytes],
      ['/set-up', FORMS.openBytes],
      ['/account/password', FORMS.openBytes],
      ['/settings/keys/new', FORMS.bytes],
      ['/projects/prj_0000000001/paste', FORMS.budgetBytes],
    ] as const) {
      // A field of a table has at most half of its form.
      const half = 'x'.repeat(bytes / 2 - 3);
      const send = (length: number) => {
        return browser.send(path, { a: half, b: 'x'.repeat(length - half.length - 5) });
      };
      assert.notEqual((await send(bytes)).status, 413, path);
      const refused = await send(bytes + 1);
      assert.equal(refused.status, 413, path);
      const most = bytes < 2 ** 20 ? `${bytes / 2 ** 10} KiB` : `${bytes / 2 ** 20} MiB`;
      assert.match(refused.text, new RegExp(`larger than ${most}`));
    }
  });
});

describe('a form that is sent after its session has ended', () => {
  const sendFrom = async (test: TestContext, path: string, referer?: (url: string) => string) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const browser = new Browser(office);
    const from = referer === undefined ? {} : { referer: referer(office.url) };
    const headers = { 'sec-fetch-site': 'same-origin', ...from };
    const { status, location } = await browser.send(path, { name: 'Typed' }, headers);
    assert.equal(status, 303);
    return { browser, location: location ?? '' };
  };

  it('says that it was not saved, and leads back to its page', async (test) => {
    const page = '/transactions?tab=open&q=a+b';
    const from = (url: string) => `${url}${page}&done=AAAAAAAAAAAAAAAA`;
    const { browser, location } = await sendFrom(test, '/transactions/exclude', from);
    assert.equal(location, `/sign-in?${new URLSearchParams({ to: page, unsaved: 'yes' })}`);
    const said = /The form was not saved: your session had ended/;
    const { text } = await browser.get(location);
    assert.match(text, said);
    assert.doesNotMatch(text, /Typed/);
    const fields = { email: EMAIL, to: page, unsaved: 'yes' };
    const wrong = await browser.send('/sign-in', { ...fields, password: 'wrong' });
    assert.match(wrong.text, said);
    const right = await browser.send('/sign-in', { ...fields, password: PASSWORD });
    assert.equal(right.location, page);
  });

  for (const [what, path, referer, to] of [
    ['no page of its own', '/transactions/exclude', undefined, undefined],
    ['a page at its own path', '/projects/new', undefined, '/projects/new'],
    ['another host', '/undo', () => 'https://evil.example/projects', undefined],
    ['no page', '/undo', (url: string) => `${url}/nowhere`, undefined],
    ['a path that is another host', '/undo', (url: string) => `${url}//evil.example`, undefined],
    ['no address', '/review', () => 'nonsense', '/review'],
    ['Home', '/undo', (url: string) => `${url}/`, undefined],
  ] as const) {
    it(`leads back from ${what}`, async (test) => {
      const { location } = await sendFrom(test, path, referer);
      const fields = { ...(to === undefined ? {} : { to }), unsaved: 'yes' };
      assert.equal(location, `/sign-in?${new URLSearchParams(fields)}`);
    });
  }

  it('is not missed if it was to sign out', async (test) => {
    assert.equal((await sendFrom(test, '/sign-out')).location, '/sign-in');
  });
});

describe('a password that someone else chose', () => {
  it('has to be changed before anything else, to another one', async (test) => {
    const office = await openOffice(test);
    const access = office.service.access(office.org);
    const draft = { email: EMAIL, role: 'owner', password: PASSWORD, mustChange: true } as const;
    await createUser(access, draft, office.service.actor());
    const browser = new Browser(office);
    const signIn = (password: string) => browser.send('/sign-in', { email: EMAIL, password });
    assert.equal((await signIn(PASSWORD)).location, '/set-up');
    assert.equal((await browser.get('/')).location, '/sign-in');
    assert.match((await browser.get('/set-up')).text, /a password that no one else knows/);
    const same = await browser.send('/set-up', { password: PASSWORD });
    assert.equal(same.status, 422);
    assert.match(same.text, /Someone else knows this password/);
    const own = 'four words of my own';
    assert.match((await browser.send('/set-up', { password: own })).location ?? '', /^\/\?done=/);
    assert.equal((await browser.get('/')).status, 200);
    assert.equal((await signIn(own)).location, '/');
    // As with one that an operator sets later.
    await setPassword(
      access,
      { email: EMAIL, password: 'another few words', mustChange: true },
      office.service.actor(),
    );
    assert.equal((await signIn('another few words')).location, '/set-up');
  });
});

describe('the tries to sign in', () => {
  it('are not used up by right passwords', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const right = { email: EMAIL, password: PASSWORD };
    for (let tries = 0; tries < 11; tries += 1) {
      assert.equal((await new Browser(office).send('/sign-in', right)).status, 303);
    }
    const browser = new Browser(office);
    for (let tries = 0; tries < 10; tries += 1) {
      const { status } = await browser.send('/sign-in', { ...right, password: 'wrong' });
      assert.equal(status, 401);
    }
    assert.equal((await browser.send('/sign-in', right)).status, 429);
  });

  it('are counted before a password is checked, however many come at once', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const send = () => new Browser(office).send('/sign-in', { email: EMAIL, password: 'wrong' });
    const answers = await Promise.all(Array.from({ length: 15 }, send));
    assert.equal(answers.filter(({ status }) => status === 429).length, 5);
  });
});

describe('a session', () => {
  it('stays beside another, also after ten that began while the clock was ahead', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const access = office.service.access(office.org);
    const enter = () => enterAs(office, access, EMAIL);
    office.clock.nowMs += 1000 * MINUTE_MS;
    for (let count = 1; count <= SESSIONS.perUser; count += 1) enter();
    office.clock.nowMs -= 1000 * MINUTE_MS;
    const browsers = [enter(), enter()];
    for (const each of browsers) assert.equal((await each.get('/')).status, 200);
  });

  it('has a cookie that no script and no other site gets', async (test) => {
    const office = await openOffice(test, { trustedProxies: ['127.0.0.1', '::1'] });
    await addUser(office, 'owner');
    const browser = new Browser(office);
    const fields = { email: EMAIL, password: PASSWORD };
    const plain = await browser.send('/sign-in', fields);
    const form = /^budgetd=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/;
    assert.match(plain.headers.get('set-cookie') ?? '', form);
    browser.headers['x-forwarded-proto'] = 'https';
    const behindTls = await browser.send('/sign-in', fields);
    assert.match(behindTls.headers.get('set-cookie') ?? '', /^__Host-budgetd=.*; Secure$/);
    const link = await browser.get('/set-up?token=abc');
    const short = '__Host-budgetd-link=abc; Path=/; Max-Age=1800; HttpOnly; SameSite=Lax; Secure';
    assert.equal(link.headers.get('set-cookie'), short);
  });

  it('is new after each sign-in, and does not open the interface', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const browser = await Browser.of(office, EMAIL);
    const first = browser.cookies.get('budgetd');
    await browser.send('/sign-in', { email: EMAIL, password: PASSWORD });
    assert.notEqual(browser.cookies.get('budgetd'), first);
    assert.equal((await browser.get('/api/v1/projects')).status, 401);
  });

  it('a key does not open the console', async (test) => {
    const office = await openOffice(test);
    const { key } = office.service.keys.create(office.org, {
      name: 'erp',
      scopes: ['projects:read'],
    });
    const browser = new Browser(office);
    browser.headers.authorization = `Bearer ${key}`;
    assert.equal((await browser.get('/')).location, '/sign-in');
  });

  for (const [what, end] of Object.entries({
    'signing out': async ({ browser }) => {
      const { location } = await browser.send('/sign-out', {});
      assert.equal(location, '/sign-in?signed-out=yes');
    },
    'signing in again in the same browser': async ({ browser }) => {
      await browser.send('/sign-in', { email: EMAIL, password: PASSWORD });
    },
    'newer sessions of the user': async ({ office }) => {
      const access = office.service.access(office.org);
      for (let count = 1; count <= SESSIONS.perUser; count += 1) {
        office.clock.nowMs += 1;
        enterAs(office, access, EMAIL);
      }
    },
    'a new password': async ({ office }) => {
      const access = office.service.access(office.org);
      const change = { email: EMAIL, password: 'four other words here' };
      await setPassword(access, change, office.service.actor());
    },
    'another role': async ({ office }) => {
      await addUser(office, 'owner', 'second@example.org');
      const access = office.service.access(office.org);
      changeRole(access, { email: EMAIL, role: 'member' }, office.service.actor());
    },
    'the removal of the user': async ({ office }) => {
      await addUser(office, 'owner', 'second@example.org');
      removeUser(office.service.access(office.org), EMAIL, office.service.actor());
    },
    'half an hour without a page': async ({ office }) => {
      office.clock.nowMs += SESSIONS.idleMinutes * MINUTE_MS;
    },
    'half a day': async ({ office, browser }) => {
      for (let minutes = 0; minutes < SESSIONS.hours * 60; minutes += 20) {
        assert.equal((await browser.get('/')).status, 200);
        office.clock.nowMs += 20 * MINUTE_MS;
      }
    },
    'a clock that goes back': async ({ office }) => {
      office.clock.nowMs -= 1;
    },
  } satisfies Record<string, (scene: Scene) => Promise<void>>)) {
    it(`ends with ${what}`, async (test) => {
      const office = await openOffice(test);
      await addUser(office, 'owner');
      const browser = await Browser.of(office, EMAIL);
      const cookies = [...browser.cookies];
      assert.equal((await browser.get('/')).status, 200);
      await end({ office, browser });
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      assert.equal((await browser.get('/')).location, '/sign-in');
    });
  }
});

interface Scene {
  readonly office: Awaited<ReturnType<typeof openOffice>>;
  readonly browser: Browser;
}
