/**
 * The schemas of the contract as components of the OpenAPI document: each named schema is one
 * component, and everything else refers to it.
 */

import { SCHEMAS as CONTRACT } from '../../src/api/contract.ts';
import type { Schema } from './openapi-document.ts';

/** The name of a schema of the contract. */
type SchemaName = keyof typeof CONTRACT;

/** The contract's schemas by name. */
const SCHEMAS = new Map(Object.entries(CONTRACT as unknown as Record<SchemaName, Schema>));

/** The names by what a schema accepts. */
const NAMES = new Map<string, SchemaName>();
for (const [name, schema] of SCHEMAS) {
  const key = keyOf(schema);
  const other = NAMES.get(key);
  if (other !== undefined) throw new Error(`${name} and ${other} are the same schema.`);
  NAMES.set(key, name as SchemaName);
}

/** Collects the components that the document refers to. */
export class SchemaComponents {
  readonly #used = new Map<string, Schema>();

  /** A reference to a schema of the contract. */
  refer(name: SchemaName): Schema {
    if (!this.#used.has(name)) {
      this.#used.set(name, {});
      const { type, description, ...rest } = this.#convertInline(SCHEMAS.get(name) ?? {});
      this.#used.set(name, { ...(type === undefined ? {} : { type }), description, ...rest });
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** Converts a schema of the contract or a parameter; a reference where the contract names it. */
  convert(schema: Schema): Schema {
    const name = NAMES.get(keyOf(schema));
    return name === undefined ? this.#convertInline(schema) : this.refer(name as SchemaName);
  }

  /** Refers to every schema of the contract. */
  referAll(): void {
    for (const name of SCHEMAS.keys()) this.refer(name as SchemaName);
  }

  /** Every component that was referred to, in the order of the contract. */
  list(): Record<string, Schema> {
    const names = [...SCHEMAS.keys()];
    const place = (name: string) => names.indexOf(name);
    return Object.fromEntries([...this.#used].sort(([a], [b]) => place(a) - place(b)));
  }

  /** A member of an object is described even where it only refers to a schema. */
  #convertMember(schema: Schema): Schema {
    const { description: _, ...converted } = this.convert(schema);
    return { ...converted, description: schema['description'] };
  }

  #convertInline(schema: Schema): Schema {
    const { properties, items, anyOf, ...rest } = schema;
    const converted: Record<string, unknown> = typed(rest);
    if (properties !== undefined) {
      const members = Object.entries(properties as Record<string, Schema>);
      converted['properties'] = Object.fromEntries(
        members.map(([name, each]) => [name, this.#convertMember(each)]),
      );
    }
    if (items !== undefined) converted['items'] = this.convert(items as Schema);
    if (anyOf === undefined) return converted;
    return { ...converted, ...this.#convertUnion(anyOf as readonly Schema[]) };
  }

  #convertUnion(branches: readonly Schema[]): Schema {
    const converted = branches.map((each) => this.convert(each));
    const [first, second] = converted;
    if (second?.['type'] === 'null' && typeof first?.['type'] === 'string') {
      return { ...first, type: [first['type'], 'null'] };
    }
    const mapping = branches.flatMap((each, at) =>
      listStatuses(each).map((status) => [status, converted[at]?.['$ref']] as const),
    );
    if (mapping.length === 0) return { anyOf: converted };
    const discriminator = { propertyName: 'status', mapping: Object.fromEntries(mapping) };
    return { oneOf: converted, discriminator };
  }
}

/**
 * What identifies a schema, whatever its description. A closed list is identified by its values:
 * parameters and contract share nothing else.
 */
function keyOf({ description: _, ...schema }: Schema): string {
  return JSON.stringify(schema['enum'] ?? schema);
}

/** What the contract omits but client generators need: the type of a closed list, `enum` too. */
function typed(schema: Schema): Record<string, unknown> {
  const { const: only, enum: values = only === undefined ? undefined : [only] } = schema;
  return values === undefined ? { ...schema } : { type: 'string', ...schema, enum: values };
}

/** The values of `status` that identify a branch of a union, if any. */
function listStatuses(branch: Schema): readonly string[] {
  const { status } = (branch['properties'] ?? {}) as Record<string, Schema | undefined>;
  return (status?.['enum'] ?? [status?.['const'] ?? []].flat()) as string[];
}
