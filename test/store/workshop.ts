/** A database with common operations for the tests of this folder, and a clock that they set. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Actor } from '../../src/core/audit.ts';
import { Failure, type FailureCode } from '../../src/core/failures.ts';
import { readId } from '../../src/core/ids.ts';
import type { OrganisationRecord } from '../../src/core/organisations.ts';
import type { Provider } from '../../src/core/transactions.ts';
import { type Db, openDatabase } from '../../src/database/database.ts';
import { readProjectFile } from '../../src/operations/project-file.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { storeNewOrganisation } from '../../src/store/organisations.ts';
import { type ProjectImport, storeProjects } from '../../src/store/projects.ts';
import { type PushOutcome, storeBatch } from '../../src/store/push.ts';
import { KnownRules, takeRulings } from '../../src/store/rule-runs.ts';
import { findTransaction, type TransactionRecord } from '../../src/store/transactions.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';
import type { Scope } from '../torture/trial.ts';
import { saveAllocations } from './single-changes.ts';

export const START_MS = Date.UTC(2026, 0, 31, 12);

/** One open database, its organisation and the clock. */
export class Workshop {
  readonly db: Db;
  readonly organisation: OrganisationRecord;
  /** The organisation is created a minute earlier, so that the next stamp is START_MS. */
  nowMs = START_MS - 60_000;

  constructor(file = ':memory:') {
    this.db = openDatabase({ file, create: true, busyTimeoutMs: 20 });
    this.organisation = this.addOrganisation();
    this.nowMs = START_MS;
  }

  addOrganisation(currency = 'GBP', name = 'Test'): OrganisationRecord {
    return storeNewOrganisation(
      this,
      { name, currency, plan: 'professional', timeZone: 'UTC' },
      this.actor(),
    );
  }

  actor(): Actor {
    return { name: 'key_0000000001', requestId: 'req-1', nowMs: this.nowMs };
  }

  push(
    rows: readonly unknown[],
    how: { org?: OrganisationRecord; dryRun?: boolean; provider?: Provider } = {},
  ): PushOutcome {
    const { org = this.organisation, dryRun = false, provider = 'api' } = how;
    return storeBatch({ db: this.db, organisation: org }, { rows, provider, dryRun }, this.actor());
  }

  /** Pushes one row and returns the number of its transaction. */
  pushOne(change: object, org = this.organisation): number {
    const [result] = this.push([row(change)], { org }).results;
    if (result === undefined || result.status === 'rejected' || result.id === null) {
      assert.fail(`not stored: ${JSON.stringify(result)}`);
    }
    return readId('txn', result.id) ?? 0;
  }

  /** Imports a project file (contract 8). */
  import(document: unknown, org = this.organisation): ProjectImport[] {
    return storeProjects(
      { db: this.db, organisation: org },
      readProjectFile(document, org.currency),
      this.actor(),
    );
  }

  /** Creates a project from 2026-01-01 to 2026-12-31 and returns the numbers of its lines. */
  project(lines: readonly string[] = ['A', 'B'], org = this.organisation): number[] {
    const budgetLines = lines.map((code) => ({ code, name: `Line ${code}`, accountCodes: [code] }));
    const [imported] = this.import({ ...YEAR, budgetLines }, org);
    return (imported?.lines ?? []).map(({ id }) => id);
  }

  allocate(
    transactionId: number,
    parts: readonly (readonly [budgetLineId: number, amountMinor: number])[],
    org = this.organisation,
  ): TransactionRecord {
    const drafts = parts.map(([budgetLineId, amountMinor]) => {
      return { budgetLineId, amountMinor, note: null };
    });
    return saveAllocations(
      { db: this.db, organisation: org },
      { transactionId, drafts },
      this.actor(),
    );
  }

  /** Allocates by account code in one step, and counts what happened to the transactions. */
  allocateByCode(org = this.organisation): {
    claimed: number;
    ambiguous: number;
    unmatched: number;
  } {
    const counts = { claimed: 0, ambiguous: 0, unmatched: 0 };
    const page = { limit: 1000, known: new KnownRules({ onlyByAccountCode: true }) };
    const { rulings } = takeRulings({ db: this.db, organisation: org }, page, this.actor());
    for (const { kind } of rulings) counts[kind] += 1;
    return counts;
  }

  /** The line and amount of each allocation of a project, by line. */
  shares(projectId = 1, org = this.organisation): [budgetLineId: number, amountMinor: number][] {
    return pageOfAllocations({ db: this.db, organisation: org }, { projectId, limit: 1000 })
      .items.map((each): [number, number] => [each.budgetLineId, each.amountMinor])
      .sort((a, b) => a[0] - b[0]);
  }

  transaction(id: number, org = this.organisation): TransactionRecord {
    const found = findTransaction({ db: this.db, organisation: org }, id);
    if (found === undefined) assert.fail(`there is no transaction ${id}`);
    return found;
  }

  /** Columns of a transaction that no function returns. */
  hidden(id: number): Record<string, unknown> {
    const text = 'select raw_data, excluded_at, excluded_by, excluded_reason from transactions';
    return this.db.prepare<[number], Record<string, unknown>>(`${text} where id = ?`).get(id) ?? {};
  }

  /** Everything that is stored, to assert that nothing changed. */
  everything(): string {
    return JSON.stringify(dump(this.db));
  }

  /** Asserts that `budgetd check` would find nothing. */
  check(): void {
    const broken = checkDatabase(this.db).filter(({ ok }) => !ok);
    assert.deepEqual(broken, []);
  }
}

/** A project for 2026, without lines. */
export const YEAR = { name: 'Shelter', startDate: '2026-01-01', endDate: '2026-12-31' };

/** A valid row of a push, with changes. */
export function row(change: object = {}): object {
  return { externalId: 'INV-1', date: '2026-01-31', description: 'Rent', amount: 100, ...change };
}

/** `count` valid rows with the externalIds INV-0, INV-1 and so on. */
export function rows(count: number, change: (index: number) => object = () => ({})): object[] {
  return Array.from({ length: count }, (_, index) => {
    return row({ externalId: `INV-${index}`, ...change(index) });
  });
}

/** Every record of every table. */
export function dump(db: Db): Record<string, unknown[]> {
  const tables = db
    .prepare<[], { name: string }>(`select name from sqlite_master where type = 'table'`)
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [name, db.prepare(`select * from ${name}`).all()]),
  );
}

/** An argument for `assert.throws` that expects a Failure. */
export function refusal(code: FailureCode, message = /./): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof Failure, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };
}

/** A temporary folder, removed after the test. */
export function folderFor(test: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-test-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
