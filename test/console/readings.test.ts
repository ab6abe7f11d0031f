import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Readings } from '../../src/console/session/readings.ts';
import { SESSIONS } from '../../src/core/limits.ts';
import { ConnectionCut } from '../../src/http/message.ts';
import { nextTurn, type Steps } from '../../src/operations/turns.ts';
import { openDesk, push } from './desk.ts';

/** Whose page a reading is for. */
type Asker = Parameters<Readings['take']>[0];

/** A search, and how many of its steps were done. */
class Search {
  readonly request: { isGone: boolean; method: string };
  done = 0;

  constructor(method = 'GET') {
    this.request = { isGone: false, method };
  }

  *steps(count = 20): Steps<string> {
    for (; this.done < count; this.done += 1) yield;
    return 'found';
  }
}

/** Two sessions of one user. */
const [session, second] = [
  { id: 7, userId: 1 },
  { id: 8, userId: 1 },
];

it('a search does no further step when its browser has gone, also while it waits', async () => {
  const readings = new Readings();
  const searches = Array.from({ length: 10 }, () => new Search());
  const ends = searches.map((each) => {
    return readings.take({ request: each.request, session }, each.steps()).catch((error) => error);
  });
  await nextTurn();
  const done = searches.map((each) => each.done);
  for (const each of searches) each.request.isGone = true;
  for (const end of await Promise.all(ends)) assert.ok(end instanceof ConnectionCut);
  assert.deepEqual(
    searches.map((each) => each.done),
    done,
  );
  const last = new Search();
  assert.equal(await readings.take({ request: last.request, session }, last.steps()), 'found');
});

it('a search for the answer to a form is done to its end', async () => {
  const search = new Search('POST');
  const end = new Readings().take({ request: search.request, session }, search.steps());
  search.request.isGone = true;
  assert.equal(await end, 'found');
});

it('a user has a few searches at a time in all sessions, and does not hold up others', async () => {
  const readings = new Readings();
  const searches = Array.from({ length: 10 }, () => new Search());
  let most = 0;
  const ends = searches.map((each, at) => {
    const asker = { request: each.request, session: at % 2 === 0 ? session : second };
    return readings.take(asker, each.steps());
  });
  const other = new Search();
  let isOtherDone = false;
  const end = readings.take({ request: other.request, session: { userId: 2 } }, other.steps());
  const ended = end.then(() => {
    isOtherDone = true;
    return searches.filter((each) => each.done === 20).length;
  });
  while (!isOtherDone) {
    await nextTurn();
    most = Math.max(most, searches.filter((each) => each.done > 0 && each.done < 20).length);
  }
  assert.ok(most <= SESSIONS.readingsAtOnce, `${most} at once`);
  assert.ok((await ended) <= SESSIONS.readingsAtOnce);
  assert.deepEqual(new Set(await Promise.all(ends)), new Set(['found']));
});

describe('a page that looks at thousands of transactions ends when its browser has gone', () => {
  for (const path of [
    '/rules',
    '/rules/run',
    '/transactions/bulk?scope=all&work=exclude',
    '/transactions?q=nothing%20like%20this',
  ]) {
    it(path, async (test) => {
      const { browser, ...desk } = await openDesk(test, 'admin');
      for (let at = 0; at < 2000; at += 500) {
        const rows = Array.from({ length: 500 }, (_, number) => ({
          externalId: `N-${at + number}`,
          date: '2026-03-01',
          description: 'Taxi',
          amount: 1,
        }));
        push(desk, rows);
      }
      let turns = 0;
      const take = Readings.prototype.take<unknown>;
      test.mock.method(Readings.prototype, 'take', function (this: Readings, asker: Asker, steps) {
        const { method } = asker.request;
        // Gone from the second turn on.
        const request = {
          method,
          get isGone() {
            return turns > 1;
          },
        };
        return take.call(this, { ...asker, request }, counted(steps));
      } as typeof take);
      function* counted(steps: Steps<unknown>): Steps<unknown> {
        for (;;) {
          turns += 1;
          const step = steps.next();
          if (step.done) return step.value;
          yield;
        }
      }
      await assert.rejects(browser.get(path), /fetch failed/);
      assert.equal(turns, 2);
    });
  }
});
