/** Prepared statements: written by hand where they are used, prepared once per open database. */

import type { Db, DriverStatement } from './driver.ts';

/** A value that can be bound to a parameter. */
export type SqlValue = string | number | Uint8Array | null;
/** Values bound by name. */
export type SqlRecord = Readonly<Record<string, SqlValue>>;

/** The text of every fixed statement, for the test of query plans. */
export const STATEMENT_TEXTS: string[] = [];

/**
 * Returns a function that prepares a statement, which is its template, for a database, once.
 * Nothing verifies the types against the text except the tests, which run every statement.
 */
export function statement<Params extends unknown[], Result = unknown>(
  parts: TemplateStringsArray,
  ...values: readonly (string | number)[]
): (db: Db) => DriverStatement<Params, Result> {
  const text = String.raw({ raw: parts }, ...values).trim();
  STATEMENT_TEXTS.push(text);
  const prepared = new WeakMap<Db, DriverStatement<Params, Result>>();
  return (db) => {
    let found = prepared.get(db);
    if (found === undefined) {
      found = db.prepare<Params, Result>(text);
      prepared.set(db, found);
    }
    return found;
  };
}

/**
 * Columns by name, for records that are read as arrays: those take half the time of objects. The
 * text of the columns and their positions come from one list, so they cannot differ. `before` is
 * the number of other columns that come first.
 */
export function namedColumns<Named extends object>(
  texts: Readonly<Record<keyof Named, string>>,
  before = 0,
) {
  const names = Object.keys(texts).map((name, at) => [name, before + at] as const);
  const positions = Object.fromEntries(names) as {
    readonly [Name in keyof Named]: Position<Named[Name]>;
  };
  return {
    /** How many they are. */
    count: names.length,
    /** The columns, for a select. */
    text: Object.values(texts).join(', '),
    /** All of them in an object, which can have others: a copy would take as long again. */
    toObject<Others extends object>(record: readonly unknown[], others: Others = {} as Others) {
      const object = others as Record<string, unknown>;
      for (const [name, at] of names) object[name] = record[at];
      return object as Named & Others;
    },
    /** Where each is in a record, for {@link valueAt}. */
    at: positions,
  };
}

/** Where a column with such values is in a record. */
type Position<Value> = number & { readonly value?: Value };

/** The value of a column of a record. Looking its name up here took time for each row of a push. */
export function valueAt<Value>(record: readonly unknown[], at: Position<Value>): Value {
  return record[at] as Value;
}

/** The statements of each database whose text is built from parts. There are only a few texts. */
const assembled = new WeakMap<Db, Map<string, DriverStatement<[Bound], unknown>>>();
const ASSEMBLED_STATEMENTS = 256;

/** Values bound by name, or by position. What a statement does not name can be undefined. */
type Bound = Readonly<Record<string, SqlValue | undefined>> | readonly SqlValue[];

/**
 * Runs a statement whose text depends on the filters. Returns each record as an array of its
 * columns, which takes half the time of objects.
 */
export function listAssembled<Columns extends readonly unknown[]>(
  db: Db,
  text: string,
  values: Bound,
): Columns[] {
  return assemble(db, text).all(values) as Columns[];
}

function assemble(db: Db, text: string): DriverStatement<[Bound], unknown> {
  let texts = assembled.get(db);
  if (texts === undefined) {
    texts = new Map();
    assembled.set(db, texts);
  }
  let found = texts.get(text);
  if (found === undefined) {
    if (texts.size === ASSEMBLED_STATEMENTS) texts.clear();
    found = db.prepare<[Bound], unknown>(text);
    if (found.reader) found.raw();
    texts.set(text, found);
  }
  return found;
}
