/**
 * Checks an answer against the OpenAPI document: path, status, header fields and body. Independent
 * of the code that builds the document.
 */

import { Compile, type Validator } from 'typebox/schema';
import type {
  Header,
  OpenApiDocument,
  Operation,
  Response,
  Schema,
} from '../../build/reference/openapi-document.ts';

/** An answer to check. */
export interface CheckedAnswer {
  readonly method: string;
  /** The target as sent, with its query. */
  readonly target: string;
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * A schema that takes no other members than it names, and no other values of an open list than
 * those known: what is sent today, while the document leaves room for more.
 */
export function closed<Given>(schema: Given): Given {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as Given;
  const parts = Object.entries(schema).map(([name, each]) => [name, closed(each)] as const);
  const { type, examples } = schema as Schema;
  return {
    ...Object.fromEntries(parts),
    ...('properties' in schema ? { additionalProperties: false } : {}),
    ...(type === 'string' && Array.isArray(examples) ? { enum: examples } : {}),
  } as Given;
}

/** Finds where answers differ from the document, closed unless `isOpen`. */
export class OpenApiChecker {
  readonly #document: OpenApiDocument;
  readonly #paths: readonly { path: string; form: RegExp }[];
  readonly #validators = new Map<string, Validator>();

  constructor({ components, ...document }: OpenApiDocument, isOpen = false) {
    const schemas = isOpen ? components.schemas : closed(components.schemas);
    this.#document = { ...document, components: { ...components, schemas } };
    this.#paths = Object.keys(document.paths).map((path) => {
      const form = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
      return { path, form: new RegExp(`^${form}$`) };
    });
  }

  /** Whether the document has the path of a target. */
  knows(target: string): boolean {
    return this.#findPath(target) !== undefined;
  }

  /** One sentence per difference; empty when there is none. */
  findFaults(answer: CheckedAnswer): string[] {
    const path = this.#findPath(answer.target);
    if (path === undefined) return ['the path is not in the document'];
    const { get, post } = this.#document.paths[path] ?? {};
    const own = answer.method === 'POST' ? post : get;
    // A 405 belongs to the path: any of its operations can document it.
    const operation = own ?? get ?? post;
    const found = operation && this.#findResponse(operation, answer.status);
    if (found === undefined) return [`${answer.status} is not among the answers`];
    return [...this.#findHeaderFaults(found, answer), ...this.#findBodyFaults(found, answer)];
  }

  /** Where a value differs from a schema of the document. */
  findSchemaFaults(schema: Schema, value: unknown): string[] {
    const key = JSON.stringify(schema);
    let validator = this.#validators.get(key);
    if (validator === undefined) {
      validator = Compile({ ...schema, components: this.#document.components } as object);
      this.#validators.set(key, validator);
    }
    if (validator.Check(value)) return [];
    const [, errors] = validator.Errors(value);
    return errors.slice(0, 5).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  }

  #findPath(target: string): string | undefined {
    const path = target.replace(/^https?:\/\/[^/?#]+/, '').split('?', 1)[0] ?? '';
    return this.#paths.find(({ form }) => form.test(path))?.path;
  }

  #findResponse({ responses }: Operation, status: number): Response | undefined {
    const found = responses[status];
    if (found === undefined || !('$ref' in found)) return found;
    return this.#document.components.responses[lastOf(found.$ref)];
  }

  #findHeaderFaults({ headers }: Response, answer: CheckedAnswer): string[] {
    return Object.values(headers).flatMap(({ $ref: pointer }) => {
      const name = lastOf(pointer);
      const header: Header | undefined = this.#document.components.headers[name];
      const text = answer.headers.get(name.toLowerCase());
      if (header === undefined) return [`${name} is not in the document`];
      if (text === undefined) return header.required === true ? [`${name} is missing`] : [];
      const value = header.schema['type'] === 'integer' ? Number(text) : text;
      return this.findSchemaFaults(header.schema, value).map((fault) => `${name}${fault}`);
    });
  }

  #findBodyFaults({ content }: Response, { method, headers, body }: CheckedAnswer): string[] {
    if (method === 'HEAD' || content === undefined) {
      return body === '' ? [] : ['there is an unexpected body'];
    }
    const type = headers.get('content-type') ?? '';
    const media = content[type.split(';', 1)[0] ?? ''];
    if (media === undefined) return [`${type} is not among the content types`];
    try {
      const value: unknown = JSON.parse(body);
      const { code } = Object(value);
      // The example of a refusal is named after its code.
      const isKnown = code === undefined || code in media.examples;
      const faults = this.findSchemaFaults(media.schema, value);
      return isKnown ? faults : [...faults, `${code} is not among the codes`];
    } catch (error) {
      return [String(error)];
    }
  }
}

function lastOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}
