/**
 * Reads the options that say how to read a CSV file: `--map FIELD=COLUMN`, `--map FILE`,
 * `--decimal` and `--delimiter`.
 */

import { ROW_FIELDS, type RowField } from '../core/push.ts';
import { type DateFormat, readDateFormat, requireDateFormat } from '../rows/date-formats.ts';
import {
  type AmountRule,
  type FieldRule,
  type Mapping,
  OWN_NAMES,
  ruleOf,
} from '../rows/mapping.ts';
import { readMapping } from '../rows/mapping-file.ts';
import { readMappingValue } from '../rows/mapping-values.ts';
import { MappingError } from '../rows/problems.ts';
import { UsageError } from './command.ts';

/** The options of a mapping. */
export interface MappingOptions {
  /** `--map FIELD=COLUMN`, in order. */
  readonly pairs: readonly string[];
  /** The text of a mapping file, and its name for messages. */
  readonly file?: NamedText | undefined;
  readonly decimal?: string | undefined;
  readonly delimiter?: string | undefined;
}

interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** Reads a mapping; pairs and options override the file. Rejects with UsageError, MappingError. */
export async function readMappingOptions(options: MappingOptions): Promise<Mapping> {
  const file = options.file === undefined ? OWN_NAMES : await readFile(options.file);
  const fields: Partial<Record<RowField, FieldRule>> = { ...file.fields };
  const named = new Set<RowField>();
  for (const pair of options.pairs) {
    const { field, rule } = readPair(pair);
    if (named.has(field)) throw new UsageError(`--map sets ${field} twice.`);
    named.add(field);
    fields[field] = rule;
  }
  const { delimiter, decimal } = options;
  return {
    ...file,
    fields,
    delimiter: delimiter === undefined ? file.delimiter : readOption('delimiter', delimiter),
    decimal: decimal === undefined ? file.decimal : readOption('decimal', decimal),
  };
}

/** Reads the value of an option that has the name of a member of a mapping. Throws UsageError. */
export const readOption: typeof readMappingValue = (name, text) => {
  try {
    return readMappingValue(name, text);
  } catch (error) {
    throw error instanceof MappingError ? new UsageError(`--${error.message}`) : error;
  }
};

/** Whether a value of `--map` is a pair; anything else is the name of a mapping file. */
export function isPair(value: string): boolean {
  return value.includes('=');
}

async function readFile({ name, text }: NamedText): Promise<Mapping> {
  try {
    return await readMapping(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UsageError(`The mapping file ${name} is not JSON: ${error.message}`);
    }
    if (error instanceof MappingError) throw new MappingError(`${name}: ${error.message}`);
    throw error;
  }
}

function readPair(pair: string): { field: RowField; rule: FieldRule } {
  const { name, column } = splitPair(pair);
  const field = ROW_FIELDS.find((each) => each === name);
  if (field === undefined) {
    const fields = ROW_FIELDS.join(', ');
    throw new UsageError(`--map: "${name}" is not a field; fields are ${fields}.`);
  }
  if (column.trim() === '') throw new UsageError(`--map ${pair}: the column is missing.`);
  if (field === 'date') {
    const { column: own, format } = splitDateColumn(column);
    return { field, rule: { ...ruleOf(field, [own]), ...(format && { format }) } };
  }
  const isTurned = field === 'amount' && column.startsWith('-');
  if (!isTurned) return { field, rule: ruleOf(field, [column]) };
  const amount: AmountRule = { shape: { kind: 'signed', isTurned } };
  return { field, rule: { ...ruleOf(field, [column.slice(1)]), amount } };
}

/** Splits `FIELD=COLUMN`. */
export function splitPair(pair: string): { readonly name: string; readonly column: string } {
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at).trim(), column: pair.slice(at + 1) };
}

/** Splits `COLUMN:FORMAT`; the column can contain colons, and so can a format with a time. */
export function splitDateColumn(text: string): { column: string; format: DateFormat | undefined } {
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const column = text.slice(0, at);
    const format = readDateFormat(text.slice(at + 1).trim());
    if (format !== undefined && column.trim() !== '') return { column, format };
  }
  const tail = text.slice(text.lastIndexOf(':') + 1).trim();
  if (text.includes(':') && /^[YMD][YMD\W]*$/i.test(tail)) requireDateFormat(tail);
  return { column: text, format: undefined };
}
