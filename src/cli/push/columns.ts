/** Finding a mapping's columns in the header of a file. */

import type { RowField } from '../../core/push.ts';
import { UsageError } from '../command.ts';
import { findNearest } from '../suggestions.ts';
import type { FieldRule } from './field-rules.ts';
import { type Mapping, REQUIRED_FIELDS } from './mapping.ts';

/** One field and the columns that it is read from, counted from 0, in the rule's order. */
export interface Column {
  readonly field: RowField;
  readonly rule: FieldRule;
  readonly indexes: readonly number[];
}

/** Which columns are read. Throws UsageError with the columns that there are. */
export function findColumns(mapping: Mapping, header: readonly string[]): Column[] {
  const rules = Object.entries(mapping.fields) as [RowField, FieldRule][];
  const isAllAssumed = rules.every(([, rule]) => rule.isAssumed);
  const others = listOtherColumns(mapping);
  refuseTwice(
    header,
    isAllAssumed ? header : [...rules.flatMap(([, rule]) => rule.columns), ...others],
  );
  const columns: Column[] = [];
  const missing: string[] = [];
  for (const [field, rule] of rules) {
    const indexes = rule.columns.map((name) => findColumn(name, header));
    const absent = rule.columns.filter((_, at) => (indexes[at] ?? -1) < 0);
    if (absent.length === 0) columns.push({ field, rule, indexes });
    else if (!rule.isAssumed) missing.push(...absent.map((name) => `no column "${name}"`));
    else if (REQUIRED_FIELDS.includes(field)) missing.push(`no column for ${field}`);
    else if (isAllAssumed) refuseNearMiss(field, header);
  }
  for (const name of others) {
    if (findColumn(name, header) < 0) missing.push(`no column "${name}"`);
  }
  for (const field of REQUIRED_FIELDS) {
    if (mapping.fields[field] === undefined) missing.push(`no column for ${field}`);
  }
  if (missing.length > 0) throw new UsageError(describe(missing, header, mapping));
  return columns;
}

/**
 * Where a column stands, counted from 0; -1 where it is not. `#3` is the third, if it has no name
 * of its own: one that has gained a name since is another column.
 */
export function findColumn(name: string, header: readonly string[]): number {
  const index = header.indexOf(name);
  if (index >= 0) return index;
  const place = Number(/^#(\d{1,4})$/.exec(name)?.[1] ?? 0) - 1;
  const own = header[place];
  const isNameless = own !== undefined && (own === '' || isTwice(own, header));
  return isNameless ? place : -1;
}

/** How a mapping names a column: by its name, or by its place where the name does not tell it. */
export function nameColumn(index: number, header: readonly string[]): string {
  const name = header[index] ?? '';
  return name === '' || isTwice(name, header) ? `#${index + 1}` : name;
}

/** How many of a mapping's columns a record has the names of: the most are in the header. */
export function countColumns(mapping: Mapping, names: readonly string[]): number {
  const wanted = Object.values(mapping.fields).flatMap((rule) => rule.columns);
  return wanted.filter((name) => names.includes(name)).length;
}

/** The columns that are not sent. */
export function findUnread(columns: readonly Column[], header: readonly string[]): string[] {
  const read = new Set(columns.flatMap(({ indexes }) => indexes));
  return header.filter((name, index) => name !== '' && !read.has(index));
}

/** Columns that decide about a row without being one of its fields. */
function listOtherColumns({ currency, status, notRows = [] }: Mapping): string[] {
  const named = notRows.flatMap((rule) => ('column' in rule ? [rule.column] : []));
  const guards = [currency, status].flatMap((guard) => guard?.column ?? []);
  return [...guards, ...named];
}

function describe(missing: string[], header: readonly string[], mapping: Mapping): string {
  const found = header.filter((name) => name !== '').map((name) => `"${name}"`);
  const wanted = /"(.*)"/.exec(missing[0] ?? '')?.[1];
  const nearest = wanted === undefined ? undefined : findNearest(wanted, header.filter(Boolean));
  const meant = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const hint = Object.values(mapping.fields).every((rule) => rule.isAssumed)
    ? ' Use --map FIELD=COLUMN, or let `budgetd csv inspect` write a mapping.'
    : '';
  return `The file has ${missing.join(', ')}. Its columns are: ${found.join(', ')}.${meant}${hint}`;
}

/** Two columns with one name are ambiguous; it does not matter for a column that nobody uses. */
function refuseTwice(header: readonly string[], wanted: readonly string[]): void {
  for (const name of wanted) {
    if (name === '' || !isTwice(name, header)) continue;
    throw new UsageError(`The file has two columns named "${name}". Rename one of them.`);
  }
}

function isTwice(name: string, header: readonly string[]): boolean {
  return header.indexOf(name) !== header.lastIndexOf(name);
}

/** `Contact` for `contact` would otherwise be left out without a word, and clear what is stored. */
function refuseNearMiss(field: RowField, header: readonly string[]): void {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const near = header.find((name) => plain(name) === plain(field));
  if (near === undefined) return;
  const way = `name it "${field}", or pass --map "${field}=${near}"`;
  throw new UsageError(`The column "${near}" is not named exactly like the field: ${way}.`);
}
