import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OPEN_PAGES, PAGES } from '../../src/console/routes.ts';
import { listPermissions, ROLES } from '../../src/core/users.ts';
import { addUser, Browser, openOffice } from './office.ts';

const FOREIGN = [
  {},
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { origin: 'null' },
  { origin: 'https://evil.example' },
];

/** Every page, the one that ends the session last: signing in takes long. */
const ALL = [{ method: 'GET', path: '/', may: 'read' } as const, ...PAGES]
  .map((page) => ({
    ...page,
    path: page.path.replace('{id}', 'prj_0000000001').replace(/{(?:line|number)}/, 'new'),
  }))
  .sort((one, two) => Number(one.path === '/sign-out') - Number(two.path === '/sign-out'));

describe('the pages of the console', () => {
  it('refuse a form without proof that it is ours', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'owner');
    const browser = await Browser.of(office, 'owner@example.org');
    for (const { method, path } of [...OPEN_PAGES, ...ALL]) {
      if (method !== 'POST') continue;
      for (const headers of FOREIGN) {
        const { status, text } = await browser.send(path, {}, headers);
        assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`);
        assert.match(text, /This form did not come from here/);
      }
      const { status } = await browser.send(path, {}, { origin: office.url });
      assert.notEqual(status, 403, path);
    }
  });

  it('are for whoever has the permission that they need', async (test) => {
    const office = await openOffice(test);
    const visit = (browser: Browser, { method, path }: (typeof ALL)[number]) => {
      return method === 'GET' ? browser.get(path) : browser.send(path, {});
    };
    for (const page of ALL) {
      const stranger = await visit(new Browser(office), page);
      assert.equal(stranger.status, 303, page.path);
      assert.match(stranger.location ?? '', /^\/sign-in/, page.path);
    }
    for (const role of ROLES) {
      await addUser(office, role);
      const browser = await Browser.of(office, `${role}@example.org`);
      for (const page of ALL) {
        const what = `${role}: ${page.method} ${page.path}`;
        const { status, location } = await visit(browser, page);
        assert.equal(status === 403, !listPermissions(role).includes(page.may), what);
        if (page.path !== '/sign-out') assert.notEqual(location, '/sign-in', what);
      }
    }
  });

  it('are a 404 with ways on where nothing is, for a browser', async (test) => {
    const browser = new Browser(await openOffice(test));
    for (const path of ['/x', '/apix', '/setting', '/projects/']) {
      const { status, text } = await browser.get(path);
      assert.equal(status, 404);
      assert.match(text, /<h1>This page does not exist, or is not for you<\/h1>/);
      assert.match(text, /href="\/">Home<[\s\S]*href="\/transactions"[\s\S]*404 · request/);
    }
  });

  it('keep the bar for who is signed in, and say of forms that nothing was saved', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'member');
    const browser = await Browser.of(office, 'member@example.org');
    const missing = ['projects/prj_0000000009', 'transactions?open=txn_0000000009', 'transaktions'];
    for (const path of missing.map((each) => `/${each}`)) {
      const { status, text } = await browser.get(path);
      assert.equal(status, 404);
      assert.match(text, /member@example\.org[\s\S]*This page does not exist[\s\S]*404 · request/);
    }
    const page = await browser.get('/activity');
    assert.equal(page.status, 403);
    assert.match(page.text, /member@example\.org[\s\S]*<p>Only owners and admins of/);
    const form = await browser.send('/settings/keys/new', {});
    assert.match(form.text, /Nothing was saved\. Only owners and admins of/);
    await addUser(office, 'admin');
    const admin = await Browser.of(office, 'admin@example.org');
    assert.equal((await admin.get('/settings')).location, '/settings/keys');
  });

  it('load nothing but their own style and script', async (test) => {
    const office = await openOffice(test);
    const browser = new Browser(office);
    for (const path of ['/sign-in', '/set-up', '/nothing']) {
      const { text, headers } = await browser.get(path);
      const loaded = [
        ...text.matchAll(/(?:src|href)="(?!\/sign-in|\/docs|\/transactions|\/")([^"]*)"/g),
      ];
      for (const [, target] of loaded) assert.match(target ?? '', /^(?:\/console\.|data:|#)/);
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.equal(headers.get('cache-control'), 'no-store');
    }
    for (const path of ['/console.css', '/console.js']) {
      assert.equal((await browser.get(path)).status, 200);
    }
  });
});
