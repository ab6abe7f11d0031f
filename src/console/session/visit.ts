/**
 * What every page needs: who is asking, and what the console was started with. A page that needs
 * someone who is signed in gets a Visit.
 */

import type { Actor, Standing } from '../../core/audit.ts';
import { formatId } from '../../core/ids.ts';
import { LINK_MINUTES, REFUSALS_LOGGED, SIGN_IN_WINDOW_MS } from '../../core/limits.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { Request, UploadedFile } from '../../http/message.ts';
import type { Place } from '../../http/origin.ts';
import { createRateLimiter, type RateLimiter } from '../../http/rate-limiter.ts';
import type { Source } from '../../operations/access.ts';
import { findSession, type Session } from '../../operations/sessions.ts';
import { type FileFolder, HeldFiles } from '../import/held-files.ts';
import { sessionTokenOf } from './cookies.ts';
import { Outcomes } from './outcomes.ts';
import { Reader } from './reader.ts';
import { Readings } from './readings.ts';
import { Tries } from './tries.ts';

/** A backup that is older than this is worth a warning. */
const OLD_BACKUP_MS = 7 * 86_400_000;

/** Whether the newest backup is missing or older than a week. */
export function isOld(atMs: number | undefined, nowMs: number): boolean {
  return atMs === undefined || nowMs - atMs > OLD_BACKUP_MS;
}

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
export interface ConsoleOptions {
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
  readonly uploads: FileFolder;
}

/** What the pages share. */
export interface Desk extends ConsoleOptions {
  /** Wrong passwords. */
  readonly tries: Tries;
  /** How often refusals of a user are in the audit log. */
  readonly loggedRefusals: RateLimiter;
  /** What forms did, for the next page to say. */
  readonly outcomes: Outcomes;
  /** Long readings that are being done. */
  readonly readings: Readings;
  /** Files that are being imported. */
  readonly heldFiles: HeldFiles;
}

/** A request of someone who is signed in. */
export interface Visit {
  readonly desk: Desk;
  readonly request: Request;
  readonly session: Session;
  /** The file of a form that has one. */
  readonly file?: UploadedFile | undefined;
}

/** Prepares what the pages share. */
export function createDesk(options: ConsoleOptions): Desk {
  return {
    ...options,
    tries: new Tries(),
    loggedRefusals: createRateLimiter(REFUSALS_LOGGED, SIGN_IN_WINDOW_MS),
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
    request.admit({ organisationId, userId: formatId('usr', session.userId) });
  }
  return session;
}

/** The page of one-time links. */
export const LINK_PATH = '/set-up';
const LINK_COOKIE = 'budgetd-link';

/** The token of the link that a browser has opened; empty if it has opened none. */
export function linkTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), LINK_COOKIE) ?? '';
}

/** Keeps the token of a link for the page of links; undefined: for no page any more. */
export function linkCookie({ client }: Request, token: string | undefined): string {
  const isToken = token !== undefined && /^[\w-]{1,64}$/.test(token);
  const maxAgeSeconds = isToken ? LINK_MINUTES * 60 : 0;
  return writeCookie(LINK_COOKIE, isToken ? token : '', {
    path: LINK_PATH,
    maxAgeSeconds,
    secure: client.isHttps,
  });
}

/** How the user reads numbers and dates: as chosen, else as the browser asks. */
export function readerOf({ request, session }: Pick<Visit, 'request' | 'session'>): Reader {
  return Reader.of(session.locale ?? request.header('accept-language'));
}

/** Who changes something through a page, as long as they are signed in with this role. */
export function actorOf(
  { requestId, nowMs }: Request,
  { id, userId, role, access }: Session,
): Actor & { readonly standing: Standing } {
  const standing = { sessionId: id, userId, orgId: access.organisation.id, role };
  return { name: formatId('usr', userId), requestId, nowMs, standing };
}
