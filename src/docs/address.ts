/**
 * The address by which a client reaches the service, for the samples of the page. It comes from the
 * client, so anything that is not clearly an address is ignored.
 */

import { isHost } from '../http/host.ts';
import type { Request } from '../http/message.ts';

/**
 * The placeholder for the address in the page as built: a character that occurs nowhere else. The
 * samples contain it, and the page gets the real address when it is served.
 */
export const ADDRESS = '\u{e000}';

/** Where `budgetd serve` listens by default. */
const USUAL_ADDRESS = 'http://127.0.0.1:8080';

/** The scheme and host of a request, without a trailing slash. */
export function addressOf(request: Pick<Request, 'header'>): string {
  const host = request.header('host') ?? '';
  if (!isHost(host)) return USUAL_ADDRESS;
  // Any client can send this field, but all it can do is change this page to https.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${host.toLowerCase()}`;
}
