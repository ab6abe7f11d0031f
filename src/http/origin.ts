/** The address of this service, and whether a form comes from one of its pages (contract 12). */

import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { isHost } from './framing.ts';
import type { Request } from './message.ts';

/** What is known of where a service is. */
export interface Place {
  /** The address that people use, if the operator has said so. */
  readonly publicUrl?: string | undefined;
  /** Where it listens; undefined if that is every address of the machine. */
  readonly listening?: string | undefined;
}

/** What a request says of itself. */
type Asking = Pick<Request, 'header' | 'client'>;

/**
 * The address of the service for links, without a slash at the end. A client can write anything
 * into `Host`, so it counts only if nothing else is known.
 */
export function baseOf({ publicUrl = '', listening }: Place, request: Asking): string {
  if (publicUrl !== '') return publicUrl.replace(/\/$/, '');
  return listening ?? hostOf(request) ?? 'http://localhost';
}

/**
 * `Sec-Fetch-Site` decides if the browser sends it, otherwise `Origin`: it must be `publicUrl` or
 * where the service listens; where either is not known, also the address that the client used.
 * Neither counts for a name that is not the service's.
 */
export function isSameOrigin(request: Asking, { publicUrl = '', listening }: Place = {}): boolean {
  if (!isOwnName(request, { publicUrl, listening })) return false;
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = request.header('origin');
  const isKnown = publicUrl !== '' && listening !== undefined;
  const own = [publicUrl, isKnown ? listening : (hostOf(request) ?? '')];
  // Without the port of the scheme, as browsers write it.
  return own.some((url) => URL.canParse(url) && origin === new URL(url).origin);
}

/**
 * Whether the client used a name of this service, if `publicUrl` says which it has. A page of
 * another site can let its own name lead here, and is then of the origin that it names. Names of
 * one word are not public, and nobody else's page has an IP address of this machine.
 */
function isOwnName(request: Asking, { publicUrl = '', listening = '' }: Place): boolean {
  if (publicUrl === '') return true;
  const name = nameOf(hostOf(request) ?? '');
  const isPublic = name.includes('.') && isIP(name) === 0 && !name.startsWith('[');
  return (
    !isPublic || [nameOf(publicUrl), nameOf(listening), hostname().toLowerCase()].includes(name)
  );
}

/** The host of an address, in lower case; empty if it has none. */
function nameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : '';
}

/** The address that the client used, as far as it can be one. */
function hostOf(request: Asking): string | undefined {
  const host = request.header('host') ?? '';
  return isHost(host) ? `${request.client.isHttps ? 'https' : 'http'}://${host}` : undefined;
}
