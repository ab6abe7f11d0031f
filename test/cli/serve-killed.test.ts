/** What a killed service leaves is gone when it starts again. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { createService } from '../../src/service.ts';
import { hashForReal } from '../cheap-passwords.ts';
import { addUser, Browser } from '../console/office.ts';
import { until } from '../upkeep/until.ts';
import { openOffice } from './office.ts';
import { startProgram } from './program.ts';

// A password is hashed here and checked by the program.
hashForReal();

test('8 a service that was killed leaves no file of an import, not even half of one', async (t) => {
  const { terminal, organisationId: org } = await openOffice(t);
  const { database, folder: cwd } = terminal;
  const service = await createService({ database });
  await addUser({ service, org, clock: { nowMs: 0 } }, 'admin');
  await service.close();
  const serve = async () => {
    const { process, ended } = startProgram(t, ['serve', '--port', '0', '--json'], { cwd });
    const url = await new Promise<string>((resolve) => {
      process.stdout?.once('data', (chunk) => resolve(JSON.parse(String(chunk)).url));
    });
    return { process, ended, url };
  };
  const first = await serve();
  const browser = await Browser.of(first, 'admin@example.org');
  const sent = 'Date,Text,Amount\n2026-01-01,Tea,1.50\n2026-02-30,Late,2.50\n';
  const { location } = await browser.upload('a.csv', sent);
  await browser.get(`${location}?money-out=positive&row=all`);
  const half = connect(Number(new URL(first.url).port), '127.0.0.1').on('error', () => {});
  const part = 'Content-Disposition: form-data; name="file"; filename="b.csv"';
  const fields = [
    'POST /import HTTP/1.1\r\nHost: a\r\nSec-Fetch-Site: same-origin',
    `Cookie: ${[...browser.cookies].map((pair) => pair.join('=')).join('; ')}`,
    'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 99999',
  ];
  half.write(`${fields.join('\r\n')}\r\n\r\n--B\r\n${part}\r\n\r\n${'x'.repeat(50_000)}`);
  const uploads = () => readdirSync(cwd).filter((name) => name.endsWith('-uploads'));
  const [folder = ''] = uploads();
  const list = () => readdirSync(`${cwd}/${folder}`);
  await until(() => list().length === 3);
  first.process.kill('SIGKILL');
  await first.ended;
  assert.equal(list().length, 3);
  assert.ok(list().some((name) => readFileSync(`${cwd}/${folder}/${name}`, 'utf8') === sent));
  const second = await serve();
  assert.deepEqual(uploads(), []);
  assert.equal((await new Browser(second).get('/sign-in')).status, 200);
});
