/** Whether a request comes from a page of this service, which forms must (contract 12). */

import { isHost } from './host.ts';
import type { Request } from './message.ts';

/**
 * `Sec-Fetch-Site` decides if the browser sends it, otherwise `Origin`: it must be `publicUrl`, or
 * the address by which the client reached the service.
 */
export function isSameOrigin(
  request: Pick<Request, 'header' | 'client'>,
  publicUrl?: string | undefined,
): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('origin');
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === originOf(publicUrl)) return true;
  const host = request.header('host') ?? '';
  const scheme = request.client.isHttps ? 'https' : 'http';
  return isHost(host) && origin === originOf(`${scheme}://${host}`);
}

/** Without the port of the scheme, as browsers write it. */
function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
