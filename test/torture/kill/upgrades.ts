/** Kills upgrades at different moments, and looks at what is left. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../../src/database/database.ts';
import { type Db, loadDriver } from '../../../src/database/driver.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../../src/database/migrations.ts';
import { checkDatabase } from '../../../src/upkeep/check.ts';
import { buildFixture, STEP, schemaOf } from '../../store/fixture-file.ts';

const VERSION = SCHEMA_VERSION;
const OPTIONS = { create: false, busyTimeoutMs: 1000, migrations: [...MIGRATIONS, STEP] } as const;
const TRANSACTIONS = 5000;

/** How often the old and the new schema were left, and whatever else was wrong. */
export interface Killed {
  readonly old: number;
  readonly upgraded: number;
  readonly problems: readonly string[];
}

/** Kills `count` upgrades, from the first instant to the time that a whole one takes. */
export async function killUpgrades(folder: string, count: number): Promise<Killed> {
  const schemas = [await schemaAfter(folder, 0), await schemaAfter(folder, Infinity)];
  const wholeMs = schemas[1]?.tookMs ?? 0;
  const result = { old: 0, upgraded: 0, problems: [] as string[] };
  for (let turn = 0; turn < count; turn += 1) {
    const left = await schemaAfter(folder, (1.3 * wholeMs * turn) / count);
    result.problems.push(...left.problems);
    if (left.schema === schemas[0]?.schema) result.old += 1;
    else if (left.schema === schemas[1]?.schema) result.upgraded += 1;
    else result.problems.push(`another schema after kill ${turn}`);
  }
  return result;
}

/** Upgrades a file, kills the process after some time, and describes the file. */
async function schemaAfter(parent: string, killMs: number) {
  const folder = mkdtempSync(join(parent, 'killed-'));
  const file = buildLarge(folder);
  const child = fork(fileURLToPath(import.meta.url), [file]);
  const exited = once(child, 'exit');
  // The process says that it begins to open the file, and when it has.
  await once(child, 'message');
  const beganMs = performance.now();
  const timer = setTimeout(() => child.kill('SIGKILL'), Math.min(killMs, 120_000));
  await exited;
  clearTimeout(timer);
  const tookMs = performance.now() - beganMs;
  const described = describe(folder, file);
  rmSync(folder, { recursive: true });
  return { ...described, tookMs };
}

function describe(folder: string, file: string): { schema: string; problems: string[] } {
  const problems: string[] = [];
  const Driver = loadDriver();
  const found = new Driver(file);
  const schema = JSON.stringify([found.pragma('user_version', { simple: true }), schemaOf(found)]);
  if (integrityOf(found) !== 'ok') problems.push(`the file: ${integrityOf(found)}`);
  found.close();
  const copies = readdirSync(folder).filter((name) => /before-upgrade-\d+(-\d+)?$/.test(name));
  for (const name of copies) {
    const copy = new Driver(join(folder, name), { readonly: true });
    const records = copy.prepare('select count(*) from transactions').pluck().get();
    if (integrityOf(copy) !== 'ok' || records !== TRANSACTIONS)
      problems.push(`${name} is not whole`);
    copy.close();
  }
  // The next open completes it, with one copy.
  const db = openDatabase({ file, ...OPTIONS });
  const wrong = checkDatabase(db).filter(({ ok, name }) => !ok && !/audit log/.test(name));
  problems.push(...wrong.map(({ name }) => name));
  db.close();
  const kept = readdirSync(folder).filter((name) => /before-upgrade-\d+(-\d+)?$/.test(name));
  if (kept.length !== 1) problems.push(`copies: ${kept.join(', ')}`);
  return { schema, problems };
}

function integrityOf(db: Db): unknown {
  return db.pragma('integrity_check', { simple: true });
}

/** A file of the older schema with enough transactions for an upgrade to take some time. */
function buildLarge(folder: string): string {
  const file = buildFixture(folder, VERSION);
  const Driver = loadDriver();
  const db = new Driver(file);
  db.exec(`
    with recursive n (i) as (select 7 union all select i + 1 from n where i < ${TRANSACTIONS})
    insert into transactions
      (id, organisation_id, provider, external_id, date, description, amount_minor, status,
       allocated_minor, created_at, updated_at, raw_data)
    select i, 1, 'api', 'INV-' || i, '2026-01-31', 'Rent', 10000, 'unallocated', 0,
           1769860801000, 1769860801000, 'idtm' from n`);
  db.close();
  return file;
}

const [, script = '', file = ''] = process.argv;
if (script === fileURLToPath(import.meta.url)) {
  process.send?.('begin');
  openDatabase({ file, ...OPTIONS }).close();
  process.exit(0);
}
