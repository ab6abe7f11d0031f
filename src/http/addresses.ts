/** Client addresses: which ones share a limit, and who is behind a proxy. Does not use sockets. */

import { BlockList, isIP, SocketAddress } from 'node:net';
import { Failure } from '../core/failures.ts';

/** Who sent a request, as far as it can be known. */
export interface NetworkClient {
  /** An IP address without port; empty if the connection has closed. */
  readonly address: string;
  /** Whether the client used https, which only a trusted proxy can say. */
  readonly isHttps: boolean;
}

/** The proxies that are trusted, and loopback. */
export class Proxies {
  /** Undefined if no proxy is trusted, because to ask a list takes time of each request. */
  readonly #trusted: BlockList | undefined;
  readonly #unlimited: BlockList;

  /** Addresses and networks. Throws `invalid_input` for anything else. */
  constructor(trusted: readonly string[]) {
    this.#trusted = trusted.length === 0 ? undefined : listNetworks(trusted);
    this.#unlimited = listNetworks(trusted);
    // Not as texts: the pattern by which Node knows IPv6 takes 3 ms to compile.
    this.#unlimited.addSubnet('127.0.0.0', 8);
    this.#unlimited.addAddress('::1', 'ipv6');
  }

  /**
   * The name under which an address is counted: each IPv4 address alone, IPv6 by /64, the usual
   * network of one customer. Undefined for these proxies, because all clients behind them share an
   * address, and for that of a closed connection.
   */
  groupOf(address: string | undefined): string | undefined {
    if (address === undefined) return undefined;
    const plain = plainAddress(address);
    return isListed(this.#unlimited, plain) ? undefined : networkOf(plain);
  }

  /**
   * The client of a request, from the address of its connection and its header fields. Believes
   * X-Forwarded-For and X-Forwarded-Proto of trusted proxies only, and reads both from the end,
   * where the nearest proxy wrote: the client is the last address that is not a trusted proxy. What
   * precedes it could be invented.
   */
  clientOf(peer: string | undefined, header: (name: string) => string | undefined): NetworkClient {
    let address = plainAddress(peer ?? '');
    const trusted = this.#trusted;
    if (trusted === undefined || !isListed(trusted, address)) return { address, isHttps: false };
    for (const hop of (header('x-forwarded-for') ?? '').split(',').reverse()) {
      const next = addressOfHop(hop.trim());
      if (next === undefined) break;
      address = next;
      if (!isListed(trusted, address)) break;
    }
    const scheme = header('x-forwarded-proto')?.split(',').at(-1)?.trim().toLowerCase();
    return { address, isHttps: scheme === 'https' };
  }
}

/** IPv4 in IPv6 becomes IPv4, and the zone of a local address is omitted. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

/** Some proxies add the port. An IPv6 address is written as Node writes it. */
function addressOfHop(hop: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(hop) ?? [];
  const address = plainAddress(bracketed ?? plain ?? hop);
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return plainAddress(new SocketAddress({ address, family: 'ipv6' }).address);
}

/**
 * Throws `invalid_input` for the first that is neither an address nor a network. Without a result,
 * because the types of the package must not need those of Node.
 */
export function checkNetworks(networks: readonly string[]): void {
  listNetworks(networks);
}

function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return list;
}

function isListed(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
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

/** An IPv4 address itself; of IPv6 the first four of eight groups, as Node writes them. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? `${firstGroups(address, 4)}::/64` : address;
}

/** Whose networks may all be in one hand: the /48 and /32 of IPv6, the /24 and /16 of IPv4. */
export function areasOf(address: string): readonly string[] {
  if (isIP(address) === 6) {
    return [`${firstGroups(address, 3)}::/48`, `${firstGroups(address, 2)}::/32`];
  }
  return [address.replace(/\.\d+$/, '.0/24'), address.replace(/\.\d+\.\d+$/, '.0.0/16')];
}

function firstGroups(address: string, count: number): string {
  const [before = '', after] = address.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].slice(0, count).join(':');
}
