/**
 * The service as a value: one open database and everything that can be done with it. `serve`, the
 * command line, the tests and embedding programs all use this one (contract 10); nothing in it is
 * for tests only. Operations are synchronous, as SQLite is; only sockets are waited for.
 */

import { HOME_ROUTE } from './api/home.ts';
import { buildRoutes } from './api/routes.ts';
import { Failure } from './core/failures.ts';
import { REQUESTS_PER_MINUTE } from './core/limits.ts';
import { DOCS_ROUTES } from './docs/routes.ts';
import { Faults } from './http/faults.ts';
import { jsonReply, type Route } from './http/message.ts';
import { createRateLimiter } from './http/rate-limiter.ts';
import { RequestLog } from './http/request-log.ts';
import { createListener, type Listener, type LogEvent } from './http/server.ts';
import { buildAudit } from './library/audit.ts';
import type { LibraryContext } from './library/context.ts';
import { KeyUses } from './library/key-uses.ts';
import { buildKeys } from './library/keys.ts';
import { buildOrganisations } from './library/organisations.ts';
import { buildProjects } from './library/projects.ts';
import { type SeedDraft, type Seeded, seed } from './library/seed.ts';
import { buildTransactions } from './library/transactions.ts';
import { type CheckResult, checkDatabase } from './store/check.ts';
import { type Db, isAnswering, openDatabase, storageFailure } from './store/database.ts';
import { lockDatabase } from './store/lock.ts';

declare global {
  /** For programs whose `lib` lacks `esnext.disposable`: these types would fail there. */
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}

/** How to create a service. */
export interface ServiceOptions {
  /** A database file, or `:memory:`. */
  readonly database: string;
  /** Whether a missing file may be created; false by default. */
  readonly create?: boolean;
  /** The wall clock; the system's by default. */
  readonly clock?: () => Date;
  /** A clock that never goes back, in milliseconds, for the rate limit alone. */
  readonly monotonicMs?: () => number;
  /** Requests of one key in any 60 seconds, 120 by default; false for no limit. */
  readonly rateLimit?: number | false;
  /**
   * Whether a file that another exclusive service has is refused with `conflict`, as `serve` does.
   * Any service that is not exclusive works beside it, as the commands do. False by default.
   */
  readonly exclusive?: boolean;
  /** Who the audit log says acted, where no key did; `library` by default. */
  readonly actor?: string;
  /** How long a statement waits for another process; the event loop is held for as long. */
  readonly busyTimeoutMs?: number;
  /**
   * Addresses and networks of proxies in front of the service, such as `10.0.0.5` or `10.0.0.0/8`;
   * none by default. `listen` refuses anything else with `invalid_input`.
   */
  readonly trustedProxies?: readonly string[];
  /** Keeps the last 1,000 requests with their bodies for `requests`; false by default. */
  readonly recordRequests?: boolean;
  /** Opens the file for this process alone, as a full disk requires; false by default. */
  readonly unshared?: boolean | undefined;
  /** Hears what a person who runs the service would want to know; nothing by default. */
  readonly log?: (event: LogEvent) => void;
}

/** Where to listen. */
export interface ListenOptions {
  /** 0 picks a free one. */
  readonly port: number;
  /** 127.0.0.1 by default. */
  readonly host?: string;
}

/** A service's busy timeout: short, as waiting stops everything else. */
const BUSY_TIMEOUT_MS = 250;

/** Enough for a test, little enough to keep in memory. */
const RECORDED_REQUESTS = 1000;

/**
 * Opens the database and builds the service on it. Refuses with `invalid_input` a file that is not
 * a database of ours, with `conflict` one that is taken (see `exclusive`).
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { database: file, create = file === ':memory:', unshared } = options;
  const busyTimeoutMs = options.busyTimeoutMs ?? BUSY_TIMEOUT_MS;
  const db = openDatabase({ file, create, busyTimeoutMs, unshared });
  try {
    const isLocked = options.exclusive === true && file !== ':memory:';
    return new Service(db, options, isLocked ? lockDatabase(file) : undefined);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** An open database and what can be done with it; made by {@link createService}. */
export class Service {
  readonly organisations: ReturnType<typeof buildOrganisations>;
  readonly keys: ReturnType<typeof buildKeys>;
  readonly projects: ReturnType<typeof buildProjects>;
  readonly transactions: ReturnType<typeof buildTransactions>;
  readonly audit: ReturnType<typeof buildAudit>;
  /** Makes requests to the interface fail on demand, to try out how a client copes. */
  readonly faults = new Faults();
  /** The requests that were answered, where `recordRequests` is on. */
  readonly requests: RequestLog;
  readonly #context: LibraryContext;
  readonly #db: Db;
  readonly #options: ServiceOptions;
  readonly #clock: () => Date;
  readonly #keyUses: KeyUses;
  readonly #unlock: (() => void) | undefined;
  #listener: Listener | undefined;
  #closing: Promise<void> | undefined;

  constructor(db: Db, options: ServiceOptions, unlock?: () => void) {
    this.#db = db;
    this.#unlock = unlock;
    this.#options = options;
    this.#clock = options.clock ?? (() => new Date());
    this.#keyUses = new KeyUses(db);
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
    this.requests = new RequestLog(options.recordRequests === true ? RECORDED_REQUESTS : 0);
    this.organisations = buildOrganisations(context);
    this.keys = buildKeys(context);
    this.projects = buildProjects(context);
    this.transactions = buildTransactions(context);
    this.audit = buildAudit(context);
  }

  /** Checks the file's integrity and the rules its records must keep; hears each as it comes. */
  check(onRule?: (result: CheckResult) => void): CheckResult[] {
    this.#refuseClosed();
    return checkDatabase(this.#db, onRule);
  }

  /**
   * Builds an organisation with its keys, projects, transactions and allocations, all or nothing.
   * Refuses with `invalid_input` or `conflict`, and says what is wrong with the draft.
   */
  seed<const KeyName extends string = never>(draft: SeedDraft<KeyName> = {}): Seeded<KeyName> {
    return seed(this.#context, draft);
  }

  /** Serves the HTTP interface. Resolves when requests are taken. */
  async listen({
    port,
    host = '127.0.0.1',
  }: ListenOptions): Promise<{ url: string; port: number }> {
    this.#refuseClosed();
    if (this.#listener !== undefined) {
      throw new Failure('conflict', 'This service is already listening: one port each.');
    }
    const listener = createListener({
      routes: this.#buildRoutes(),
      clock: this.#clock,
      monotonicMs: this.#options.monotonicMs ?? (() => performance.now()),
      failureOf: storageFailure,
      log: this.#options.log ?? (() => {}),
      trustedProxies: this.#options.trustedProxies,
      onAnswer: this.requests.isOn ? (request) => this.requests.add(request) : undefined,
    });
    this.#listener = listener;
    try {
      return await listener.listen({ port, host });
    } catch (error) {
      // A port that is taken: another may be tried.
      this.#listener = undefined;
      throw error;
    }
  }

  /**
   * Answers what is under way, then closes sockets and database; nothing is left behind. Any other
   * call is refused with `conflict` from here on; closing again waits for the same end.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #refuseClosed(): void {
    if (this.#closing === undefined) return;
    throw new Failure('conflict', 'This service is closed: create another one.');
  }

  async #close(): Promise<void> {
    this.faults.close();
    await this.#listener?.close();
    this.#keyUses.write();
    this.#db.close();
    this.#unlock?.();
  }

  #buildRoutes(): Route[] {
    const rateLimit = this.#options.rateLimit ?? REQUESTS_PER_MINUTE;
    const api = buildRoutes({
      db: this.#db,
      limiter: rateLimit === false ? undefined : createRateLimiter(rateLimit),
      onKeyUse: (keyId, nowMs) => this.#keyUses.note(keyId, nowMs),
    });
    return [
      HOME_ROUTE,
      ...api.map((route) => this.faults.guard(route)),
      ...DOCS_ROUTES,
      ...this.#buildHealthRoutes(),
    ];
  }

  /** For whoever watches the process (contract 9). */
  #buildHealthRoutes(): Route[] {
    return [
      { method: 'GET', path: '/healthz', handler: () => jsonReply({ status: 'ok' }) },
      {
        method: 'GET',
        path: '/readyz',
        handler: () => {
          if (this.#closing === undefined && isAnswering(this.#db)) {
            return jsonReply({ status: 'ok' });
          }
          throw new Failure('unavailable', 'The service is shutting down or has no database.');
        },
      },
    ];
  }
}
