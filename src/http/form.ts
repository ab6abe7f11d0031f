/** Forms as browsers send them: `application/x-www-form-urlencoded`. */

import { isAscii } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../core/failures.ts';
import { groupBy } from '../core/groups.ts';
import { FORMS } from '../core/limits.ts';
import { tooLarge } from './body.ts';
import { decodePairs, type Query } from './target.ts';

const AMPERSAND = 38;
/** Fields that are decoded before other requests have their turn: some 5 ms. */
const FIELDS_AT_ONCE = 5_000;

/** The fields of a form. Their values are as typed: not trimmed, and not checked. */
export class Form {
  /** In the order sent, with repeated names. */
  readonly fields: Query;
  readonly #byName: ReadonlyMap<string, Query>;

  constructor(fields: Query) {
    this.fields = fields;
    this.#byName = groupBy(fields, ([name]) => name);
  }

  /** The first value of a field; undefined if it was not sent. */
  value(name: string): string | undefined {
    return this.#byName.get(name)?.[0]?.[1];
  }

  /** All values of a field, such as those of ticked boxes with one name. */
  values(name: string): readonly string[] {
    return this.#byName.get(name)?.map(([, value]) => value) ?? [];
  }
}

/**
 * Reads a form in turns, of which no field is longer than FORMS.bytes unless its route says so.
 * Throws `invalid_encoding` for anything but encoded UTF-8, `payload_too_large` for too much.
 */
export async function readFormBytes(bytes: Uint8Array, fieldBytes = FORMS.bytes): Promise<Form> {
  if (!isAscii(bytes)) throw notUtf8();
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // Each in a text of its own: a part of a text keeps all of it in memory, and outcomes keep names.
  const pairs: string[] = [];
  for (let at = 0, end = 0; end < form.length; at = end + 1) {
    end = form.indexOf(AMPERSAND, at);
    if (end < 0) end = form.length;
    if (end - at > fieldBytes) throw tooLarge(fieldBytes, 'A field of the form', 'Shorten it');
    if (pairs.length === FORMS.fields) throw tooManyFields(FORMS.fields);
    pairs.push(form.toString('latin1', at, end));
  }
  const fields: Query[number][] = [];
  for (const [at, pair] of pairs.entries()) {
    if (at % FIELDS_AT_ONCE === FIELDS_AT_ONCE - 1) await nextTurn();
    fields.push(...decodePairs(pair, notUtf8));
  }
  return new Form(fields);
}

/** 413, for a form with more fields. */
export function tooManyFields(most: number): Failure {
  return new Failure('payload_too_large', `The form has more than ${most} fields.`);
}

function notUtf8(): Failure {
  return new Failure(
    'invalid_encoding',
    'The form cannot be decoded. Percent-encode it as UTF-8: % and two hexadecimal digits per ' +
      'byte.',
  );
}
