import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId, readId } from '../../src/core/ids.ts';
import { Random } from './random.ts';

const PREFIXES = ['org', 'usr', 'key', 'prj', 'bln', 'txn', 'alc', 'rul'] as const;

describe('contract 1: identifiers', () => {
  it('1 an identifier is read as its number, and only with its own prefix', () => {
    const random = new Random(1);
    const numbers = [1, 2, 31, 32, 33, 1023, 1024, 2 ** 32, 2 ** 50 - 1];
    for (let round = 0; round < 500; round += 1) numbers.push(random.whole(1, 2 ** 50 - 1));
    for (const number of numbers) {
      for (const prefix of PREFIXES) {
        const id = formatId(prefix, number);
        assert.match(id, /^[a-z]{3}_[0-9a-z]+$/);
        for (const other of PREFIXES) {
          assert.equal(readId(other, id), other === prefix ? number : undefined);
        }
      }
    }
  });

  it('4 identifiers sort as text in the order they were assigned', () => {
    const ids = Array.from({ length: 3000 }, (_, index) => formatId('txn', index * 37 + 1));
    assert.deepEqual([...ids].sort(), ids);
  });

  const wrong: [text: string, why: string][] = [
    ['', 'nothing'],
    ['txn', 'a prefix'],
    ['txn_', 'a prefix and its underscore'],
    ['txn_1', 'too short'],
    ['txn_00000000001', 'too long'],
    ['txn_0000000000', 'number 0, which no record has'],
    ['txn_000000000A', 'upper case'],
    ['txn_000000000i', 'a letter that is not in the alphabet'],
    ['txn_000000000u', 'another'],
    ['txn_00000000-1', 'a sign'],
    ['txn_00000000 1', 'a space'],
    ['TXN_0000000001', 'a prefix in upper case'],
    ['txn-0000000001', 'a hyphen instead of the underscore'],
    ['txn_0000000001\n', 'a newline after'],
    [' txn_0000000001', 'a space before'],
    ['txn_00000000😀', 'a surrogate pair'],
    ['prj_0000000001', 'the prefix of a project'],
    ['0000000001', 'no prefix'],
    ['1', 'a number'],
    ['__proto__', 'a name of JavaScript'],
  ];
  for (const [text, why] of wrong) {
    it(`4 ${JSON.stringify(text)} is not a transaction id: ${why}`, () => {
      assert.equal(readId('txn', text), undefined);
    });
  }
});
