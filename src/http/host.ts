/** Which values of the Host field name a host (contract 2, step 2). */

import { isIPv6 } from 'node:net';

const NAME_CHARACTERS = 253;
const LABEL_CHARACTERS = 63;
const LAST_PORT = 65_535;

/**
 * Does this value name a host, perhaps with a port? A name, an IPv4 address or an IPv6 address in
 * brackets does; `user@host`, `a, b` and an empty value do not.
 */
export function isHost(value: string): boolean {
  const [, address, name = '', port = '0'] =
    /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(value) ?? [];
  if (Number(port) > LAST_PORT) return false;
  return address === undefined ? isName(name) : !address.includes('%') && isIPv6(address);
}

/** Also names that only a container network has, with `_`, and those that end in a dot. */
function isName(name: string): boolean {
  if (name.length > NAME_CHARACTERS) return false;
  const labels = (name.endsWith('.') ? name.slice(0, -1) : name).split('.');
  return labels.every((label) => {
    return label.length <= LABEL_CHARACTERS && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/i.test(label);
  });
}
