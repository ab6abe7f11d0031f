/**
 * Rows for which the service would refuse the whole request they stand in: rejected here, or one
 * of them would end the push and take its neighbours with it.
 */

import { BATCH_BYTES } from '../../client/index.ts';
import { JSON_DEPTH, JSON_VALUES } from '../../core/limits.ts';
import type { Entry, RowProblem } from './rows.ts';

/** The rest of a request around its one row, with room to spare. */
const ENVELOPE_BYTES = 64;
/** `{"rows":[`. */
const ENVELOPE_BRACKETS = 2;
/** The envelope and its rows are values too, as the service counts them. */
const ENVELOPE_VALUES = 3;
/** Bytes of one UTF-16 unit at most. */
const UNIT_BYTES = 3;

/** The entry itself, or rejected when it cannot be sent even alone. */
export function refuseUnsendable(entry: Entry): Entry {
  if (entry.problems.length > 0) return entry;
  const problem = findProblem(entry.row);
  return problem === undefined ? entry : { ...entry, row: undefined, problems: [problem] };
}

function findProblem(row: unknown): RowProblem | undefined {
  const { depth, values } = measureJson(row);
  const mostDeep = JSON_DEPTH - ENVELOPE_BRACKETS;
  if (depth > mostDeep) {
    const message = `The row has more than ${mostDeep} nested brackets. Make it flatter.`;
    return { field: null, code: 'row_too_deep', message };
  }
  const mostValues = JSON_VALUES - ENVELOPE_VALUES;
  if (values > mostValues) {
    const message = `The row has more than ${mostValues} values. Remove some.`;
    return { field: null, code: 'row_too_large', message };
  }
  const text = JSON.stringify(row) ?? '';
  const limit = BATCH_BYTES - ENVELOPE_BYTES;
  if (text.length * UNIT_BYTES <= limit || Buffer.byteLength(text) <= limit) return undefined;
  const message = 'The row is larger than a request may be (4 MiB).';
  return { field: null, code: 'row_too_large', message };
}

/**
 * The most brackets open at once in a value's JSON, and its values as the service counts them.
 * Without recursion: it may be any depth.
 */
function measureJson(value: unknown): { depth: number; values: number } {
  let depth = 0;
  let values = 0;
  let level: object[] = isContainer(value) ? [value] : [];
  for (; level.length > 0; depth += 1) {
    level = level.flatMap((each) => {
      const members: unknown[] = Object.values(each);
      values += Math.max(1, members.length);
      return members.filter(isContainer);
    });
  }
  return { depth, values };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
