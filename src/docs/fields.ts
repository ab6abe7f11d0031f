/** Schemas, members and parameters as lists of terms. */

import type { OpenApiDocument, Parameter, Schema } from '../api/openapi-document.ts';
import { type Html, html } from '../http/html.ts';
import { inline } from './prose.ts';

/** A name, what it may be, and what it is. */
interface Field {
  readonly name: string;
  readonly type: Html;
  readonly isRequired: boolean;
  readonly description: string;
}

/** A component of the document by its pointer. */
export function resolve<Part>(document: OpenApiDocument, part: Part | { $ref: string }): Part {
  const pointer = Object(part).$ref;
  if (typeof pointer !== 'string') return part as Part;
  const found = pointer
    .slice(2)
    .split('/')
    .reduce((value: unknown, name) => Object(value)[name], document);
  return found as Part;
}

/** The name at the end of a pointer. */
export function nameOf(pointer: string): string {
  return pointer.slice(pointer.lastIndexOf('/') + 1);
}

/** Parameters as fields. */
export function parameterList(parameters: readonly Parameter[]): Html {
  return fieldList(
    parameters.map(({ name, required = false, description, schema, style }) => {
      return {
        name,
        isRequired: required,
        description,
        type: style === 'form' ? html`${typeOf(schema)}, separated by commas` : typeOf(schema),
      };
    }),
  );
}

/** The members of an object as fields. */
export function memberList(schema: Schema, showsRequired: boolean): Html {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const required = (schema['required'] ?? []) as readonly string[];
  return fieldList(
    properties.map(([name, member]) => {
      return {
        name,
        isRequired: showsRequired && required.includes(name),
        description: String(member['description'] ?? ''),
        type: typeOf(member),
      };
    }),
  );
}

/** What a value may be, in words. */
export function typeOf(schema: Schema): Html {
  const { $ref: pointer, anyOf, oneOf, const: constant, enum: values, items } = schema;
  const types = [schema['type'] ?? []].flat() as string[];
  const branches = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  const shown = (): Html => {
    if (typeof pointer === 'string') {
      return html`<a href="#schema-${nameOf(pointer)}">${nameOf(pointer)}</a>`;
    }
    if (branches !== undefined) return joined(branches.map(typeOf), ' or ');
    if (constant !== undefined) return html`<code>${String(constant)}</code>`;
    if (Array.isArray(values)) {
      return joined(
        values.map((value) => html`<code>${String(value)}</code>`),
        ', ',
      );
    }
    if (items !== undefined) return html`list of ${typeOf(items as Schema)}`;
    return html`${types.join(' or ')}`;
  };
  return html`${shown()}${limitsOf(schema)}`;
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, default: usual, format } = schema;
  const units = [
    ['minLength', 'maxLength', 'characters'],
    ['minItems', 'maxItems', 'items'],
  ] as const;
  const limits = units.flatMap(([least, most, unit]) => {
    if (schema[most] === undefined) return [];
    const from = schema[least] === undefined ? 'up' : schema[least];
    return [`${from} to ${schema[most]} ${unit}`];
  });
  if (format !== undefined) limits.unshift(String(format));
  if (maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  if (usual !== undefined) limits.push(`default ${usual}`);
  return limits.map((limit) => `, ${limit}`).join('');
}

function fieldList(fields: readonly Field[]): Html {
  return html`<dl class="fields">${fields.map(
    ({ name, type, isRequired, description }) => html`
<div><dt><code>${name}</code> <span class="type">${type}</span>${
      isRequired && html` <span class="required">required</span>`
    }</dt><dd>${inline(description)}</dd></div>`,
  )}
</dl>`;
}

function joined(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${separator}${part}`))}`;
}
