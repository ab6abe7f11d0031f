/**
 * Preloaded into every test (`node --import`): holds each answer that a service sends, in whatever
 * test, against the OpenAPI document, and fails the file in which one does not agree.
 */

import { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { CheckedAnswer, OpenApiChecker } from './openapi-check.ts';

/** Kept until there are many, or the process ends: checking must not slow down what is tested. */
const WAITING_CHARACTERS = 16 * 1024 * 1024;
let waiting: CheckedAnswer[] = [];
let waitingCharacters = 0;
const faults = new Set<string>();
let checker: OpenApiChecker | undefined;

/** Loaded without waiting, which would be seen by tests of what a service leaves behind. */
function loadChecker(): OpenApiChecker {
  const require = createRequire(import.meta.url);
  const { buildOpenApi } = require('../../src/api/openapi.js');
  const { OpenApiChecker: Checker } = require('./openapi-check.js');
  return new Checker(buildOpenApi());
}

function checkWaiting(): void {
  if (waiting.length === 0) return;
  checker ??= loadChecker();
  for (const answer of waiting) {
    if (!checker.knows(answer.target)) continue;
    for (const fault of checker.findFaults(answer)) {
      faults.add(`${answer.method} ${answer.target} ${answer.status}: ${fault}`);
    }
  }
  waiting = [];
  waitingCharacters = 0;
}

function keep(response: ServerResponse, body: string): void {
  const headers = new Map<string, string>();
  const fields: unknown = Reflect.get(response, FIELDS);
  if (!Array.isArray(fields)) return;
  for (let at = 0; at < fields.length; at += 2) {
    headers.set(String(fields[at]).toLowerCase(), String(fields[at + 1]));
  }
  // Only the service's own answers: tests have servers of other kinds too.
  if (!headers.has('x-request-id')) return;
  const { method = '', url: target = '' } = response.req;
  waiting.push({ method, target, status: response.statusCode, headers, body });
  waitingCharacters += body.length;
  if (waitingCharacters > WAITING_CHARACTERS) checkWaiting();
}

const FIELDS = Symbol('fields');
const PIECES = Symbol('pieces');
const { writeHead, write, end } = ServerResponse.prototype;

// The methods have many forms; the service uses these.
Object.assign(ServerResponse.prototype, {
  writeHead(this: ServerResponse, status: number, reason: string, fields: string[]) {
    Reflect.set(this, FIELDS, fields);
    return Reflect.apply(writeHead, this, [status, reason, fields].filter(isGiven));
  },
  write(this: ServerResponse, ...given: unknown[]) {
    Reflect.set(this, PIECES, [...piecesOf(this), bytesOf(given[0])]);
    return Reflect.apply(write, this, given);
  },
  end(this: ServerResponse, ...given: unknown[]) {
    // What has been ended may be ended again, without a word.
    if (!this.writableEnded) {
      keep(this, Buffer.concat([...piecesOf(this), bytesOf(given[0])]).toString('utf8'));
    }
    return Reflect.apply(end, this, given);
  },
});

process.on('exit', () => {
  checkWaiting();
  if (faults.size === 0) return;
  process.exitCode = 1;
  const lines = [...faults]
    .slice(0, 20)
    .map((fault) => `# not as in the OpenAPI document: ${fault}`);
  process.stderr.write(`${lines.join('\n')}\n`);
});

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

/** What was written of an answer: a long one is sent in pieces. */
function piecesOf(response: ServerResponse): Uint8Array[] {
  return Reflect.get(response, PIECES) ?? [];
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : '');
}
