import assert from 'node:assert/strict';
import { createHook } from 'node:async_hooks';
import { describe, it } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { PASSWORDS_AT_ONCE, PASSWORDS_WAITING } from '../../src/core/limits.ts';
import { STATUS } from '../../src/http/status.ts';
import { hashNewPassword, isPassword } from '../../src/operations/passwords.ts';
import { refusal } from '../store/workshop.ts';
import { CHEAP, PASSWORD } from './users.ts';

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

  it('is refused when it is easily guessed, before anything is hashed', async () => {
    const [refused, began] = [refusal('invalid_input'), performance.now()];
    await assert.rejects(hashNewPassword('password1', []), refused);
    await assert.rejects(hashNewPassword('Harbour Trust', ['Harbour Trust']), refused);
    await assert.rejects(hashNewPassword('x'.repeat(5_000_000), []), refused);
    assert.ok(performance.now() - began < 1000);
  });
});

describe('checking passwords', () => {
  it('two at a time, some wait, the rest is refused at once; then all works again', async (t) => {
    const hashing = new Set<number>();
    let [most, turns] = [0, 0];
    const hook = createHook({
      init(id, kind) {
        if (kind === 'SCRYPTREQUEST') hashing.add(id);
        most = Math.max(most, hashing.size);
      },
      before: (id) => hashing.delete(id),
    }).enable();
    const timer = setInterval(() => {
      turns += 1;
    }, 10);
    t.after(() => {
      clearInterval(timer);
      hook.disable();
    });
    const began = performance.now();
    const all = Array.from({ length: 100 }, () => {
      return isPassword('x', undefined).catch((error: unknown) => {
        assert.ok(error instanceof Failure && error.code === 'unavailable');
        assert.equal(STATUS[error.code], 503);
        return 'refused';
      });
    });
    const refused = (await Promise.all(all)).filter((each) => each === 'refused');
    assert.equal(refused.length, 100 - PASSWORDS_AT_ONCE - PASSWORDS_WAITING);
    assert.equal(most, PASSWORDS_AT_ONCE);
    const elapsedMs = performance.now() - began;
    assert.ok(turns > elapsedMs / 100, `the loop was held up: ${turns} turns in ${elapsedMs} ms`);
    assert.equal(await isPassword('x', undefined), false);
  });

  it('takes as long for an unknown user, and for a password that is too long', async () => {
    const stored = await hashNewPassword(PASSWORD, []);
    const took = async (password: string, known: string | undefined) => {
      const began = performance.now();
      assert.equal(await isPassword(password, known), false);
      return performance.now() - began;
    };
    const best = { known: Infinity, unknown: Infinity, long: Infinity };
    for (let round = 0; round < 2; round += 1) {
      best.known = Math.min(best.known, await took('wrong', stored));
      best.unknown = Math.min(best.unknown, await took('wrong', undefined));
      best.long = Math.min(best.long, await took('x'.repeat(2_000_000), stored));
    }
    for (const other of [best.unknown, best.long]) {
      assert.ok(other > 0.6 * best.known && other < 1.6 * best.known, JSON.stringify(best));
    }
  });
});
