/**
 * The service's own address as a client reaches it, for the samples of a page that no script has
 * looked at yet. It comes from the client, so only what can be nothing but an address is taken.
 */

import type { Request } from '../http/message.ts';

/** Where `budgetd serve` listens unless told otherwise. */
const USUAL_ADDRESS = 'http://127.0.0.1:8080';

const NAME = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/i;
const BRACKETED = /^\[[0-9a-f:.]{2,45}\]$/i;

/** Scheme and host of a request, without a slash at the end. */
export function addressOf(request: Pick<Request, 'header'>): string {
  const host = request.header('host') ?? '';
  if (!isHost(host)) return USUAL_ADDRESS;
  // Only ever towards https, and only this page depends on it.
  const scheme = request.header('x-forwarded-proto') === 'https' ? 'https' : 'http';
  return `${scheme}://${host.toLowerCase()}`;
}

function isHost(host: string): boolean {
  const [, name = '', port = '0'] = /^(\[.*\]|[^:]*)(?::(\d{1,5}))?$/.exec(host) ?? [];
  return name.length <= 253 && Number(port) <= 65_535 && (NAME.test(name) || BRACKETED.test(name));
}
