/**
 * The schemas of the contract as components of the OpenAPI document: each named schema is one
 * component, and everything else refers to it.
 */

import * as contract from './contract.ts';
import type { Schema } from './openapi-document.ts';
import { MEMBER_WORDS, SCHEMA_WORDS } from './openapi-words.ts';

/** The name of a schema of the contract. */
export type SchemaName = keyof typeof contract;

/** Collects the components that the document refers to. */
export class SchemaComponents {
  readonly #used = new Map<string, Schema>();

  /** A reference to a schema of the contract. */
  refer(name: SchemaName): Schema {
    if (!this.#used.has(name)) {
      this.#used.set(name, {});
      this.#used.set(name, this.#define(name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Converts a schema of the contract or a parameter; a reference where the contract names it. */
  convert(schema: Schema): Schema {
    const name = NAMES.get(keyOf(schema));
    return name === undefined ? this.#convertInline(schema) : this.refer(name);
  }

  /** Every component that was referred to, in the order of their descriptions. */
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

/** A closed list is identified by its values: parameters and contract share nothing else. */
function keyOf(schema: Schema): string {
  return JSON.stringify(schema['enum'] ?? schema);
}

/** The contract's schemas by name. */
const SCHEMAS = new Map(Object.entries(contract as unknown as Record<SchemaName, Schema>));

const NAMES = new Map<string, SchemaName>();
for (const [name, schema] of SCHEMAS) {
  const key = keyOf(schema);
  const other = NAMES.get(key);
  if (other !== undefined) throw new Error(`${name} and ${other} are the same schema.`);
  NAMES.set(key, name as SchemaName);
}

/** The contract omits the type of a closed list, but client generators need it. */
function typed(schema: Schema): Record<string, unknown> {
  const isList = schema['enum'] !== undefined || schema['const'] !== undefined;
  return isList ? { type: 'string', ...schema } : { ...schema };
}

function described(schema: Schema, description: string | undefined): Schema {
  return description === undefined ? schema : { ...schema, description };
}

/** The values of `status` that identify a branch of a union, if any. */
function listStatuses(branch: Schema): readonly string[] {
  const { status } = (branch['properties'] ?? {}) as Record<string, Schema | undefined>;
  return (status?.['enum'] ?? [status?.['const'] ?? []].flat()) as string[];
}
