/** Validates the Host header (contract 2, step 2). */

import { isIPv6 } from 'node:net';

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

/** Also accepts `_`, which names in container networks have, and a dot at the end. */
function isName(name: string): boolean {
  if (name.length > NAME_CHARACTERS) return false;
  const labels = (name.endsWith('.') ? name.slice(0, -1) : name).split('.');
  return labels.every((label) => {
    return label.length <= LABEL_CHARACTERS && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i.test(label);
  });
}
