import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { describe, it, type TestContext } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { PASSWORDS } from '../../src/core/limits.ts';
import { STATUS } from '../../src/http/status.ts';
import { hashNewPassword, isPassword } from '../../src/operations/passwords.ts';
import { hashForReal } from '../cheap-passwords.ts';
import { refusal } from '../store/workshop.ts';
import { CHEAP, PASSWORD } from './users.ts';

hashForReal();

describe('a stored password', () => {
  it('is an scrypt hash with its parameters and a salt of its own', async () => {
    const stored = await hashNewPassword(PASSWORD, []);
    const [kind, n, r, p, salt = '', hash = '', ...rest] = stored.split(':');
    assert.deepEqual([kind, n, r, p, rest], ['scrypt', '32768', '8', '3', []]);
    assert.equal(Buffer.from(salt, 'base64').length, 16);
    assert.equal(Buffer.from(hash, 'base64').length, 32);
    assert.notEqual(await hashNewPassword(PASSWORD, []), stored);
    assert.equal(await isPassword(PASSWORD, stored), true);
    for (const wrong of [`${PASSWORD} `, PASSWORD.toUpperCase()]) {
      assert.equal(await isPassword(wrong, stored), false);
    }
  });

  it('is checked with its own parameters', async () => {
    assert.equal(await isPassword(PASSWORD, CHEAP), true);
    assert.equal(await isPassword(`${PASSWORD}s`, CHEAP), false);
  });

  it('is the same however its characters were typed', async () => {
    const stored = await hashNewPassword('jos\u00e9 \ufb01nds it', []);
    assert.equal(await isPassword('jose\u0301 finds it', stored), true);
  });

  it('is refused when it is easily guessed, before anything is hashed', async (t) => {
    const [refused, hashed] = [refusal('invalid_input'), recordHashes(t)];
    await assert.rejects(hashNewPassword('password1', []), refused);
    await assert.rejects(hashNewPassword('Harbour Trust', ['Harbour Trust']), refused);
    await assert.rejects(hashNewPassword('x'.repeat(5_000_000), []), refused);
    assert.deepEqual(hashed, []);
  });
});

describe('checking passwords', () => {
  it('two at a time, some wait, the rest is refused at once; then all works again', async (t) => {
    const hashing = new Set<number>();
    let most = 0;
    const hook = createHook({
      init(id, kind) {
        if (kind === 'SCRYPTREQUEST') hashing.add(id);
        most = Math.max(most, hashing.size);
      },
      before: (id) => hashing.delete(id),
    }).enable();
    t.after(() => hook.disable());
    const all = Array.from({ length: 200 }, () => {
      return isPassword('x', CHEAP).catch((error: unknown) => {
        assert.ok(error instanceof Failure && error.code === 'unavailable');
        assert.equal(STATUS[error.code], 503);
        return 'refused';
      });
    });
    const refused = (await Promise.all(all)).filter((each) => each === 'refused');
    assert.equal(refused.length, 200 - PASSWORDS.atOnce - PASSWORDS.waiting);
    assert.equal(most, PASSWORDS.atOnce);
    assert.equal(await isPassword('x', undefined), false);
  });

  it('whoever has tried less takes the place of the last in a full line', async () => {
    const order: number[] = [];
    const refused: number[] = [];
    const check = (place: number) => {
      return isPassword('x', CHEAP, { place, isGone: () => false }).then(
        () => order.push(place),
        () => refused.push(place),
      );
    };
    const strangers = Array.from({ length: 200 }, (_, at) => check(at + 2));
    await Promise.all([...strangers, check(1), check(0)]);
    // The first ran at once, and the last two to come had a place in the line all the same. Two
    // run at a time, so the order in which they end is not that of the line.
    const checked = PASSWORDS.atOnce + PASSWORDS.waiting;
    assert.deepEqual(
      order.sort((one, two) => one - two),
      Array.from({ length: checked }, (_, at) => at),
    );
    assert.equal(refused.length, 200 - PASSWORDS.waiting);
  });

  it('is not done for whoever has gone, whose place in the line is free', async (t) => {
    const hashed = recordHashes(t);
    const turn = { place: 0, isGone: () => true };
    const check = () => isPassword('x', CHEAP, turn).catch((error: unknown) => error);
    const left = await Promise.all(Array.from({ length: 500 }, check));
    assert.equal(hashed.length, PASSWORDS.atOnce);
    assert.equal(left.filter((each) => each instanceof Failure).length, 500 - PASSWORDS.atOnce);
    assert.equal(await isPassword('x', CHEAP), false);
  });

  it('is the same work for an unknown user, and for a password that is too long', async (t) => {
    const stored = await hashNewPassword(PASSWORD, []);
    const hashed = recordHashes(t);
    assert.equal(await isPassword('wrong', stored), false);
    assert.equal(await isPassword('wrong', undefined), false);
    assert.equal(await isPassword('x'.repeat(2_000_000), stored), false);
    const cost = { N: 32768, r: 8, p: 3, maxmem: 64 * 1024 * 1024, bytes: 32 };
    assert.deepEqual(hashed, [cost, cost, cost]);
  });
});

/** What every hash from now on costs. */
function recordHashes(t: TestContext): object[] {
  const costs: object[] = [];
  const { scrypt } = crypto;
  const record = (...[password, salt, bytes, options, done]: Parameters<typeof scrypt>) => {
    assert.ok(password.toString().length <= 2 * PASSWORDS.characters);
    costs.push({ ...options, bytes });
    scrypt(password, salt, bytes, options, done);
  };
  t.mock.method(crypto, 'scrypt', record);
  syncBuiltinESMExports();
  return costs;
}
