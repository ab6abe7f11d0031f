/**
 * Reads the options that say how to read a CSV file: `--map FIELD=COLUMN`, `--map FILE`,
 * `--decimal` and `--delimiter`.
 */

import type { RowField } from '../core/push.ts';
import { ISO_DATE } from '../rows/date-formats.ts';
import {
  type AmountRule,
  type FieldRule,
  type Mapping,
  OWN_NAMES,
  ruleOf,
  splitDateColumn,
  splitPair,
} from '../rows/mapping.ts';
import { readMapping } from '../rows/mapping-file.ts';
import { readDecimalSign, readDelimiter, readField } from '../rows/mapping-values.ts';
import { MappingError } from '../rows/problems.ts';
import { UsageError } from './command.ts';

/** The options of a mapping. */
export interface MappingOptions {
  /** `--map FIELD=COLUMN`, in order. */
  readonly pairs: readonly string[];
  /** The text of a mapping file, and its name for messages. */
  readonly file?: { readonly name: string; readonly text: string } | undefined;
  readonly decimal?: string | undefined;
  readonly delimiter?: string | undefined;
}

/** Reads a mapping; pairs and options override the file. Throws UsageError or MappingError. */
export function readMappingOptions(options: MappingOptions): Mapping {
  const file = options.file === undefined ? OWN_NAMES : readFile(options.file);
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
    delimiter: delimiter === undefined ? file.delimiter : readDelimiter('--delimiter', delimiter),
    decimal: decimal === undefined ? file.decimal : readDecimalSign('--decimal', decimal),
  };
}

/** Whether a value of `--map` is a pair; anything else is the name of a mapping file. */
export function isPair(value: string): boolean {
  return value.includes('=');
}

function readFile({ name, text }: { readonly name: string; readonly text: string }): Mapping {
  try {
    return readMapping(JSON.parse(text));
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
  const field = readField('--map', name);
  if (column.trim() === '') throw new UsageError(`--map ${pair}: the column is missing.`);
  if (field === 'date') {
    const { column: own, format } = splitDateColumn(column);
    return { field, rule: { ...ruleOf(field, [own]), format: format ?? ISO_DATE } };
  }
  if (field !== 'amount' || !column.startsWith('-'))
    return { field, rule: ruleOf(field, [column]) };
  const amount: AmountRule = { shape: { kind: 'signed', isTurned: true } };
  return { field, rule: { ...ruleOf(field, [column.slice(1)]), amount } };
}
