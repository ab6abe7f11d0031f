/** Reads the values of a row from the columns that the rules of a mapping name. */

import { turn } from '../../core/projects.ts';
import type { FieldColumn } from '../mapping/columns.ts';
import { type Mapping, ruleOf } from '../mapping/mapping.ts';
import { type Advice, type RowProblem, refuseAmount, showCell } from '../problems.ts';
import {
  type AmountWriting,
  isBlankAmount,
  readUnmarkedAmount,
  readWrittenAmount,
} from '../values/amount-writing.ts';
import {
  type DateFormat,
  explainDoubt,
  ISO_DATE,
  requireDateFormat,
} from '../values/date-formats.ts';
import { readPlain } from '../values/decimals.ts';
import { cellOf } from './csv-records.ts';

/** A value, or why it cannot be read. */
type ValueReading = string | number | { readonly problem: RowProblem };

/** Reads one field from the values of a record. */
type ValueReader = (fields: readonly string[]) => ValueReading;

/** What reads the field of a column. */
export function valueReader(column: FieldColumn, mapping: Mapping): ValueReader {
  const { field, indexes } = column;
  const rule = ruleOf(mapping, field);
  const [only = 0, ...more] = indexes;
  const textsOf = (fields: readonly string[]) => {
    const first = cellOf(fields, only);
    return more.length === 0 ? [first] : [first, ...more.map((index) => cellOf(fields, index))];
  };
  if (field === 'date') {
    const format = rule.format === undefined ? ISO_DATE : requireDateFormat(rule.format);
    return (fields) => readDate(cellOf(fields, only), column, format);
  }
  if (field === 'amount') return amountReader(column, mapping, textsOf);
  if (more.length === 0) return (fields) => cellOf(fields, only);
  return (fields) => {
    const texts = textsOf(fields).filter((text) => text !== '');
    // A dash is written for an empty cell.
    const told = texts.filter((text) => /[^-\u2013\u2014]/.test(text));
    return [...new Set(told.length > 0 ? told : texts)].join(' ');
  };
}

/** How amounts are written, according to the mapping. */
export function writingOf(mapping: Mapping): AmountWriting {
  const { decimal, thousands } = mapping;
  const { negative = [], currency } = ruleOf(mapping, 'amount');
  return { decimal, thousands, negative: [negative].flat(), currency };
}

/** Whether a text is one of the words, in any case. */
export function isOneOf(words: readonly string[], text: string): boolean {
  return words.some((word) => word.toLowerCase() === text.toLowerCase());
}

function missing({ field, names }: FieldColumn): ValueReading {
  const columns = names.map((name) => `"${name}"`).join(' and ');
  const are = names.length > 1 ? `columns ${columns} are` : `column ${columns} is`;
  return { problem: { field, code: 'required', message: `The ${are} empty here.` } };
}

function readDate(text: string, column: FieldColumn, format: DateFormat): ValueReading {
  if (text === '') return missing(column);
  const date = format.read(text);
  if (date !== undefined) return date;
  const reason = format.explain(text);
  if (reason !== undefined) return invalidDate(`${showCell(text)}: ${reason}.`);
  const message = `${showCell(text)} is not a date written ${format.text}.`;
  if (format === ISO_DATE) {
    return invalidDate(message, { kind: 'date format', column: column.names[0] ?? '' });
  }
  return invalidDate(message + explainDoubt(text, format.text));
}

function invalidDate(message: string, advice?: Advice): ValueReading {
  return { problem: { field: 'date', code: 'invalid_date', message, advice } };
}

/** What reads an amount from its one or two texts. Money in is negative (Spec 2.5). */
function amountReader(
  column: FieldColumn,
  mapping: Mapping,
  textsOf: (fields: readonly string[]) => readonly string[],
): ValueReader {
  const [only = 0, second] = column.indexes;
  const writing = writingOf(mapping);
  const { out, in: into, negate, indicator } = ruleOf(mapping, 'amount');
  const isTwo = out !== undefined && into !== undefined;
  if (indicator !== undefined && !isTwo) {
    const words = { out: [indicator.out].flat(), in: [indicator.in].flat() };
    return (fields) => readIndicated(textsOf(fields), column, words, writing);
  }
  // A column for money in has the opposite sign of one for money out.
  const turns = isTwo ? [isNegated(out), !isNegated(into)] : [negate === true];
  return (fields) => {
    const plain = second === undefined ? readPlain(cellOf(fields, only), writing) : undefined;
    if (plain !== undefined) return turns[0] === true ? turn(plain) : plain;
    const texts = textsOf(fields);
    if (texts.every(isBlankAmount)) return missingAmount(column, texts);
    const found: number[] = [];
    for (const [at, text] of texts.entries()) {
      const read = isBlankAmount(text) ? { value: 0 } : readUnmarkedAmount(text, writing);
      if ('problem' in read) return read;
      if (read.value !== 0) found.push(turns[at] === true ? turn(read.value) : read.value);
    }
    const [value = 0, other] = found;
    if (other === undefined) return value;
    const names = column.names.map((name) => `"${name}"`).join(' and ');
    return refuseAmount(`${names} both have an amount. A row may have only one.`);
  };
}

/** A cell can say that there is no amount, with a dash for instance. */
function missingAmount(column: FieldColumn, texts: readonly string[]): ValueReading {
  const shown = texts.find((text) => text !== '');
  if (shown === undefined) return missing(column);
  const message = `${showCell(shown)} is not an amount. Write one, or leave out the row.`;
  return { problem: { field: column.field, code: 'required', message } };
}

function isNegated(side: string | { readonly negate?: boolean | undefined }): boolean {
  return typeof side !== 'string' && side.negate === true;
}

function readIndicated(
  [text = '', word = '']: readonly string[],
  column: FieldColumn,
  words: { readonly out: readonly string[]; readonly in: readonly string[] },
  writing: AmountWriting,
): ValueReading {
  if (isBlankAmount(text)) return missingAmount(column, [text]);
  const isInCell = column.names.length === 1;
  const readText = isInCell ? readWrittenAmount : readUnmarkedAmount;
  const read = readText(text, writing);
  if ('problem' in read) return read;
  if (read.value < 0) {
    const both = 'has both a minus and a mark for money out or in. Remove one';
    return refuseAmount(`${showCell(text)} ${both}.`);
  }
  const mark = isInCell ? (read.mark ?? '') : word;
  if (isOneOf(words.out, mark)) return read.value;
  if (isOneOf(words.in, mark)) return turn(read.value);
  const where = isInCell ? `${showCell(text)} has the mark` : `The column "${column.names[1]}" has`;
  const show = (marks: readonly string[]) => marks.map((each) => `"${each}"`).join(', ');
  const wanted = `neither money out (${show(words.out)}) nor money in (${show(words.in)})`;
  return refuseAmount(`${where} ${showCell(mark)}, which is ${wanted}.`);
}
