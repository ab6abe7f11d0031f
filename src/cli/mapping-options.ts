/**
 * Reads the options that say how to read a CSV file: `--map FIELD=COLUMN`, `--map FILE`,
 * `--decimal` and `--delimiter`.
 */

import { ROW_FIELDS, type RowField } from '../core/row-members.ts';
import {
  type Mapping,
  MappingError,
  OWN_NAMES,
  readMapping,
  readMappingValue,
  splitPair,
} from '../files/index.ts';
import { type Call, UsageError } from './command.ts';

interface MappingOptions {
  /** `--map FIELD=COLUMN`, in order. */
  readonly pairs: readonly string[];
  /** The text of a mapping file, and its name for messages. */
  readonly file?: { readonly name: string; readonly text: string } | undefined;
  readonly decimal?: string | undefined;
  readonly delimiter?: string | undefined;
}

/** Reads a mapping; pairs and options override the file. Rejects with UsageError, MappingError. */
export async function readMappingOptions(options: MappingOptions): Promise<Mapping> {
  const file = options.file === undefined ? OWN_NAMES : await readFile(options.file);
  const pairs = options.pairs.map(readPair);
  const names = pairs.map(([field]) => field);
  const twice = names.find((field, at) => names.indexOf(field) !== at);
  if (twice !== undefined) throw new UsageError(`--map sets ${twice} twice.`);
  const { delimiter, decimal } = options;
  return {
    ...file,
    fields: { ...file.fields, ...Object.fromEntries(pairs) },
    ...(delimiter !== undefined && { delimiter: readOption('delimiter', delimiter) }),
    ...(decimal !== undefined && { decimal: readOption('decimal', decimal) }),
  };
}

/** Reads the value of an option that has the name of a member of a mapping. Throws UsageError. */
const readOption: typeof readMappingValue = (name, text) => {
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

/** The values of `--map`: pairs, and the name of one file. Throws UsageError for a second one. */
export function splitMaps({ values }: Pick<Call, 'values'>): { pairs: string[]; file?: string } {
  const maps = [values['map'] ?? []].flat().map(String);
  const [file, second] = maps.filter((value) => !isPair(value));
  if (second !== undefined) throw new UsageError('--map accepts only one mapping file.');
  return { pairs: maps.filter(isPair), ...(file !== undefined && { file }) };
}

async function readFile({ name, text }: NonNullable<MappingOptions['file']>): Promise<Mapping> {
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

function readPair(pair: string): readonly [field: RowField, rule: Mapping['fields'][RowField]] {
  const { name, column, format } = splitPair(pair);
  const field = ROW_FIELDS.find((each) => each === name);
  if (field === undefined) {
    const fields = ROW_FIELDS.join(', ');
    throw new UsageError(`--map: "${name}" is not a field; fields are ${fields}.`);
  }
  if (column.trim() === '') throw new UsageError(`--map ${pair}: the column is missing.`);
  if (field === 'date') return [field, { column: column.trim(), format }];
  const isTurned = field === 'amount' && column.startsWith('-');
  return [field, isTurned ? { column: column.slice(1).trim(), negate: true } : column.trim()];
}
