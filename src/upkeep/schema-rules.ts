/** Compares the schema of a file with that of this version: what it lacks, and what else it has. */

import { type Db, openDatabase } from '../database/database.ts';

/**
 * The tables, columns, indexes, triggers and views of an open file, such as `table notes`, that are
 * missing or not as this version makes them, and those that another program has made. A table of
 * these is named without its columns.
 */
export function compareSchema(db: Db): Record<'missing' | 'strangers', readonly string[]> {
  const own = openDatabase({ file: ':memory:', create: true, busyTimeoutMs: 0 });
  try {
    const [expected, found] = [readSchema(own), readSchema(db)];
    const missing = [...expected].filter(([name, sql]) => found.get(name) !== sql);
    return {
      missing: withoutParts(missing.map(([name]) => name)),
      strangers: withoutParts([...found.keys()].filter((name) => !expected.has(name))),
    };
  } finally {
    own.close();
  }
}

/** Without the columns of a table that is named itself. */
function withoutParts(names: readonly string[]): string[] {
  return names.filter((name) => !names.includes(`table ${name.split(' of ', 2)[1]}`));
}

/** The parts of a schema with their texts, but a replicator's; a table is its columns. */
function readSchema(db: Db): Map<string, string> {
  const parts = db.prepare<[], { type: string; name: string; sql: string }>(PARTS).all();
  const columns = db.prepare<[string], string>('select name from pragma_table_xinfo(?)').pluck();
  const entries = parts.flatMap(({ type, name, sql }): [string, string][] => {
    if (type !== 'table') return [[`${type} ${name}`, plain(sql)]];
    const own = columns
      .all(name)
      .map((each): [string, string] => [`column ${each} of ${name}`, '']);
    return [[`table ${name}`, ''], ...own];
  });
  return new Map(entries);
}

const PARTS = `select type, name, sql from sqlite_schema
  where sql is not null and name not like 'sqlite~_%' escape '~'
    and name not like '~_litestream~_%' escape '~' order by name`;

/** A text of SQL without comments, extra spaces and capitals. */
function plain(sql: string): string {
  const spaced = sql.replaceAll(/--[^\n]*/g, ' ').replaceAll(/\s+/g, ' ');
  return spaced.replaceAll(/ ?([(),]) ?/g, '$1').toLowerCase();
}
