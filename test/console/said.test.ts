/** Every form that leads to a page leads to one that says what was done, however often it loads. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { OPEN_PAGES, PAGES } from '../../src/console/routes.ts';
import { formatId } from '../../src/core/ids.ts';
import { createKey } from '../../src/operations/keys.ts';
import { codeAt } from '../../src/operations/one-time-codes.ts';
import { setUpSecondFactor } from '../../src/operations/second-factors.ts';
import { createResetLink, inviteUser } from '../../src/operations/users.ts';
import { findSession } from '../../src/store/sessions.ts';
import { addUser as storeUser } from '../../src/store/users.ts';
import { folderFor } from '../store/workshop.ts';
import { fieldsOf, openDesk, textOf } from './desk.ts';
import { NO_PASSWORD } from './furnish.ts';
import { addUser, Browser, openOffice, PASSWORD, type Shown } from './office.ts';
import { DOING, useForms } from './walk-forms.ts';
import { enterAs } from './walk-pages.ts';

/** Pages that show a key or a link. */
const SECRET = /^\/settings\/(keys\/made|users\/link)\?/;
const OWNER = 'owner@example.org';
const CSV = 'Date,Reference,Details,Money out\n2026-01-09,T1,Rent,1200.50\n';

/** An owner of one of two organisations. */
async function openWorld(test: TestContext) {
  const desk = await openDesk(test, 'owner');
  const { service } = desk;
  const { id } = service.organisations.create({ name: 'Second', baseCurrency: 'GBP' });
  return { ...desk, test, second: service.access(id) };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/** An owner in a file with backups. */
function openFile(test: TestContext) {
  const home = folderFor(test);
  const backups = { folder: join(home, 'backups'), at: '02:00', keep: 3 };
  const options = { database: join(home, 'a.db'), create: true, exclusive: true, backups };
  return openDesk(test, 'owner', options);
}

/** A browser that has opened a one-time link. */
async function openLink(office: World, token: string): Promise<Browser> {
  const browser = new Browser(office);
  await browser.get(`/set-up?token=${token}`);
  return browser;
}

/** Another owner, signed in, who has a second factor, and the next code of it. */
async function armed(world: World, email: string) {
  const id = await addUser(world, 'owner', email);
  const browser = await Browser.of(world, email);
  const session = findSession(
    world.service.source,
    browser.cookies.get('budgetd') ?? '',
    world.clock.nowMs,
  );
  const secret = Buffer.from('12345678901234567890');
  const code = () => {
    world.clock.nowMs += 30_000;
    return codeAt(secret, Math.floor(world.clock.nowMs / 30_000));
  };
  assert.ok(session !== undefined);
  setUpSecondFactor(session, { secret, code: code() }, world.service.actor());
  return { id, browser, code };
}

/** A form, the browser that sends it, and what is said then. */
type Case = readonly [sent: Promise<Shown>, browser: Browser, says: RegExp];

/** The forms that the walk through the pages does not send, in an order in which all can be. */
const OTHERS: Readonly<Record<string, (world: World) => Promise<readonly Case[]>>> = {
  'POST /sign-in': async (world) => {
    const browser = new Browser(world);
    const typed = { email: OWNER, password: PASSWORD };
    return [[browser.send('/sign-in', typed), browser, /owner@example\.org/]];
  },
  'POST /sign-out': async (world) => {
    const browser = enterAs(world, world.access, OWNER);
    return [[browser.send('/sign-out', {}), browser, /Sign in You are signed out\./]];
  },
  'POST /settings/users/role': async (world) => {
    const { browser, access } = world;
    const id = await addUser(world, 'member');
    const other = await addUser(world, 'owner', 'other@example.org');
    const own = enterAs(world, access, 'other@example.org');
    const send = (from: Browser, user: string, was: string) => {
      return from.send('/settings/users/role', { id: user, was, [`role-${user}`]: 'admin' });
    };
    return [
      [send(browser, id, 'member'), browser, /member@example\.org is now admin\./],
      [send(own, other, 'owner'), own, /You are signed out\./],
    ];
  },
  'POST /settings/users/link': async (world) => {
    const { browser } = world;
    const id = await addUser(world, 'member', 'forgot@example.org');
    const { location } = await browser.send('/settings/users/link', { id });
    const said = await browser.get(location ?? '');
    return [[Promise.resolve(said), browser, /Link for forgot@example\.org/]];
  },
  'POST /settings/users/sessions': async (world) => {
    const { browser } = world;
    const id = await addUser(world, 'member', 'signed-in@example.org');
    const sent = browser.send('/settings/users/sessions', { id });
    return [[sent, browser, /signed-in@example\.org has to sign in again/]];
  },
  'POST /set-up': async (world) => {
    const { access, second, service } = world;
    const boss = { email: 'boss@example.org', name: null, role: 'owner' } as const;
    const actor = service.actor();
    const { user } = storeUser(second, { ...boss, password: NO_PASSWORD }, actor);
    const by = (id: number) => ({ ...actor, name: formatId('usr', id) });
    const draft = { email: 'new@example.org', role: 'member' } as const;
    const reset = await openLink(world, createResetLink(access, 'member@example.org', actor));
    const invited = await openLink(world, inviteUser(access, draft, by(1)));
    const token = inviteUser(second, { ...draft, email: OWNER }, by(user.id));
    const joining = enterAs(world, access, OWNER);
    await joining.get(`/set-up?token=${token}`);
    const password = { password: 'four other words here' };
    return [
      [reset.send('/set-up', password), reset, /Your new password is set, and you are signed in\./],
      [invited.send('/set-up', password), invited, /You have joined Test\./],
      [joining.send('/set-up', {}), joining, /Second .*You have joined Second\./],
    ];
  },
  'POST /account/organisation': async ({ browser, second }) => {
    const organisation = formatId('org', second.organisation.id);
    const go = (id: string) => browser.send('/account/organisation', { organisation: id });
    return [[go(organisation), browser, /You are in Second now\./]];
  },
  'POST /sign-in/code': async (world) => {
    const { code } = await armed(world, 'armed@example.org');
    const browser = new Browser(world);
    await browser.send('/sign-in', { email: 'armed@example.org', password: PASSWORD });
    return [[browser.send('/sign-in/code', { code: code() }), browser, /armed@example\.org/]];
  },
  'POST /account/second-factor': async (world) => {
    const { browser, code } = await armed(world, 'renewing@example.org');
    const typed = { do: 'other', present: PASSWORD, code: code() };
    return [
      [browser.send('/account/second-factor', typed), browser, /Your present authenticator works/],
    ];
  },
  'POST /settings/users/remove': async ({ browser, access }) => {
    const organisation = formatId('org', access.organisation.id);
    await browser.send('/account/organisation', { organisation });
    const { text } = await browser.get('/settings/users');
    const [, id = ''] = /member@example\.org[\s\S]*?name="id" value="(\w+)"/.exec(text) ?? [];
    const sent = browser.send('/settings/users/remove', { id });
    return [[sent, browser, /member@example\.org is no longer a user here\./]];
  },
  'POST /settings/users/second-factor': async (world) => {
    const { id } = await armed(world, 'lost@example.org');
    const sent = world.browser.send('/settings/users/second-factor', { id });
    return [[sent, world.browser, /lost@example\.org signs in with the password alone\./]];
  },
  'POST /projects/{id}/paste': async ({ browser }) => {
    const path = '/projects/prj_0000000001/paste';
    const { text } = await browser.get(path);
    const table = `Line,Category\nRent,Rooms\n`.replaceAll(',', '\t');
    const look = await browser.send(path, { ...fieldsOf(text, path), table });
    const sent = browser.send(path, { ...fieldsOf(look.text, path), table, do: 'save' });
    return [[sent, browser, /The table is saved: 1 line\./]];
  },
  'POST /import': async ({ browser }) => {
    const sent = browser.upload('a.csv', CSV);
    return [[sent, browser, /a\.csv .*Nothing is stored yet/]];
  },
  'POST /import/{id}': async ({ browser }) => {
    const { location } = await browser.upload('a.csv', CSV);
    return [[browser.send(location ?? '', {}), browser, /1 transaction imported/]];
  },
  'POST /account/sessions': async ({ browser }) => {
    const sent = browser.send('/account/sessions', { id: 'others', confirmed: PASSWORD });
    return [[sent, browser, /Other sessions that have ended: [1-9]/]];
  },
  'POST /account/password': async ({ browser }) => {
    const typed = { present: PASSWORD, password: 'four other words here' };
    return [[browser.send('/account/password', typed), browser, /Your password is changed\./]];
  },
  'POST /settings/keys/test': async ({ browser, access, service }) => {
    const { key } = createKey(access, { name: 'K', scopes: ['projects:read'] }, service.actor());
    const sent = browser.send('/settings/keys/test', { key });
    return [[sent, browser, /The service accepts requests with the key K\./]];
  },
  'POST /settings/backups': async ({ test }) => {
    const { browser } = await openFile(test);
    return [[browser.send('/settings/backups', {}), browser, /A backup (?:was|is being) made/]];
  },
  'POST /settings/backups/download': async ({ test }) => {
    const { browser } = await openFile(test);
    await browser.send('/settings/backups', {});
    const { text } = await browser.get('/settings/backups');
    const [, file = ''] = /download\?file=([^"]+)"/.exec(text) ?? [];
    const typed = { file: decodeURIComponent(file), password: PASSWORD };
    // The answer is the file itself.
    const sent = browser.send('/settings/backups/download', typed);
    return [[sent, browser, /^SQLite format 3/]];
  },
};

describe('the page after a form', () => {
  it('says what was done, and says it again', async (test) => {
    const office = await openOffice(test);
    const said = new Map<string, string>();
    await useForms(office, async ({ route, action, fields }, browser) => {
      // Signing out would end the walk.
      if (!fields.some(([name]) => name === 'form')) return;
      const { status, location } = await browser.send(action, fields);
      if (status !== 303 || location?.includes('done=') !== true) return;
      const load = async () => {
        const { text } = await browser.get(location);
        return /<div class="flash" role="status" tabindex="-1"><p>([\s\S]+?)<\/p>/.exec(text)?.[1];
      };
      const first = await load();
      // A page that shows a secret says whose it is instead, and shows it once.
      if (SECRET.test(location)) return;
      assert.ok(first !== undefined, `${route} says nothing`);
      assert.equal(await load(), first, route);
      said.set(route, first);
    });
    const silent = ['POST /settings/keys/new', 'POST /settings/users/new'];
    assert.deepEqual([...said.keys(), ...silent].sort(), DOING);
  });

  it('says it after the forms that need more, and no form is without a case', async (test) => {
    const world = await openWorld(test);
    for (const [route, prepare] of Object.entries(OTHERS)) {
      for (const [sent, browser, says] of await prepare(world)) {
        const { status, location, text } = await sent;
        if (status !== 303) assert.match(textOf(text), says, route);
        for (const _ of status === 303 ? ['once', 'again'] : []) {
          assert.match(textOf((await browser.get(location ?? '')).text), says, route);
        }
      }
    }
    const posts = [...OPEN_PAGES, ...PAGES].filter(({ method }) => method === 'POST');
    const routes = posts.map(({ method, path }) => `${method} ${path}`);
    assert.deepEqual([...DOING, ...Object.keys(OTHERS)].sort(), routes.sort());
  });
});
