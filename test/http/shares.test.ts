import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shares } from '../../src/http/shares.ts';

const ANA = ['org_1', 'ana'] as const;
const BEN = ['org_1', 'ben'] as const;
const CAT = ['org_2', 'cat'] as const;

test('nothing has to go up to the limit', () => {
  const shares = new Shares<string>(100);
  assert.deepEqual(shares.grow('a', ANA, 60), []);
  assert.deepEqual(shares.grow('c', CAT, 40), []);
  assert.deepEqual(shares.grow('c', CAT, 0), []);
});

test('the stalest item of the largest member of the largest owner has to go', () => {
  const shares = new Shares<string>(100);
  for (const item of ['a1', 'a2', 'a3']) shares.grow(item, ANA, 10);
  shares.grow('b1', BEN, 25);
  shares.grow('c1', CAT, 45);
  shares.grow('a1', ANA, 0);
  assert.deepEqual(shares.grow('c2', CAT, 0), []);
  // org_1 has 55 of 101, ana 30 of them.
  assert.deepEqual(shares.grow('c2', CAT, 1), ['a2']);
  assert.deepEqual(shares.grow('c2', CAT, 9), []);
  assert.deepEqual(shares.grow('c2', CAT, 1), ['c1']);
});

test('what alone exceeds the limit has to go itself', () => {
  const shares = new Shares<string>(100);
  shares.grow('a', ANA, 100);
  assert.deepEqual(shares.grow('a', ANA, 1), ['a']);
  assert.deepEqual(shares.grow('b', BEN, 100), []);
});

test('an owner and its members can have limits of their own', () => {
  const shares = new Shares<string>(100, 4, 2);
  shares.grow('a1', ANA, 1);
  shares.grow('a2', ANA, 1);
  assert.deepEqual(shares.grow('a3', ANA, 1), ['a1']);
  shares.grow('b1', BEN, 1);
  shares.grow('b2', BEN, 1);
  assert.deepEqual(shares.grow('d1', ['org_1', 'dan'], 1), ['a2']);
  assert.deepEqual(shares.grow('c1', CAT, 1), []);
});

test('a name in two organisations is two members', () => {
  const shares = new Shares<string>(100, 100, 1);
  shares.grow('a1', ANA, 1);
  assert.deepEqual(shares.grow('a2', ['org_2', 'ana'], 1), []);
});

test('what is removed no longer counts', () => {
  const shares = new Shares<string>(2);
  for (let at = 0; at < 1000; at += 1) {
    assert.deepEqual(shares.grow(`a${at}`, ANA, 2), []);
    shares.remove(`a${at}`);
    shares.remove(`a${at}`);
  }
});
