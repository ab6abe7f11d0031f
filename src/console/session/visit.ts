/**
 * What every page needs: who is asking, and what the console was started with. A page that needs
 * someone who is signed in gets a Visit.
 */

import type { Actor, ActorStanding } from '../../core/audit.ts';
import { Failure, type FailureCode } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { COUNTED, SECOND_FACTOR, SIGN_INS } from '../../core/limits.ts';
import { listPermissions, type Permission } from '../../core/users.ts';
import type { Form } from '../../http/form.ts';
import type { Html } from '../../http/html.ts';
import type { HeaderFields, Reply, Request, UploadedFile } from '../../http/message.ts';
import type { Place } from '../../http/origin.ts';
import { RateLimiter } from '../../http/rate-limiter.ts';
import { STATUS } from '../../http/status.ts';
import type { Source } from '../../operations/access.ts';
import { type Steps, within } from '../../operations/turns.ts';
import type { Access } from '../../store/access.ts';
import { findSession, type Session } from '../../store/sessions.ts';
import { HeldFiles } from '../import/held-files.ts';
import { sessionTokenOf } from './cookies.ts';
import { DONE, type Outcome, Outcomes } from './outcomes.ts';
import { Reader } from './reader.ts';
import { Readings } from './readings.ts';
import { type HalfSignIn, Tries } from './tries.ts';

/** A backup that is older than this is worth a warning. */
const OLD_BACKUP_MS = 7 * 86_400_000;

/** The backups of the service, and how they are made. */
export interface Backups {
  /** A time of the day, and how many of the nightly ones are kept. */
  readonly at: string;
  readonly keep: number;
  /** The newest backup of either kind; null without a backup. */
  readonly last: { readonly atMs: number } | null;
  /** Why the last try failed; null if it did not. */
  readonly failure: string | null;
  readonly isRunning: boolean;
  /** The finished ones, newest first. */
  list(): readonly ListedBackup[];
  /**
   * Makes one by hand, and never blocks other requests. Rejects with `conflict` while one is being
   * made, `rate_limit_exceeded` soon after another by hand, or `unavailable` with what failed.
   */
  make(): Promise<string>;
}

/** A finished backup, which was checked before it got its name. */
export interface ListedBackup {
  readonly file: string;
  readonly atMs: number;
  readonly bytes: number;
  readonly isByHand: boolean;
}

/** What the console is started with. */
interface ConsoleOptions {
  readonly source: Source;
  /** Where the service is, once it listens. */
  readonly place: () => Place;
  /** Whether logs have the addresses of clients. */
  readonly logAddresses: boolean;
  /** The backups as they are now; undefined if the service makes none. */
  readonly backups: () => Backups | undefined;
  /** Throws what the interface would answer to a request with this key; uses up such a request. */
  readonly tryKey: (request: Request, key: string) => void;
  /** Where uploads are. */
  readonly uploads: ConstructorParameters<typeof HeldFiles>[0];
}

/** What the pages share. */
export interface Desk extends ConsoleOptions {
  /** Wrong passwords and codes. */
  readonly tries: Tries;
  /** Who has given the password and not yet the code, by the token of their browser. */
  readonly halfSignIns: Waiting<HalfSignIn>;
  /** Secrets that a code has to prove, by the number of the session. */
  readonly newSecrets: Waiting<NewSecret>;
  /** How often refusals of a user are in the audit log. */
  readonly loggedRefusals: RateLimiter;
  /** What forms did, for the next page to say. */
  readonly outcomes: Outcomes;
  /** Long readings that are being done. */
  readonly readings: Readings;
  /** Files that are being imported. */
  readonly heldFiles: HeldFiles;
}

/** Values that memory keeps for some minutes. A full list forgets the oldest. */
class Waiting<Value> {
  readonly #kept = new Map<string, { readonly value: Value; readonly atMs: number }>();
  readonly #lastsMs: number;

  constructor(minutes: number) {
    this.#lastsMs = minutes * 60_000;
  }

  /** Keeps a value, in place of the one with the same key. */
  keep(key: string, value: Value, nowMs: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, atMs: nowMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > SECOND_FACTOR.waiting && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** A value, and when it was kept; undefined if it lasts no longer, or the clock went back. */
  find(key: string, nowMs: number): { readonly value: Value; readonly atMs: number } | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    const ageMs = nowMs - found.atMs;
    return ageMs >= 0 && ageMs <= this.#lastsMs ? found : undefined;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}

/** A secret for an authenticator, until a code proves it. */
interface NewSecret {
  readonly secret: Buffer;
  /** Whether it takes the place of one that works until then. */
  readonly isOther: boolean;
}

/** What a form asks for. */
type Work = () => Outcome | Reply | Promise<Outcome | Reply>;

export type SignedIn = Pick<Visit, 'desk' | 'request' | 'session'>;

/** A request of someone who is signed in. */
export class Visit {
  readonly desk: Desk;
  readonly request: Request;
  readonly session: Session;
  /** What was sent; the query of a GET. */
  readonly form: Pick<Form, keyof Form>;
  /** The file of a form that has one. */
  readonly file: UploadedFile | undefined;
  #reader: Reader | undefined;
  /** The names in the address that the page has asked for, or says that it knows. */
  readonly #known = new Set([DONE]);

  constructor(
    { desk, request, session }: SignedIn,
    { form, file }: Partial<Pick<Visit, 'form' | 'file'>> = {},
  ) {
    this.desk = desk;
    this.request = request;
    this.session = session;
    this.form = form ?? formOf(request.query, this.#known);
    if (form !== undefined) this.knows(request.query.map(([name]) => name));
    this.file = file;
  }

  /** The organisation whose pages are shown. */
  get access(): Access {
    return this.session.access;
  }

  /** How the user reads amounts and dates: as chosen, else as the browser asks. */
  get reader(): Reader {
    const wish = this.session.locale ?? this.request.header('accept-language');
    this.#reader ??= Reader.of(wish, this.access.organisation);
    return this.#reader;
  }

  /** Who changes something through a page, as long as they are signed in with this role. */
  get actor(): Actor & { readonly standing: ActorStanding } {
    const { id: sessionId, userId, role, access } = this.session;
    const { requestId, nowMs } = this.request;
    const standing = { sessionId, userId, orgId: access.organisation.id, role };
    return { name: formatId('usr', userId), requestId, nowMs, standing };
  }

  get nowMs(): number {
    return this.request.nowMs;
  }

  /** Whether the newest backup is missing or older than a week. */
  isOld(last: Backups['last']): boolean {
    return last === null || this.nowMs - last.atMs > OLD_BACKUP_MS;
  }

  /** Whether the user has a permission. */
  may(permission: Permission): boolean {
    return listPermissions(this.session.role).includes(permission);
  }

  /** A part of the path, such as `id`. */
  param(name: string): string {
    return this.request.params[name] ?? '';
  }

  /** Says what else the page knows of its address, besides what it asks for by name. */
  knows(names: readonly string[]): void {
    for (const name of names) this.#known.add(name);
  }

  /** The names in the address that the page does not know. */
  get unknownNames(): string[] {
    const names = new Set(this.request.query.map(([name]) => name));
    return [...names].filter((name) => !this.#known.has(name));
  }

  /** A member of the address; of several with one name the first. */
  asked(name: string): string | undefined {
    this.#known.add(name);
    return this.request.query.find(([each]) => each === name)?.[1];
  }

  /** Whether the page was asked for with all that it takes more time to find. */
  get isWhole(): boolean {
    return this.asked('count') === 'all';
  }

  /** What a long reading finds: it takes turns with the others of the user. */
  read<Result>(steps: Steps<Result>): Promise<Result> {
    return this.desk.readings.take(this, steps);
  }

  /** What a long reading finds; undefined if it takes longer than a page may that is not whole. */
  readSoon<Result>(steps: Steps<Result>): Promise<Result | undefined> {
    const most = this.isWhole ? Infinity : COUNTED.pageMs;
    return this.read(within(steps, most));
  }

  /** The text of a field of the form; empty if it was not sent. */
  field(name: string): string {
    return this.form.value(name) ?? '';
  }

  /** When something happened: the time if that was today, else the day; `never` for null. */
  moment(atMs: number | null): Html | string {
    return atMs === null ? 'never' : this.reader.moment(atMs, this.nowMs);
  }

  /**
   * Does what the form asks, once however often it is sent, and leads to the page that says so. If
   * the work is a page, that is shown first.
   */
  async run(work: Work, headers?: HeaderFields): Promise<Reply> {
    const done = await work();
    return 'to' in done ? this.desk.outcomes.lead(this, done, headers) : done;
  }

  /** Does it; what the user can put right is said by a page, with this status. */
  async runOr(
    refused: (failure: Failure, status: number) => Reply | Promise<Reply>,
    work: Work,
    codes: readonly FailureCode[] = ['conflict', 'invalid_input', 'rate_limit_exceeded'],
  ): Promise<Reply> {
    try {
      return await this.run(work);
    } catch (error) {
      if (!(error instanceof Failure) || !codes.includes(error.code)) throw error;
      return refused(error, STATUS[error.code]);
    }
  }
}

/** A query, read as a form is; `known` gets the names that are asked for. */
function formOf(fields: Request['query'], known: Set<string>): Visit['form'] {
  const values = (name: string) => {
    known.add(name);
    return fields.flatMap(([each, text]) => (each === name ? [text] : []));
  };
  return { fields, values, value: (name) => values(name)[0] };
}

/** Prepares what the pages share. */
export function createDesk(options: ConsoleOptions): Desk {
  return {
    ...options,
    tries: new Tries(),
    halfSignIns: new Waiting(SECOND_FACTOR.signInMinutes),
    newSecrets: new Waiting(SECOND_FACTOR.setUpMinutes),
    loggedRefusals: new RateLimiter(SIGN_INS.refusalsLogged, SIGN_INS.windowMs),
    outcomes: new Outcomes(),
    readings: new Readings(),
    heldFiles: new HeldFiles(options.uploads),
  };
}

/** The session of a request; undefined if nobody is signed in. */
export function sessionOf({ source }: Desk, request: Request): Session | undefined {
  const session = findSession(source, sessionTokenOf(request), request.nowMs);
  if (session !== undefined) {
    const organisationId = formatId('org', session.access.organisation.id);
    const userId = formatId('usr', session.userId);
    request.admit({ organisationId, userId });
    request.noted.userId = userId;
  }
  return session;
}
