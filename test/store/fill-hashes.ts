/** Hashes for transactions that a test or the bench has written with SQL of its own. */

import type { Db } from '../../src/database/driver.ts';
import { HASHED_COLUMNS, rowHash } from '../../src/store/row-hashes.ts';

/** Gives every transaction the hash of its values. */
export function fillHashes(db: Db): void {
  db.function('row_hash_of', { varargs: true, deterministic: true }, (...each) => rowHash(each));
  db.exec(`update transactions set row_hash = row_hash_of(${HASHED_COLUMNS.join(', ')})`);
}
