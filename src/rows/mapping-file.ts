/**
 * Reads a mapping file, written by `csv inspect` or by hand:
 * `{ "delimiter": ";", "decimal": ",", "fields": { "externalId": "Trans No", "date": { "column":
 * "Paid Date", "format": "DD/MM/YYYY" }, "amount": { "column": "Amount", "negate": true } } }`. An
 * unknown member is an error.
 */

import { ROW_FIELDS, type RowField } from '../core/push.ts';
import { NEGATIVE_FORMS, type NegativeForm } from './amount-writing.ts';
import { readDateFormat, unknownFormat } from './date-formats.ts';
import {
  type AmountRule,
  type FieldRule,
  type Mapping,
  type NotRowRule,
  ruleOf,
} from './mapping.ts';
import {
  readCount,
  readDecimalSign,
  readDelimiter,
  readEncoding,
  readField,
  readFlag,
  readMarks,
  readThousandsSign,
  readWord,
  readWords,
} from './mapping-values.ts';
import { MappingError } from './problems.ts';

type Members = Readonly<Record<string, unknown>>;

const MEMBERS = [
  'fields',
  'delimiter',
  'decimal',
  'thousands',
  'encoding',
  'headerless',
  'currency',
  'status',
  'notRows',
];
const DATE_MEMBERS = ['column', 'format'];
const TEXT_MEMBERS = ['column', 'columns'];
const MADE_MEMBERS = ['column', 'made'];
const AMOUNT_MEMBERS = ['column', 'negate', 'out', 'in', 'indicator', 'negative', 'currency'];

/** Reads the document of a mapping file. Throws MappingError with the member that is wrong. */
export function readMapping(value: unknown): Mapping {
  const document = membersOf('the document', value, MEMBERS);
  const fields = membersOf('fields', document['fields'], ROW_FIELDS);
  const read = <Value>(member: string, how: (place: string, value: unknown) => Value) => {
    const value = document[member];
    return value === undefined ? undefined : how(member, value);
  };
  return {
    fields: Object.fromEntries(
      Object.entries(fields)
        .filter(([, rule]) => rule !== null)
        .map(([member, value]) => {
          const field = readField('fields', member);
          return [field, readRule(field, value)];
        }),
    ),
    delimiter: read('delimiter', readDelimiter),
    decimal: read('decimal', readDecimalSign),
    thousands: read('thousands', readThousandsSign),
    encoding: read('encoding', readEncoding),
    headerless: read('headerless', (place, value) => readHeaderless(place, value)),
    currency: read('currency', (_, value) => readCurrency(value)),
    status: read('status', (_, value) => readStatus(value)),
    notRows: read('notRows', (place, value) => readNotRows(place, value)) ?? [],
  };
}

function readRule(field: RowField, value: unknown): FieldRule {
  if (typeof value === 'string' && value.trim() !== '') return ruleOf(field, [value]);
  if (field === 'amount') return readAmountRule(value);
  const place = `fields.${field}`;
  const members = membersOf(place, value, memberNames(field), OTHER_FIELDS);
  const { column, columns, format, made } = members;
  const hasOne = [column, columns, made].filter((each) => each !== undefined).length === 1;
  if (!hasOne) throw new MappingError(`${place} must name its column.`);
  if (made !== undefined) {
    return { ...ruleOf(field, readWords(`${place}.made`, made)), isMade: true };
  }
  const named = columns ?? column;
  if (column !== undefined && typeof column !== 'string') {
    throw new MappingError(`${place} must name its column.`);
  }
  const rule = ruleOf(field, readWords(`${place}`, named));
  return format === undefined ? rule : { ...rule, format: readFormat(format) };
}

function memberNames(field: RowField): readonly string[] {
  if (field === 'date') return DATE_MEMBERS;
  return field === 'externalId' ? MADE_MEMBERS : TEXT_MEMBERS;
}

/** Members that belong to one field but are often written for another. */
const OTHER_FIELDS: Readonly<Record<string, string>> = {
  negate: 'only amount has negate',
  format: 'only date has format',
  made: 'only externalId has made',
};

function readFormat(value: unknown) {
  if (typeof value !== 'string') throw new MappingError('format must be a string.');
  const format = readDateFormat(value);
  if (format === undefined) throw unknownFormat(value);
  return format;
}

/** A column with signs, a column with an indicator, or two columns for money out and money in. */
function readAmountRule(value: unknown): FieldRule {
  const place = 'fields.amount';
  const members = membersOf(place, value, AMOUNT_MEMBERS, OTHER_FIELDS);
  const { column, negate, indicator, currency } = members;
  const isTwo = members['out'] !== undefined && members['in'] !== undefined;
  if (isTwo === (column !== undefined)) {
    const way = 'must name its column, or one for "out" and one for "in"';
    throw new MappingError(`${place} ${way}.`);
  }
  const writing = {
    ...(members['negative'] === undefined ? {} : { negative: readNegative(members) }),
    ...(currency === undefined ? {} : { currency: readWord(`${place}.currency`, currency) }),
  };
  if (isTwo) return readTwo(members, writing);
  const own = readWord(`${place}.column`, column);
  if (indicator === undefined) {
    const isTurned = readFlag(`${place}.negate`, negate);
    return amountRule([own], { ...writing, shape: { kind: 'signed', isTurned } });
  }
  if (negate !== undefined) {
    throw new MappingError(`${place}: use either indicator or negate, not both.`);
  }
  const words = membersOf(`${place}.indicator`, indicator, ['column', 'out', 'in']);
  const at = `${place}.indicator`;
  const second = words['column'] === undefined ? [] : [readWord(`${at}.column`, words['column'])];
  const shape = {
    kind: 'indicator',
    isInCell: second.length === 0,
    out: readMarks(`${at}.out`, words['out']),
    in: readMarks(`${at}.in`, words['in']),
  } as const;
  return amountRule([own, ...second], { ...writing, shape });
}

function amountRule(columns: readonly string[], amount: AmountRule): FieldRule {
  return { ...ruleOf('amount', columns), amount };
}

function readTwo(members: Members, writing: Omit<AmountRule, 'shape'>): FieldRule {
  const [out, into] = (['out', 'in'] as const).map((side) => {
    const place = `fields.amount.${side}`;
    const value = members[side];
    if (typeof value === 'string') return { column: readWord(place, value), isTurned: false };
    const { column, negate } = membersOf(place, value, ['column', 'negate']);
    const isTurned = readFlag(`${place}.negate`, negate);
    return { column: readWord(`${place}.column`, column), isTurned };
  });
  const columns = [out?.column ?? '', into?.column ?? ''];
  const isOutTurned = out?.isTurned === true;
  const isInTurned = into?.isTurned === true;
  return amountRule(columns, { ...writing, shape: { kind: 'two', isOutTurned, isInTurned } });
}

function readNegative(members: Members): NegativeForm[] {
  const place = `fields.amount.negative`;
  return readWords(place, members['negative']).map((word) => {
    const form = NEGATIVE_FORMS.find((each) => each === word);
    if (form !== undefined) return form;
    throw new MappingError(`${place} must list some of: ${NEGATIVE_FORMS.join(', ')}.`);
  });
}

function readHeaderless(place: string, value: unknown) {
  const { columns, skipLines } = membersOf('headerless', value, ['columns', 'skipLines']);
  return {
    columns: readCount(`${place}.columns`, columns, 1),
    skipLines: skipLines === undefined ? 0 : readCount(`${place}.skipLines`, skipLines, 0),
  };
}

function readCurrency(value: unknown) {
  const members = membersOf('currency', value, ['column', 'is']);
  return {
    column: readWord(`currency.column`, members['column']),
    is: readWord(`currency.is`, members['is']),
  };
}

function readStatus(value: unknown) {
  const members = membersOf('status', value, ['column', 'is']);
  const is = readMarks(`status.is`, members['is']);
  if (is.length === 0) throw new MappingError(`status.is must not be empty.`);
  return { column: readWord(`status.column`, members['column']), is };
}

function readNotRows(place: string, value: unknown): NotRowRule[] {
  if (!Array.isArray(value)) throw new MappingError(`${place} must be a list.`);
  return value.map((each) => {
    const members = membersOf('notRows', each, ['begins', 'sum', 'text', 'column', 'is']);
    const { begins, sum, text, column, is } = members;
    const kinds = Object.keys(members).join(' ');
    if (kinds === 'begins') return { begins: readWord(`${place}.begins`, begins) };
    if (kinds === 'sum' && sum === true) return { sum };
    if (kinds === 'text' && text === true) return { text };
    if (column === undefined || is === undefined || Object.keys(members).length !== 2) {
      const forms = '{"begins": …}, {"sum": true}, {"text": true} or {"column": …, "is": …}';
      throw new MappingError(`${place}: each must be ${forms}.`);
    }
    return {
      column: readWord(`${place}.column`, column),
      is: is === '' ? '' : readWord(`${place}.is`, is),
    };
  });
}

function membersOf(
  place: string,
  value: unknown,
  ...[known, others = {}]: [readonly string[], Readonly<Record<string, string>>?]
): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new MappingError(`${place} must be a JSON object with ${known.join(', ')}.`);
  }
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown === undefined) return value as Members;
  const hint = others[unknown];
  if (hint !== undefined) throw new MappingError(`${place}: ${hint}.`);
  throw new MappingError(`${place} has no "${unknown}", only ${known.join(', ')}.`);
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
