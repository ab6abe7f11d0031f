/** What `serve` and `demo` share: a port, a log, and waiting for an interrupt. */

import { Failure } from '../core/failures.ts';
import { linkTo } from '../core/links.ts';
import { cleanText } from '../core/text-width.ts';
import type { ListenOptions, Notice, Service, ServiceOptions } from '../service.ts';
import { defaultOf, type Settings } from '../settings/settings.ts';
import { type Call, type Io, UsageError } from './command.ts';
import { readWhole } from './options.ts';
import { printNotes } from './output.ts';
import { stackOf } from './stack.ts';

/** How the service listens by default. */
export const DEFAULTS = {
  host: defaultOf('host'),
  port: defaultOf('port'),
  /** Short: while it waits for another process, the service answers no requests. */
  busyTimeoutMs: 250,
} as const;

const LAST_PORT = 65_535;

/** The port of `--port`. Refuses with a UsageError. */
export function readPort(call: Call): number | undefined {
  return readWhole(call, 'port', { min: 0, max: LAST_PORT });
}

/** Listens. If the address is not available, the refusal says what to do. */
export async function listen(service: Service, address: Required<ListenOptions>): Promise<string> {
  try {
    const { url } = await service.listen(address);
    return url;
  } catch (error) {
    throw listenFailure(error, address) ?? error;
  }
}

/** Whether listening failed because another program uses the port. */
export function isPortTaken(error: unknown): boolean {
  return error instanceof Failure && error.code === 'conflict';
}

function listenFailure(error: unknown, { host, port }: Required<ListenOptions>): Error | undefined {
  if (error instanceof Failure && error.code === 'invalid_input') {
    return new UsageError(error.message);
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    const message = `Port ${port} on ${host} is in use. Pass another --port; 0 picks a free one.`;
    return new Failure('conflict', message);
  }
  if (code === 'EACCES') {
    const message = `You are not allowed to use port ${port}. Pass a --port above 1023.`;
    return new Failure('invalid_input', message);
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new UsageError(`This machine does not have the address ${host}. Pass another --host.`);
  }
  return undefined;
}

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

/** Logs internal errors to standard error, one line for each, and the stack of a bug. */
export function logTo(io: Io): NonNullable<ServiceOptions['log']> {
  return ({ kind, code, requestId, method, path, error }) => {
    const message = error instanceof Error ? error.message : String(error);
    const request = [method, path, requestId].filter((part) => part !== null).join(' ');
    const words = [new Date().toISOString(), kind, code, request, message];
    const stack = error instanceof Error && code === 'internal_error' ? [stackOf(error)] : [];
    printNotes(io, cleanText(words.filter((word) => word !== '').join(' ')), ...stack);
  };
}

/** Logs what the service finds out about its file, disk and backups: a line for each. */
export function notifyTo(io: Io): (notice: Notice) => void {
  return ({ kind, message }) => {
    printNotes(io, cleanText(`${new Date().toISOString()} ${kind} ${message}`));
  };
}
