/** The file with the key of second factors (contract 16). */

import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { SIGN_INS } from '../../src/core/limits.ts';
import { findLostSecrets, resetSecondFactor } from '../../src/operations/second-factors.ts';
import {
  ADA,
  Authenticator,
  BOB,
  CODE_PAGE,
  FACTOR_PAGE,
  half,
  openHouse,
  setUp,
} from './factors.ts';
import { Browser } from './office.ts';

describe('16 the key of second factors', () => {
  it('is in a file beside the database that only its owner reads, and is missed', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-factor-'));
    test.after(() => rmSync(folder, { recursive: true }));
    const database = join(folder, 'budgetd.db');
    const { office, access, ada } = await openHouse(test, { database, create: true });
    const file = `${database}-key`;
    assert.equal(existsSync(file), false);
    const { authenticator, codes } = await setUp(office, ada);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(findLostSecrets(access), { file, userIds: [] });
    const bytes = readFileSync(database).toString('latin1');
    assert.ok(!bytes.includes(authenticator.secret.toString('latin1')));
    for (const code of codes) assert.ok(!bytes.includes(code));
    const key = readFileSync(file);
    rmSync(file);
    assert.deepEqual(findLostSecrets(access), { file, userIds: [1] });
    for (const fields of [{ code: authenticator.next() }, { recovery: codes[0] ?? '' }]) {
      const browser = await half(office);
      const { status, text } = await browser.send(CODE_PAGE, fields);
      assert.equal(status, 503);
      assert.match(text, /Codes cannot be checked: the file of their key is missing/);
    }
    for (let at = 0; at < SIGN_INS.perUserHere; at += 1) {
      const browser = await half(office);
      const { status } = await browser.send(CODE_PAGE, { code: authenticator.next() });
      assert.equal(status, 503, 'what was not checked does not count');
    }
    assert.equal(existsSync(file), false, 'no key takes the place of the lost one');
    mkdirSync(file);
    assert.deepEqual(findLostSecrets(access), { file, userIds: [1] });
    const unread = await half(office);
    assert.equal((await unread.send(CODE_PAGE, { code: authenticator.next() })).status, 503);
    rmSync(file, { recursive: true });
    writeFileSync(file, key);
    const browser = await half(office);
    assert.equal((await browser.send(CODE_PAGE, { code: authenticator.next() })).status, 303);
  });

  it('is not replaced while users need it, and is made again once none does', async (test) => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-factor-'));
    test.after(() => rmSync(folder, { recursive: true }));
    const database = join(folder, 'budgetd.db');
    const { office, access, ada } = await openHouse(test, { database, create: true });
    const file = `${database}-key`;
    const { authenticator } = await setUp(office, ada);
    const bob = await Browser.of(office, BOB);
    const other = new Authenticator(office);
    other.scan((await bob.get(FACTOR_PAGE)).text);
    const key = readFileSync(file);
    const damages = [
      () => rmSync(file),
      () => writeFileSync(file, 'no key'),
      () => writeFileSync(file, key.toString().replace(/./g, '0')),
    ];
    for (const damage of damages) {
      damage();
      const before = existsSync(file) && readFileSync(file);
      const page = await bob.get(FACTOR_PAGE);
      const sent = await bob.send(FACTOR_PAGE, { do: 'set-up', code: other.next() });
      for (const { status, text } of [page, sent]) {
        assert.equal(status, 503);
        assert.match(text, /the file of their key is missing, cannot be read or has another key/);
        assert.match(text, /restore the file, or reset the second factors/);
      }
      assert.deepEqual(existsSync(file) && readFileSync(file), before);
      writeFileSync(file, key);
    }
    const browser = await half(office);
    assert.equal((await browser.send(CODE_PAGE, { code: authenticator.next() })).status, 303);

    rmSync(file);
    resetSecondFactor(access, ADA, office.service.actor());
    const { authenticator: own } = await setUp(office, bob);
    assert.notDeepEqual(readFileSync(file), key);
    const again = await half(office, BOB);
    assert.equal((await again.send(CODE_PAGE, { code: own.next() })).status, 303);
  });
});
