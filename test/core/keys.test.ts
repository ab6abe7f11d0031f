import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import {
  displayPartOf,
  formatKey,
  isKey,
  KEY_BYTES,
  KEY_PREFIX,
  keyState,
} from '../../src/core/keys.ts';
import { Random } from './random.ts';

describe('contract 7: the text of a key', () => {
  it('7 the CRC-32 of 123456789 is cbf43926, the published check value', () => {
    // The tests below rely on the CRC-32 of Node, so check it against published values first.
    assert.equal(crc32('123456789'), 0xcbf43926);
    assert.equal(crc32(''), 0);
    assert.equal(crc32('The quick brown fox jumps over the lazy dog'), 0x414fa339);
  });

  it('7 a key is bdg_live_, 20 bytes as 40 characters, and the CRC-32 of all of that', () => {
    assert.equal(KEY_PREFIX, 'bdg_live_');
    assert.equal(KEY_BYTES, 20);
    const random = new Random(3);
    for (let round = 0; round < 500; round += 1) {
      const bytes = anyBytes(random);
      const key = formatKey(bytes);
      const body = `bdg_live_${Buffer.from(bytes).toString('hex')}`;
      assert.equal(key, body + crc32(body).toString(16).padStart(8, '0'));
      assert.match(key, /^bdg_live_[0-9a-f]{48}$/);
      assert.ok(isKey(key));
    }
  });

  it('7 a checksum with leading zeros still has eight characters', () => {
    const random = new Random(8);
    let found = 0;
    for (let round = 0; round < 2000; round += 1) {
      const key = formatKey(anyBytes(random));
      if (!key.slice(-8).startsWith('0')) continue;
      found += 1;
      assert.ok(isKey(key));
      assert.equal(key.length, 9 + 48);
    }
    assert.ok(found > 50);
  });

  it('7 a single wrong character is always detected, in any position', () => {
    const random = new Random(5);
    for (let round = 0; round < 20; round += 1) {
      const key = formatKey(anyBytes(random));
      for (let at = 0; at < key.length; at += 1) {
        for (const other of '0123456789abcdef_ABCDEFgl') {
          if (other === key[at]) continue;
          assert.equal(isKey(key.slice(0, at) + other + key.slice(at + 1)), false);
        }
      }
    }
  });

  it('7 swapped, missing and doubled characters are detected', () => {
    const random = new Random(6);
    for (let round = 0; round < 20; round += 1) {
      const key = formatKey(anyBytes(random));
      for (let at = 0; at < key.length - 1; at += 1) {
        const [one = '', two = ''] = key.slice(at, at + 2);
        const swapped = key.slice(0, at) + two + one + key.slice(at + 2);
        if (one !== two) assert.equal(isKey(swapped), false);
        assert.equal(isKey(key.slice(0, at) + key.slice(at + 1)), false);
        assert.equal(isKey(key.slice(0, at) + one + key.slice(at)), false);
      }
    }
  });

  it('7 text in any other form is not a key', () => {
    const key = formatKey(new Uint8Array(20));
    const wrong = ['', 'bdg_live_', key.toUpperCase(), ` ${key}`, `${key} `, `${key}\n`];
    for (const text of [...wrong, key.replace('live', 'test'), key.slice(9), `${key}00`]) {
      assert.equal(isKey(text), false, text);
    }
  });

  it('7 the first 6 of the 48 characters are displayed', () => {
    const key = formatKey(Uint8Array.from({ length: 20 }, (_, index) => 0xa0 + index));
    assert.equal(displayPartOf(key), 'a0a1a2');
  });

  it('7 a key has expired from its last millisecond on; a revoked one stays revoked', () => {
    const states = [
      { revokedAtMs: null, expiresAtMs: null },
      { revokedAtMs: null, expiresAtMs: 11 },
      { revokedAtMs: null, expiresAtMs: 10 },
      { revokedAtMs: 5, expiresAtMs: 10 },
    ].map((key) => keyState(key, 10));
    assert.deepEqual(states, ['live', 'live', 'expired', 'revoked']);
  });
});

function anyBytes(random: Random): Uint8Array {
  return Uint8Array.from({ length: 20 }, () => random.whole(0, 255));
}
