/** Parameters and members as description lists, each field with an anchor. */

import { type Html, html } from '../../src/http/html.ts';
import type { OpenApiDocument, Parameter, Schema } from './openapi-document.ts';
import { inline } from './prose.ts';

/** A parameter or a member. */
interface Field {
  readonly name: string;
  readonly type: Html;
  readonly isRequired: boolean;
  readonly description: string;
}

/** The component that a reference points to; anything else is returned unchanged. */
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

/** The parameters of an operation, with anchors such as `#list-projects-limit`. */
export function parameterList(
  document: OpenApiDocument,
  operationId: string,
  parameters: readonly Parameter[],
): Html {
  const fields = parameters.map(({ name, required = false, description, schema, style }) => {
    const type = typeOf(document, schema);
    const shown = style === 'form' ? html`${type}, separated by commas` : type;
    return { name, isRequired: required, description, type: shown };
  });
  return fieldList(operationId, fields);
}

/** The members of a component, with anchors such as `#push-row-amount`. */
export function memberList(
  document: OpenApiDocument,
  name: string,
  { showsRequired }: { readonly showsRequired: boolean },
): Html {
  const schema = document.components.schemas[name] ?? {};
  const required = (schema['required'] ?? []) as readonly string[];
  const fields = listMembers(schema).map(([member, each]) => {
    return {
      name: member,
      isRequired: showsRequired && required.includes(member),
      description: String(each['description'] ?? ''),
      type: typeOf(document, each),
    };
  });
  return fieldList(name, fields);
}

/** The members of an object schema; none for anything else. */
export function listMembers(schema: Schema): [name: string, member: Schema][] {
  return Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
}

/** Describes a type in words. A named scalar is shown with its values and format. */
export function typeOf(document: OpenApiDocument, schema: Schema): Html {
  const { $ref: pointer, anyOf, oneOf, enum: values, items } = schema;
  const branches = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (typeof pointer === 'string') {
    const name = nameOf(pointer);
    const target = resolve<Schema>(document, schema);
    const isScalar = target['properties'] === undefined && target['oneOf'] === undefined;
    return html`<a href="#schema-${name}">${name}</a>${
      isScalar && html` (${typeOf(document, target)})`
    }`;
  }
  if (branches !== undefined) return joined(branches.map((each) => typeOf(document, each)));
  if (Array.isArray(values)) {
    const codes = values.map((value) => html`<code>${String(value)}</code>`);
    return html`${codes.length > 1 && 'one of '}${joined(codes, ', ')}${limitsOf(schema)}`;
  }
  if (items !== undefined) {
    return html`list of ${typeOf(document, items as Schema)}${limitsOf(schema)}`;
  }
  return html`${[schema['type'] ?? []].flat().join(' or ')}${limitsOf(schema)}`;
}

function limitsOf(schema: Schema): string {
  const { minimum, maximum, default: usual, format } = schema;
  const units = [
    ['minLength', 'maxLength', 'characters'],
    ['minItems', 'maxItems', 'items'],
  ] as const;
  const limits = units.flatMap(([least, most, unit]) => {
    if (schema[most] === undefined) return [];
    return [`${schema[least] === undefined ? 'up' : schema[least]} to ${schema[most]} ${unit}`];
  });
  if (format !== undefined) limits.unshift(String(format));
  if (maximum !== undefined) limits.push(`${minimum} to ${maximum}`);
  if (usual !== undefined) limits.push(`default ${usual}`);
  return limits.map((limit) => `, ${limit}`).join('');
}

function fieldList(scope: string, fields: readonly Field[]): Html {
  return html`<dl class="fields">${fields.map(({ name, type, isRequired, description }) => {
    const id = `${kebab(scope)}-${kebab(name)}`;
    return html`
<div id="${id}" data-kind="Field"><dt><a href="#${id}"><code>${name}</code></a> ${
      isRequired && html`<span class="required">required</span> `
    }<span class="type">${type}</span></dt><dd>${inline(description)}</dd></div>`;
  })}
</dl>`;
}

function kebab(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

function joined(parts: readonly Html[], separator = ' or '): Html {
  return html`${parts.map((part, at) => (at === 0 ? part : html`${separator}${part}`))}`;
}
