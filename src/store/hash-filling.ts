/** Hashes for the transactions of a file that has none yet. */

import { HASHED_COLUMNS, rowHash } from '../core/row-hash.ts';
import type { Db } from './driver.ts';

/** How many transactions get their hashes between two looks at the clock. */
const FILLED_TOGETHER = 5000;
const PROGRESS_MS = 2000;

/** Gives the transactions of an older schema their hashes. Columns that it lacks count as null. */
export function fillHashes(db: Db, onProgress: (message: string) => void): void {
  const present = db.prepare<[], string>(`select name from pragma_table_info('transactions')`);
  const columns = new Set(present.pluck().all());
  const values = HASHED_COLUMNS.map((column) => (columns.has(column) ? column : 'null'));
  db.function('row_hash_of', { varargs: true, deterministic: true }, (...each) => rowHash(each));
  const fill = db.prepare<[number, number]>(
    `update transactions set row_hash = row_hash_of(${values.join(', ')}) where id between ? and ?`,
  );
  const newest = db.prepare<[], number | null>('select max(id) from transactions').pluck();
  const last = newest.get() ?? 0;
  let shownMs = performance.now();
  for (let id = 1; id <= last; id += FILLED_TOGETHER) {
    fill.run(id, id + FILLED_TOGETHER - 1);
    if (performance.now() - shownMs < PROGRESS_MS) continue;
    shownMs = performance.now();
    onProgress(`${showCount(Math.min(last, id))} of ${showCount(last)} transactions`);
  }
}

function showCount(count: number): string {
  return count.toLocaleString('en-GB');
}
