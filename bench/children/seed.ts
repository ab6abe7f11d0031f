/**
 * Creates a seeded file: `seed.js FILE SIZE`. It writes to the tables without triggers and builds
 * the indexes at the end. `check` then verifies every rule of the schema.
 */

import { createHash, randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { readId } from '../../src/core/ids.ts';
import { formatKey, KEY_BYTES } from '../../src/core/keys.ts';
import { SCOPES } from '../../src/core/plans.ts';
import { rawDataOf } from '../../src/core/raw-data.ts';
import { type Db, loadDriver } from '../../src/database/driver.ts';
import { createService } from '../../src/index.ts';
import { fillHashes } from '../../test/store/fill-hashes.ts';
import { dayText, pick } from '../rows.ts';
import { removeDatabase, type Seed } from '../seed.ts';
import {
  FIRST_STAMP_MS,
  LINES,
  MONTHS,
  SMALL_LINES,
  SMALL_PROJECTS,
  STORED_COLUMNS,
  sharesOf,
  storedValuesOf,
} from '../stored.ts';

const KEYS = 4000;
const NO_CODES = { reference: null, bankAccount: null, projectCode: null };
/** Larger files are not checked: that takes minutes and finds nothing new. */
const CHECKED_SIZE = 1_000_000;

const [, , file = '', sizeText = ''] = process.argv;
const size = Number(sizeText);

/** The data that does not grow with the size. */
interface Frame {
  readonly organisationId: string;
  readonly keys: readonly string[];
  readonly projectId: string;
  readonly budgetLineId: string;
  readonly smallProjectId: string;
  readonly projects: readonly { id: number; lines: readonly number[] }[];
}

/** Creates the organisation, projects and lines with the library. */
async function createFrame(): Promise<Frame> {
  const service = await createService({ database: file, create: true });
  const { id: organisationId } = service.organisations.create({
    name: 'Bench',
    baseCurrency: 'GBP',
  });
  const projects = Array.from({ length: SMALL_PROJECTS + 1 }, (_, project) => ({
    name: `Project ${String(project).padStart(3, '0')}`,
    startDate: '2023-01-01',
    endDate: '2025-12-31',
    currency: 'GBP',
    budgetMode: 'monthly',
    budgetLines: Array.from({ length: project === 0 ? LINES : SMALL_LINES }, (_, line) => ({
      code: `L${line}`,
      name: `Budget line ${line}`,
      category: `Category ${line % 10}`,
      accountCodes: [],
      budget: Object.fromEntries(MONTHS.map((month) => [month, 1000 + pick(line, 11, 5000)])),
    })),
  }));
  const imported = service.projects.import(organisationId, projects);
  await service.close();
  const [large, small] = imported;
  return {
    organisationId,
    keys: createKeys(),
    projectId: large?.projectId ?? '',
    budgetLineId: large?.budgetLines[7]?.budgetLineId ?? '',
    smallProjectId: small?.projectId ?? '',
    projects: imported.map((project) => ({
      id: readId('prj', project.projectId) ?? 0,
      lines: project.budgetLines.map((line) => readId('bln', line.budgetLineId) ?? 0),
    })),
  };
}

function createKeys(): string[] {
  return Array.from({ length: KEYS }, () => formatKey(randomBytes(KEY_BYTES)));
}

function fill(frame: Frame): number {
  const Driver = loadDriver();
  const db = new Driver(file);
  for (const pragma of ['journal_mode = delete', 'synchronous = off', 'foreign_keys = off']) {
    db.pragma(pragma);
  }
  db.pragma('cache_size = -1000000');
  const rebuilt = dropIndexes(db);
  const count = db.transaction(() => {
    insertKeys(db, frame.keys);
    const inserted = insertAll(db, frame.projects);
    fillHashes(db);
    return inserted;
  })();
  for (const sql of rebuilt) db.exec(sql);
  db.pragma('journal_mode = wal');
  db.close();
  return count;
}

/** Drops triggers and indexes, and returns the statements that restore them. */
function dropIndexes(db: Db): string[] {
  const found = db
    .prepare<[], { type: string; name: string; sql: string }>(
      `select type, name, sql from sqlite_schema
        where type in ('trigger', 'index') and sql is not null`,
    )
    .all();
  for (const { type, name } of found) db.exec(`drop ${type} ${name}`);
  return found.map(({ sql }) => sql);
}

function insertKeys(db: Db, keys: readonly string[]): void {
  const insert = db.prepare(
    `insert into api_keys
       (organisation_id, name, hash, display, scopes, created_by, created_at)
     values (1, ?, ?, ?, ?, 'bench', ?)`,
  );
  for (const [index, key] of keys.entries()) {
    const hash = createHash('sha256').update(key).digest();
    insert.run(`key ${index}`, hash, key.slice(9, 15), JSON.stringify(SCOPES), FIRST_STAMP_MS);
  }
}

function insertAll(db: Db, projects: Frame['projects']): number {
  const insertTransaction = db.prepare(
    `insert into transactions
       (${STORED_COLUMNS}, excluded_at, excluded_by, excluded_reason, raw_data)
     values (${'?, '.repeat(18)}?)`,
  );
  const insertAllocation = db.prepare(
    `insert into allocations
       (organisation_id, project_id, budget_line_id, transaction_id, date, under_review,
        amount_minor, note, created_at, updated_at)
     values (1, ?, ?, ?, ?, ?, ?, null, ?, ?)`,
  );
  const sums = new Sums();
  let allocations = 0;
  for (let n = 1; n <= size; n += 1) {
    const { row, state, amount, updated, values } = storedValuesOf(n, size);
    const isReview = state === 'review';
    const isExcluded = state === 'excluded';
    insertTransaction.run(
      ...values,
      isExcluded ? updated : null,
      isExcluded ? 'bench' : null,
      isExcluded ? 'private' : null,
      rawDataOf(row, { ...row, ...NO_CODES, amountMinor: amount }, 2),
    );
    const project = projects[state === 'small' ? 1 + pick(n, 14, SMALL_PROJECTS) : 0];
    for (const share of sharesOf(n)) {
      const line = project?.lines[allocations % project.lines.length] ?? 0;
      const review = isReview ? 1 : 0;
      insertAllocation.run(project?.id, line, n, row.date, review, share, updated, updated);
      sums.add(project?.id ?? 0, line, row.date, share);
      allocations += 1;
    }
    if (n % 1_000_000 === 0) process.stderr.write(`${n} of ${size}\n`);
  }
  sums.insert(db);
  db.exec(
    `insert into reviews
       select organisation_id, project_id, count(distinct transaction_id), sum(amount_minor)
         from allocations where under_review = 1 group by organisation_id, project_id`,
  );
  db.exec('insert into transaction_totals select * from counted_transactions');
  db.exec(
    `insert into unallocated
       select organisation_id, date, coalesce(project_code, ''), count(*),
              sum(max(amount_minor - allocated_minor, 0)),
              sum(max(allocated_minor - amount_minor, 0))
         from transactions
        where status in ('unallocated', 'partially_allocated') and amount_minor <> 0
        group by organisation_id, date, coalesce(project_code, '')`,
  );
  return allocations;
}

/** The sums that triggers would keep. */
class Sums {
  readonly #sums = new Map<string, { inside: number; outside: number }>();
  readonly #last = dayText(1095);

  add(project: number, line: number, date: string, share: number): void {
    const key = `${project} ${line} ${date.slice(0, 7)}`;
    let sum = this.#sums.get(key);
    if (sum === undefined) {
      sum = { inside: 0, outside: 0 };
      this.#sums.set(key, sum);
    }
    if (date <= this.#last) sum.inside += share;
    else sum.outside += share;
  }

  insert(db: Db): void {
    const insert = db.prepare('insert into actuals values (1, ?, ?, ?, ?, ?)');
    for (const [key, { inside, outside }] of this.#sums) {
      const [project, line, month] = key.split(' ');
      insert.run(Number(project), Number(line), month, inside, outside);
    }
  }
}

async function check(): Promise<void> {
  const service = await createService({ database: file });
  // Nothing is logged: the transactions were written with SQL.
  const broken = service.check().filter(({ name, ok }) => !ok && !name.startsWith('the audit log'));
  await service.close();
  if (broken.length > 0) throw new Error(`the seed broke a rule: ${JSON.stringify(broken)}`);
}

const startMs = performance.now();
removeDatabase(file);
rmSync(`${file}.json`, { force: true });
const frame = await createFrame();
const allocations = fill(frame);
if (size <= CHECKED_SIZE) await check();
const { projects: _, ...shown } = frame;
const seed: Seed = { file, size, allocations, ...shown };
writeFileSync(`${file}.json`, JSON.stringify(seed));
const seconds = Math.round((performance.now() - startMs) / 1000);
process.stderr.write(`seeded ${size} transactions, ${allocations} allocations in ${seconds} s\n`);
