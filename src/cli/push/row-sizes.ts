/**
 * Rejects rows that would make the service refuse the whole request: otherwise one such row would
 * end the push.
 */

import { BATCH_BYTES } from '../../client/index.ts';
import { measureJson } from '../../core/json-size.ts';
import { JSON_DEPTH, JSON_VALUES } from '../../core/limits.ts';
import type { Entry, RowProblem } from '../../files/index.ts';

/** The rest of a request around its row: `{"rows":[` and `]}`, with some bytes to spare. */
const ENVELOPE = { bytes: 64, brackets: 2, values: 2 };

/** Returns the entry, rejected if it cannot be sent even alone. */
export function refuseUnsendable(entry: Entry): Entry {
  if (entry.problems.length > 0) return entry;
  const problem = findProblem(entry.row);
  return problem === undefined ? entry : { ...entry, row: undefined, problems: [problem] };
}

function findProblem(row: unknown): RowProblem | undefined {
  const bytes = writeRow(row);
  const { depth, values } = bytes === undefined ? BOTTOMLESS : measureJson(bytes);
  const mostDeep = JSON_DEPTH - ENVELOPE.brackets;
  if (depth > mostDeep) {
    const message = `The row has more than ${mostDeep} nested brackets. Make it flatter.`;
    return { field: null, code: 'row_too_deep', message };
  }
  const mostValues = JSON_VALUES - ENVELOPE.values;
  const hasRoom = bytes === undefined || bytes.length <= BATCH_BYTES - ENVELOPE.bytes;
  if (values <= mostValues && hasRoom) return undefined;
  const message =
    values > mostValues
      ? `The row has more than ${mostValues} values. Remove some.`
      : 'The row is larger than a request may be (4 MiB).';
  return { field: null, code: 'row_too_large', message };
}

const BOTTOMLESS = { depth: Number.POSITIVE_INFINITY, values: 0 };

/** The row as it is sent; undefined if it is nested so deeply that it cannot be written. */
function writeRow(row: unknown): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(row));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
