/** A program that has a database open, without a lock, until its standard input ends. */

import { loadDriver } from '../../src/database/driver.ts';

const Driver = loadDriver();
const db = new Driver(process.argv[2] ?? '');
db.pragma('journal_mode = wal');
db.prepare('select count(*) from projects').get();
process.stdout.write('open\n');
process.stdin.resume();
process.stdin.once('end', () => db.close());
