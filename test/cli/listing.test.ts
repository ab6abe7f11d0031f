import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPage } from '../../src/cli/listing.ts';
import type { PageRequest } from '../../src/operations/pages.ts';

test('8: a list follows short pages until it has as many items as the limit', () => {
  const pages = [[1], [], [2, 3], [4, 5, 6], [7]];
  const asked: object[] = [];
  const ask = (page: PageRequest) => {
    asked.push(page);
    const index = Number(page.cursor ?? 0);
    const items = (pages[index] ?? []).slice(0, page.limit);
    return { items, nextCursor: index + 1 < pages.length ? String(index + 1) : null };
  };
  assert.deepEqual(fillPage(4, undefined, ask), { items: [1, 2, 3, 4], nextCursor: '4' });
  assert.deepEqual(asked, [
    { limit: 4, cursor: undefined },
    { limit: 3, cursor: '1' },
    { limit: 3, cursor: '2' },
    { limit: 1, cursor: '3' },
  ]);
  assert.deepEqual(fillPage(100, undefined, ask).items, [1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(fillPage(100, '3', ask).items, [4, 5, 6, 7]);
});
