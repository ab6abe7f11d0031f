/**
 * The service's own address as a client reaches it, for the samples of the page. The client sends
 * it, so anything that is not plainly an address is ignored.
 */

import { isHost } from '../http/host.ts';
import type { Request } from '../http/message.ts';

/**
 * Stands for the address in the page as built: a character that occurs nowhere else in it. The
 * samples contain it, and the script of the page looks for what replaced it.
 */
export const ADDRESS = '\u{e000}';

/** Where `budgetd serve` listens by default. */
const USUAL_ADDRESS = 'http://127.0.0.1:8080';

/** Scheme and host of a request, without a trailing slash. */
export function addressOf(request: Pick<Request, 'header'>): string {
  const host = request.header('host') ?? '';
  if (!isHost(host)) return USUAL_ADDRESS;
  // Can only make it https, and only this page depends on it.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${host.toLowerCase()}`;
}
