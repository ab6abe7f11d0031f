/**
 * The header fields of every answer, unless a reply sets its own. Answers from handlers and answers
 * to requests that Node's parser refused get the same fields.
 */

import { STATUS_CODES } from 'node:http';
import type { Reply } from './message.ts';

const CACHE_CONTROL = 1;
const SECURITY_POLICY = 2;
const REFERRER_POLICY = 4;
const CONTENT_OPTIONS = 8;
/** Only the server sets the framing and the request id. */
const RESERVED = 16;

/**
 * Header fields as a flat list of names and values. Fields of the reply override those of `extra`.
 */
export function headFields(
  reply: Reply,
  requestId: string,
  extra: Readonly<Record<string, string>>,
): string[] {
  const fields = ['X-Request-Id', requestId];
  // A 204 or 304 has no body and must not have a Content-Length.
  if (reply.status !== 204 && reply.status !== 304) {
    fields.push('Content-Length', String(byteLength(reply.body)));
  }
  let own = push(fields, reply.headers, undefined);
  own |= push(fields, extra, reply.headers);
  if ((own & CACHE_CONTROL) === 0) {
    fields.push('Cache-Control', 'no-store');
  }
  if ((own & CONTENT_OPTIONS) === 0) {
    fields.push('X-Content-Type-Options', 'nosniff');
  }
  if ((own & SECURITY_POLICY) === 0) {
    fields.push('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
  if ((own & REFERRER_POLICY) === 0) {
    fields.push('Referrer-Policy', 'no-referrer');
  }
  return fields;
}

/** A whole answer as text, for a connection whose parser failed. It is the last one there. */
export function rawAnswer(reply: Reply, requestId: string, now: Date): string {
  const fields = headFields(reply, requestId, {});
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`;
  for (let at = 0; at < fields.length; at += 2) {
    head += `${fields[at]}: ${fields[at + 1]}\r\n`;
  }
  return `${head}Date: ${now.toUTCString()}\r\nConnection: close\r\n\r\n${reply.body}`;
}

function push(
  fields: string[],
  headers: Readonly<Record<string, string>>,
  except: Readonly<Record<string, string>> | undefined,
): number {
  let roles = 0;
  for (const name of Object.keys(headers)) {
    const role = roleOf(name);
    if (role !== RESERVED && except?.[name] === undefined) {
      fields.push(name, headers[name] ?? '');
    }
    roles |= role;
  }
  return roles;
}

/** Ignores the case of the name. Compares the length first: this runs for every field. */
function roleOf(name: string): number {
  switch (name.length) {
    case 10:
      return name.toLowerCase() === 'connection' ? RESERVED : 0;
    case 12:
      return name.toLowerCase() === 'x-request-id' ? RESERVED : 0;
    case 13:
      return name.toLowerCase() === 'cache-control' ? CACHE_CONTROL : 0;
    case 14:
      return name.toLowerCase() === 'content-length' ? RESERVED : 0;
    case 15:
      return name.toLowerCase() === 'referrer-policy' ? REFERRER_POLICY : 0;
    case 17:
      return name.toLowerCase() === 'transfer-encoding' ? RESERVED : 0;
    case 22:
      return name.toLowerCase() === 'x-content-type-options' ? CONTENT_OPTIONS : 0;
    case 23:
      return name.toLowerCase() === 'content-security-policy' ? SECURITY_POLICY : 0;
    default:
      return 0;
  }
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}
