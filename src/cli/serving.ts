/** What `serve` and `demo` share: a port, and waiting for an interrupt. */

import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { Failure } from '../core/failures.ts';
import { linkTo } from '../core/links.ts';
import { takeLock } from '../database/lock.ts';
import type { ListenOptions, Service } from '../service.ts';
import type { Settings } from '../settings/inputs.ts';
import { defaultOf } from '../settings/settings.ts';
import { type Io, UsageError } from './command.ts';

/** How the service listens by default. */
export const DEFAULTS = {
  host: defaultOf('host'),
  port: defaultOf('port'),
  /** Short: while it waits for another process, the service answers no requests. */
  busyTimeoutMs: 250,
} as const;

/** Listens. Refuses with `conflict` a port that is in use, and says what to do. */
export async function listen(service: Service, address: Required<ListenOptions>): Promise<string> {
  try {
    const { url } = await service.listen(address);
    return url;
  } catch (error) {
    throw listenFailure(error, address) ?? error;
  }
}

/**
 * Serves metrics at an address such as `127.0.0.1:9464`. If it is not available, the refusal says
 * what to do.
 */
export async function listenForMetrics(
  service: Service,
  address: string,
  droppedLogLines: () => number,
): Promise<string> {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.slice(colon + 1));
  try {
    const { url } = await service.listenForMetrics({ host, port }, droppedLogLines);
    return url;
  } catch (error) {
    throw listenFailure(error, { host, port }, { host: '--metrics', port: '--metrics' }) ?? error;
  }
}

function listenFailure(
  error: unknown,
  { host, port }: Required<ListenOptions>,
  flags = { host: '--host', port: '--port' },
): Error | undefined {
  if (error instanceof Failure && error.code === 'invalid_input') {
    return new UsageError(error.message);
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const advice = `Pass another ${flags.port}; port 0 picks a free one.`;
    return new Failure('conflict', `Port ${port} on ${host} is in use. ${advice}`);
  }
  if (code === 'EACCES') {
    const message = `You are not allowed to use port ${port}. Pass a ${flags.port} above 1023.`;
    return new Failure('invalid_input', message);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(
      `This machine does not have the address ${host}. Pass another ${flags.host}.`,
    );
  }
  return undefined;
}

/**
 * Says where a service on a database runs, for links of commands, and returns how to take it back.
 * Beside a lock that nobody holds it says nothing.
 */
export function writePlace(database: string, address: string): () => void {
  const file = `${realpathSync.native(database)}${PLACE}`;
  try {
    rmSync(file, { force: true });
    writeFileSync(file, address, { mode: 0o600, flag: 'wx' });
  } catch {
    // On a full disk the service runs all the same.
  }
  return () => rmSync(file, { force: true });
}

/** The address with which links of a running service begin; undefined if none runs. */
export function readPlace(database: string): string | undefined {
  const file = existsSync(database) ? realpathSync.native(database) : database;
  if (!existsSync(`${file}${PLACE}`)) return undefined;
  const release = takeLock(`${file}-lock`);
  if (release === undefined) return readFileSync(`${file}${PLACE}`, 'utf8') || undefined;
  // It was killed.
  release();
  return undefined;
}

const PLACE = '-address';

/** A one-time link, which begins with `public-url` or the address of the service. */
export function linkOf({ 'public-url': publicUrl }: Settings, token: string, url: string): string {
  return linkTo(publicUrl === '' ? url : publicUrl, token);
}

/** Resolves at the first interrupt; `forget` lets the next one end the process as usual. */
export function awaitInterrupt(io: Io): { interrupted: Promise<void>; forget: () => void } {
  let forget = () => {};
  const interrupted = new Promise<void>((resolve) => {
    forget = io.onInterrupt(resolve);
  });
  return { interrupted, forget };
}
