/** Reads the values of a row from the columns that the rules of a mapping name. */

import {
  type AmountWriting,
  readWrittenAmount,
  refuseMark,
  turn,
  type WrittenAmount,
} from './amount-writing.ts';
import { showCell } from './cells.ts';
import { type Column, findColumn } from './columns.ts';
import { type DateFormat, ISO_DATE } from './date-formats.ts';
import type { DecimalReading } from './decimals.ts';
import type { AmountShape, Mapping } from './mapping.ts';
import { explainDoubt } from './months.ts';
import type { Advice, RowProblem } from './problems.ts';

/** A value, or why it cannot be read. */
export type ValueReading = { readonly value: string | number } | { readonly problem: RowProblem };

/** Reads one field from the values of a record. */
export type ValueReader = (fields: readonly string[]) => ValueReading;

/** What reads the field of a column. */
export function valueReader(column: Column, mapping: Mapping): ValueReader {
  const { field, indexes, rule } = column;
  const textsOf = (fields: readonly string[]) => {
    return indexes.map((index) => (fields[index] ?? '').trim());
  };
  if (field === 'date') {
    const { format = ISO_DATE } = rule;
    return (fields) => readDate(textsOf(fields)[0] ?? '', column, format);
  }
  if (field === 'amount') {
    const read = amountReader(column, rule.amount?.shape ?? SIGNED, writingOf(mapping));
    return (fields) => read(textsOf(fields));
  }
  return (fields) => {
    const texts = textsOf(fields).filter((text) => text !== '');
    return { value: texts.join(' ') };
  };
}

/** How amounts are written, according to the mapping. */
export function writingOf({ fields, decimal, thousands }: Mapping): AmountWriting {
  const { negative, currency } = fields.amount?.amount ?? {};
  return {
    decimal,
    thousands,
    ...(negative === undefined ? {} : { negative }),
    ...(currency === undefined ? {} : { currency }),
  };
}

/** Why a row is not accepted although its values can be read; undefined if it is. */
export type Guard = (fields: readonly string[]) => RowProblem | undefined;

/** What accepts only rows with the currency and the status of the mapping. */
export function guardsOf({ currency, status }: Mapping, header: readonly string[]): Guard[] {
  const guards: Guard[] = [];
  const add = (
    { column, words }: { column: string; words: string },
    code: string,
    accepts: (text: string) => boolean,
  ) => {
    const index = findColumn(column, header);
    const field = code === 'other_currency' ? 'amount' : null;
    guards.push((fields) => {
      const text = (fields[index] ?? '').trim();
      const message = `"${column}" is "${text}": the mapping accepts only rows ${words}.`;
      return accepts(text) ? undefined : { field, code, message };
    });
  };
  if (currency !== undefined) {
    const { column, is } = currency;
    add({ column, words: `in ${is}` }, 'other_currency', (text) => text === is);
  }
  if (status !== undefined) {
    const { column, is } = status;
    const words = `with ${is.map((word) => `"${word}"`).join(' or ')}`;
    add({ column, words }, 'other_status', (text) => isOneOf(is, text));
  }
  return guards;
}

function isOneOf(words: readonly string[], text: string): boolean {
  return words.some((word) => word.toLowerCase() === text.toLowerCase());
}

function missing({ field, rule }: Column): ValueReading {
  const columns = rule.columns.map((name) => `"${name}"`).join(' and ');
  const are = rule.columns.length > 1 ? `columns ${columns} are` : `column ${columns} is`;
  return { problem: { field, code: 'required', message: `The ${are} empty here.` } };
}

function readDate(text: string, column: Column, format: DateFormat): ValueReading {
  if (text === '') return missing(column);
  const date = format.read(text);
  if (date !== undefined) return { value: date };
  const reason = format.explain(text);
  if (reason !== undefined) return invalidDate(`${showCell(text)}: ${reason}.`);
  const message = `${showCell(text)} is not a date written ${format.text}.`;
  if (format === ISO_DATE) {
    return invalidDate(message, { kind: 'date format', column: column.rule.columns[0] ?? '' });
  }
  const doubt = format.text.includes('@') ? undefined : explainDoubt(text);
  return invalidDate(doubt === undefined ? message : `${message} ${doubt}`);
}

function invalidDate(message: string, advice?: Advice): ValueReading {
  return { problem: { field: 'date', code: 'invalid_date', message, advice } };
}

const SIGNED: AmountShape = { kind: 'signed', isTurned: false };

/** What reads an amount from its one or two texts. Money in is negative (Spec 2.5). */
function amountReader(
  column: Column,
  shape: AmountShape,
  writing: AmountWriting,
): (texts: readonly string[]) => ValueReading {
  switch (shape.kind) {
    case 'signed':
      return ([text = '']) => {
        const read = text === '' ? missing(column) : readUnmarked(text, writing);
        return shape.isTurned ? turned(read) : read;
      };
    case 'indicator':
      return ([text = '', word = '']) =>
        text === '' ? missing(column) : readIndicated({ text, word }, column, shape, writing);
    case 'two':
      return (texts) => readTwo(texts, column, shape, writing);
  }
}

function turned(read: ValueReading): ValueReading {
  return 'value' in read && typeof read.value === 'number' ? { value: turn(read.value) } : read;
}

/** An amount without a mark. */
function readUnmarked(text: string, writing: AmountWriting): DecimalReading {
  const read = readWrittenAmount(text, writing);
  return read.mark === undefined ? read : refuseMark(text, read.mark);
}

function readIndicated(
  { text, word }: { readonly text: string; readonly word: string },
  { rule }: Column,
  shape: AmountShape & { readonly kind: 'indicator' },
  writing: AmountWriting,
): ValueReading {
  const readText = shape.isInCell ? readWrittenAmount : readUnmarked;
  const read: WrittenAmount = readText(text, writing);
  if ('problem' in read) return read;
  if (read.value < 0) {
    const both = 'has both a minus and a mark for money out or in. Remove one';
    return invalid(`${showCell(text)} ${both}.`);
  }
  const mark = shape.isInCell ? (read.mark ?? '') : word;
  if (isOneOf(shape.out, mark)) return { value: read.value };
  if (isOneOf(shape.in, mark)) return { value: turn(read.value) };
  const where = shape.isInCell
    ? `${showCell(text)} has the mark`
    : `The column "${rule.columns[1]}" has`;
  const show = (words: readonly string[]) => words.map((each) => `"${each}"`).join(', ');
  const wanted = `neither money out (${show(shape.out)}) nor money in (${show(shape.in)})`;
  return invalid(`${where} ${showCell(mark)}, which is ${wanted}.`);
}

function readTwo(
  texts: readonly string[],
  column: Column,
  shape: AmountShape & { readonly kind: 'two' },
  writing: AmountWriting,
): ValueReading {
  if (texts.every((text) => text === '')) return missing(column);
  const [out = ZERO, into = ZERO] = texts.map((text) => {
    return text === '' ? ZERO : readUnmarked(text, writing);
  });
  if ('problem' in out) return out;
  if ('problem' in into) return into;
  if (out.value !== 0 && into.value !== 0) {
    const [outName, inName] = column.rule.columns;
    return invalid(`"${outName}" and "${inName}" both have an amount. A row may have only one.`);
  }
  if (out.value !== 0) return shape.isOutTurned ? turned(out) : out;
  return shape.isInTurned ? into : turned(into);
}

const ZERO: DecimalReading = { value: 0 };

function invalid(message: string): ValueReading {
  return { problem: { field: 'amount', code: 'invalid_amount', message } };
}
