import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { textOf } from './desk.ts';
import { addUser, Browser, markOf, type Office, openOffice, type Shown } from './office.ts';

const KEY = /bdg_live_[0-9a-f]{48}/;
const NAME = `"><script>alert(1)</script> \u202e 'O\u0301 Åå`;
const SHOWN_NAME = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; \u202e &#39;O\u0301 Åå';

async function enter(test: TestContext): Promise<{ office: Office; browser: Browser }> {
  const office = await openOffice(test);
  await addUser(office, 'admin');
  return { office, browser: await Browser.of(office, 'admin@example.org') };
}

const DRAFT = { name: 'ledger export', scopes: 'transactions:write', expires: 'never' };

/** Makes a key. Returns its page, which is shown once. */
async function make(browser: Browser, change: object = {}): Promise<Shown> {
  const { status, location } = await browser.send('/settings/keys/new', { ...DRAFT, ...change });
  assert.equal(status, 303);
  return browser.get(location ?? '');
}

function push({ url }: Office, key: string): Promise<Response> {
  return fetch(`${url}/api/v1/transactions?dryRun=true`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      rows: [{ externalId: '1', date: '2026-01-31', description: 'Rent', amount: 1 }],
    }),
  });
}

describe('the page of the keys', () => {
  it('makes a key that works, and shows it only once', async (test) => {
    const { office, browser } = await enter(test);
    const answer = await browser.send('/settings/keys/new', DRAFT);
    assert.doesNotMatch(answer.location ?? '', KEY);
    const other = await Browser.of(office, 'admin@example.org');
    assert.equal((await other.get(answer.location ?? '')).status, 404);
    const made = await browser.get(answer.location ?? '');
    assert.equal(made.status, 200);
    assert.equal(made.headers.get('cache-control'), 'no-store');
    const [key = ''] = KEY.exec(made.text) ?? [];
    const { status } = await push(office, key);
    assert.equal(status, 200);
    for (const path of [answer.location ?? '', '/settings/keys/made', '/settings/keys']) {
      assert.doesNotMatch((await browser.get(path)).text, KEY);
    }
  });

  it('shows samples with the key and the address', async (test) => {
    const { office, browser } = await enter(test);
    const made = await make(browser);
    const [key = ''] = KEY.exec(made.text) ?? [];
    for (const language of ['curl', 'powershell', 'python']) {
      const [, code = ''] = new RegExp(`id="${language}">([^<]*)`).exec(made.text) ?? [];
      assert.match(code, new RegExp(`Bearer ${key}`), language);
      assert.match(code, new RegExp(office.url), language);
      assert.match(code, /dryRun=true/, language);
      assert.doesNotMatch(code, /BUDGETD_KEY|«/, language);
    }
    const reading = await make(browser, { scopes: 'projects:read' });
    assert.doesNotMatch(reading.text, /id="curl"/);
  });

  it('makes one key of a form that is sent twice', async (test) => {
    const { office, browser } = await enter(test);
    const form = markOf((await browser.get('/settings/keys/new')).text);
    const [one, two] = await Promise.all(
      [1, 2].map(() => browser.send('/settings/keys/new', { ...DRAFT, form })),
    );
    assert.deepEqual([one?.status, two?.status], [303, 303]);
    assert.equal(one?.location, two?.location);
    assert.equal(office.service.keys.list(office.org).length, 1);
    assert.match((await browser.get(one?.location ?? '')).text, KEY);
  });

  it('keeps what was typed beside what is wrong with it', async (test) => {
    const { office, browser } = await enter(test);
    for (const [change, fault] of [
      [{ name: ' ', expires: 'quarter' }, /href="#name">The name cannot be blank/],
      [{ name: 'a'.repeat(256), expires: 'quarter' }, /href="#name">The name is longer/],
      [{ scopes: '', expires: 'quarter' }, /href="#scopes">A scope must be one of/],
      [{ expires: '' }, /href="#expires">Choose when the key expires/],
      [{ expires: 'toString' }, /href="#expires">Choose when/],
    ] as const) {
      const { status, text } = await browser.send('/settings/keys/new', {
        ...DRAFT,
        scopes: 'transactions:write',
        ...change,
      });
      assert.equal(status, 422);
      assert.match(text, fault);
      assert.match(text, /<title>Error: Make a key/);
      if ('expires' in change && change.expires === 'quarter') {
        assert.match(text, /value="quarter" checked/);
      }
    }
    const { text } = await browser.send('/settings/keys/new', { name: NAME, expires: 'never' });
    assert.match(text, /href="#scopes">Select at least one permission/);
    assert.ok(text.includes(`value="${SHOWN_NAME}"`));
    assert.equal(office.service.keys.list(office.org).length, 0);
  });

  it('lists who made each key, until when it is good, and its state', async (test) => {
    const { office, browser } = await enter(test);
    const made = await make(browser, { name: NAME, expires: 'quarter' });
    assert.ok(made.text.includes(`Key made: <bdi>${SHOWN_NAME}</bdi>`));
    const old = { name: 'old', scopes: ['projects:read'], expiresAt: '2025-12-31' } as const;
    office.service.keys.create(office.org, old);
    const { text } = await browser.get('/settings/keys');
    assert.ok(text.includes(SHOWN_NAME));
    assert.doesNotMatch(text, /<script>alert/);
    assert.match(text, /<bdi>admin@example\.org<\/bdi>/);
    assert.match(text, /1 May 2026/);
    assert.match(text, /31 Dec 2025[\s\S]*Expired/);
    const [first] = office.service.keys.list(office.org);
    assert.equal(first?.expiresAt, '2026-05-02T00:00:00.000Z');
  });

  it('makes a key good through a day of the organisation, which each page names', async (test) => {
    const { office, browser } = await enter(test);
    office.service.organisations.setTimeZone(office.org, 'America/New_York');
    const made = await make(browser, { expires: 'quarter' });
    assert.match(textOf(made.text), /through 1 May 2026/);
    const [key] = office.service.keys.list(office.org);
    assert.equal(key?.expiresAt, '2026-05-02T04:00:00.000Z');
    assert.match(textOf((await browser.get('/settings/keys')).text), /1 May 2026/);
    assert.match(textOf((await browser.get('/activity')).text), /Expires nothing → 1 May 2026/);
  });

  it('tests a key through the gate of the interface', async (test) => {
    const { office, browser } = await enter(test);
    const { id, key } = office.service.keys.create(office.org, {
      name: 'erp',
      scopes: ['projects:read'],
    });
    const answer = await browser.send('/settings/keys/test', { key: ` ${key} ` });
    assert.equal(answer.status, 303);
    const page = await browser.get(answer.location ?? '');
    assert.match(
      page.text,
      /role="status"[^>]*><p>The service accepts requests with the key <b><bdi>erp/,
    );
    assert.doesNotMatch(page.text, KEY);
    const again = await browser.get(answer.location ?? '');
    assert.match(again.text, /The service accepts requests with the key <b><bdi>erp/);
    const back = await browser.send('/settings/keys/test', { key, page: 'made' });
    assert.match((await browser.get(back.location ?? '')).text, new RegExp(key));
    office.service.organisations.setPlan(office.org, 'free');
    const poor = await browser.send('/settings/keys/test', { key });
    assert.equal(poor.status, 422);
    assert.match(poor.text, /The free plan does not include API access/);
    assert.match(textOf(poor.text), /free plan does not include API access\. An owner can change/);
    await addUser(office, 'owner');
    const owner = await Browser.of(office, 'owner@example.org');
    const { text: offer } = await owner.get('/settings/keys');
    assert.match(offer, /<a href="\/settings\/organisation#plan">Change the plan<\/a>/);
    assert.match((await owner.get('/settings/organisation')).text, /id="plan"/);
    office.service.organisations.setPlan(office.org, 'professional');
    office.service.keys.revoke(office.org, id);
    const revoked = await browser.send('/settings/keys/test', { key });
    assert.equal(revoked.status, 422);
    assert.match(revoked.text, /href="#key">This API key was revoked/);
    assert.doesNotMatch(revoked.text, KEY);
  });

  it('uses up requests of the key that it tests', async (test) => {
    const office = await openOffice(test, { rateLimit: 1 });
    await addUser(office, 'admin');
    const browser = await Browser.of(office, 'admin@example.org');
    const draft = { name: 'erp', scopes: ['projects:read'] } as const;
    const { key } = office.service.keys.create(office.org, draft);
    assert.equal((await browser.send('/settings/keys/test', { key })).status, 303);
    const { status, text } = await browser.send('/settings/keys/test', { key });
    assert.equal(status, 422);
    assert.match(text, /sent 1 requests in 60 seconds/);
  });

  it('revokes a key, which is refused from then on', async (test) => {
    const { office, browser } = await enter(test);
    const [key = ''] = KEY.exec((await make(browser)).text) ?? [];
    const { text } = await browser.get('/settings/keys');
    const [id = ''] = /key_\d+/.exec(text) ?? [];
    const form = markOf(text);
    for (const fields of [{ id, form }, { id, form }, { id }]) {
      const { status, location } = await browser.send('/settings/keys/revoke', fields);
      assert.equal(status, 303);
      assert.match(location ?? '', /^\/settings\/keys\?done=/);
    }
    assert.equal((await push(office, key)).status, 401);
    const after = await browser.get('/settings/keys');
    assert.match(after.text, /Revoked\s+<time/);
    assert.doesNotMatch(after.text, /Revoke the key/);
    const log = office.service.audit.list(office.org, undefined, id);
    const revoked = log.filter(({ action }) => action === 'key.revoked');
    assert.equal(revoked.length, 1);
    assert.match(revoked[0]?.actor ?? '', /^usr_/);
  });

  it('finds no keys of other organisations', async (test) => {
    const { office, browser } = await enter(test);
    const { id: other } = office.service.organisations.create({ name: 'B', baseCurrency: 'GBP' });
    const { id, key } = office.service.keys.create(other, {
      name: 'foreign',
      scopes: ['projects:read'],
    });
    for (const unknown of [id, 'key_9999999999', 'nonsense', '']) {
      const { status } = await browser.send('/settings/keys/revoke', { id: unknown });
      assert.equal(status, 404, unknown);
    }
    for (const foreign of [key, 'bdg_live_nonsense']) {
      const { status, text } = await browser.send('/settings/keys/test', { key: foreign });
      assert.equal(status, 422);
      assert.match(text, /This is not a key of this organisation/);
    }
    assert.doesNotMatch((await browser.get('/settings/keys')).text, /foreign/);
    assert.equal(office.service.keys.list(other)[0]?.revokedAt, null);
    assert.equal(office.service.keys.list(other)[0]?.lastUsedAt, null);
  });
});
