/**
 * The log of a running service on standard error: a line for each request, each error and each
 * note. It has no key, query, body or path: a path names records, its route does not.
 */

import { constants, openSync, writeSync } from 'node:fs';
import { count } from '../core/counts.ts';
import { cleanText } from '../core/text-width.ts';
import type { ServiceOptions } from '../service.ts';
import type { Io } from './command.ts';
import { LineWriter } from './line-writer.ts';
import { isTerminal } from './paint.ts';
import { stackOf } from './stack.ts';

type RequestEvent = Parameters<NonNullable<ServiceOptions['onRequest']>>[0];
type FailureEvent = Parameters<NonNullable<ServiceOptions['log']>>[0];

const STANDARD_ERROR = 2;

/**
 * Returns a function that writes as much to `stream` as it takes without waiting, and returns how
 * many bytes that were or throws. A stream that is not the process's takes everything.
 */
function writerTo(stream: NodeJS.WritableStream): (bytes: Uint8Array) => number {
  if (stream !== process.stderr) {
    return (bytes) => {
      stream.write(bytes);
      return bytes.length;
    };
  }
  // Node has set a pipe or a socket not to wait, by reading process.stderr.
  const descriptor = process.stderr.isTTY ? openTerminal() : STANDARD_ERROR;
  return (bytes) => writeSync(descriptor, bytes);
}

/** Opens the terminal again, because writing would wait while Ctrl-S stops it. */
function openTerminal(): number {
  try {
    const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
    return openSync('/dev/stderr', O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return STANDARD_ERROR;
  }
}

/** A log in one form, JSON or text. */
export class Log {
  readonly #isJson: boolean;
  readonly #lines: LineWriter;

  /** `form` is the setting `log`: `json`, `text`, or empty for what suits standard error. */
  constructor(io: Io, form: string) {
    this.#isJson = form === '' ? !isTerminal(io.stderr) : form === 'json';
    this.#lines = new LineWriter({
      write: writerTo(io.stderr),
      lineForDropped: (dropped) => {
        return this.#isJson
          ? jsonLine('lines_dropped', { count: dropped })
          : `(${count(dropped, 'line was', 'lines were')} dropped from the log)`;
      },
    });
  }

  /** Lines that a slow or closed standard error did not take. */
  get droppedLines(): number {
    return this.#lines.dropped;
  }

  /** A request that was answered, or whose client left. */
  request(request: RequestEvent): void {
    this.#lines.add(this.#isJson ? requestJson(request) : requestText(request));
  }

  /** An unexpected error, with the stack of a bug. */
  failure({ kind, code, requestId, error }: FailureEvent): void {
    const message = error instanceof Error ? error.message : String(error);
    const stack = error instanceof Error && code === 'internal_error' ? stackOf(error) : undefined;
    if (this.#isJson) {
      this.#lines.add(jsonLine(kind, { requestId, code, message, stack }));
      return;
    }
    const words = [new Date().toISOString(), kind, code, requestId ?? '', message];
    this.#lines.add(cleanText(words.filter((word) => word !== '').join(' ')));
    if (stack !== undefined) this.#lines.add(stack);
  }

  /** A `warning`, or what the service is doing. */
  note(event: string, message: string): void {
    const text = () => cleanText(`${new Date().toISOString().slice(0, 19)}Z ${event}: ${message}`);
    this.#lines.add(this.#isJson ? jsonLine(event, { message }) : text());
  }

  /** Writes what is left. */
  close(): Promise<void> {
    return this.#lines.close();
  }
}

function jsonLine(event: string, members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ time: new Date().toISOString(), event, ...members });
}

/** A line about a request, as JSON. */
export function requestJson(request: RequestEvent): string {
  const { at, requestId, keyId, method, route, status, receivedBytes, sentBytes } = request;
  const { clientAddress, userId, emailHash, refusal } = request;
  return JSON.stringify({
    time: at,
    event: 'request',
    requestId,
    keyId,
    userId,
    emailHash: emailHash ?? undefined,
    clientAddress: clientAddress ?? undefined,
    refusal: refusal ?? undefined,
    method,
    route,
    status,
    ms: Math.round(request.durationMs * 1000) / 1000,
    bytesIn: receivedBytes,
    bytesOut: sentBytes,
  });
}

function requestText(request: RequestEvent): string {
  const { at, requestId, keyId, method, route, status, receivedBytes, sentBytes } = request;
  const { clientAddress, userId, emailHash, refusal } = request;
  const columns = [
    `${at.slice(0, 19)}Z`,
    String(status ?? '-').padStart(3),
    `${request.durationMs.toFixed(1)} ms`.padStart(10),
    `${receivedBytes} in`.padStart(10),
    `${sentBytes} out`.padStart(11),
    ` ${(method ?? '-').padEnd(4)} ${route ?? '-'}`.padEnd(40),
    (keyId ?? userId ?? emailHash ?? '-').padEnd(14),
    (clientAddress ?? '-').padEnd(15),
    requestId,
    refusal ?? '',
  ];
  return columns.join(' ').trimEnd();
}
