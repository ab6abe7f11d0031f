/** The cookie with the token of a session. */

import { SESSION_HOURS } from '../../core/limits.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { Request } from '../../http/message.ts';

/** The token that a request has; empty without one. */
export function sessionTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), nameFor(request)) ?? '';
}

/** The Set-Cookie field for a session's token, or one that removes it. */
export function sessionCookie(request: Request, token: string | undefined): string {
  const secure = request.client.isHttps;
  const maxAgeSeconds = token === undefined ? 0 : SESSION_HOURS * 3600;
  return writeCookie(nameFor(request), token ?? '', { secure, maxAgeSeconds });
}

/** Browsers keep a `__Host-` cookie from other hosts of the domain, but only with TLS. */
function nameFor({ client }: Request): string {
  return client.isHttps ? '__Host-budgetd' : 'budgetd';
}
