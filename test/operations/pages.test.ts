import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STRETCH } from '../../src/core/limits.ts';
import {
  fillPage,
  type Listing,
  listAll,
  type PageRequest,
  readStretches,
} from '../../src/operations/pages.ts';
import { finish } from '../../src/operations/turns.ts';

test('8: a list follows short pages until it has as many items as the limit', () => {
  const pages = [[1], [], [2, 3], [4, 5, 6], [7]];
  const asked: object[] = [];
  const ask = (page: PageRequest) => {
    asked.push(page);
    const index = Number(page.cursor ?? 0);
    const items = (pages[index] ?? []).slice(0, page.limit);
    return { items, nextCursor: index + 1 < pages.length ? String(index + 1) : null };
  };
  assert.deepEqual(fillPage({ limit: 4 }, ask), { items: [1, 2, 3, 4], nextCursor: '4' });
  assert.deepEqual(asked, [
    { limit: 4, cursor: undefined },
    { limit: 3, cursor: '1' },
    { limit: 3, cursor: '2' },
    { limit: 1, cursor: '3' },
  ]);
  assert.deepEqual(fillPage({}, ask).items, [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(fillPage({ cursor: '3' }, ask).items, [4, 5, 6, 7]);
  assert.deepEqual(listAll(ask), [1, 2, 3, 4, 5, 6, 7]);
});

/** A list in which every tenth of 1,000 numbers matches; a stretch looks at as many as its work. */
function readTenths({ limit = 100, cursor }: PageRequest, work: number) {
  const items: number[] = [];
  let at = Number(cursor ?? 0);
  for (const end = at + work; at < end && at < 1000 && items.length < limit; at += 1) {
    if (at % 10 === 0) items.push(at);
  }
  return { items, nextCursor: at < 1000 ? String(at) : null };
}

test('4 a page is read in stretches until it is full', () => {
  const works: number[] = [];
  const read = (page: PageRequest, work: number) => {
    works.push(work);
    return readTenths(page, work === STRETCH.work ? 40 : 4);
  };
  const { items, nextCursor } = finish(readStretches({ limit: 7, cursor: '200' }, read));
  assert.deepEqual([items, nextCursor], [[200, 210, 220, 230, 240, 250, 260], '261']);
  assert.deepEqual(works, [STRETCH.firstWork, STRETCH.work, STRETCH.work]);
});

test('4 a page that is not full after all its stretches ends with a cursor', () => {
  const read = (page: PageRequest) => readTenths(page, 15);
  const first = finish(readStretches({}, read));
  assert.equal(first.nextCursor, String(15 * STRETCH.perPage));
  const found = [...first.items];
  let next: string | null = first.nextCursor;
  while (next !== null) {
    const { items, nextCursor }: Listing<number> = finish(readStretches({ cursor: next }, read, 2));
    found.push(...items);
    next = nextCursor;
  }
  assert.deepEqual(found, readTenths({}, 1000).items);
});
