/**
 * Rejects rows that would make the service refuse the whole request: otherwise one such row would
 * end the push.
 */

import { BATCH_BYTES } from '../../client/index.ts';
import { JSON_DEPTH, JSON_VALUES } from '../../core/limits.ts';
import type { Entry, RowProblem } from '../../rows/rows.ts';

/** The size of a request without its rows, with some room to spare. */
const ENVELOPE_BYTES = 64;
/** `{"rows":[`. */
const ENVELOPE_BRACKETS = 2;
/** The service also counts the envelope and its rows as values. */
const ENVELOPE_VALUES = 3;
/** The most bytes that one UTF-16 unit takes. */
const UNIT_BYTES = 3;

/** Returns the entry, rejected if it cannot be sent even alone. */
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
 * The nesting depth of a value, and its number of values as the service counts them. Not recursive,
 * because the depth is unlimited.
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
