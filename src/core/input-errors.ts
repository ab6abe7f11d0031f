/**
 * Finds what is wrong with an input, and explains it in the words of its schema: each part can
 * have a member `says` with what it must be. Loads TypeBox, so import it only when a check has
 * failed (decision 0001).
 */

import type { TSchema } from 'typebox';
import { Errors } from 'typebox/schema';
import { Settings } from 'typebox/system';

/** One thing that is wrong. */
interface InputError {
  /** Where, such as `fields.amount.column`; empty for the whole document. */
  readonly place: string;
  /** Such as `must be true or false`; it continues a sentence that begins with the place. */
  readonly message: string;
}

/** One thing that is wrong, as TypeBox finds it. */
export interface InputFault {
  /** The names and positions that lead to it; a missing or unknown member has its name. */
  readonly steps: readonly string[];
  /** What of the schema it breaks, such as `type` or `maxLength`. */
  readonly keyword: string;
  /** The schema of what is there; for an unknown member, of the object. */
  readonly part: Part;
  readonly value: unknown;
}

type TypeBoxError = ReturnType<typeof Errors>[1][number];
type Part = Readonly<Record<string, unknown>>;

/** Errors of an object or list, besides being another type. */
const OF_CONTENT: ReadonlySet<string> = new Set(['additionalProperties', 'required', 'minItems']);

/** Everything that is wrong, in the words of the schema; empty for a valid value. */
export function explainInput(schema: TSchema, value: unknown): InputError[] {
  return findFaults(schema, value).map(describe);
}

/** Everything that is wrong, in the order of the schema; empty for a valid value. */
export function findFaults(schema: TSchema, value: unknown): InputFault[] {
  const errors = listErrors(schema, value).filter(({ keyword }) => keyword !== 'boolean');
  const unions = new Set(
    errors.filter(({ keyword }) => keyword === 'anyOf').map(({ instancePath }) => instancePath),
  );
  // Of a union, the errors inside the value count: that it is not of another type says nothing.
  const isInside = ({ keyword, instancePath }: TypeBoxError) =>
    keyword !== 'anyOf' && (!unions.has(instancePath) || OF_CONTENT.has(keyword));
  const inside = errors.filter(isInside);
  return errors
    .filter((error) => {
      if (error.keyword !== 'anyOf') return isInside(error);
      return !inside.some((each) => isWithin(each.instancePath, error.instancePath));
    })
    .flatMap((error) => toFaults(error, schema, value));
}

/** TypeBox lists only the first 8 by default. */
function listErrors(schema: TSchema, value: unknown): TypeBoxError[] {
  const { maxErrors } = Settings.Get();
  Settings.Set({ maxErrors: Number.POSITIVE_INFINITY });
  try {
    return Errors(schema, value)[1];
  } finally {
    Settings.Set({ maxErrors });
  }
}

function toFaults(error: TypeBoxError, schema: TSchema, document: unknown): InputFault[] {
  const { keyword, instancePath, schemaPath } = error;
  const steps = stepsOf(instancePath);
  const part = stepsOf(schemaPath).reduce<Part>(partOf, schema as unknown as Part);
  if (keyword === 'required') {
    return error.params.requiredProperties.map((name) => {
      const own = partOf(partOf(part, 'properties'), name);
      return { steps: [...steps, name], keyword, part: own, value: undefined };
    });
  }
  const value = steps.reduce((found, step) => Reflect.get(Object(found), step), document);
  if (keyword !== 'additionalProperties') return [{ steps, keyword, part, value }];
  return error.params.additionalProperties.map((name) => {
    return { steps: [...steps, name], keyword, part, value };
  });
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}/`);
}

function describe({ steps, keyword, part }: InputFault): InputError {
  if (keyword !== 'additionalProperties') return { place: showPlace(steps), message: say(part) };
  const member = steps.at(-1) ?? '';
  const known = Object.keys(partOf(part, 'properties')).join(', ');
  const hints = Array.isArray(part['hints']) ? part['hints'].map(String) : [];
  const hint = hints.find((each) => each.endsWith(` has ${member}`));
  const rest = hint === undefined ? `, only ${known}` : `: ${hint}`;
  return { place: showPlace(steps.slice(0, -1)), message: `has no "${member}"${rest}` };
}

function say(part: Part): string {
  if (typeof part['says'] === 'string') return part['says'];
  return `must be a JSON object with ${Object.keys(partOf(part, 'properties')).join(', ')}`;
}

/** `fields.made[0]` for the steps `fields`, `made`, `0`. */
export function showPlace(steps: readonly string[]): string {
  const parts = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`));
  return parts.join('').replace(/^\./, '');
}

function stepsOf(path: string): string[] {
  const steps = path.split('/').slice(1);
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function partOf(part: Part, name: string): Part {
  const found = part[name];
  return typeof found === 'object' && found !== null ? (found as Part) : {};
}
