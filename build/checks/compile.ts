/**
 * Compiles schemas into the text of a module. TypeBox writes the checks; this makes them accept own
 * members only and need nothing but functions of our own. What it does not know, it refuses.
 */

import type { TSchema } from 'typebox';
import { Format } from 'typebox/format';
import { Build } from 'typebox/schema';
import * as calendar from '../../src/core/calendar.ts';
import * as text from '../../src/core/text.ts';
import * as transactions from '../../src/core/transactions.ts';

/** The modules whose functions a check can call, by their path from a room. */
const MODULES = {
  '../core/calendar.js': calendar,
  '../core/text.js': text,
  '../core/transactions.js': transactions,
};

/** What a text of each format must be. A schema with another format is refused. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  date: calendar.isCalendarDate,
  'date-time': calendar.isInstantText,
  identifier: text.isNotEmpty,
};

/** A module with a check for each schema, `checks.Name(value)`. It needs only our functions. */
export function compileChecks(schemas: Readonly<Record<string, TSchema>>): string {
  Format.Clear();
  for (const [name, check] of Object.entries(FORMATS)) Format.Set(name, check);
  const imports = new Set<string>();
  const checks = Object.entries(schemas).map(([name, schema]) => {
    return `  ${name}: (() => {\n${compile(schema, imports)}\n  })(),\n`;
  });
  Format.Reset();
  return `${[...imports].join('\n')}\n\nexport const checks = {\n${checks.join('')}};\n`;
}

/** The schemas as plain JSON Schema, `schemas.Name`, for a room that reads what they say. */
export function writeSchemas(schemas: Readonly<Record<string, TSchema>>): string {
  return `export const schemas = ${JSON.stringify(schemas)};\n`;
}

/** The body of a function that returns the check of a schema. */
function compile(schema: TSchema, imports: Set<string>): string {
  refuseOtherFormats(schema);
  const build = Build(schema);
  const { variables } = build.External() as { variables: readonly unknown[] };
  const constants = variables.map((value, at) => {
    return `const external_${at} = ${write(value, imports)}`;
  });
  const functions = build.Functions().map((each) => {
    if (each.includes('Guard.CodePointCount(')) write(text.countCharacters, imports);
    return adapt(each);
  });
  const lines = [...constants, ...functions, `return (value) => ${build.Entry()}`];
  return lines.map((line) => `    ${line};`).join('\n');
}

/** TypeBox would accept every text for a format that it does not know. */
function refuseOtherFormats(schema: TSchema): void {
  JSON.stringify(schema, (key, value) => {
    const isFormat = key === 'format' && typeof value === 'string';
    if (isFormat && !Object.hasOwn(FORMATS, value)) throw new Error(`What is format ${value}?`);
    return value;
  });
}

/** A pattern as it is; a function, or that of a refinement, by its name. */
function write(value: unknown, imports: Set<string>): string {
  if (value instanceof RegExp) return String(value);
  const wanted = typeof value === 'object' && value !== null ? Reflect.get(value, 'check') : value;
  for (const [path, module] of Object.entries(MODULES)) {
    for (const [name, each] of Object.entries(module)) {
      if (each !== wanted) continue;
      imports.add(`import { ${name} } from '${path}';`);
      return name;
    }
  }
  throw new Error(`A check can call functions of ${Object.keys(MODULES)}, not ${wanted}`);
}

function adapt(check: string): string {
  const adapted = check
    .replace(/("(?:[^"\\]|\\.)*") in ((?:[\w.]|\["(?:[^"\\]|\\.)*"\])+)/g, 'Object.hasOwn($2, $1)')
    .replace(/External\[(\d+)\](?:\.check(?=\())?/g, 'external_$1')
    .replaceAll('Guard.CodePointCount', 'countCharacters');
  // Without texts and members, only these words are left.
  const rest = adapted.replace(/"(?:[^"\\]|\\.)*"|\.[\w$]+/g, '');
  const unknown = rest.match(/[\w$]+/g)?.filter((word) => !KNOWN.test(word)) ?? [];
  if (unknown.length > 0) throw new Error(`TypeBox wrote ${unknown}, in ${check}`);
  return adapted;
}

const KNOWN = new RegExp(
  '^(?:\\d+|_|(?:check|external|unique)_\\d+|value|index|const|typeof|null|undefined|true|false|' +
    'Array|Number|Object|countCharacters)$',
);
