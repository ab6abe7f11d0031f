/** Answers that a browser shows or follows. */

import { TARGET_CHARACTERS } from '../core/limits.ts';
import { normalized } from '../core/text.ts';
import type { Html } from './html.ts';
import type { HeaderFields, Reply } from './message.ts';

/**
 * A page loads only what comes from this service, shows no other page inside it and is shown in
 * none. Scripts and styles are files. It sends forms and requests to this service alone.
 */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A page with status 200, or another one. `headers` are added, or replace those of every page. */
export function pageReply(page: Html, status = 200, headers: HeaderFields = {}): Reply {
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      // With no-referrer, browsers would send forms with `Origin: null`.
      'Referrer-Policy': 'same-origin',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      ...headers,
    },
    body: page.pieces.length > 1 ? page.pieces : Buffer.from(page.text),
  };
}

/**
 * The Content-Disposition of a file that browsers save under this name, without what file systems
 * refuse in one (RFC 6266). Old programs get the letters that ASCII has.
 */
function attachment(name: string): string {
  const whole = name.replace(/[\p{C}%"*/:<>?\\|]+/gu, '_');
  const plain = normalized(whole, 'NFD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^ -~]+/g, '_');
  // What an extended value has besides letters, digits and `-._~` is in per cent (RFC 8187).
  const octets = encodeURIComponent(whole).replace(
    /['()]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"${plain === whole ? '' : `; filename*=UTF-8''${octets}`}`;
}

/** A file that browsers save under this name. */
export function fileReply(name: string, type: string, body: Reply['body']): Reply {
  const headers = { 'Content-Type': type, 'Content-Disposition': attachment(name) };
  return { status: 200, headers, body };
}

/** Sends the browser to a page of this service with a GET, as after every form. */
export function redirectReply(target: string, headers: HeaderFields = {}): Reply {
  if (!isLocalTarget(target)) {
    throw new Error(`Not a path of this service: ${JSON.stringify(target)}`);
  }
  return { status: 303, headers: { Location: target, ...headers }, body: '' };
}

/** Where a client asks to be sent back to; undefined outside this service, or if too long. */
export function readWayBack(text: string | undefined): string | undefined {
  const isPage = text !== undefined && text.length <= TARGET_CHARACTERS && isLocalTarget(text);
  return isPage ? text : undefined;
}

/** A path of this service, without its query if that is longer than a target may be. */
export function shortTarget(target: string): string {
  return target.length > TARGET_CHARACTERS ? (target.split(/[?#]/, 1)[0] ?? '/') : target;
}

/**
 * Whether a text is a path of this service, with its query: what a client asks to be sent back to
 * may be another host (`//host`, and `/\host` for browsers).
 */
function isLocalTarget(target: string): boolean {
  return /^\/(?![/\\])[\x21-\x7e]*$/.test(target);
}
