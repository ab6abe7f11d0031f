/** The three columns that a file of rejected rows adds to those of the input. */

/** The member with the line, code and reason of a rejected JSON row. */
export const REJECTED_MEMBER = '_rejected';

/** The line in the input, the codes, and the reason. */
const NAMES = ['line', 'code', 'reason'];
const PREFIX = 'rejected_';

/**
 * How many columns of a header belong to the input. The last three do not if they come from an
 * earlier file of rejected rows, unless the mapping reads one of them.
 */
export function countOwnColumns(header: readonly string[], columnsRead: readonly number[]): number {
  const start = header.length - NAMES.length;
  const [first = '', ...rest] = header.slice(Math.max(start, 0));
  const prefix = first.slice(0, -'line'.length);
  const isOurs =
    prefix.replaceAll(PREFIX, '') === '' &&
    [first, ...rest].join() === NAMES.map((name) => prefix + name).join();
  return isOurs && columnsRead.every((index) => index < start) ? start : header.length;
}

/** Names for the three columns that the input does not use. */
export function nameRejectedColumns(own: readonly string[]): string[] {
  let names = NAMES;
  while (names.some((name) => own.includes(name))) names = names.map((name) => PREFIX + name);
  return names;
}

/**
 * How many values of a row without a header belong to the input: the three of a rejected row, and
 * any extra values, come after them.
 */
export function countOwnValues(fields: readonly string[], columns: number): number {
  const [line = '', code = ''] = fields.slice(columns);
  const isOurs = /^\d+$/.test(line) && /^[a-z_]+(?: [a-z_]+)*$/.test(code);
  return isOurs ? columns : fields.length;
}
