/**
 * Explains what is wrong with an input in the words of its schema: each part can have a member
 * `says` with what it must be. Loads TypeBox, so import it only when a check has failed (decision
 * 0001).
 */

import type { TSchema } from 'typebox';
import { Errors } from 'typebox/schema';

/** One thing that is wrong. */
export interface InputError {
  /** Where, such as `fields.amount.column`; empty for the whole document. */
  readonly place: string;
  /** Such as `must be true or false`; it continues a sentence that begins with the place. */
  readonly message: string;
}

type TypeBoxError = ReturnType<typeof Errors>[1][number];
type Part = Readonly<Record<string, unknown>>;

/** Errors of an object or list, besides being another type. */
const OF_CONTENT: ReadonlySet<string> = new Set(['additionalProperties', 'required', 'minItems']);

/** Everything that is wrong, in the order of the schema; empty for a valid value. */
export function explainInput(schema: TSchema, value: unknown): InputError[] {
  const errors = Errors(schema, value)[1].filter(({ keyword }) => keyword !== 'boolean');
  const unions = new Set(
    errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath),
  );
  // Of a union, the errors inside the value count: that it is not of another type says nothing.
  const inside = errors.filter(
    ({ keyword, instancePath }) =>
      keyword !== 'anyOf' && (!unions.has(instancePath) || OF_CONTENT.has(keyword)),
  );
  return errors
    .filter((error) => {
      if (error.keyword !== 'anyOf') return inside.includes(error);
      return !inside.some((each) => isWithin(each.instancePath, error.instancePath));
    })
    .flatMap((error) => describe(error, findPart(schema, error.schemaPath)));
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

function describe(error: TypeBoxError, part: Part): InputError[] {
  const place = showPlace(error.instancePath);
  const members = partOf(part, 'properties');
  if (error.keyword === 'required') {
    return error.params.requiredProperties.map((name) => {
      const own = place === '' ? name : `${place}.${name}`;
      return { place: own, message: say(partOf(members, name)) };
    });
  }
  if (error.keyword !== 'additionalProperties') return [{ place, message: say(part) }];
  const known = Object.keys(members).join(', ');
  const hints = Array.isArray(part['hints']) ? part['hints'].map(String) : [];
  return error.params.additionalProperties.map((name) => {
    const hint = hints.find((each) => each.endsWith(` has ${name}`));
    return { place, message: hint === undefined ? `has no "${name}", only ${known}` : `: ${hint}` };
  });
}

function say(part: Part): string {
  if (typeof part['says'] === 'string') return part['says'];
  return `must be a JSON object with ${Object.keys(partOf(part, 'properties')).join(', ')}`;
}

/** `fields.made[0]` for `/fields/made/0`. */
function showPlace(path: string): string {
  return path
    .slice(1)
    .replace(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
}

/** The part of a schema at a path such as `#/properties/fields`. */
function findPart(schema: TSchema, path: string): Part {
  return path
    .split('/')
    .slice(1)
    .reduce<Part>(partOf, schema as unknown as Part);
}

function partOf(part: Part, name: string): Part {
  const found = part[name];
  return typeof found === 'object' && found !== null ? (found as Part) : {};
}
