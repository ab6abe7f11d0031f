/**
 * Prepared statements: written by hand where they are used, prepared once for each open database.
 */

import type { Db, Statement } from './driver.ts';

/** What can be bound to a parameter. */
export type SqlValue = string | number | Uint8Array | null;
/** Values bound by name. */
export type SqlRecord = Readonly<Record<string, SqlValue>>;

/** The text of every fixed statement, for the test that looks at their query plans. */
export const STATEMENT_TEXTS: string[] = [];

/**
 * A statement as a function of the database it is prepared in. The types are a promise that the
 * text keeps: a test runs each one.
 */
export function statement<Params extends unknown[], Result = unknown>(
  text: string,
): (db: Db) => Statement<Params, Result> {
  STATEMENT_TEXTS.push(text);
  const prepared = new WeakMap<Db, Statement<Params, Result>>();
  return (db) => {
    let found = prepared.get(db);
    if (found === undefined) {
      found = db.prepare<Params, Result>(text);
      prepared.set(db, found);
    }
    return found;
  };
}

/** Statements of one database whose text is put together from parts; the texts are few. */
const assembled = new WeakMap<Db, Map<string, Statement<[Bound], unknown>>>();
const ASSEMBLED_STATEMENTS = 256;

/** Values bound by name, or in their order. */
type Bound = SqlRecord | readonly SqlValue[];

/**
 * The records of a statement whose text depends on which filters are asked for, each as a list of
 * its columns: those are made in half the time of objects.
 */
export function listAssembled<Columns extends readonly unknown[]>(
  db: Db,
  text: string,
  values: Bound,
): Columns[] {
  return assemble(db, text).all(values) as Columns[];
}

/** Runs a statement whose text depends on what has changed. */
export function runAssembled(db: Db, text: string, values: Bound): void {
  assemble(db, text).run(values);
}

function assemble(db: Db, text: string): Statement<[Bound], unknown> {
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
