/** The cookies: with the token of a session, of a one-time link, or of a sign-in without a code. */

import { LINK_MINUTES, SESSIONS } from '../../core/limits.ts';
import { readCookie, writeCookie } from '../../http/cookies.ts';
import type { Request } from '../../http/message.ts';

/** The token that a request has; empty without one. */
export function sessionTokenOf(request: Request): string {
  return readCookie(request.header('cookie'), nameFor(request)) ?? '';
}

/** The Set-Cookie field for a session's token, or one that removes it. */
export function sessionCookie(request: Request, token: string | undefined): string {
  const secure = request.client.isHttps;
  const maxAgeSeconds = token === undefined ? 0 : SESSIONS.hours * 3600;
  return writeCookie(nameFor(request), token ?? '', { secure, maxAgeSeconds });
}

/** Browsers keep a `__Host-` cookie from other hosts of the domain, but only with TLS. */
function nameFor({ client }: Request): string {
  return client.isHttps ? '__Host-budgetd' : 'budgetd';
}

/** A page that keeps a token for some minutes, in a cookie for that page alone. */
interface TokenPage {
  readonly path: string;
  readonly cookie: string;
  readonly minutes: number;
}

/** The page of one-time links, with the token of the link that a browser has opened. */
export const LINK_PAGE = { path: '/set-up', cookie: 'budgetd-link', minutes: LINK_MINUTES };

/** The token that a browser has for a page; empty without one. */
export function pageTokenOf(request: Request, { cookie }: TokenPage): string {
  return readCookie(request.header('cookie'), cookie) ?? '';
}

/** Keeps a token for a page; undefined: for no page any more. */
export function pageCookie(
  { client }: Request,
  { path, cookie, minutes }: TokenPage,
  token: string | undefined,
): string {
  const isToken = token !== undefined && /^[\w-]{1,64}$/.test(token);
  const maxAgeSeconds = isToken ? minutes * 60 : 0;
  const secure = client.isHttps;
  return writeCookie(cookie, isToken ? token : '', { path, maxAgeSeconds, secure });
}
