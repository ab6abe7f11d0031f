/**
 * Client addresses: which ones share a limit, and which have none. Does not use sockets.
 */

import { BlockList, isIP } from 'node:net';
import { Failure } from '../core/failures.ts';

/** Returns the name under which an address is counted; undefined if it has no limit. */
export type GroupAddress = (address: string | undefined) => string | undefined;

/**
 * Groups addresses for the limit per address: each IPv4 address alone, IPv6 by /64, the usual
 * network of one customer. Loopback and trusted proxies have no limit, because all clients behind
 * them share an address. Throws `invalid_input` for anything but an address or a network.
 */
export function createGrouping(trustedProxies: readonly string[]): GroupAddress {
  const unlimited = new BlockList();
  for (const network of ['127.0.0.0/8', '::1', ...trustedProxies]) {
    addNetwork(unlimited, network);
  }
  return (address) => {
    // A closed connection has no address.
    if (address === undefined) return undefined;
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
    if (unlimited.check(plain, family)) return undefined;
    return family === 'ipv4' ? plain : networkOf(plain);
  };
}

function addNetwork(list: BlockList, network: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const version = isIP(address);
  const widest = version === 6 ? 128 : 32;
  const prefix = Number(bits ?? widest);
  if (version === 0 || address.includes('%') || prefix > widest) {
    throw new Failure(
      'invalid_input',
      `"${network}" is not an IP address or network. Write 10.0.0.5, 10.0.0.0/8 or fd00::/8.`,
    );
  }
  list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
}

/** The first four of eight groups, without leading zeros, as Node writes them. */
function networkOf(address: string): string {
  const [before = '', after] = address.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
