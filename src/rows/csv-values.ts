/** Reads the values of one row from the columns that its rules name. */

import type { RowField } from '../core/push.ts';
import { type AmountWriting, readWrittenAmount, refuseMark, turn } from './amount-writing.ts';
import { showCell } from './cells.ts';
import type { Column } from './columns.ts';
import { ISO_DATE } from './date-formats.ts';
import type { DecimalReading } from './decimals.ts';
import type { AmountShape, Mapping } from './mapping.ts';
import { explainDoubt } from './months.ts';
import type { Advice, RowProblem } from './problems.ts';

/** A value, or why it cannot be read. */
export type ValueReading = { readonly value: string | number } | { readonly problem: RowProblem };

/** Reads one field of a record. */
export function readValue(
  fields: readonly string[],
  column: Column,
  mapping: Mapping,
): ValueReading {
  const texts = column.indexes.map((index) => (fields[index] ?? '').trim());
  if (column.field === 'amount') return readAmountOf(texts, column, mapping);
  if (column.field === 'date') return readDate(texts[0] ?? '', column);
  return { value: texts.filter((text) => text !== '').join(' ') };
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

function required(field: RowField, { rule }: Column): ValueReading {
  const columns = rule.columns.map((name) => `"${name}"`).join(' and ');
  const verb = rule.columns.length > 1 ? 'are' : 'is';
  const noun = rule.columns.length > 1 ? 'columns' : 'column';
  const message = `The ${noun} ${columns} ${verb} empty here.`;
  return { problem: { field, code: 'required', message } };
}

function readDate(text: string, column: Column): ValueReading {
  if (text === '') return required('date', column);
  const { rule } = column;
  const format = rule.format ?? ISO_DATE;
  const date = format.read(text);
  if (date !== undefined) return { value: date };
  const reason = format.explain(text);
  if (reason !== undefined) return invalidDate(`${showCell(text)}: ${reason}.`);
  const message = `${showCell(text)} is not a date written ${format.text}.`;
  if (format === ISO_DATE) {
    return invalidDate(message, { kind: 'date format', column: rule.columns[0] ?? '' });
  }
  const doubt = format.text.includes('@') ? undefined : explainDoubt(text);
  return invalidDate(doubt === undefined ? message : `${message} ${doubt}`);
}

function invalidDate(message: string, advice?: Advice): ValueReading {
  return { problem: { field: 'date', code: 'invalid_date', message, advice } };
}

/** Money in is negative (Spec 2.5), however the file writes it. */
function readAmountOf(texts: readonly string[], column: Column, mapping: Mapping): ValueReading {
  const shape = column.rule.amount?.shape ?? SIGNED;
  const writing = writingOf(mapping);
  const [first = '', second = ''] = texts;
  if (shape.kind === 'two') return readTwo([first, second], column, writing);
  if (first === '') return required('amount', column);
  if (shape.kind === 'signed') {
    const read = readUnmarked(first, writing);
    return 'value' in read && shape.isTurned ? { value: turn(read.value) } : read;
  }
  return readIndicated([first, second], column, writing);
}

const SIGNED: AmountShape = { kind: 'signed', isTurned: false };

/** An amount without a mark. */
function readUnmarked(text: string, writing: AmountWriting): DecimalReading {
  const read = readWrittenAmount(text, writing);
  if (!('mark' in read) || read.mark === undefined) return read;
  return refuseMark(text, read.mark);
}

function readIndicated(
  [text, other]: readonly [string, string],
  { rule }: Column,
  writing: AmountWriting,
): ValueReading {
  const shape = rule.amount?.shape;
  if (shape?.kind !== 'indicator') return readUnmarked(text, writing);
  const read = shape.isInCell ? readWrittenAmount(text, writing) : readUnmarked(text, writing);
  if ('problem' in read) return read;
  if (read.value < 0) {
    return invalid(
      `${showCell(text)} has both a minus and a mark for money out or in. Remove one.`,
    );
  }
  const mark = 'mark' in read && typeof read.mark === 'string' ? read.mark : '';
  const word = (shape.isInCell ? mark : other).toLowerCase();
  const isOf = (words: readonly string[]) => words.some((each) => each.toLowerCase() === word);
  if (isOf(shape.out)) return { value: read.value };
  if (isOf(shape.in)) return { value: turn(read.value) };
  const where = shape.isInCell
    ? `${showCell(text)} has the mark`
    : `The column "${rule.columns[1]}" has`;
  const show = (words: readonly string[]) => words.map((each) => `"${each}"`).join(', ');
  const wanted = `neither money out (${show(shape.out)}) nor money in (${show(shape.in)})`;
  return invalid(`${where} ${showCell(shape.isInCell ? mark : other)}, which is ${wanted}.`);
}

function readTwo(
  texts: readonly [string, string],
  column: Column,
  writing: AmountWriting,
): ValueReading {
  const shape = column.rule.amount?.shape;
  if (shape?.kind !== 'two') return required('amount', column);
  const [out, into] = texts.map((text) => (text === '' ? undefined : readUnmarked(text, writing)));
  if (out !== undefined && 'problem' in out) return out;
  if (into !== undefined && 'problem' in into) return into;
  if (out === undefined && into === undefined) return required('amount', column);
  if (out !== undefined && into !== undefined && out.value !== 0 && into.value !== 0) {
    const [outName, inName] = column.rule.columns;
    return invalid(`"${outName}" and "${inName}" both have an amount. A row may have only one.`);
  }
  const outValue = out === undefined ? 0 : out.value;
  if (outValue !== 0) return { value: shape.isOutTurned ? turn(outValue) : outValue };
  const inValue = into === undefined ? 0 : into.value;
  return { value: shape.isInTurned ? inValue : turn(inValue) };
}

function invalid(message: string): { readonly problem: RowProblem } {
  return { problem: { field: 'amount', code: 'invalid_amount', message } };
}
