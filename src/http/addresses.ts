/**
 * Client addresses: which of them share a limit, and which have none. Knows no socket.
 */

import { BlockList, isIP } from 'node:net';
import { Failure } from '../core/failures.ts';

/** The name under which an address is counted; undefined for one without a limit of its own. */
export type GroupAddress = (address: string | undefined) => string | undefined;

/**
 * Groups addresses for the limit per address: an IPv4 address alone, IPv6 by /64, which is what
 * one customer gets. Loopback and trusted proxies have no limit: everybody behind them has one
 * address. Refuses with `invalid_input` what is neither an address nor a network.
 */
export function createGrouping(trustedProxies: readonly string[]): GroupAddress {
  const unlimited = new BlockList();
  for (const network of ['127.0.0.0/8', '::1', ...trustedProxies]) {
    addNetwork(unlimited, network);
  }
  return (address) => {
    // A connection that is already gone has no address.
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

/** The first four of the eight groups, as Node writes them: without leading zeros. */
function networkOf(address: string): string {
  const [before = '', after] = address.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`;
}
