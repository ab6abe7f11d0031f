import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { verifyFile } from '../../src/store/database.ts';
import { folderFor } from '../store/workshop.ts';
import { openDesk } from './desk.ts';
import { addUser, Browser, markOf, openOffice } from './office.ts';

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
    const { browser, folder, home, clock } = await openFile(test);
    const before = await browser.get(PAGE);
    assert.match(before.text, /There is no backup yet/);
    assert.match(
      (await browser.get('/')).text,
      /tag review"><a href="\/settings\/backups">none yet/,
    );
    const form = markOf(before.text);
    const sent = await Promise.all([1, 2].map(() => browser.send(PAGE, { form })));
    assert.deepEqual(
      sent.map(({ status }) => status),
      [303, 303],
    );
    const { text } = await browser.get(sent[0]?.location ?? '');
    assert.match(text, /role="status"[^>]*><p>A backup was made and checked/);
    assert.doesNotMatch(text, /There is no backup yet/);
    assert.match(text, /data-label="Size">\d[\d.]* kB</);
    const [, path = '', at = ''] = /"(\/settings\/backups\/download\?at=(\d+))"/.exec(text) ?? [];
    assert.equal(Number(at), clock.nowMs);
    const file = await browser.get(path);
    assert.equal(file.status, 200);
    const disposition = file.headers.get('content-disposition') ?? '';
    const [, name = ''] = /^attachment; filename="(my_books-[\w-]+\.db)"$/.exec(disposition) ?? [];
    const stored = join(folder, name.replace('_', ' '));
    assert.equal(Number(file.headers.get('content-length')), readFileSync(stored).length);
    const copy = join(home, 'copy.db');
    writeFileSync(copy, await browser.download(path));
    verifyFile(copy);
    assert.deepEqual(readFileSync(copy), readFileSync(stored));
    assert.match((await browser.get('/')).text, /0 minutes ago, checked/);
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
    const { browser, folder } = await openFile(test);
    writeFileSync(folder, 'not a folder');
    const { status, text } = await browser.send(PAGE, {});
    assert.equal(status, 503);
    assert.match(text, /href="#make">No backup was made: /);
    assert.match((await browser.get(PAGE)).text, /The last try failed: /);
    assert.match((await browser.get('/')).text, /the last try failed/);
  });

  it('sends no file that is not a backup, nor one with other organisations', async (test) => {
    const { browser, service } = await openFile(test);
    const { location } = await browser.send(PAGE, {});
    const { text } = await browser.get(location ?? '');
    const [path = ''] = /\/settings\/backups\/download\?at=\d+/.exec(text) ?? [];
    for (const at of ['', '?at=', '?at=1', '?at=../x', '?at=NaN']) {
      assert.equal((await browser.get(`${PAGE}/download${at}`)).status, 404, at);
    }
    service.organisations.create({ name: 'B', baseCurrency: 'GBP' });
    const page = await browser.get(PAGE);
    assert.match(page.text, /has every organisation of this service/);
    assert.doesNotMatch(page.text, /download\?at/);
    assert.equal((await browser.get(path)).status, 404);
  });

  it('says how to get some if the service makes none', async (test) => {
    const office = await openOffice(test);
    await addUser(office, 'admin');
    const browser = await Browser.of(office, 'admin@example.org');
    const { status, text } = await browser.get(PAGE);
    assert.equal(status, 200);
    assert.match(text, /--backup-dir [\s\S]*--backup-keep/);
    assert.doesNotMatch(text, /Make one now/);
    assert.equal((await browser.get(`${PAGE}/download?at=1`)).status, 404);
  });
});
