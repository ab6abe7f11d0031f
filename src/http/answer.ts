/**
 * The header fields of every answer, unless a reply sets its own. Answers from handlers and answers
 * to requests that Node's parser refused get the same fields.
 */

import { STATUS_CODES } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileBody, HeaderFields, Reply } from './message.ts';
import { SIZES } from './settings.ts';

/** Only the server sets the framing and the request id. */
const RESERVED: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'transfer-encoding',
  'x-request-id',
]);

/** Sent unless the reply has its own. */
const DEFAULTS = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Referrer-Policy', 'no-referrer'],
] as const;

/**
 * Header fields as a flat list of names and values. Fields of the reply override those of `extra`;
 * cookies of both are sent.
 */
export function headFields(reply: Reply, requestId: string, extra: HeaderFields): string[] {
  const fields = ['X-Request-Id', requestId];
  // A 204 or 304 has no body and must not have a Content-Length.
  if (reply.status !== 204 && reply.status !== 304) {
    fields.push('Content-Length', String(byteLength(reply.body)));
  }
  const seen = new Set<string>();
  for (const headers of [reply.headers, extra]) {
    for (const name of Object.keys(headers)) {
      const lowered = name.toLowerCase();
      const isOfReply = headers === extra && reply.headers[name] !== undefined;
      const value = headers[name] ?? '';
      seen.add(lowered);
      if (RESERVED.has(lowered) || (isOfReply && lowered !== 'set-cookie')) continue;
      if (typeof value === 'string') fields.push(name, value);
      else for (const each of value) fields.push(name, each);
    }
  }
  for (const [name, value] of DEFAULTS) {
    if (!seen.has(name.toLowerCase())) fields.push(name, value);
  }
  return fields;
}

/** A whole answer as text, for a connection whose parser failed. It is the last one there. */
export function rawAnswer(reply: Reply, requestId: string, now: Date): string {
  const fields = headFields(reply, requestId, {});
  const body = bytesOf(reply.body);
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status] ?? ''}\r\n`;
  for (let at = 0; at < fields.length; at += 2) {
    head += `${fields[at]}: ${fields[at + 1]}\r\n`;
  }
  const text = isFile(body) ? '' : Buffer.from(body);
  return `${head}Date: ${now.toUTCString()}\r\nConnection: close\r\n\r\n${text}`;
}

export function byteLength(body: Reply['body']): number {
  const whole = bytesOf(body);
  return isFile(whole) ? whole.bytes : Buffer.byteLength(whole);
}

/** A body whose pieces are joined, and which is in bytes if it is too long to be sent at once. */
export function bytesOf(body: Reply['body']): string | Uint8Array | FileBody {
  const whole = isInPieces(body) ? body.join('') : body;
  return typeof whole === 'string' && whole.length > SIZES.pieceBytes ? Buffer.from(whole) : whole;
}

/** Encodes a long text, or one in pieces, each in a turn, and one text after another. */
export function encoded(reply: Reply): Reply | Promise<Reply> {
  const { body } = reply;
  const isLong = typeof body === 'string' && body.length > SIZES.atOnceBytes;
  if (!isLong && !isInPieces(body)) return reply;
  const texts = isLong ? [body] : body;
  const encoding = last.then(async () => {
    const pieces: Buffer[] = [];
    for (const text of texts) {
      await nextTurn();
      pieces.push(Buffer.from(text));
    }
    return { ...reply, body: Buffer.concat(pieces) };
  });
  last = encoding;
  return encoding;
}

/** The last text in pieces. */
let last: Promise<unknown> = Promise.resolve();

function isInPieces(body: Reply['body']): body is readonly string[] {
  return Array.isArray(body);
}

export function isFile(body: Reply['body']): body is FileBody {
  return typeof body === 'object' && 'path' in body;
}
