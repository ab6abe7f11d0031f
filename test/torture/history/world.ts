/** An organisation in a file, the service on it with all its doors, and the model of it. */

import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../src/core/failures.ts';
import { readId } from '../../../src/core/ids.ts';
import { statusOf } from '../../../src/core/transactions.ts';
import { createService, type Service } from '../../../src/index.ts';
import type { Access } from '../../../src/store/access.ts';
import { lastWriteMs } from '../../../src/store/audit.ts';
import { listLines } from '../../../src/store/budget-lines.ts';
import { mapShares } from '../../../src/store/shares.ts';
import { listStatementRecords } from '../../../src/store/statements.ts';
import { addUser, listUsers } from '../../../src/store/users.ts';
import { Terminal } from '../../cli/terminal.ts';
import { NO_PASSWORD } from '../../console/furnish.ts';
import type { Browser } from '../../console/office.ts';
import { enterAs } from '../../console/walk-pages.ts';
import { Refused, sum } from '../../operations/random-model.ts';
import { getStatement } from '../../operations/statement-reads.ts';
import { buildFixture } from '../../store/fixture-file.ts';
import type { Scope } from '../trial.ts';
import { House } from './model.ts';

export const OWNER = 'owner@example.org';
export const START_MS = Date.UTC(2026, 5, 30, 12);

/** The codes of the lines: the account codes of the first three, and the one that comes later. */
const LINES = ['A', 'B', 'C', 'D'];

/** What differs from the model, as a sentence. */
export class Difference extends Error {}

/** Throws a difference unless two values are the same. */
export function same(found: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Difference(`${what}: ${one} instead of ${other}`);
}

/** The world of one history. */
export class World {
  house = new House();
  service!: Service;
  url = '';
  org = '';
  projectId = '';
  readonly clock = { nowMs: START_MS };
  readonly terminal: Terminal;
  database: string;
  readonly backups: { readonly file: string; readonly house: House }[] = [];
  #folders = 0;

  private constructor(scope: Scope) {
    this.terminal = new Terminal(scope);
    this.database = this.terminal.database;
    scope.after(() => this.service?.close());
  }

  /** A new database, or one of an older schema, which the service upgrades. */
  static async open(scope: Scope, version: number | undefined): Promise<World> {
    const world = new World(scope);
    if (version !== undefined) {
      world.database = buildFixture(world.terminal.folder, version);
    }
    await world.start(true);
    const { service, house } = world;
    world.org = service.organisations.create({ name: 'House', baseCurrency: 'GBP' }).id;
    const [project] = world.importProject(LINES.slice(0, 3));
    world.projectId = project?.projectId ?? '';
    world.readLines();
    const owner = { email: OWNER, name: null, role: 'owner', password: NO_PASSWORD } as const;
    addUser(world.access, owner, service.actor());
    house.users.set(OWNER, 'owner');
    return world;
  }

  get access(): Access {
    return this.service.access(this.org);
  }

  get actor() {
    return this.service.actor();
  }

  get lastMs(): number {
    return lastWriteMs(this.access) ?? 0;
  }

  get files(): readonly string[] {
    return ['', '-wal'].map((end) => `${this.database}${end}`).filter(existsSync);
  }

  async start(create = false): Promise<void> {
    const { clock, database } = this;
    this.service = await createService({
      ...{ database, create, rateLimit: false, busyTimeoutMs: 1_000 },
      clock: () => new Date(clock.nowMs),
    });
    this.url = (await this.service.listen({ port: 0 })).url;
  }

  /** The process is gone at once: another one finds the files as they are. */
  async kill(): Promise<void> {
    this.#folders += 1;
    const folder = join(this.terminal.folder, `killed-${this.#folders}`);
    mkdirSync(folder);
    const next = join(folder, 'budgetd.db');
    for (const file of this.files) copyFileSync(file, file.replace(this.database, next));
    const before = this.service;
    this.database = next;
    await this.start();
    await before.close();
  }

  /** The project with its lines, which claim these account codes, or a space for no code. */
  importProject(codes: readonly string[]) {
    return this.service.projects.import(this.org, {
      ...{ name: 'House', startDate: '2026-01-01', endDate: '2026-12-31' },
      budgetLines: codes.map((claimed, at) => {
        const code = LINES[at] ?? '';
        const accountCodes = claimed.trim() === '' ? [] : [claimed];
        return { code, name: `Line ${code}`, accountCodes, budget: { '2026-01': 100 } };
      }),
    });
  }

  /** The model learns which lines there are, and which code each claims. */
  readLines(): void {
    const lines = listLines(this.access, readId('prj', this.projectId) ?? 0);
    this.house.lines = new Map(lines.map(({ id, accountCodes }) => [id, accountCodes[0] ?? ' ']));
  }

  browse(): Browser {
    const { service, url, clock } = this;
    return enterAs({ service, url, clock, org: this.org }, this.access, OWNER);
  }

  /** Runs a command; a refusal is thrown with its code. */
  async command(...words: string[]): Promise<string> {
    const argv = [...words, '--db', this.database, '--org', this.org];
    const { exitCode, stdout, stderr } = await this.terminal.run(argv);
    if (exitCode === 0) return stdout;
    throw new Failure('conflict', stderr);
  }

  /**
   * Does the same to the model and the organisation. If the model refuses it, so must the
   * organisation, and nothing may be written.
   */
  async both(expect: (house: House) => void, act: () => unknown): Promise<boolean> {
    const next = this.house.copy();
    let isRefused = false;
    try {
      expect(next);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      isRefused = true;
    }
    let refusal: Failure | undefined;
    try {
      await act();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refusal = error;
    }
    if (isRefused !== (refusal !== undefined)) {
      const found = refusal === undefined ? 'was done' : `was refused: ${refusal.message}`;
      throw new Difference(`it ${found}, unlike what the model says`);
    }
    if (!isRefused) this.house = next;
    return !isRefused;
  }

  /** Everything is as the model says. */
  compare(): void {
    const { service, org, house, access } = this;
    const { data } = service.transactions.list(org, { limit: 1000 });
    same(data.length, house.txns.size, 'how many transactions there are');
    const found = new Map(data.map((txn) => [readId('txn', txn.id), txn]));
    const foundShares = mapShares(
      access,
      [...house.txns.keys()].map((id) => ({ id })),
    );
    for (const [id, { amount, date, work }] of house.txns) {
      const { shares, reason, review } = work;
      const txn = found.get(id);
      const facts = { excluded: reason !== null, review, amountMinor: amount };
      const status = statusOf({ ...facts, allocatedMinor: sum(shares) });
      same([txn?.amount, txn?.date, txn?.status], [amount / 100, date, status], `txn ${id}`);
      const parts = (foundShares.get(id) ?? []).map((each) => {
        return [each.budgetLineId, each.amountMinor];
      });
      same(
        parts,
        shares.map((each) => [each.line, each.amount]),
        `the shares of txn ${id}`,
      );
    }
    const users = listUsers(access).map(({ email, role }) => [email, role]);
    same(users.sort(), [...house.users].sort(), 'the users');
    const keys = service.keys.list(org).map(({ id, revokedAt }) => [id, revokedAt === null]);
    same(keys.sort(), [...house.keys].sort(), 'the keys');
    const standing = listStatementRecords(access, readId('prj', this.projectId) ?? 0).filter(
      ({ withdrawnAtMs }) => withdrawnAtMs === null,
    );
    const hashes = standing.map(({ hash }) => hash);
    same(hashes.sort(), house.statements.map(({ hash }) => hash).sort(), 'the statements');
    this.#compareReport();
  }

  /** The report adds up what the model has on each line. */
  #compareReport(): void {
    const { service, org, house } = this;
    const report = service.projects.report(org, this.projectId);
    same(report.data.rows.length, house.lines.size, 'how many lines the report has');
    for (const { budgetLineId, total } of report.data.rows) {
      const line = Number(budgetLineId.slice(4));
      let minor = 0;
      for (const { work } of house.txns.values()) {
        minor += sum(work.shares.filter((share) => share.line === line));
      }
      same(Math.round(total.actual * 100), minor, `what is spent on line ${line}`);
    }
  }

  /** The rules of `check` hold, and every statement can be compared with what there is now. */
  check(): void {
    for (const { number, issue } of listStatementRecords(
      this.access,
      readId('prj', this.projectId) ?? 0,
    )) {
      getStatement(this.access, this.projectId, { number, issue });
    }
    const broken = this.service.check().filter(({ ok }) => !ok);
    same(
      broken.map(({ name }) => name),
      [],
      'the rules of check that do not hold',
    );
  }
}
