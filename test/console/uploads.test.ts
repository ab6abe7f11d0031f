/** Files that several people send at once to the pages of a service, on sockets. */

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { UPLOADS } from '../../src/core/limits.ts';
import { FileWatch } from '../../src/upkeep/upkeep.ts';
import { Wire } from '../http/wire.ts';
import { folderFor } from '../store/workshop.ts';
import { until } from '../upkeep/until.ts';
import { openDesk } from './desk.ts';
import { addUser, Browser } from './office.ts';

const MIN_FREE_BYTES = 100_000_000;

/** A service with a file, two admins, and the folder of what they send. */
async function openUploads(test: TestContext) {
  const database = join(folderFor(test), 'db');
  const options = { database, create: true, exclusive: true, minFreeDisk: MIN_FREE_BYTES };
  const desk = await openDesk(test, 'admin', options);
  await addUser(desk, 'admin', 'other@example.org');
  const other = await Browser.of(desk, 'other@example.org');
  const folder = `${database}-uploads`;
  const list = () => (existsSync(folder) ? readdirSync(folder) : []);
  /** A form with a file of one column, in two halves. */
  const halves = ({ cookies }: Browser, name: string): [string, string] => {
    const part = `Content-Disposition: form-data; name="file"; filename="${name}"`;
    const body = `--B\r\n${part}\r\n\r\n${'a line\n'.repeat(10_000)}\r\n--B--\r\n`;
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const fields = [
      'POST /import HTTP/1.1',
      'Host: a',
      'Accept: text/html',
      'Sec-Fetch-Site: same-origin',
      `Cookie: ${cookie}`,
      'Content-Type: multipart/form-data; boundary=B',
      `Content-Length: ${body.length}`,
    ];
    const whole = `${fields.join('\r\n')}\r\n\r\n${body}`;
    return [whole.slice(0, 40_000), whole.slice(40_000)];
  };
  const open = () => {
    const wire = new Wire(Number(new URL(desk.url).port));
    test.after(() => wire.socket.destroy());
    return wire;
  };
  return { ...desk, other, list, halves, open };
}

describe('files that are sent at once', () => {
  it('have a bound for each user, and what others send arrives', async (test) => {
    const { browser, other, list, halves, open } = await openUploads(test);
    const sent: { wire: Wire; rest: string; name: string }[] = [];
    for (let at = 1; at <= UPLOADS.perUser; at += 1) {
      const wire = open();
      const [first, rest] = halves(browser, `${at}.csv`);
      wire.write(first);
      sent.push({ wire, rest, name: `${at}.csv` });
      await until(() => list().length === at);
    }
    const refused = open();
    for (const half of halves(browser, 'more.csv')) refused.write(half);
    const page = await refused.reply();
    assert.deepEqual([page.status, page.headers['retry-after']], [429, '60']);
    assert.match(page.body, /Nothing was saved\. Your other files are still being uploaded/);
    const elsewhere = open();
    for (const half of halves(other, 'other.csv')) elsewhere.write(half);
    assert.equal((await elsewhere.reply()).status, 303);
    for (const { wire, rest, name } of sent) {
      wire.write(rest);
      const { status, headers } = await wire.reply();
      assert.equal(status, 303);
      assert.match((await browser.get(headers['location'] ?? '')).text, new RegExp(`${name}: `));
    }
    assert.equal(list().length, UPLOADS.perUser + 1);
  });

  it('are gone at once when they are cut off, and make room', async (test) => {
    const { browser, list, halves, open } = await openUploads(test);
    for (let round = 0; round < 2; round += 1) {
      const wires = Array.from({ length: UPLOADS.perUser }, open);
      for (const wire of wires) wire.write(halves(browser, 'cut.csv')[0]);
      await until(() => list().length === UPLOADS.perUser);
      for (const wire of wires) wire.socket.destroy();
      await until(() => list().length === 0);
    }
  });

  it('leave as much of the disk free as the service needs', async (test) => {
    const { browser, list, halves, open } = await openUploads(test);
    const spare = { bytes: 1_000 };
    test.mock.method(FileWatch.prototype, 'freeBytes', () => MIN_FREE_BYTES + spare.bytes);
    const refused = open();
    for (const half of halves(browser, 'large.csv')) refused.write(half);
    const page = await refused.reply();
    assert.equal(page.status, 503);
    assert.match(page.body, /<h1>The service has no disk space left<\/h1>.*Nothing was saved\./s);
    spare.bytes = 1_000_000;
    const wire = open();
    const [first, rest] = halves(browser, 'cut.csv');
    wire.write(first);
    await until(() => list().length === 1);
    spare.bytes = 10;
    wire.write(rest);
    assert.equal((await wire.reply()).status, 503);
    await until(() => list().length === 0);
    spare.bytes = 1_000;
    assert.equal((await browser.upload('empty.csv', '')).status, 422);
    const lines = 'Date,Text,Amount\n2026-01-01,ok,1.50\n2026-02-30,bad,2.50\n';
    const { location } = await browser.upload('bad.csv', lines);
    const address = `${location}?money-out=positive&row=all`;
    spare.bytes = 0;
    const full = await browser.get(address);
    assert.equal(full.status, 503);
    assert.match(full.text, /<h1>The service has no disk space left<\/h1>/);
    spare.bytes = 1_000;
    assert.match((await browser.get(address)).text, /<dt>Rejected<\/dt><dd>1 /);
  });
});
