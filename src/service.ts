/**
 * The service: one open database and everything you can do with it. `serve`, the commands, the
 * tests and programs that embed budgetd all use it. Operations are synchronous, like SQLite, except
 * those that let requests in between, such as runs of the rules.
 */

import { type ApiContext, tryKey } from './api/gate.ts';
import { homeRoute } from './api/home.ts';
import { buildRoutes, TRANSACTION_FAILURES } from './api/routes.ts';
import type { buildConsole } from './console/routes.ts';
import type { Actor } from './core/audit.ts';
import { Failure } from './core/failures.ts';
import { REQUESTS_PER_MINUTE } from './core/limits.ts';
import { Checkpoints } from './database/checkpoints.ts';
import { type Db, isAnswering, openDatabase } from './database/database.ts';
import { refuseReadOnly } from './database/file-checks.ts';
import { type DatabaseLock, lockDatabase } from './database/lock.ts';
import { storageFailure } from './database/sqlite-errors.ts';
import { UploadFolder } from './database/upload-folder.ts';
import { DOCS_ROUTES } from './docs/routes.ts';
import { Faults } from './http/faults.ts';
import { type FailurePages, jsonReply, type Route } from './http/message.ts';
import { RateLimiter } from './http/rate-limiter.ts';
import { type RecordedRequest, RequestLog } from './http/request-log.ts';
import { Listener } from './http/server.ts';
import { type Audit, buildAudit } from './library/audit.ts';
import type { LibraryContext } from './library/context.ts';
import { buildKeys, type Keys } from './library/keys.ts';
import { buildOrganisations, type Organisations } from './library/organisations.ts';
import { buildProjects, type Projects } from './library/projects.ts';
import { buildRules, type Rules } from './library/rules.ts';
import { type SeedDraft, type Seeded, seed } from './library/seed.ts';
import { buildStatements, type Statements } from './library/statements.ts';
import { buildTransactions, type Transactions } from './library/transactions.ts';
import type { Metrics } from './metrics/metrics.ts';
import { accessTo, type Source } from './operations/access.ts';
import { AutomaticRuns } from './operations/automatic.ts';
import { KeyUses } from './operations/keys.ts';
import { nextTurn } from './operations/turns.ts';
import { readBuild } from './package-folder.ts';
import type { ListenOptions, ServiceOptions } from './service-options.ts';
import type { Access } from './store/access.ts';
import { type CheckResult, checkDatabase, checkSteps } from './upkeep/check.ts';
import { FileWatch, type Health, Upkeep } from './upkeep/upkeep.ts';

export type { ListenOptions, ServiceOptions } from './service-options.ts';

declare global {
  /** These types would not compile in programs whose `lib` lacks `esnext.disposable`. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** Short, because waiting blocks everything else. */
const BUSY_TIMEOUT_MS = 250;

/** Enough for a test, and few enough to keep in memory. */
const RECORDED_REQUESTS = 1000;

/**
 * Opens the database and builds a service. Throws `invalid_input` if the file is missing or is not
 * a budgetd database, and `conflict` if it is in use (see `exclusive`).
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { database: file, create = file === ':memory:', unshared, onUpgrade } = options;
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const db = openDatabase({ file, create, busyTimeoutMs, unshared, onUpgrade });
  try {
    const isLocked = options.exclusive === true && file !== ':memory:';
    if (isLocked) refuseReadOnly(file);
    return new Service(db, options, isLocked ? lockDatabase(file) : undefined);
  } catch (error) {
    db.close();
    throw error;
  }
}

const EVERY_ADDRESS = ['0.0.0.0', '::'];

/** An open database and everything you can do with it. Created by {@link createService}. */
export class Service {
  readonly organisations: Organisations;
  readonly statements: Statements;
  readonly keys: Keys;
  readonly projects: Projects;
  readonly transactions: Transactions;
  readonly rules: Rules;
  readonly audit: Audit;
  /** Makes HTTP requests fail on demand, to test how a client handles failures. */
  readonly faults: Faults;
  /** The answered requests, if `recordRequests` is set. */
  readonly requests: RequestLog;
  readonly #context: LibraryContext;
  readonly #db: Db;
  readonly #options: ServiceOptions;
  readonly #clock: () => Date;
  readonly #keyUses: KeyUses;
  readonly #lock: DatabaseLock | undefined;
  readonly #upkeep: Upkeep | undefined;
  /** Tells a service without upkeep whether its file is still there. */
  readonly #watch: FileWatch | undefined;
  readonly #automaticRuns: AutomaticRuns;
  #checkpoints: Checkpoints | undefined;
  #console: ReturnType<typeof buildConsole> | undefined;
  #isListening = false;
  #listener: Listener | undefined;
  /** The address at which it listens; undefined if that is every address of the machine. */
  #listening: string | undefined;
  #metrics: { readonly metrics: Metrics; close(): Promise<void> } | undefined;
  #closing: Promise<void> | undefined;

  constructor(db: Db, options: ServiceOptions, lock?: DatabaseLock) {
    this.#db = db;
    this.#lock = lock;
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    this.#keyUses = new KeyUses(db);
    if (options.database !== ':memory:' && !options.unshared) this.#startCheckpoints();
    this.#upkeep = lock && this.#buildUpkeep(lock);
    const isWatched = lock === undefined && options.database !== ':memory:';
    this.#watch = isWatched ? new FileWatch(options.database, 0) : undefined;
    const name = options.actor ?? 'library';
    const actor = () => ({ name, requestId: null, nowMs: this.#clock().getTime() });
    const refuseClosed = () => this.#refuseClosed();
    const context: LibraryContext = {
      get db() {
        refuseClosed();
        return db;
      },
      actor,
    };
    this.#context = context;
    this.#automaticRuns = new AutomaticRuns(context, this.#clock, (message) => {
      options.notify?.({ kind: 'rules_failed', message });
    });
    const capacity = options.recordRequests === true ? RECORDED_REQUESTS : 0;
    this.requests = new RequestLog(capacity, refuseClosed);
    this.faults = new Faults(refuseClosed);
    this.organisations = buildOrganisations(context);
    this.keys = buildKeys(context);
    this.projects = buildProjects(context);
    this.statements = buildStatements(context);
    this.transactions = buildTransactions(context);
    this.rules = buildRules(context);
    this.audit = buildAudit(context);
  }

  /** Checks the integrity of the file and its records. Calls `onRule` with each result. */
  check(onRule?: (result: CheckResult) => void): CheckResult[] {
    this.#refuseClosed();
    return checkDatabase(this.#db, onRule);
  }

  /** How the file of an exclusive service is; undefined for others. */
  health(): Health | undefined {
    this.#refuseClosed();
    return this.#upkeep?.health();
  }

  /**
   * Does the same as `check` while the service answers requests, in steps of some milliseconds. It
   * leaves out the two rules that SQLite checks in one go, which each backup checks too.
   */
  async checkInTurns(): Promise<CheckResult[]> {
    const results: CheckResult[] = [];
    this.#refuseClosed();
    for (const result of checkSteps(this.#db, { isRunning: true })) {
      if (result !== undefined) results.push(result);
      await nextTurn();
      this.#refuseClosed();
    }
    return results;
  }

  /**
   * Creates an organisation with its keys, projects, transactions and allocations: all or nothing.
   * Throws `invalid_input` or `conflict`, with what is wrong with the draft.
   */
  seed<const KeyName extends string = never>(draft: SeedDraft<KeyName> = {}): Seeded<KeyName> {
    return seed(this.#context, draft);
  }

  /** The open database, for the operations on no organisation. */
  get source(): Source {
    this.#refuseClosed();
    return this.#context;
  }

  /** An organisation's data, for the operations. Refuses with `not_found`. */
  access(organisationId: string): Access {
    return accessTo(this.#context, organisationId);
  }

  /** Runs automatic rules at once if they are due, and resolves when they have run. */
  async finishRules(): Promise<void> {
    this.#refuseClosed();
    await this.#automaticRuns.finish();
  }

  /** Who acts through this service, with the current time, for the operations. */
  actor(): Actor {
    this.#refuseClosed();
    return this.#context.actor();
  }

  /**
   * Serves metrics for Prometheus, `GET /metrics`, at an address of their own. They count from now
   * on, so call it before `listen`. `droppedLogLines` is read when someone asks.
   */
  async listenForMetrics(
    { port, host = '127.0.0.1' }: ListenOptions,
    droppedLogLines?: () => number,
  ): Promise<{ url: string; port: number }> {
    this.#refuseClosed();
    if (this.#isListening || this.#metrics !== undefined) {
      throw new Failure('conflict', 'Metrics begin once, before the service listens.');
    }
    const { Metrics } = await import('./metrics/metrics.ts');
    const { database, log = () => {} } = this.#options;
    const metrics = new Metrics({
      file: database === ':memory:' ? undefined : database,
      version: readBuild().version,
      isReady: () => this.#findUnready() === undefined,
      lastBackupMs: () => this.#upkeep?.health().backups?.last?.atMs,
      droppedLogLines,
    });
    const listener = new Listener({ routes: [metrics.route], clock: this.#clock, log });
    const close = async () => {
      metrics.close();
      await listener.close();
    };
    this.#metrics = { metrics, close };
    try {
      return await listener.listen({ port, host });
    } catch (error) {
      metrics.close();
      this.#metrics = undefined;
      throw error;
    }
  }

  /** Serves HTTP. Resolves once it accepts requests. */
  async listen({
    port,
    host = '127.0.0.1',
  }: ListenOptions): Promise<{ url: string; port: number }> {
    this.#refuseClosed();
    if (this.#isListening) {
      const message = 'This service is already listening. Create another one for another port.';
      throw new Failure('conflict', message);
    }
    this.#isListening = true;
    try {
      const site = await this.#buildSite();
      this.#refuseClosed();
      this.#listener = new Listener({
        ...site,
        clock: this.#clock,
        monotonicMs: this.#options.monotonicMs ?? (() => performance.now()),
        failureOf: storageFailure,
        log: this.#options.log ?? (() => {}),
        trustedProxies: this.#options.trustedProxies,
        onAnswer: this.#buildObserver(),
        logAddresses: this.#options.logAddresses,
      });
      const bound = await this.#listener.listen({ port, host });
      this.#automaticRuns.addAll();
      if (!EVERY_ADDRESS.includes(host)) this.#listening = bound.url;
      return bound;
    } catch (error) {
      // The port may be in use: the caller can try another one.
      this.#isListening = false;
      this.#listener = undefined;
      throw error;
    }
  }

  /**
   * Answers requests in progress, then closes all sockets and the database. From now on every other
   * call throws `conflict`. Calling it again returns the same promise.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Closes it at the end of a block with `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #refuseClosed(): void {
    if (this.#closing === undefined) return;
    throw new Failure('conflict', 'This service is closed. Create another one.');
  }

  async #close(): Promise<void> {
    this.faults.close();
    const runs = this.#automaticRuns.close();
    await Promise.all([this.#upkeep, this.#listener, this.#metrics].map((each) => each?.close()));
    await runs;
    this.#console?.close();
    this.#keyUses.write();
    await this.#checkpoints?.close();
    this.#db.close();
    this.#lock?.release();
  }

  #startCheckpoints(): void {
    this.#checkpoints = new Checkpoints(this.#db, this.#options.database);
  }

  #buildUpkeep(lock: DatabaseLock): Upkeep {
    const { database: file, minFreeDisk = 0, backups, unshared = false } = this.#options;
    return new Upkeep({
      db: this.#db,
      file,
      lock,
      minFreeBytes: minFreeDisk,
      backups,
      clock: this.#clock,
      isUnshared: unshared,
      onShared: () => this.#startCheckpoints(),
      notify: this.#options.notify ?? (() => {}),
    });
  }

  /** Passes on what became of each request; undefined if nobody asks. */
  #buildObserver(): ((request: RecordedRequest) => void) | undefined {
    const { onRequest } = this.#options;
    const metrics = this.#metrics?.metrics;
    if (!this.requests.isOn && metrics === undefined) return onRequest;
    return (request) => {
      if (this.requests.isOn) this.requests.add(request);
      metrics?.noteRequest(request);
      onRequest?.(request);
    };
  }

  /** Everything that is served, and how the rest is refused. */
  async #buildSite(): Promise<{ routes: Route[]; failurePages: readonly FailurePages[] }> {
    // Loaded here, because most commands and programs serve no pages.
    const { buildConsole } = await import('./console/routes.ts');
    const rateLimit = this.#options.rateLimit ?? REQUESTS_PER_MINUTE;
    const metrics = this.#metrics?.metrics;
    const context: ApiContext = {
      db: this.#db,
      limiter: rateLimit === false ? undefined : new RateLimiter(rateLimit),
      onKeyUse: (keyId, nowMs) => this.#keyUses.note(keyId, nowMs),
      onPush: metrics && ((counts, durationMs) => metrics.notePush(counts, durationMs)),
    };
    const api = buildRoutes(context);
    const site = buildConsole({
      source: this.#context,
      place: () => ({ publicUrl: this.#options.publicUrl, listening: this.#listening }),
      logAddresses: this.#options.logAddresses ?? true,
      backups: () => this.#upkeep?.backups(),
      tryKey: (request, key) => tryKey(context, request, key),
      uploads: new UploadFolder(this.#lock && this.#options.database, (bytes) => {
        return this.#upkeep?.hasSpace(bytes) ?? true;
      }),
    });
    this.#console = site;
    const routes = [
      homeRoute(site.home, readBuild()),
      // First: the router tries paths with an id in this order, and programs ask most often.
      ...api.map((route) => this.faults.guard(route)),
      ...site.routes,
      ...DOCS_ROUTES,
      ...this.#buildHealthRoutes(),
    ];
    return { routes, failurePages: [...site.failurePages, TRANSACTION_FAILURES] };
  }

  /** For monitoring: what `/readyz` says (docs/operating.md). */
  #buildHealthRoutes(): Route[] {
    return [
      { method: 'GET', path: '/healthz', handler: () => jsonReply({ status: 'ok' }) },
      {
        method: 'GET',
        path: '/readyz',
        handler: () => {
          const reason = this.#findUnready();
          if (reason !== undefined) throw new Failure('unavailable', reason);
          return jsonReply({ status: 'ok' });
        },
      },
    ];
  }

  /** Why no requests should be sent here; undefined if they can be answered. */
  #findUnready(): string | undefined {
    if (this.#closing !== undefined) return 'The service is shutting down.';
    const problem = this.#upkeep?.problem() ?? this.#watch?.look();
    // On a full disk reading still works.
    if (problem !== undefined && problem.code !== 'disk_full') return problem.refusal().message;
    return isAnswering(this.#db) ? undefined : 'The database does not answer.';
  }
}
