/**
 * Refuses requests that a proxy and Node could read differently (contract 2, step 2). They could
 * disagree on where the request ends or which host it is for.
 */

import { isIPv6 } from 'node:net';
import { bitOf, FIELD, nameOf } from './field-names.ts';

const HOST = FIELD.Host;
const CONTENT_LENGTH = FIELD['Content-Length'];
const TRANSFER_ENCODING = FIELD['Transfer-Encoding'];
/** Fields that a request may have only once. */
const SINGLE =
  HOST | CONTENT_LENGTH | TRANSFER_ENCODING | FIELD['Content-Type'] | FIELD.Authorization;

/** The last host that was right: nearly every request has the same one. */
let knownHost = 'localhost';

/**
 * What is wrong with a request's framing, as a sentence, or undefined. Pass the raw fields: Node's
 * parsed headers have already dropped a second Host.
 */
export function findFramingFault(
  httpVersion: string,
  rawHeaders: readonly string[],
): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    return `HTTP/${httpVersion} is not supported. Use HTTP/1.1.`;
  }
  let seen = 0;
  let transferEncoding = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = bitOf(rawHeaders[at] ?? '') & SINGLE;
    if (field === 0) {
      continue;
    }
    if ((seen & field) !== 0) {
      return `The request has more than one ${nameOf(field)} header.`;
    }
    seen |= field;
    if (field === HOST && rawHeaders[at + 1] !== knownHost) {
      const host = rawHeaders[at + 1] ?? '';
      if (!isHost(host)) {
        return 'The Host header is not a host. Send one name or IP address, and its port.';
      }
      knownHost = host;
    }
    if (field === TRANSFER_ENCODING) {
      transferEncoding = rawHeaders[at + 1] ?? '';
    }
  }
  if ((seen & HOST) === 0 && httpVersion === '1.1') {
    return 'The Host header is missing.';
  }
  return (seen & TRANSFER_ENCODING) === 0
    ? undefined
    : transferFault(httpVersion, transferEncoding, (seen & CONTENT_LENGTH) !== 0);
}

function transferFault(httpVersion: string, transferEncoding: string, hasContentLength: boolean) {
  if (transferEncoding !== 'chunked') {
    return 'Transfer-Encoding must be exactly "chunked".';
  }
  if (hasContentLength) {
    return 'The request has both Content-Length and Transfer-Encoding. Send only one of them.';
  }
  return httpVersion === '1.0' ? 'HTTP/1.0 does not support Transfer-Encoding.' : undefined;
}

const NAME_CHARACTERS = 253;
const LABEL_CHARACTERS = 63;
const LAST_PORT = 65_535;

/**
 * Whether the value is a name, an IPv4 address or an IPv6 address in brackets, with an optional
 * port. `user@host`, `a, b` and an empty value are not.
 */
export function isHost(value: string): boolean {
  const [, address, name = '', port = '0'] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(value) ?? [];
  if (Number(port) > LAST_PORT) return false;
  return address === undefined ? isName(name) : !address.includes('%') && isIPv6(address);
}

/** Whether it names a host. Names in container networks have `_`; a dot at the end is allowed. */
function isName(name: string): boolean {
  if (name.length > NAME_CHARACTERS) return false;
  const labels = (name.endsWith('.') ? name.slice(0, -1) : name).split('.');
  return labels.every((label) => {
    return label.length <= LABEL_CHARACTERS && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i.test(label);
  });
}
