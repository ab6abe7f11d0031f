/** The mapping that the findings make: what `push` reads the file with. */

import { RARE, type RareField, type TEXT_FIELDS } from '../../core/row-members.ts';
import { columnsOf, type Mapping, type Rest, ruleOf } from '../mapping/mapping.ts';
import { readMappingValue } from '../mapping/mapping-values.ts';
import type { Encoding } from '../text/encodings.ts';
import type { DateFormat } from '../values/date-formats.ts';
import { hasCash } from '../vocabulary/members.ts';
import type { CurrencyGuard, Separators } from './amount-cells.ts';
import type { Check } from './check.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Facts } from './facts.ts';
import {
  type Answer,
  type Answers,
  type ColumnUse,
  type Evidence,
  type Finding,
  titlesOf,
} from './found.ts';
import type { Signed } from './sides.ts';
import { findStatus } from './statuses.ts';

/** The findings that a mapping needs. */
export interface Parts extends Readonly<Record<(typeof TEXT_FIELDS)[number], Finding<Columns>>> {
  readonly encoding: Finding<Encoding>;
  /** Facts about the columns, and the records that contain a date and an amount. */
  readonly facts: Facts;
  readonly date: Finding<ColumnFacts>;
  readonly dateFormat: Finding<DateFormat>;
  readonly decimal: Finding<Separators>;
  readonly sign: Finding<Signed>;
  readonly cellCurrency: Finding<string | undefined>;
  readonly currency: Finding<CurrencyGuard>;
  /** Null for an id made from the columns of the row. */
  readonly externalId: Finding<ColumnFacts | null>;
  /** The columns of the account code if each is in the parts below a row. */
  readonly below: Finding<Columns | undefined>;
}

/** The mapping without rules for lines that are not rows; its fields are in a readable order. */
export function makeMapping(parts: Parts): Mapping {
  const { facts, currency, externalId, description, contact, accountCode } = parts;
  const { layout } = facts;
  const isHeaderless = layout.headerLine.value === 0;
  const shape = { columns: layout.names.length, skipLines: layout.firstRowLine - 1 };
  const guard = currency.value;
  const { title: date } = parts.date.value;
  const rest = [idColumnsOf(parts.sign.value), description.value, contact.value, accountCode.value];
  // The columns that earlier versions read: with another one, the ids of stored rows would change.
  const made = [...new Set([date, ...rest.flatMap(titlesOf)])];
  const [code] = accountCode.value;
  const isBelow = code !== undefined && parts.below.value?.includes(code) === true;
  const optional = (field: 'contact' | 'accountCode' | RareField) => {
    const { value } = parts[field];
    return value.length === 0 ? {} : { [field]: nameTexts(value) };
  };
  return {
    encoding: parts.encoding.value === 'utf-8' ? undefined : parts.encoding.value,
    delimiter: layout.delimiter.value === '\t' ? 'tab' : layout.delimiter.value,
    ...parts.decimal.value,
    headerless: isHeaderless ? shape : undefined,
    fewestValues: countValues(parts),
    currency: guard === undefined ? undefined : { column: guard.column.title, is: guard.is },
    status: findStatus(facts),
    notRows: parts.below.value && !isBelow ? [{ column: date, is: '' }] : undefined,
    fields: {
      externalId: externalId.value === null ? { made } : externalId.value.title,
      date: { column: date, format: parts.dateFormat.value.text },
      description: nameTexts(description.value),
      ...optional('contact'),
      amount: makeAmount(parts.sign.value, parts.cellCurrency.value),
      ...(isBelow ? { accountCode: { column: code.title, below: true } } : optional('accountCode')),
      ...Object.assign({}, ...RARE.map(optional)),
    },
    header: isHeaderless ? undefined : layout.names,
  };
}

/** The columns of the amount, a debit first: the ids stay when the other one becomes money out. */
function idColumnsOf({ columns, shape }: Signed): Columns {
  const isDebit = (column: ColumnFacts | undefined) =>
    column?.roles.has('debit') === true || column?.roles.has('out') === true;
  const [out, into] = columns;
  const isOther = shape.kind === 'two' && !isDebit(out) && isDebit(into);
  return isOther ? [...columns].reverse() : columns;
}

/** How a mapping reads amounts, as answers about another file, and what its sign is. */
export function answersOf(mapping: Mapping): { answers: Answer[]; shape: Signed['shape'] } {
  const { delimiter, encoding, decimal } = mapping;
  const { column, out, in: into, negate, indicator } = ruleOf(mapping, 'amount');
  const use = (own: ColumnUse, side: string | Side = '') => {
    const named = typeof side === 'string' ? { column: side } : side;
    const answer = { kind: 'column' as const, use: own, column: named.column };
    return { ...answer, isTurned: named.negate === true };
  };
  const [date = ''] = columnsOf(mapping, 'date');
  const answers: (Answer | [])[] = [
    delimiter ? { kind: 'delimiter', delimiter: readMappingValue('delimiter', delimiter) } : [],
    encoding ? { kind: 'encoding', encoding: readMappingValue('encoding', encoding) } : [],
    decimal ? { kind: 'decimal', decimal } : [],
    use('date', date),
    ...(out === undefined ? [use('amount', column)] : [use('out', out), use('in', into)]),
    indicator?.column ? use('indicator', indicator.column) : [],
  ];
  const shape: Signed['shape'] =
    out !== undefined
      ? { kind: 'two', isOutTurned: use('out', out).isTurned, isInTurned: use('in', into).isTurned }
      : indicator !== undefined
        ? {
            kind: 'indicator',
            isInCell: indicator.column === undefined,
            out: [indicator.out].flat(),
            in: [indicator.in].flat(),
          }
        : { kind: 'signed', isTurned: negate === true };
  return { answers: answers.flat(), shape };
}

/** The side of an amount with a column of its own. */
type Side = { readonly column: string; readonly negate?: boolean | undefined };

/** What the mapping rests on, if the file `check` showed it and no answer did. */
export function listRests(parts: Parts, { columns }: Answers, check: Check): Rest[] | undefined {
  const isShown = ({ evidence }: { readonly evidence: Evidence }) => !('said' in evidence);
  const isSaid =
    columns.has('amount') || columns.has('out') || !isShown(parts.sign) || parts.facts.isOwn;
  const isSigned = parts.sign.value.shape.kind === 'signed';
  const isWhole = parts.sign.value.columns.every(({ numbers }) => !numbers.hasDecimals);
  const names = [...(parts.bankAccount.value[0]?.values?.keys() ?? [])];
  const isCash = isShown(parts.bankAccount) && names.some(hasCash);
  const [out, into] = [check.moneyOut.rows, check.moneyIn.rows];
  const side: Rest = out > into ? 'more money out' : 'more money in';
  const rests: Rest[] = [
    ...(isShown(parts.dateFormat) ? (['dates'] as const) : []),
    ...(isShown(parts.decimal) ? (['decimal'] as const) : []),
    ...(isWhole ? (['whole amounts'] as const) : []),
    ...(isCash && !names.some((name) => hasCash(name) === false)
      ? (['cash accounts'] as const)
      : []),
    ...(isSaid ? [] : (['sign'] as const)),
    ...(!isSaid && isSigned && out !== into ? [side] : []),
  ];
  return rests.length === 0 ? undefined : rests;
}

/**
 * If some rows lack the last columns: up to the last one that is not empty, or to the shortest row
 * if several are shorter and have at least the date, the amount and a description.
 */
function countValues({ facts, date, sign, description }: Parts): number | undefined {
  const { columns, fewestValues, areSomeShort } = facts;
  if (facts.source.isSheet) return 0;
  const filled = columns.map((column) => column.filled > 0).lastIndexOf(true) + 1;
  const read = [date.value, ...sign.value.columns, ...description.value.slice(0, 1)];
  const needed = Math.max(...read.map(({ index }) => index + 1));
  const least = areSomeShort ? Math.min(filled, Math.max(fewestValues, needed)) : filled;
  return Math.max(fewestValues, least) < columns.length ? least : undefined;
}

function nameTexts(columns: Columns): string | { columns: string[] } {
  const [first = '', ...more] = titlesOf(columns);
  return more.length === 0 ? first : { columns: [first, ...more] };
}

/** The rule of the amount; `currency` is what its cells may contain. */
export function makeAmount(
  { columns, shape }: Signed,
  currency: string | undefined,
): Mapping['fields']['amount'] {
  const [column = '', second] = titlesOf(columns);
  const forms = (['trailing minus', 'brackets'] as const).filter((form) =>
    columns.some(({ numbers }) => numbers.forms.has(form)),
  );
  const negative = forms.length === 0 ? undefined : forms;
  const writing = { negative, currency };
  if (shape.kind === 'two') {
    const { isOutTurned, isInTurned } = shape;
    return { out: side(column, isOutTurned), in: side(second ?? '', isInTurned), ...writing };
  }
  if (shape.kind === 'indicator') {
    return { column, indicator: { column: second, out: shape.out, in: shape.in }, ...writing };
  }
  const isPlain = negative === undefined && currency === undefined;
  const own = side(column, shape.isTurned);
  return isPlain ? own : { column, negate: shape.isTurned || undefined, ...writing };
}

function side(column: string, isTurned: boolean) {
  return isTurned ? { column, negate: true } : column;
}
