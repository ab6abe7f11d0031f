/**
 * Preloaded into every test (`node --import`): checks every answer that a service sends against the
 * OpenAPI document, and fails the test file if one does not match.
 */

import { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { readText } from '../repository.ts';
import type { CheckedAnswer, OpenApiChecker } from './openapi-check.ts';

/** Answers are checked in bulk or at the end, so as not to slow down the tests. */
const WAITING_CHARACTERS = 16 * 1024 * 1024;
let waiting: CheckedAnswer[] = [];
let waitingCharacters = 0;
const faults = new Set<string>();
let checker: OpenApiChecker | undefined;

/** Loaded without waiting, which tests of leftover resources would notice. */
function loadChecker(): OpenApiChecker {
  const require = createRequire(import.meta.url);
  const { OpenApiChecker: Checker } = require('./openapi-check.js');
  return new Checker(JSON.parse(readText('dist/src/docs/openapi.json')));
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
  // Only the answers of the service: tests also start other servers.
  if (!headers.has('x-request-id')) return;
  const { method = '', url: target = '' } = response.req;
  waiting.push({ method, target, status: response.statusCode, headers, body });
  waitingCharacters += body.length;
  if (waitingCharacters > WAITING_CHARACTERS) checkWaiting();
}

const FIELDS = Symbol('fields');
const PIECES = Symbol('pieces');
const { writeHead, write, end } = ServerResponse.prototype;

// Of the many forms of these methods, the service uses only these.
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
    // An answer can be ended twice: Node ignores the second time.
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
    .map((fault) => `# differs from the OpenAPI document: ${fault}`);
  process.stderr.write(`${lines.join('\n')}\n`);
});

function isGiven(value: unknown): boolean {
  return value !== undefined;
}

/** The written part of an answer: a long one is sent in pieces. */
function piecesOf(response: ServerResponse): Uint8Array[] {
  return Reflect.get(response, PIECES) ?? [];
}

function bytesOf(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : '');
}
