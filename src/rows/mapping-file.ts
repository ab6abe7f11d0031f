/**
 * The document of a mapping file, written by `csv inspect` or by hand, and the mapping that it
 * means: `{ "delimiter": ";", "decimal": ",", "fields": { "externalId": "Trans No", "date":
 * { "column": "Paid Date", "format": "DD/MM/YYYY" }, "amount": { "column": "Amount", "negate":
 * true } } }`. An unknown member is an error.
 */

import type { RowField } from '../core/push.ts';
import { checks } from './checks.js';
import { requireDateFormat } from './date-formats.ts';
import type { MappingDocument } from './inputs.ts';
import {
  type AmountRule,
  type AmountShape,
  type FieldRule,
  type Mapping,
  type NotRowRule,
  ruleOf,
} from './mapping.ts';
import { readMappingValue } from './mapping-values.ts';
import { MappingError } from './problems.ts';

type Fields = MappingDocument['fields'];
type AmountDocument = Exclude<Fields['amount'], string | null | undefined>;
/** Any other field: which members it can have depends on the field. */
interface TextDocument {
  readonly column?: string;
  readonly columns?: string | string[];
  readonly made?: string | string[];
  readonly format?: string;
}

/** Reads the document of a mapping file. Rejects with MappingError. */
export async function readMapping(document: unknown): Promise<Mapping> {
  if (!checks.MappingDocument(document)) throw await explainDocument(document);
  const { delimiter, decimal, thousands, encoding, headerless, currency, status } = document;
  const { fields, notRows = [] } = document;
  const rules = (Object.keys(fields) as RowField[]).flatMap((field) => {
    const value = fields[field] ?? null;
    return value === null ? [] : [[field, readRule(field, value)] as const];
  });
  return {
    fields: Object.fromEntries(rules),
    delimiter: delimiter === undefined ? undefined : readMappingValue('delimiter', delimiter),
    decimal: decimal === undefined ? undefined : readMappingValue('decimal', decimal),
    encoding: encoding === undefined ? undefined : readMappingValue('encoding', encoding),
    thousands,
    headerless: headerless && { ...headerless, skipLines: headerless.skipLines ?? 0 },
    currency: currency && { column: currency.column.trim(), is: currency.is.trim() },
    status: status && { column: status.column.trim(), is: listOf(status.is) },
    notRows: notRows.map(readNotRow),
  };
}

/** Loads TypeBox, which valid mappings do not need. */
async function explainDocument(document: unknown): Promise<MappingError> {
  const { explainInput } = await import('../core/input-errors.ts');
  const { MappingDocument } = await import('./inputs.ts');
  const sentences = explainInput(MappingDocument, document).map(({ place, message }) => {
    return `${place || 'the document'} ${message}.`;
  });
  return new MappingError(sentences.slice(0, 1).join(' '));
}

function readRule(field: RowField, value: NonNullable<Fields[RowField]>): FieldRule {
  if (typeof value === 'string') return ruleOf(field, [value]);
  if (field === 'amount') return readAmountRule(value as AmountDocument);
  const { column, columns, made, format } = value as TextDocument;
  const [named, ...more] = [column, columns, made].filter((each) => each !== undefined);
  if (named === undefined || more.length > 0) {
    throw new MappingError(`fields.${field} must name its column.`);
  }
  const rule = ruleOf(field, listOf(named));
  if (made !== undefined) return { ...rule, isMade: true };
  return format === undefined ? rule : { ...rule, format: requireDateFormat(format) };
}

/** A column with signs, a column with an indicator, or two columns for money out and money in. */
function readAmountRule(document: AmountDocument): FieldRule {
  const { column, out, in: into, negate, indicator, negative, currency } = document;
  const ruleWith = (columns: readonly string[], shape: AmountShape): FieldRule => {
    const amount = {
      shape,
      ...(negative === undefined ? {} : { negative: [negative].flat() }),
      ...(currency === undefined ? {} : { currency: currency.trim() }),
    };
    return { ...ruleOf('amount', columns), amount };
  };
  const isTwo = out !== undefined && into !== undefined;
  if (isTwo && column === undefined) {
    const [first, second] = [readSide(out), readSide(into)];
    const [isOutTurned, isInTurned] = [first.isTurned, second.isTurned];
    return ruleWith([first.column, second.column], { kind: 'two', isOutTurned, isInTurned });
  }
  if (isTwo || column === undefined) {
    const way = 'must name its column, or one for "out" and one for "in"';
    throw new MappingError(`fields.amount ${way}.`);
  }
  if (indicator === undefined)
    return ruleWith([column], { kind: 'signed', isTurned: negate === true });
  if (negate !== undefined) {
    throw new MappingError('fields.amount: use either indicator or negate, not both.');
  }
  const second = indicator.column === undefined ? [] : [indicator.column];
  return ruleWith([column, ...second], {
    kind: 'indicator',
    isInCell: second.length === 0,
    out: listOf(indicator.out),
    in: listOf(indicator.in),
  });
}

function readSide(side: NonNullable<AmountDocument['out']>) {
  if (typeof side === 'string') return { column: side, isTurned: false };
  return { column: side.column, isTurned: side.negate === true };
}

function readNotRow(rule: NonNullable<MappingDocument['notRows']>[number]): NotRowRule {
  const { begins, sum, text, column, is } = rule;
  const members = Object.keys(rule).length;
  if (members === 1 && begins !== undefined) return { begins: begins.trim() };
  if (members === 1 && sum !== undefined) return { sum };
  if (members === 1 && text !== undefined) return { text };
  if (members === 2 && column !== undefined && is !== undefined) {
    return { column: column.trim(), is: is.trim() };
  }
  const forms = '{"begins": …}, {"sum": true}, {"text": true} or {"column": …, "is": …}';
  throw new MappingError(`notRows: each must be ${forms}.`);
}

function listOf(texts: string | readonly string[]): string[] {
  return [texts].flat().map((text) => text.trim());
}

/** The document of the mapping file, its members in a readable order: what this file reads. */
export function writeMapping(mapping: Mapping): Record<string, unknown> {
  const { delimiter, notRows = [], fields } = mapping;
  const rules = Object.entries(fields) as [RowField, FieldRule][];
  return withoutAbsent({
    encoding: mapping.encoding,
    delimiter: delimiter === '\t' ? 'tab' : delimiter,
    decimal: mapping.decimal,
    thousands: mapping.thousands,
    headerless: mapping.headerless,
    currency: mapping.currency,
    status: mapping.status,
    fields: Object.fromEntries(rules.map(([field, rule]) => [field, writeRule(rule)])),
    notRows: notRows.length === 0 ? undefined : notRows,
  });
}

function writeRule({ columns, isMade, format, amount }: FieldRule): unknown {
  const [column, second] = columns;
  if (isMade === true) return { made: columns };
  if (format !== undefined) return { column, format: format.text };
  if (amount !== undefined) return writeAmount(columns, amount);
  return second === undefined ? column : { columns };
}

function writeAmount(
  [column, second]: readonly string[],
  { shape, negative = [], currency }: AmountRule,
): unknown {
  const writing = withoutAbsent({
    negative: negative.length === 0 ? undefined : negative,
    currency,
  });
  if (shape.kind === 'two') {
    const side = (own: string | undefined, isTurned: boolean) =>
      isTurned ? { column: own, negate: true } : own;
    const sides = { out: side(column, shape.isOutTurned), in: side(second, shape.isInTurned) };
    return { ...sides, ...writing };
  }
  if (shape.kind === 'indicator') {
    const indicator = withoutAbsent({ column: second, out: shape.out, in: shape.in });
    return { column, indicator, ...writing };
  }
  const isPlain = !shape.isTurned && Object.keys(writing).length === 0;
  return isPlain ? column : { column, ...(shape.isTurned ? { negate: true } : {}), ...writing };
}

function withoutAbsent(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
