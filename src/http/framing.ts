/**
 * Refuses requests that a proxy and Node could read differently (contract 2, step 2). They could
 * disagree on where the request ends or which host it is for.
 */

import { isIPv6 } from 'node:net';

/** Fields that a request may have only once, by their names in lower case. */
const SINGLE: ReadonlyMap<string, string> = new Map(
  ['Host', 'Content-Length', 'Transfer-Encoding', 'Content-Type', 'Authorization'].map((name) => {
    return [name.toLowerCase(), name];
  }),
);

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
  const seen = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = SINGLE.get((rawHeaders[at] ?? '').toLowerCase());
    if (name === undefined) continue;
    if (seen.has(name)) return `The request has more than one ${name} header.`;
    const value = rawHeaders[at + 1] ?? '';
    seen.set(name, value);
    if (name === 'Host' && value !== knownHost) {
      if (!isHost(value)) {
        return 'The Host header is not a host. Send one name or IP address, and its port.';
      }
      knownHost = value;
    }
  }
  if (!seen.has('Host') && httpVersion === '1.1') return 'The Host header is missing.';
  const transferEncoding = seen.get('Transfer-Encoding');
  return transferEncoding === undefined
    ? undefined
    : transferFault(httpVersion, transferEncoding, seen.has('Content-Length'));
}

function transferFault(httpVersion: string, transferEncoding: string, hasContentLength: boolean) {
  if (transferEncoding !== 'chunked') return 'Transfer-Encoding must be exactly "chunked".';
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
