import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimiter } from '../../src/http/rate-limiter.ts';

const WINDOW_MS = 60_000;

/** A seeded generator (mulberry32), so that a failure can be reproduced. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

test('contract 2(4): 120 requests pass at once, the next is refused, remaining counts down', () => {
  const limiter = new RateLimiter();
  for (let sent = 1; sent <= 120; sent += 1) {
    assert.deepEqual(limiter.take('a', 5), {
      allowed: true,
      limit: 120,
      remaining: 120 - sent,
      resetSeconds: 60,
      retryAfterSeconds: 0,
    });
  }
  assert.deepEqual(limiter.take('a', 5), {
    allowed: false,
    limit: 120,
    remaining: 0,
    resetSeconds: 60,
    retryAfterSeconds: 60,
  });
});

test('contract 2(4): each token returns exactly 60 seconds after it was taken', () => {
  const limiter = new RateLimiter(2);
  assert.equal(limiter.take('a', 0).allowed, true);
  assert.equal(limiter.take('a', 10_000).allowed, true);
  assert.equal(limiter.take('a', 59_999).allowed, false);
  assert.equal(limiter.take('a', 60_000).allowed, true);
  assert.equal(limiter.take('a', 69_999).allowed, false);
  assert.equal(limiter.take('a', 70_000).allowed, true);
});

test('contract 2(4): a refused request takes no token', () => {
  const limiter = new RateLimiter(1);
  limiter.take('a', 0);
  for (let tickMs = 1; tickMs < WINDOW_MS; tickMs += 100) {
    assert.equal(limiter.take('a', tickMs).allowed, false);
  }
  assert.equal(limiter.take('a', WINDOW_MS).allowed, true);
});

test('contract 1: reset is when the bucket is full, retry is when one token returns', () => {
  const limiter = new RateLimiter(2);
  limiter.take('a', 0);
  limiter.take('a', 30_500);
  const refused = limiter.take('a', 59_200);
  assert.deepEqual([refused.retryAfterSeconds, refused.resetSeconds], [1, 32]);
});

test('contract 2(4): keys do not share a bucket', () => {
  const limiter = new RateLimiter(1);
  assert.equal(limiter.take('a', 0).allowed, true);
  assert.equal(limiter.take('b', 0).allowed, true);
  assert.equal(limiter.take('a', 0).allowed, false);
});

test('contract 2(4): no 60 seconds have more requests than the capacity, at any pace', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = randomFrom(seed);
    const capacity = seed % 3 === 0 ? 1 + Math.floor(random() * 20) : 120;
    const limiter = new RateLimiter(capacity);
    const allowed: number[] = [];
    let tickMs = random() * 1e9;
    for (let sent = 0; sent < 3_000; sent += 1) {
      const pace = random();
      // Bursts, a stream slightly too fast, and pauses about as long as the window.
      tickMs +=
        pace < 0.6 ? 0 : pace < 0.99 ? random() * 1_200 : WINDOW_MS * (0.9 + random() * 0.2);
      const decision = limiter.take('a', tickMs);
      if (decision.allowed) {
        allowed.push(tickMs);
        const before = allowed[allowed.length - 1 - capacity];
        assert.ok(before === undefined || tickMs - before >= WINDOW_MS - 1e-6, `seed ${seed}`);
      } else {
        const { retryAfterSeconds } = decision;
        assert.ok(Number.isInteger(retryAfterSeconds));
        assert.ok(retryAfterSeconds >= 1 && retryAfterSeconds <= 60, `seed ${seed}`);
        // A second less would be too early, and no available token is withheld.
        const oldest = allowed[allowed.length - capacity] ?? Number.NaN;
        assert.ok(oldest + WINDOW_MS > tickMs + (retryAfterSeconds - 1) * 1000, `seed ${seed}`);
      }
      assert.ok(decision.remaining >= 0 && decision.remaining < capacity);
      assert.ok(decision.resetSeconds >= 1 && decision.resetSeconds <= 60);
    }
  }
});

test('contract 1: a request exactly after Retry-After succeeds, despite rounding', () => {
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const random = randomFrom(seed);
    const limiter = new RateLimiter(3);
    let tickMs = random() * 10 ** (seed % 13);
    for (let sent = 0; sent < 3; sent += 1) {
      limiter.take('a', tickMs);
      tickMs += random() < 0.5 ? 0 : random() * 10_000;
    }
    const refused = limiter.take('a', tickMs);
    assert.equal(refused.allowed, false);
    assert.ok(refused.retryAfterSeconds <= 60, `seed ${seed}`);
    const retryMs = tickMs + refused.retryAfterSeconds * 1000;
    assert.equal(limiter.take('a', retryMs).allowed, true, `seed ${seed}`);
  }
});

test('an idle key is removed, one in use is not', () => {
  const limiter = new RateLimiter(2);
  for (let key = 0; key < 1_000; key += 1) {
    limiter.take(`key ${key}`, key);
  }
  assert.equal(limiter.keyCount, 1_000);
  limiter.take('busy', 60_500);
  assert.equal(limiter.keyCount, 500);
  limiter.take('busy', 60_501);
  limiter.take('other', 120_600);
  assert.equal(limiter.keyCount, 1);
  assert.equal(limiter.take('busy', 120_600).remaining, 1);
});

test('every token returns even if idle keys have not been removed', () => {
  const limiter = new RateLimiter(3);
  limiter.take('other', 0);
  limiter.take('a', 100);
  assert.equal(limiter.take('a', 60_100).remaining, 2);
});

test('the capacity must be a whole number of 1 or more', () => {
  for (const capacity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => new RateLimiter(capacity), RangeError);
  }
});

test('a token that is given back can be taken again, and no other is', () => {
  const limiter = new RateLimiter(3, WINDOW_MS);
  for (const tickMs of [0, 1, 2]) assert.equal(limiter.take('a', tickMs).allowed, true);
  limiter.giveBack('a', 1);
  limiter.giveBack('a', 1);
  limiter.giveBack('b', 1);
  assert.equal(limiter.take('a', 3).allowed, true);
  assert.equal(limiter.take('a', 3).allowed, false);
  // Those of 0, 2 and 3 return when they would have.
  assert.equal(limiter.take('a', WINDOW_MS).allowed, true);
  assert.equal(limiter.take('a', WINDOW_MS + 1).allowed, false);
  assert.equal(limiter.take('a', WINDOW_MS + 2).allowed, true);
});

test('a limit on the keys forgets the oldest, and a key without taken tokens is not kept', () => {
  const limiter = new RateLimiter(1, WINDOW_MS, 3);
  for (const key of ['a', 'b', 'c', 'd']) assert.equal(limiter.take(key, 0).allowed, true);
  assert.equal(limiter.keyCount, 3);
  assert.equal(limiter.take('b', 0).allowed, false);
  limiter.giveBack('b', 0);
  assert.equal(limiter.keyCount, 2);
  assert.equal(limiter.take('a', 0).allowed, true);
  assert.equal(limiter.take('d', 0).allowed, false);
});
