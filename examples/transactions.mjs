#!/usr/bin/env node
// Pushes and lists transactions with Node's own fetch (18 or later).
//
//   export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
//   node transactions.mjs push rows.ndjson                one JSON row per line
//   node transactions.mjs list status=unallocated q=rent  prints one transaction per line
//
// Amounts: money out is positive, money in is negative.
//
// Exit: 0 done, 1 failed, 3 some rows were rejected. Rejected rows and warnings are printed. You
// can always push a file again: a row is found by its externalId and updated, never duplicated.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BATCH_ROWS = 500;
const RETRIES = 6;
const RETRIED = [408, 429, 500, 502, 503, 504];
const LONGEST_WAIT_SECONDS = 30;

/**
 * Sends a request and returns the status and the document of the answer. Without an answer, or
 * with one of RETRIED, it waits as long as Retry-After says, else twice as long each time, and
 * tries again.
 */
async function ask(path, rows) {
  const { BUDGETD_URL: url, BUDGETD_KEY: key } = process.env;
  const headers = { Authorization: `Bearer ${key}` };
  const request = { headers, redirect: 'manual' };
  if (rows !== undefined) {
    headers['Content-Type'] = 'application/json';
    Object.assign(request, { method: 'POST', body: JSON.stringify({ rows }) });
  }
  for (let attempt = 0; ; attempt += 1) {
    let wait = Math.min(2 ** attempt, LONGEST_WAIT_SECONDS);
    let reason;
    let answer;
    try {
      const signal = AbortSignal.timeout(60_000);
      const response = await fetch(url.replace(/\/$/, '') + path, { ...request, signal });
      const text = await response.text();
      answer = { status: response.status, text };
      reason = `answer ${answer.status}`;
      const after = response.headers.get('Retry-After') ?? '';
      if (/^\d+$/.test(after)) wait = Number(after);
    } catch (error) {
      // The connection was refused or cut, or the answer came too late or only in part.
      reason = String(error.cause ?? error);
    }
    if (answer !== undefined && !RETRIED.includes(answer.status)) return readAnswer(answer);
    if (attempt === RETRIES) {
      throw new Error(`Gave up after ${RETRIES} retries. The last failure: ${reason}`);
    }
    console.error(`${reason}: retrying in ${wait} s`);
    await sleep(wait * 1000);
  }
}

function readAnswer({ status, text }) {
  try {
    return { status, document: JSON.parse(text) };
  } catch {
    throw new Error(`Answer ${status} is not JSON: ${text.slice(0, 200)}`);
  }
}

/** Pushes any number of rows, prints rejected rows and warnings, and returns the counts. */
async function push(rows) {
  const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0, warnings: 0 };
  if (rows.length === 0) console.error('No rows: nothing to push.');
  for (let sent = 0; sent < rows.length; sent += BATCH_ROWS) {
    const batch = rows.slice(sent, sent + BATCH_ROWS);
    const { status, document } = await ask('/api/v1/transactions', batch);
    // A 422 has results too: every row of the batch was rejected.
    if (![200, 422].includes(status) || document.data?.length !== batch.length) {
      throw new Error(`Answer ${status}: ${JSON.stringify(document)}`);
    }
    for (const { index, externalId, status: outcome, errors, warnings } of document.data) {
      const kind = outcome === 'rejected' ? 'rejected' : 'warning';
      for (const { field, message, code } of errors ?? warnings) {
        const row = `row ${sent + index + 1} ${kind}: ${externalId}`;
        console.log(`${row}: ${field}: ${message} [${code}]`);
      }
    }
    for (const name of Object.keys(counts)) counts[name] += document.meta[name];
    const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    console.error(`${sent + batch.length} of ${rows.length} rows: ${words.join(', ')}`);
  }
  return counts;
}

/** Every transaction that matches the filters, page after page. */
async function* transactions(filters) {
  const query = new URLSearchParams(filters);
  if (!query.has('limit')) query.set('limit', '1000');
  for (;;) {
    const { status, document } = await ask(`/api/v1/transactions?${query}`);
    if (status !== 200) throw new Error(`Answer ${status}: ${JSON.stringify(document)}`);
    yield* document.data;
    if (document.meta.nextCursor === null) return;
    query.set('cursor', document.meta.nextCursor);
  }
}

function readRows(path) {
  // Without `fatal`, letters in another encoding would be stored as question marks.
  const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  return text.split('\n').flatMap((line, index) => {
    try {
      return line.trim() === '' ? [] : [JSON.parse(line)];
    } catch (error) {
      throw new Error(`${path}, line ${index + 1}: ${error.message}`);
    }
  });
}

const [command, ...rest] = process.argv.slice(2);
try {
  if (!process.env.BUDGETD_URL || !process.env.BUDGETD_KEY) {
    throw new Error('Set BUDGETD_URL and BUDGETD_KEY.');
  }
  if (command === 'push' && rest.length === 1) {
    const { rejected } = await push(readRows(rest[0]));
    if (rejected > 0) process.exitCode = 3;
  } else if (command === 'list') {
    const filters = rest.map((pair) => pair.split(/=(.*)/s).slice(0, 2));
    for await (const each of transactions(filters)) console.log(JSON.stringify(each));
  } else throw new Error('Usage: transactions.mjs push FILE.ndjson | list [name=value ...]');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
