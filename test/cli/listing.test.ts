import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillPage } from '../../src/cli/listing.ts';

test('8: a list follows short pages until it has as many items as the limit', () => {
  const pages = [[1], [], [2, 3], [4, 5, 6], [7]];
  const asked: object[] = [];
  const ask = (rest: { limit?: number; cursor?: string }) => {
    asked.push(rest);
    const index = Number(rest.cursor ?? 0);
    const data = (pages[index] ?? []).slice(0, rest.limit ?? 4);
    const nextCursor = index + 1 < pages.length ? String(index + 1) : null;
    return { data, meta: { nextCursor } };
  };
  assert.deepEqual(fillPage(4, ask), { data: [1, 2, 3, 4], meta: { nextCursor: '4' } });
  assert.deepEqual(asked, [
    {},
    { limit: 3, cursor: '1' },
    { limit: 3, cursor: '2' },
    { limit: 1, cursor: '3' },
  ]);
  assert.deepEqual(fillPage(100, ask).data, [1, 2, 3, 4, 5, 6, 7]);
});
