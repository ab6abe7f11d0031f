/** Finds the columns of a mapping in the header of a file. */

import { isOptional, ROW_FIELDS, type RowField } from '../../core/row-members.ts';
import { findNearest } from '../../core/suggestions.ts';
import { MappingError } from '../problems.ts';
import { columnsOf, isAllAssumed, listFields, listNamed, type Mapping } from './mapping.ts';

/** A field and the columns that it is read from, by name and from 0. */
export interface FieldColumn {
  readonly field: RowField;
  readonly names: readonly string[];
  readonly indexes: readonly number[];
}

/** Finds the columns to read. Throws MappingError that lists the columns of the file. */
export function findColumns(mapping: Mapping, header: readonly string[]): FieldColumn[] {
  refuseIncomplete(mapping);
  const isOwn = isAllAssumed(mapping);
  const others = listOtherColumns(mapping);
  refuseTwice(header, isOwn ? header : [...listNamed(mapping), ...others]);
  const columns: FieldColumn[] = [];
  const missing: string[] = [];
  for (const field of listFields(mapping)) {
    const names = columnsOf(mapping, field);
    const indexes = names.flatMap((name) => findColumn(name, header) ?? []);
    const isStated = mapping.fields[field] !== undefined;
    if (indexes.length === names.length) columns.push({ field, names, indexes });
    else if (isStated || !isOptional(field)) {
      missing.push(...names.filter((name) => findColumn(name, header) === undefined));
    } else if (isOwn) refuseNearMiss(field, header);
  }
  missing.push(...others.filter((name) => findColumn(name, header) === undefined));
  if (missing.length > 0) throw missingColumns(missing, header, isOwn);
  return columns;
}

/**
 * The index of a column, from 0. `#3` is the third column, if it has no name or shares it: a column
 * that has a name now is a different one.
 */
export function findColumn(name: string, header: readonly string[]): number | undefined {
  const index = header.indexOf(name);
  if (index >= 0) return index;
  const place = Number(/^#(\d{1,4})$/.exec(name)?.[1] ?? 0) - 1;
  const own = header[place];
  const isNameless = own !== undefined && (own === '' || isTwice(own, header));
  return isNameless ? place : undefined;
}

/** How a mapping names columns: by their names, or by position if a name is not unique. */
export function nameColumns(header: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const name of header) counts.set(name, (counts.get(name) ?? 0) + 1);
  return header.map((name, index) => {
    return name === '' || counts.get(name) !== 1 ? `#${index + 1}` : name;
  });
}

/** The column without a field that a file with the names of the fields can have. */
export const CURRENCY_COLUMN = 'currency';

/** The columns of rules, which are not fields of a row. */
function listOtherColumns({ currency, status, notRows = [] }: Mapping): string[] {
  const named = notRows.flatMap(({ column }) => column ?? []);
  const guards = [currency, status].flatMap((guard) => guard?.column ?? []);
  return [...guards, ...named];
}

function missingColumns(missing: readonly string[], header: readonly string[], isOwn: boolean) {
  const [first = '', second] = missing;
  const what =
    second === undefined
      ? `The file has no column "${first}".`
      : `These columns are missing from the file: ${listNames(missing)}.`;
  const columns = `Its columns are: ${listNames(header.filter(Boolean))}.`;
  if (isOwn) return new MappingError(`${what} ${columns}`, { kind: 'name columns' });
  const nearest = findNearest(first, header.filter(Boolean));
  const guess = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return new MappingError(`${what} ${columns}${guess}`);
}

function listNames(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function refuseIncomplete(mapping: Mapping): void {
  const mapped = listFields(mapping);
  const unmapped = ROW_FIELDS.filter((field) => !isOptional(field) && !mapped.includes(field));
  if (unmapped.length === 0) return;
  const noun = unmapped.length === 1 ? 'a column' : 'columns';
  throw new MappingError(`The mapping does not name ${noun} for ${unmapped.join(', ')}.`);
}

/** Refuses two columns with the same name, if the mapping uses it. */
function refuseTwice(header: readonly string[], wanted: readonly string[]): void {
  for (const name of wanted) {
    if (name === '' || !isTwice(name, header)) continue;
    throw new MappingError(`The file has two columns named "${name}". Rename one of them.`);
  }
}

function isTwice(name: string, header: readonly string[]): boolean {
  return header.indexOf(name) !== header.lastIndexOf(name);
}

/** Otherwise `Contact` would be ignored without notice, and the stored contact cleared. */
function refuseNearMiss(field: RowField, header: readonly string[]): void {
  const plain = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');
  const near = header.find((name) => plain(name) === plain(field));
  if (near === undefined) return;
  throw new MappingError(
    `The column "${near}" is not named exactly like the field: name it "${field}".`,
    { kind: 'name column', field, column: near },
  );
}
