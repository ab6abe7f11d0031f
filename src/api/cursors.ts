/**
 * Cursors: where a page ended, bound to the endpoint, organisation, project, filters and order it
 * was issued under, but not to `limit` (contract 4). The binding is a checksum, not a secret: the
 * organisation of the key is applied to every page whatever a cursor says.
 */

import { createHash } from 'node:crypto';
import { Failure } from '../core/failures.ts';
import type { Position } from '../store/pages.ts';

/** What a cursor is bound to: the same list asked for in the same way has the same text. */
export function bindingOf(
  endpoint: string,
  organisationId: number,
  filters: Readonly<Record<string, unknown>>,
): string {
  const sorted = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    endpoint,
    organisationId,
    sorted.filter(([, value]) => value !== undefined),
  ]);
}

/** The cursor of a place in a list. */
export function formatCursor(binding: string, { sort, id }: Position): string {
  const position = JSON.stringify([sort, id]);
  return Buffer.concat([checksum(binding, position), Buffer.from(position)]).toString('base64url');
}

/** The place in a cursor. Refuses with `invalid_cursor` one issued for another list. */
export function readCursor(binding: string, cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.toString('utf8', CHECKSUM_BYTES);
  const whole = bytes.toString('base64url') === cursor && bytes.length > CHECKSUM_BYTES;
  if (!whole || !checksum(binding, position).equals(bytes.subarray(0, CHECKSUM_BYTES))) {
    throw new Failure(
      'invalid_cursor',
      'The cursor was not issued for this list with these filters and this order: start again ' +
        'without one.',
    );
  }
  const [sort, id] = JSON.parse(position) as [string | number, number];
  return { sort, id };
}

const CHECKSUM_BYTES = 12;

function checksum(binding: string, position: string): Buffer {
  const hash = createHash('sha256').update(binding).update('\n').update(position);
  return hash.digest().subarray(0, CHECKSUM_BYTES);
}
