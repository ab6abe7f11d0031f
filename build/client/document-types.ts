/**
 * Generates the types of the client from the schemas and parameters of the OpenAPI document. The
 * description of a member becomes its doc comment.
 */

import type { Schema } from '../reference/openapi-document.ts';

const WIDTH = 100;

/** Types that are inlined, each with the text that ends the comment of its members. */
const SCALARS: Readonly<Record<string, readonly [type: string, note: string]>> = {
  ProjectId: ['string', ''],
  BudgetLineId: ['string', ''],
  TransactionId: ['string', ''],
  AllocationId: ['string', ''],
  CalendarDate: ['string', 'A calendar date, `YYYY-MM-DD`, without a time zone.'],
  Instant: ['string', 'RFC 3339 in UTC, with milliseconds.'],
  Currency: ['string', 'An ISO 4217 code.'],
  Amount: ['number', 'In major units: 12.5 is £12.50.'],
};

const SIGN = 'Money out is positive, money in is negative.';

/** Documents that the client never returns. */
const OMITTED = ['PushRequest', 'RejectedPush', 'Health', 'TransactionDocument'];

type Schemas = Readonly<Record<string, Schema>>;

/** The text of `src/client/documents.ts`, from schemas by name: of documents, and of queries. */
export function writeDocumentTypes(schemas: Schemas, queries: Schemas): string {
  const types = Object.entries(schemas)
    .filter(([name]) => !(name in SCALARS) && !OMITTED.includes(name))
    .map(([name, schema]) => writeType(name, schema));
  const ofQueries = Object.entries(queries).map(([name, schema]) => writeQuery(name, schema));
  return [HEAD, ...types, ...ofQueries].join('\n');
}

const HEAD = `// biome-ignore-all lint/style/noExcessiveLinesPerFile: generated.
/**
 * The documents of the interface as types, generated from src/api/contract.ts by \`npm run build\`,
 * and its parameters, from src/api/inputs.ts. Change the texts there, not here.
 */
`;

/** What a text is told and a value of the client is not. */
const AS_TEXT = /[,:] separated by commas, repeated, or both| A date without a time is refused\./;

/** The parameters of a call. The service checks names and values. */
function writeQuery(name: string, schema: Schema): string {
  const { extends: base, properties, description: about } = schema;
  if (properties === undefined) return writeType(name, schema);
  const members = Object.entries(properties as Schemas).map(([member, each]) => {
    const { description, default: value, items, format, pattern } = each;
    const form = format === 'date' ? '`YYYY-MM-DD`' : pattern === undefined ? '' : '`YYYY-MM`';
    const note = form === '' ? '' : ` As ${form}.`;
    const text = `${String(description).replace(AS_TEXT, '')}${note}`;
    const types = format === 'date-time' ? ['Instant'] : typeOf((items as Schema) ?? each);
    const branches = items === undefined ? types : [...types, `readonly ${typeOf(each)[0]}`];
    const comment = value === undefined ? text : `${text} By default \`${value}\`.`;
    const head = `  readonly ${member}?:`;
    return writeComment(comment, '  ') + writeUnion(head, [...branches, 'undefined'], '  ');
  });
  const head = `export interface ${name}${base === undefined ? '' : ` extends ${base}`}`;
  return `${writeComment(String(about), '')}${head} {\n${members.join('')}}\n`;
}

function writeType(name: string, schema: Schema): string {
  const comment = writeComment(String(schema['description']), '');
  const properties = schema['properties'] as Record<string, Schema> | undefined;
  if (properties === undefined) {
    return `${comment}${writeUnion(`export type ${name} =`, typeOf(schema), '')}`;
  }
  const required = schema['required'] as readonly string[];
  const members = Object.entries(properties).map(([member, each]) => {
    const isOptional = !required.includes(member);
    const head = `  ${member}${isOptional ? '?' : ''}:`;
    return writeComment(describe(each, isOptional), '  ') + writeUnion(head, typeOf(each), '  ');
  });
  return `${comment}export interface ${name} {\n${members.join('')}}\n`;
}

/** The description of a member, then its unit or format, then the meaning of null. */
function describe(schema: Schema, isOptional: boolean): string {
  const text = String(schema['description']);
  const name = nameOf(schema) ?? '';
  const notes = [text, SCALARS[name]?.[1] ?? ''];
  if (name === 'Amount' && !text.includes('negative')) notes.push(SIGN);
  if (typeOf(schema).includes('null') && !/\bnull\b/i.test(text)) {
    notes.push(isOptional ? 'Absent or null if there is none.' : 'Null if there is none.');
  }
  return notes.filter((each) => each !== '').join(' ');
}

/** The name of the schema that a member refers to, alone or in a union with null. */
function nameOf(schema: Schema): string | undefined {
  const { $ref, anyOf } = schema as { $ref?: string; anyOf?: readonly Schema[] };
  return $ref?.split('/').at(-1) ?? anyOf?.map(nameOf).find((name) => name !== undefined);
}

/** The branches of a type: one if it is not a union. */
function typeOf(schema: Schema): string[] {
  const { $ref, anyOf, oneOf, items, type, enum: values, examples } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return [SCALARS[name]?.[0] ?? name];
  }
  const branches = (anyOf ?? oneOf) as readonly Schema[] | undefined;
  if (branches !== undefined) return branches.flatMap(typeOf);
  if (Array.isArray(values)) return values.map(quote);
  // A list of which more values can come: editors offer those known, and any text is right.
  if (Array.isArray(examples)) return [...examples.map(quote), '(string & Record<never, never>)'];
  if (type === 'array') {
    const each = typeOf(items as Schema);
    return [each.length === 1 ? `${each}[]` : `(${each.join(' | ')})[]`];
  }
  return [type].flat().map((name) => (name === 'integer' ? 'number' : String(name)));
}

function quote(value: unknown): string {
  return `'${value}'`;
}

/** On one line if it fits, else one line per branch, like the formatter. */
function writeUnion(head: string, branches: readonly string[], indent: string): string {
  const line = `${head} ${branches.join(' | ')};`;
  if (line.length <= WIDTH) return `${line}\n`;
  return `${[head, ...branches.map((each) => `${indent}  | ${each}`)].join('\n')};\n`;
}

function writeComment(text: string, indent: string): string {
  const plain = text.replaceAll('**', '');
  const line = `${indent}/** ${plain} */`;
  if (line.length <= WIDTH) return `${line}\n`;
  const lines: string[] = [];
  for (const word of plain.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= WIDTH) lines.splice(-1, 1, longer);
    else lines.push(`${indent} * ${word}`);
  }
  return `${indent}/**\n${lines.join('\n')}\n${indent} */\n`;
}
