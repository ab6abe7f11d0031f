/**
 * The trail of who signed in, tried to, was refused, or took a backup: the request log names the
 * user and the reason, the audit log has an entry where the organisation is known. Nobody can fill
 * the disk with it: what was refused is in the audit log SIGN_INS.refusalsLogged times in a while
 * for each user, and not at all if no password was checked. Passwords and typed texts are in
 * neither.
 */

import { createHash } from 'node:crypto';
import type { Actor, AuditAction } from '../../core/audit.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { foldEmail, isEmail } from '../../core/users.ts';
import type { Request } from '../../http/message.ts';
import type { AccessRefusal } from '../../http/request-log.ts';
import { logEvent, logRefusedPassword } from '../../operations/audit.ts';
import { findPassword } from '../../store/users.ts';
import type { Desk, SignedIn, Visit } from './visit.ts';

/** Enough of a hash to tell addresses apart. */
const HASH_CHARACTERS = 12;

/** Facts of an entry. */
type Facts = Readonly<Record<string, string | number>>;

/** Logs what a user did in the organisation whose pages are shown. */
export function logAct(
  { desk, request, session }: SignedIn,
  action: AuditAction,
  facts: Facts = {},
  actor?: Actor,
) {
  const { requestId, nowMs } = request;
  const name = formatId('usr', session.userId);
  const subject = action.startsWith('session.') ? name : null;
  const details = { ...whereOf(desk, request), ...facts };
  // By default also if the session has ended since.
  logEvent(session.access, { action, subject, details }, actor ?? { name, requestId, nowMs });
}

/** Notes that a signed-in user asked for something that the role does not allow. */
export function noteRole(visit: Visit, page: string): void {
  const { request, session } = visit;
  request.noted.refusal = 'role';
  logLater(visit, `role ${session.userId}`, () => {
    logAct(visit, 'session.role_refused', { page });
  });
}

/** Notes whose account a password is for, and returns the number of a known user. */
export function noteEmail({ source }: Desk, { noted }: Request, email: string): number | undefined {
  const address = email.trim();
  const userId = isEmail(address) ? findPassword(source, address)?.id : undefined;
  if (userId !== undefined) noted.userId = formatId('usr', userId);
  else if (isEmail(address)) noted.emailHash = hashOf(foldEmail(address));
  return userId;
}

/** Checks a password, and notes when too many others are being checked. */
export async function noteBusy<Result>(
  { noted }: Request,
  check: () => Promise<Result>,
): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Failure && error.code === 'unavailable') noted.refusal = 'busy';
    throw error;
  }
}

/**
 * Notes that a password or a code was refused. Only a wrong one of a known user is in the audit
 * log.
 */
export function notePassword(
  desk: Desk,
  request: Request,
  refusal: AccessRefusal,
  { userId, page }: { readonly userId: number | undefined; readonly page: string },
): void {
  request.noted.refusal = refusal;
  const isWrong = refusal === 'wrong_password' || refusal === 'wrong_code';
  if (!isWrong || userId === undefined) return;
  const { requestId, nowMs } = request;
  const actor = { name: 'console', requestId, nowMs };
  const details = { ...whereOf(desk, request), page };
  logLater({ desk, request }, `password ${userId}`, () => {
    logRefusedPassword(desk.source, userId, details, actor);
  });
}

/**
 * Writes an entry after the answer, which must neither fail nor take longer for a known user. The
 * request log says the same, so an entry may be missing: on a full disk, or when the service ends.
 */
function logLater(
  { desk, request }: Pick<Visit, 'desk' | 'request'>,
  key: string,
  log: () => void,
): void {
  if (!desk.loggedRefusals.take(key, request.tickMs).allowed) return;
  setImmediate(() => {
    try {
      log();
    } catch {
      // See above.
    }
  });
}

function whereOf({ logAddresses }: Desk, { client }: Request): Facts {
  return logAddresses && client.address !== '' ? { clientAddress: client.address } : {};
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS);
}
