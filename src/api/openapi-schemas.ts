/**
 * The schemas of the contract as components of the OpenAPI document: whatever the contract gives a
 * name is one component, and everything else points at it.
 */

import * as contract from './contract.ts';
import type { Schema } from './openapi-document.ts';
import { MEMBER_WORDS, SCHEMA_WORDS } from './openapi-words.ts';

/** The name of a schema of the contract. */
export type SchemaName = keyof typeof contract;

/** Gathers the components that the document points at. */
export class SchemaComponents {
  readonly #used = new Map<string, Schema>();

  /** A pointer at a schema of the contract. */
  refer(name: SchemaName): Schema {
    if (!this.#used.has(name)) {
      this.#used.set(name, {});
      this.#used.set(name, this.#define(name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** A schema of the contract's or of a parameter: a pointer where the contract names it. */
  convert(schema: Schema): Schema {
    const name = NAMES.get(keyOf(schema));
    return name === undefined ? this.#convertInline(schema) : this.refer(name);
  }

  /** All that were pointed at, by name in the order of their words. */
  list(): Record<string, Schema> {
    const names = Object.keys(SCHEMA_WORDS).filter((name) => this.#used.has(name));
    return Object.fromEntries(names.map((name) => [name, this.#used.get(name) ?? {}]));
  }

  #define(name: SchemaName): Schema {
    const members: Readonly<Record<string, string>> =
      name in MEMBER_WORDS ? MEMBER_WORDS[name as keyof typeof MEMBER_WORDS] : {};
    const { type, ...rest } = this.#convertInline(SCHEMAS.get(name) ?? {}, members);
    const described = { description: SCHEMA_WORDS[name], ...rest };
    return type === undefined ? described : { type, ...described };
  }

  #convertInline(schema: Schema, words: Readonly<Record<string, string>> = {}): Schema {
    const { properties, items, anyOf, ...rest } = schema;
    const converted: Record<string, unknown> = typed(rest);
    if (properties !== undefined) {
      converted['properties'] = Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, each]) => [
          name,
          described(this.convert(each), words[name]),
        ]),
      );
    }
    if (items !== undefined) converted['items'] = this.convert(items as Schema);
    if (anyOf === undefined) return converted;
    return { ...converted, ...this.#convertUnion(anyOf as readonly Schema[]) };
  }

  #convertUnion(branches: readonly Schema[]): Schema {
    const [first, second] = branches.map((each) => this.convert(each));
    if (second?.['type'] === 'null' && typeof first?.['type'] === 'string') {
      return { ...first, type: [first['type'], 'null'] };
    }
    const converted = branches.map((each) => this.convert(each));
    const mapping = branches.flatMap((each, at) =>
      listStatuses(each).map((status) => [status, converted[at]?.['$ref']] as const),
    );
    if (mapping.length === 0) return { anyOf: converted };
    const discriminator = { propertyName: 'status', mapping: Object.fromEntries(mapping) };
    return { oneOf: converted, discriminator };
  }
}

/** Closed lists are found by their values, as a parameter's has no other form in common. */
function keyOf(schema: Schema): string {
  return JSON.stringify(schema['enum'] ?? schema);
}

/** The contract's schemas by name; they carry what TypeBox needs where nobody looks. */
const SCHEMAS = new Map(Object.entries(contract as unknown as Record<SchemaName, Schema>));

const NAMES = new Map<string, SchemaName>();
for (const [name, schema] of SCHEMAS) {
  const key = keyOf(schema);
  const other = NAMES.get(key);
  if (other !== undefined) throw new Error(`${name} and ${other} are one schema.`);
  NAMES.set(key, name as SchemaName);
}

/** The contract leaves the type of a closed list out, which generators want to see. */
function typed(schema: Schema): Record<string, unknown> {
  const isList = schema['enum'] !== undefined || schema['const'] !== undefined;
  return isList ? { type: 'string', ...schema } : { ...schema };
}

function described(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}

/** The values of `status` by which a branch of a union is told, if it is. */
function listStatuses(branch: Schema): readonly string[] {
  const { status } = (branch['properties'] ?? {}) as Record<string, Schema | undefined>;
  return (status?.['enum'] ?? [status?.['const'] ?? []].flat()) as string[];
}
