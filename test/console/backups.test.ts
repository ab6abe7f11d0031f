import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { verifyFile } from '../../src/database/file-checks.ts';
import { listAudit } from '../../src/operations/audit.ts';
import { changeRole } from '../../src/operations/users.ts';
import { BackupFolder } from '../../src/upkeep/nightly.ts';
import { folderFor } from '../store/workshop.ts';
import { openDesk } from './desk.ts';
import { addUser, Browser, markOf, openOffice, PASSWORD } from './office.ts';

const PAGE = '/settings/backups';
const DAY_MS = 86_400_000;

/** A service with a file, and an admin who is signed in. */
async function openFile(test: TestContext) {
  const home = folderFor(test);
  const [database, folder] = [join(home, 'my books.db'), join(home, 'backups')];
  const backups = { folder, at: '02:00', keep: 3 };
  const options = { database, create: true, exclusive: true, backups };
  return { ...(await openDesk(test, 'admin', options)), home, folder };
}

describe('the page of the backups', () => {
  it('makes one, once for two clicks, and sends the file', async (test) => {
    const { browser, folder, home, access } = await openFile(test);
    const before = await browser.get(PAGE);
    assert.match(before.text, /There is no backup yet/);
    assert.match(
      (await browser.get('/')).text,
      /tag review"><a href="\/settings\/backups">none yet/,
    );
    const form = markOf(before.text);
    const made = await Promise.all([1, 2].map(() => browser.send(PAGE, { form })));
    assert.deepEqual(
      made.map(({ status }) => status),
      [303, 303],
    );
    const { text } = await browser.get(made[0]?.location ?? '');
    assert.match(text, /role="status"[^>]*><p>A backup was made and checked/);
    assert.doesNotMatch(text, /There is no backup yet/);
    assert.match(text, /data-label="Size">\d[\d.]* kB</);
    const [, address = '', file = ''] =
      /"(\/settings\/backups\/download\?file=([^"]+))"/.exec(text) ?? [];
    const stored = join(folder, decodeURIComponent(file));
    assert.match(stored, /my books-2026[\dTZ-]+-by-hand\.db$/);
    const asking = await browser.get(address);
    assert.match(asking.text, /hashes of passwords and keys[\s\S]*Your password/);
    const sent = { file: decodeURIComponent(file), password: PASSWORD };
    const thief = browser.copy();
    const bytes = await browser.download(`${PAGE}/download`, sent);
    assert.equal((await thief.get('/')).location, '/sign-in');
    assert.equal(bytes.headers.get('content-length'), String(readFileSync(stored).length));
    const disposition = bytes.headers.get('content-disposition') ?? '';
    assert.match(disposition, /^attachment; filename="my books-[\w-]+\.db"$/);
    const copy = join(home, 'copy.db');
    writeFileSync(copy, bytes.body);
    verifyFile(copy);
    assert.deepEqual(readFileSync(copy), readFileSync(stored));
    const [logged] = listAudit(access, { action: 'backup.downloaded' });
    assert.deepEqual(
      [logged?.actor, logged?.details['file'], logged?.details['clientAddress']],
      ['usr_0000000001', decodeURIComponent(file), '127.0.0.1'],
    );
    assert.match((await browser.get('/')).text, /0 minutes ago, checked/);
  });

  it('keeps 3 made by hand, one in ten minutes, and never removes a nightly one', async (test) => {
    const { browser, folder, clock, access } = await openFile(test);
    const backups = new BackupFolder(folder, 'my books.db');
    backups.create();
    const nights = [1, 2, 3].map((day) => backups.fileFor(clock.nowMs - day * DAY_MS));
    for (const file of nights) writeFileSync(file, 'a nightly one');
    for (let turn = 0; turn < 5; turn += 1) {
      assert.equal((await browser.send(PAGE, { 'own-password': PASSWORD })).status, 303);
      const early = await browser.send(PAGE, {});
      assert.deepEqual([early.status, early.headers.get('retry-after')], [429, '600']);
      assert.match(early.text, /No backup was made: .*less than 10 minutes ago/);
      clock.nowMs += 10 * 60_000;
    }
    const kept = backups.list(clock.nowMs);
    assert.deepEqual(
      kept.filter(({ isByHand }) => !isByHand).map(({ file }) => file),
      nights,
    );
    assert.equal(kept.filter(({ isByHand }) => isByHand).length, 3);
    const { text } = await browser.get(PAGE);
    assert.match(text, /<h2>Nightly<\/h2>[\s\S]*<h2>Made by hand<\/h2>/);
    const logged = listAudit(access, { action: 'backup.made' });
    assert.deepEqual(
      logged.slice(-3).map(({ actor, details }) => [actor, details['file']]),
      kept
        .filter(({ isByHand }) => isByHand)
        .map(({ file }) => ['usr_0000000001', basename(file)])
        .reverse(),
    );
    assert.match((await browser.get('/activity?kind=backups')).text, /Made a backup: .*, from 127/);
  });

  it('is not downloaded by whoever loses the role while the password is checked', async (test) => {
    const { browser, access, service } = await openFile(test);
    await browser.send(PAGE, { form: markOf((await browser.get(PAGE)).text) });
    const [, file = ''] = /download\?file=([^"]+)"/.exec((await browser.get(PAGE)).text) ?? [];
    const { scrypt } = crypto;
    const check = (...args: Parameters<typeof scrypt>) => {
      const change = { email: 'admin@example.org', role: 'member' } as const;
      changeRole(access, change, service.actor());
      scrypt(...args);
    };
    test.mock.method(crypto, 'scrypt', check);
    syncBuiltinESMExports();
    const typed = { file: decodeURIComponent(file), password: PASSWORD };
    const { status, text } = await browser.send(`${PAGE}/download`, typed);
    test.mock.reset();
    syncBuiltinESMExports();
    assert.equal(status, 403);
    assert.match(text, /You have signed out, or your role has changed/);
    assert.deepEqual(listAudit(access, { action: 'backup.downloaded' }), []);
  });

  it('is downloaded with the password only, which counts as a try, and is logged', async (test) => {
    const { browser, access } = await openFile(test);
    await browser.send(PAGE, {});
    const [, file = ''] = /download\?file=([^"]+)"/.exec((await browser.get(PAGE)).text) ?? [];
    const send = (password: string) => {
      return browser.send(`${PAGE}/download`, { file: decodeURIComponent(file), password });
    };
    const blank = await send('');
    assert.deepEqual([blank.status, /Type your password/.test(blank.text)], [422, true]);
    const wrong = await send('not the password');
    assert.deepEqual([wrong.status, /This is not your password/.test(wrong.text)], [422, true]);
    for (let turn = 1; turn < 10; turn += 1) await send('not the password');
    const locked = await send(PASSWORD);
    assert.equal(locked.status, 429);
    assert.ok(Number(locked.headers.get('retry-after')) > 0);
    assert.deepEqual(listAudit(access, { action: 'backup.downloaded' }), []);
    const refused = listAudit(access, { action: 'session.password_refused' });
    assert.deepEqual(
      refused.map(({ details }) => details['page']),
      Array.from({ length: 10 }, () => `${PAGE}/download`),
    );
  });

  it('warns when the newest is older than a week, on the first page too', async (test) => {
    const { browser, clock, url } = await openFile(test);
    await browser.send(PAGE, {});
    clock.nowMs += 8 * DAY_MS;
    const again = await Browser.of({ url }, 'admin@example.org');
    assert.match((await again.get(PAGE)).text, /The newest backup is 8 days\s+old/);
    assert.match((await again.get('/')).text, /tag review">[\s\S]*8 days ago, checked/);
  });

  it('says why none was made', async (test) => {
    const { browser, folder, clock } = await openFile(test);
    writeFileSync(folder, 'not a folder');
    const { status, text } = await browser.send(PAGE, {});
    assert.equal(status, 503);
    assert.match(text, /href="#make">No backup was made: /);
    const early = await browser.send(PAGE, {});
    assert.deepEqual([early.status, early.headers.get('retry-after')], [429, '60']);
    assert.match(early.text, /The latest attempt failed less than 1 minute ago/);
    clock.nowMs += 60_000;
    assert.equal((await browser.send(PAGE, {})).status, 503);
    assert.match((await browser.get(PAGE)).text, /The latest attempt failed: /);
    assert.match((await browser.get('/')).text, /the latest attempt failed/);
  });

  it('sends no file that is not a backup, nor one with other organisations', async (test) => {
    const { browser, service } = await openFile(test);
    const { location } = await browser.send(PAGE, {});
    const { text } = await browser.get(location ?? '');
    const [path = ''] = /\/settings\/backups\/download\?file=[^"]+/.exec(text) ?? [];
    for (const file of ['', '?file=', '?file=1', '?file=../x', '?file=%2Fetc%2Fpasswd']) {
      assert.equal((await browser.get(`${PAGE}/download${file}`)).status, 404, file);
    }
    service.organisations.create({ name: 'B', baseCurrency: 'GBP' });
    const page = await browser.get(PAGE);
    assert.match(page.text, /contains every organisation of this service/);
    assert.doesNotMatch(page.text, /download\?file/);
    assert.equal((await browser.get(path)).status, 404);
    const file = decodeURIComponent(path.split('=')[1] ?? '');
    const sent = { file, password: PASSWORD };
    assert.equal((await browser.send(`${PAGE}/download`, sent)).status, 404);
  });

  it('says how to get some if the service makes none', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'admin');
    const browser = await Browser.of(office, 'admin@example.org');
    const { status, text } = await browser.get(PAGE);
    assert.equal(status, 200);
    assert.match(text, /--backup-dir [\s\S]*--backup-keep/);
    assert.doesNotMatch(text, /Make one now/);
    assert.equal((await browser.get(`${PAGE}/download?file=1`)).status, 404);
  });
});
