/**
 * A mapping: which columns of a file are the fields of a row (contract 8), and how they are
 * written. It is the document of a mapping file; `inputs.ts` has its schema.
 */

import { ROW_FIELDS, type RowField } from '../../core/row-members.ts';
import type { MappingDocument } from '../inputs.ts';
import { currencyOf } from '../values/currency-signs.ts';

/** A value that is only read, in which an optional member can also be undefined. */
type ToRead<Value> = Value extends readonly (infer Item)[]
  ? readonly ToRead<Item>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]:
          | ToRead<Value[Name]>
          | (object extends Pick<Value, Name> ? undefined : never);
      }
    : Value;

/** How to read the rows of a CSV file. */
export interface Mapping extends ToRead<MappingDocument> {
  /** Whether a field without a rule has a column of its own name, if the file has that column. */
  readonly isAssumed?: boolean;
}

/** What a mapping rests on that a file showed; what a person said does not rest on a file. */
export type Rest = NonNullable<Mapping['rests']>[number];

/** A rule for records that are not rows. */
export type NotRowRule = NonNullable<Mapping['notRows']>[number];

type RuleOf<Field extends RowField> = Exclude<Mapping['fields'][Field], string | null | undefined>;
/** The members that the rule of a field can have; which ones depends on the field. */
type Rule = RuleOf<'externalId'> &
  Omit<RuleOf<'date'>, 'column'> &
  RuleOf<'accountCode'> &
  RuleOf<'amount'>;

/** The mapping for columns that have the names of the fields. */
export const OWN_NAMES: Mapping = { fields: {}, isAssumed: true };

/** Whether no column was named at all. */
export function isAllAssumed({ fields, isAssumed }: Mapping): boolean {
  return isAssumed === true && Object.keys(fields).length === 0;
}

/** The fields that have columns, in the order of the mapping. */
export function listFields({ fields, isAssumed }: Mapping): readonly RowField[] {
  if (isAssumed === true) return ROW_FIELDS;
  return (Object.keys(fields) as RowField[]).filter((field) => fields[field] !== null);
}

/** The rule of a field as an object: a text only names the column. */
export function ruleOf({ fields, isAssumed }: Mapping, field: RowField): Rule {
  const rule = fields[field] ?? (isAssumed === true ? field : {});
  return typeof rule === 'string' ? { column: rule } : rule;
}

/**
 * The columns of a field, by name or as `#3`: several texts are joined, and an amount can have a
 * second column, for its direction or for money in.
 */
export function columnsOf(mapping: Mapping, field: RowField): readonly string[] {
  const { column, columns, made, out, in: into, indicator } = ruleOf(mapping, field);
  if (column !== undefined) return [column, indicator?.column ?? []].flat();
  const sides = [out ?? [], into ?? []].flat();
  const named = sides.map((side) => (typeof side === 'string' ? side : side.column));
  return [columns ?? made ?? named].flat();
}

/** The columns of all fields. */
export function listNamed(mapping: Mapping): string[] {
  return listFields(mapping).flatMap((field) => columnsOf(mapping, field));
}

/** The code or sign in a mapping; undefined if there is none, or it is unknown. */
export function statedCurrency(mapping: Mapping): string | undefined {
  return currencyOf(mapping.currency?.is ?? ruleOf(mapping, 'amount').currency ?? '');
}
