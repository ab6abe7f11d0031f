/**
 * The mapping file: its type, its check and, in `says`, what each value must be. `npm run build`
 * compiles the schema into `checks.js`; only that is loaded, and this file only to explain what is
 * wrong (decision 0001). `mapping-file.ts` has the few rules that a schema cannot express.
 */

import { type Static, type TSchema, Type } from 'typebox';
import { forEachRare, type RowField } from '../core/row-members.ts';
import { MAPPING_VALUES } from './mapping/mapping-values.ts';
import { NEGATIVE_FORMS } from './values/amount-writing.ts';
import { DECIMAL_SIGNS, THOUSANDS_SIGNS } from './values/decimals.ts';

const optional = Type.Optional;

/** What a mapping can rest on: how its own file wrote these, and the side of most amounts. */
const RESTS = [
  ...(['dates', 'decimal', 'whole amounts', 'cash accounts', 'sign'] as const),
  ...(['more money out', 'more money in'] as const),
] as const;

/** An object that has no other members than these. `hints` say where some others belong. */
const object = <const Members extends Record<string, TSchema>>(
  members: Members,
  hints: readonly string[] = [],
) => Type.Object(members, { additionalProperties: false, hints });

const word = Type.String({ pattern: '\\S', says: 'must be a non-empty string' });
const WORDS = 'must be a non-empty string or a list of them';
/** One or several; `says` what each must be. */
const listOf = <Schema extends TSchema>(
  schema: Schema,
  { minItems = 0, says = WORDS }: { minItems?: number; says?: string } = {},
) => Type.Union([schema, Type.Array(schema, { minItems, says: 'must not be empty' })], { says });
const words = listOf(word, { minItems: 1 });
/** A word in a column; the empty string means a cell without one. */
const mark = Type.String({ pattern: '^$|\\S', says: 'must be a non-empty string' });
const flag = Type.Boolean({ says: 'must be true or false' });
const count = (minimum: number) =>
  Type.Integer({ minimum, maximum: 10_000, says: `must be a whole number, ${minimum} or more` });

/** Members of one field that are often written for another. */
const HINTS = ['only amount has negate', 'only date has format', 'only externalId has made'];

/** A field: its column, or an object with more. */
const field = <const Members extends Record<string, TSchema>>(
  members: Members,
  says = 'must name its column',
) => optional(Type.Union([word, Type.Null(), object(members, HINTS)], { says }));

const text = field({ column: optional(word), columns: optional(words) });
const side = optional(
  Type.Union([word, object({ column: word, negate: optional(flag) })], {
    says: 'must name its column',
  }),
);
const negative = { says: `must list some of: ${NEGATIVE_FORMS.join(', ')}` };

/** A value with a form of its own. */
const value = (name: keyof typeof MAPPING_VALUES) =>
  optional(Type.String({ says: MAPPING_VALUES[name].says }));

const fields = {
  externalId: field({ column: optional(word), made: optional(words) }),
  date: field({
    column: word,
    format: optional(Type.String({ says: 'must be a string' })),
  }),
  description: text,
  contact: text,
  amount: field(
    {
      column: optional(word),
      negate: optional(flag),
      out: side,
      in: side,
      indicator: optional(
        object({
          column: optional(word),
          out: listOf(mark),
          in: listOf(mark),
        }),
      ),
      negative: optional(listOf(Type.Enum(NEGATIVE_FORMS, negative), { minItems: 1, ...negative })),
      currency: optional(word),
    },
    'must name its column, or one for "out" and one for "in"',
  ),
  accountCode: field({ column: optional(word), columns: optional(words), below: optional(flag) }),
  ...forEachRare(() => text),
} satisfies Record<RowField, TSchema>;

/** The document of a mapping file. */
export const MappingDocument = object({
  fields: object(fields),
  delimiter: value('delimiter'),
  decimal: optional(Type.Enum(DECIMAL_SIGNS, { says: MAPPING_VALUES.decimal.says })),
  thousands: optional(
    Type.Enum(THOUSANDS_SIGNS, {
      says: "must be . or , or ' or a space (the thousands separator)",
    }),
  ),
  encoding: value('encoding'),
  sheet: optional(word),
  bankAccounts: optional(
    Type.Array(word, { minItems: 1, says: 'must be a list of account numbers' }),
  ),
  headerless: optional(object({ columns: count(1), skipLines: optional(count(0)) })),
  fewestValues: optional(count(1)),
  header: optional(
    Type.Array(Type.String({ says: 'must be a string' }), { says: 'must be a list of names' }),
  ),
  rests: optional(
    Type.Array(Type.Enum(RESTS, { says: `must be one of: ${RESTS.join(', ')}` }), {
      says: 'must be a list',
    }),
  ),
  currency: optional(object({ column: word, is: word })),
  status: optional(object({ column: word, is: listOf(mark, { minItems: 1 }) })),
  notRows: optional(
    Type.Array(
      object({
        begins: optional(word),
        sum: optional(Type.Literal(true, { says: 'must be true' })),
        text: optional(Type.Literal(true, { says: 'must be true' })),
        column: optional(word),
        is: optional(mark),
      }),
      { says: 'must be a list' },
    ),
  ),
});
export type MappingDocument = Static<typeof MappingDocument>;
