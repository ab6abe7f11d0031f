/** Rows that no request could hold: rejected here, or one of them would end the whole push. */

import { BATCH_BYTES } from '../../client/index.ts';
import type { Entry } from './rows.ts';

/** What stands around the one row of a request, with room to spare. */
const ENVELOPE_BYTES = 64;
/** Bytes of one UTF-16 unit at most. */
const UNIT_BYTES = 3;

/** The entry itself, or rejected when it is too large to be sent even alone. */
export function refuseTooLarge(entry: Entry): Entry {
  if (entry.problems.length > 0) return entry;
  const text = JSON.stringify(entry.row) ?? '';
  const limit = BATCH_BYTES - ENVELOPE_BYTES;
  if (text.length * UNIT_BYTES <= limit || Buffer.byteLength(text) <= limit) return entry;
  const message = 'The row is larger than a request may be (4 MiB).';
  const problem = { field: null, code: 'row_too_large', message };
  return { ...entry, row: undefined, problems: [problem] };
}
