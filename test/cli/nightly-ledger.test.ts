/**
 * A nightly job copies a ledger that changes its mind. Whatever happens, budgetd has what the
 * ledger has, except for what it names as under review, recoded or not allocated.
 */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BudgetdError, type Client, type Transaction } from '../../src/client/index.ts';
import { openDesk } from '../client/desk.ts';
import { clientOf, FastClock, type Fault, openProxy } from '../client/world.ts';
import { Random } from '../core/random.ts';
import { repetitions } from '../repetitions.ts';
import { isCodeOf, LINES, lineOf, type Part, PLAN, System } from './ledger-model.ts';

const [SEEDS, NIGHTS] = repetitions([3, 6], [4, 12], [60, 15]);
/** So few that a night of the program is several requests. */
const BATCH = 15;
const LAST_DAY = '2026-12-31';

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Two systems with the same numbers, one service, and what each night must come to. */
class Story {
  readonly #t: TestContext;
  readonly #desk: Desk;
  readonly #random: Random;
  readonly systems: readonly System[];
  readonly #client: Client;
  readonly #otherKey: string;
  /** The ids of the projects by name, and the names of the lines by id. */
  readonly #projects = new Map<string, string>();
  readonly #lines = new Map<string, string>();
  #found = new Map<string, Transaction>();
  readonly counts = { kills: 0, marked: 0, reviewed: 0, voided: 0 };

  constructor(t: TestContext, desk: Desk, random: Random) {
    [this.#t, this.#desk, this.#random] = [t, desk, random];
    this.systems = ['ERP/', 'PAY/'].map((prefix) => new System(prefix, random));
    const { service, organisationId } = desk.world;
    for (const { name, codes, from, to, archived } of PLAN) {
      const budgetLines = Object.entries(LINES[name]).map(([line, accountCodes]) => {
        return { name: line, budget: 1, accountCodes };
      });
      const days = { startDate: from, endDate: to, budgetMode: 'total', archived };
      const [made] = service.projects.import(organisationId, { name, codes, ...days, budgetLines });
      this.#projects.set(name, made?.projectId ?? '');
      for (const { budgetLineId, name: line } of made?.budgetLines ?? []) {
        this.#lines.set(budgetLineId, `${name} ${line}`);
      }
    }
    this.#client = clientOf(desk.world, new FastClock());
    const scopes = ['transactions:read', 'transactions:write'] as const;
    this.#otherKey = service.keys.create(organisationId, { name: 'pay', scopes: [...scopes] }).key;
  }

  /** Runs both jobs until each has come to its end, as a scheduler does. */
  async night(): Promise<void> {
    for (const system of this.systems) {
      const since = this.#random.pick(['2026-01-01', '2026-04-01', '2026-08-01']);
      for (let isDone = false; !isDone; ) {
        const passes = this.#random.once(3) ? Number.MAX_SAFE_INTEGER : this.#random.whole(0, 6);
        const proxy = await openProxy(this.#t, this.#desk.world.url, this.#faults(passes));
        const job = system === this.systems[0] ? this.#command : this.#program;
        isDone = await job.call(this, system, since, proxy.url);
        const wasKilled = proxy.requests > passes;
        assert.equal(isDone, !wasKilled, 'a job ends well unless it is killed');
        if (wasKilled) this.counts.kills += 1;
      }
      system.endNight();
    }
  }

  /** From some request on the service cannot be reached; the first of these it may have had. */
  #faults(passes: number): Fault[] {
    if (passes > 6) return [];
    const down = { status: 403, body: JSON.stringify({ code: 'x', message: 'Killed.' }) };
    const last = { ...down, isProcessed: this.#random.once(2) };
    return [...Array<Fault>(passes).fill('pass'), last, ...Array<Fault>(9).fill(down)];
  }

  async #command(system: System, since: string, url: string): Promise<boolean> {
    this.#desk.write('night.json', JSON.stringify(system.rowsSince(since, '')));
    const days = ['--complete', `${since}..${LAST_DAY}`, '--void-limit', '999'];
    const args = ['night.json', '--url', url, '--id-prefix', system.prefix, ...days, '--json'];
    const { exitCode, stdout } = await this.#desk.run([...args, '--quiet']);
    if (exitCode === 0) this.counts.voided += JSON.parse(stdout).voided;
    return exitCode === 0;
  }

  /** Pushes the night over HTTP, as docs/corrections.md says. Whether the push came to its end. */
  async #program(system: System, since: string, url: string): Promise<boolean> {
    const { prefix, parts } = system;
    const client = clientOf({ url, key: this.#otherKey }, new FastClock());
    const rows = system.rowsSince(since, prefix);
    try {
      const filter = { provider: 'api', externalIdPrefix: prefix, from: since };
      for await (const each of client.transactions.iterate(filter)) {
        const { externalId, date, description, amount, accountCode, projectCode } = each;
        const isThere = externalId === null || parts.has(externalId.slice(prefix.length));
        if (isThere || amount === 0 || rows.some((row) => row.externalId === externalId)) continue;
        rows.push({ externalId, date, description, amount: 0, accountCode, projectCode });
      }
      for (let at = 0; at < rows.length; at += BATCH) {
        const { data } = await client.pushBatch(rows.slice(at, at + BATCH));
        for (const result of data) {
          assert.ok(result.status !== 'rejected', JSON.stringify(result));
          const warnings = result.warnings.filter(({ code }) => code !== 'recoded');
          assert.deepEqual(warnings, [], result.externalId);
        }
      }
    } catch (error) {
      if (error instanceof BudgetdError) return false;
      throw error;
    }
    return true;
  }

  /** People allocate by account code and settle some of what waits for them. */
  async morning(): Promise<void> {
    const { transactions } = this.#desk.world.service;
    const org = this.#desk.world.organisationId;
    const forEach = (act: (system: System, id: string, part: Part) => void) => {
      for (const system of this.systems) {
        for (const [id, part] of system.sent) act(system, id, part);
      }
    };
    if (!this.#random.once(4)) {
      await transactions.allocateByAccountCode(org);
      forEach((system, id, part) => {
        if (!system.placed.has(id) && part.minor !== 0) system.settle(id, lineOf(part));
      });
    }
    if (this.#random.once(3)) {
      await transactions.settleAll(org, 'void');
      forEach((system, id, part) => {
        if (system.reviewed.has(id) && part.minor === 0) system.settle(id, undefined);
      });
    }
    if (this.#random.once(3)) {
      await transactions.settleAll(org, 'recode');
      forEach((system, id, part) => {
        const line = part.minor === 0 ? undefined : lineOf(part);
        if (system.isMarked(id) && line !== undefined) system.settle(id, line);
      });
    }
    if (this.#random.once(4)) {
      await transactions.settleAll(org, 'keep');
      forEach((system, id) => {
        if (!system.isMarked(id) || system.reviewed.has(id)) return;
        system.settle(id, system.placed.get(id)?.line, true);
      });
    }
    forEach((system, id, part) => {
      const isMarked = system.isMarked(id);
      if ((!isMarked && !system.reviewed.has(id)) || !this.#random.once(4)) return;
      const line = part.minor === 0 ? undefined : lineOf(part);
      const way = line !== undefined ? 'by-account-code' : 'clear';
      const isKept = part.minor !== 0 && !isMarked;
      const { id: txn = '' } = this.#found.get(`${system.prefix}${id}`) ?? {};
      transactions.review(org, txn, isKept ? 'rescale' : way);
      const placed = system.placed.get(id);
      system.settle(id, isKept ? placed?.line : line, isKept && placed?.isKept);
    });
  }

  /** Does something, and compares. The message of a failure says when it was. */
  async step(when: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      await this.#check();
    } catch (error) {
      if (error instanceof Error) error.message = `${when}: ${error.message}`;
      throw error;
    }
  }

  /** Compares all that budgetd has with the ledgers, and what it names with what differs. */
  async #check(): Promise<void> {
    const stored = this.#client.transactions.iterate();
    this.#found = new Map();
    for await (const each of stored) this.#found.set(each.externalId ?? '', each);
    const shares = await this.#readShares();
    const [due, named] = [new Map<string, number>(), new Map<string, number>()];
    for (const system of this.systems) {
      for (const [id, { date, minor, account, project }] of system.sent) {
        const found = this.#found.get(system.prefix + id);
        const has = found && [found.date, found.amount, found.accountCode, found.projectCode];
        assert.deepEqual(has, [date, minor / 100, account, project], system.prefix + id);
        const said = {
          isReviewed: found?.status === 'needs_review',
          isMarked: found?.recoded !== null,
          isOpen: found?.status === 'unallocated' && minor !== 0,
        };
        const isOpen = !system.placed.has(id) && minor !== 0;
        const expected = { isReviewed: system.reviewed.has(id), isMarked: system.isMarked(id) };
        assert.deepEqual(said, { ...expected, isOpen }, system.prefix + id);
        if (said.isReviewed) this.counts.reviewed += 1;
        if (said.isMarked) this.counts.marked += 1;
        for (const [line, share] of shares.get(found?.id ?? '') ?? []) {
          if (said.isReviewed || said.isMarked) add(named, line, share);
        }
        const line = minor === 0 ? undefined : system.dueOf(id);
        if (line !== undefined && !Object.values(said).includes(true)) add(due, line, minor);
      }
    }
    const all = this.systems.reduce((sum, { sent }) => sum + sent.size, 0);
    assert.equal(this.#found.size, all);
    for (const project of PLAN) await this.#checkReport(project, { shares, due, named });
  }

  /** What is allocated of each transaction: by its id, then by line. */
  async #readShares(): Promise<Map<string, Map<string, number>>> {
    const shares = new Map<string, Map<string, number>>();
    for (const projectId of this.#projects.values()) {
      for await (const each of this.#client.allocations.iterate(projectId)) {
        const { transactionId, budgetLineId, amount } = each;
        const lines = shares.get(transactionId) ?? new Map<string, number>();
        shares.set(transactionId, lines);
        add(lines, this.#lines.get(budgetLineId) ?? '', minorOf(amount));
      }
    }
    return shares;
  }

  async #checkReport(project: (typeof PLAN)[number], sums: Sums): Promise<void> {
    const { name, from, to } = project;
    const { data } = await this.#client.report(this.#projects.get(name) ?? '');
    for (const { budgetLineId, total } of data.rows) {
      const line = this.#lines.get(budgetLineId) ?? '';
      const unnamed = minorOf(total.actual) - (sums.named.get(line) ?? 0);
      assert.equal(unnamed, sums.due.get(line) ?? 0, `what ${line} has, less what is named`);
    }
    const marked = (is: (each: Transaction) => boolean) => {
      const found = { count: 0, amount: 0 };
      for (const each of this.#found.values()) {
        const lines = [...(sums.shares.get(each.id) ?? [])];
        const own = lines.filter(([line]) => line.startsWith(`${name} `));
        if (!is(each) || own.length === 0) continue;
        found.count += 1;
        for (const [, minor] of own) found.amount += minor;
      }
      return found;
    };
    const open = { count: 0, out: 0, in: 0 };
    for (const { sent, placed } of this.systems) {
      for (const [id, { date, minor, project: code }] of sent) {
        const isOurs = isCodeOf(project, code) || !PLAN.some((each) => isCodeOf(each, code));
        if (placed.has(id) || minor === 0 || date < from || date > to || !isOurs) continue;
        open.count += 1;
        open[minor > 0 ? 'out' : 'in'] += Math.abs(minor);
      }
    }
    const { needsReview, recoded, unallocated } = data;
    const amountOf = (each: typeof recoded) => ({ ...each, amount: minorOf(each.amount) });
    const said = { needsReview: amountOf(needsReview), recoded: amountOf(recoded) };
    const sides = { out: minorOf(unallocated.out), in: minorOf(unallocated.in) };
    assert.deepEqual(
      { ...said, unallocated: { count: unallocated.count, ...sides } },
      {
        needsReview: marked(({ status }) => status === 'needs_review'),
        recoded: marked((each) => each.recoded !== null),
        unallocated: open,
      },
      `what the report of ${name} names`,
    );
  }
}

/** What is allocated, what is due on each line, and what of the allocated is named. */
interface Sums {
  readonly shares: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly due: ReadonlyMap<string, number>;
  readonly named: ReadonlyMap<string, number>;
}

function add(sums: Map<string, number>, name: string, minor: number): void {
  sums.set(name, (sums.get(name) ?? 0) + minor);
}

function minorOf(amount: number): number {
  return Math.round(amount * 100);
}

describe('what a ledger changes is in the budgets or named, after any night', () => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    it(`17 two systems with the same numbers, seed ${seed}`, async (t) => {
      const random = new Random(seed);
      const story = new Story(t, await openDesk(t), random);
      for (let night = 1; night <= NIGHTS; night += 1) {
        for (const { ledger } of story.systems) {
          // A ledger of few payments would hardly change those that are allocated.
          const changes = night === 1 ? 150 : random.whole(8, 20);
          for (let left = changes; left > 0; left -= 1) ledger.change();
        }
        await story.step(`seed ${seed}, night ${night}`, () => story.night());
        await story.step(`seed ${seed}, morning ${night}`, () => story.morning());
      }
      t.diagnostic(JSON.stringify(story.counts));
    });
  }
});
