/** What SECURITY.md and docs/security.md say in figures and names, against the sources. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as limits from '../src/core/limits.ts';
import { hashNewPassword } from '../src/operations/passwords.ts';
import { readText } from './repository.ts';

const { SECOND_FACTOR, SESSIONS, SIGN_INS, PASSWORDS } = limits;
const plain = (file: string) => readText(file).replaceAll(/\s+/g, ' ');
const minutes = (ms: number) => ms / 60_000;
const WORDS: Readonly<Record<number, string>> = { 10: 'Ten' };

describe('docs/security.md', () => {
  for (const said of [
    `**${SESSIONS.idleMinutes} minutes without a page**`,
    `**${SESSIONS.hours} hours in all**: a working day`,
    `**${WORDS[SESSIONS.perUser]} sessions of a user at once**`,
    `**${limits.LINK_MINUTES} minutes for a one-time link**`,
    `**${limits.INVITATION_DAYS} days for an invitation**`,
    `For ${WORDS[minutes(limits.OUTCOMES.keptMs)]?.toLowerCase()} minutes it leads the second`,
    `more than ${SECOND_FACTOR.passwordMinutes} minutes ago is asked for it`,
    `a new one every ${SECOND_FACTOR.stepSeconds} seconds`,
    `${WORDS[SECOND_FACTOR.triesPerUser]} wrong codes for a user in an hour`,
    `are ${(SECOND_FACTOR.triesPerUser * 24 * 3_600_000) / SECOND_FACTOR.windowMs} a day`,
    `one of ${WORDS[SECOND_FACTOR.recoveryCodes]?.toLowerCase()} recovery codes`,
    `${SECOND_FACTOR.secretBytes} random bytes, encrypted`,
    `| ${SIGN_INS.perUserHere} wrong passwords for a user from one network in ${minutes(
      SIGN_INS.windowMs,
    )} minutes |`,
    `| ${SIGN_INS.perNetwork} from one network for all users |`,
    `| ${SIGN_INS.perUser} for a user from all networks together |`,
    `| ${PASSWORDS.atOnce} passwords are checked at a time, ${PASSWORDS.waiting} wait |`,
  ]) {
    it(`says: ${said}`, () => assert.ok(plain('docs/security.md').includes(said)));
  }

  it('says how passwords are hashed', async () => {
    const [name, n, r, p, salt = '', hash = ''] = (
      await hashNewPassword('tulip harbour lantern 93', [])
    ).split(':');
    const bytes = (text: string) => Buffer.from(text, 'base64').length;
    const said = `${name}, N ${n}, r ${r}, p ${p}, ${bytes(salt)} random bytes of salt`;
    assert.ok(plain('docs/security.md').includes(`${said}, ${bytes(hash)} bytes of hash`), said);
  });
});

describe('SECURITY.md', () => {
  const lock = JSON.parse(readText('package-lock.json')) as {
    packages: Record<
      string,
      { dev?: true; version?: string; license?: string; integrity?: string }
    >;
  };
  const manifest = JSON.parse(readText('package.json')) as {
    dependencies: object;
    optionalDependencies: object;
  };

  it('names every package inside, of each of which the lock file has what the list says', () => {
    const [, bundled = ''] = /external: \/\^\(\?!(.*?)\$\)/.exec(readText('bundle.js')) ?? [];
    const names = bundled.split('|');
    assert.deepEqual(names, ['typebox', 'qr']);
    const inside = [
      ...names,
      ...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }),
    ];
    for (const name of inside) {
      const said = name.replace(/-node20$/, '');
      assert.ok(plain('SECURITY.md').includes(`\`${said}\``), name);
    }
    for (const [place, { dev, version, license, integrity }] of Object.entries(lock.packages)) {
      const isInside = dev !== true || names.some((name) => place === `node_modules/${name}`);
      if (place === '' || !isInside) continue;
      assert.ok(version && license && integrity, place);
    }
  });

  it('leads to the list of a release', () => {
    const [version] = /budgetd-[^`]*\.cdx\.json/.exec(readText('docs/releasing.md')) ?? [];
    assert.match(version ?? '', /^budgetd-\d/);
    assert.ok(plain('SECURITY.md').includes('`budgetd-VERSION.cdx.json`'));
  });
});
