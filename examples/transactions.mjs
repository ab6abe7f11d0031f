#!/usr/bin/env node
// Pushes and lists transactions with Node's own fetch (18 or later).
//
//   export BUDGETD_URL=http://127.0.0.1:8080 BUDGETD_KEY=bdg_live_...
//   node transactions.mjs push rows.ndjson                a JSON row a line
//   node transactions.mjs list status=unallocated q=rent  prints a transaction a line
//
// Exit: 0 done, 1 failed, 3 rows were rejected (they are printed). A failed push can be run again:
// a row is known by its externalId, so what is stored already is updated, never doubled.

import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BATCH_ROWS = 500;
const TRIES = 6;
const PASSING = [408, 429, 502, 503, 504];

/**
 * The status and the document of an answer. Where the service is busy, or nothing came back, it
 * waits and asks again: as long as Retry-After says, else longer each time.
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
    let wait = 2 ** attempt;
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
      // Refused, cut, no answer in time, or half of one.
      reason = String(error.cause ?? error);
    }
    if (answer !== undefined && !PASSING.includes(answer.status)) return readAnswer(answer);
    if (attempt === TRIES) {
      throw new Error(`Gave up after ${TRIES} tries; the last was: ${reason}`);
    }
    console.error(`${reason}: trying again in ${wait} s`);
    await sleep(wait * 1000);
  }
}

function readAnswer({ status, text }) {
  try {
    return { status, document: JSON.parse(text) };
  } catch {
    throw new Error(`Answer ${status}, and no JSON: ${text.slice(0, 200)}`);
  }
}

/** Pushes any number of rows; how many were rejected. Prints those. */
async function push(rows) {
  let sent = 0;
  let rejected = 0;
  while (sent < rows.length) {
    const batch = rows.slice(sent, sent + BATCH_ROWS);
    const { status, document } = await ask('/api/v1/transactions', batch);
    // 422: every row of the batch was rejected; the results are there all the same.
    if (![200, 422].includes(status) || document.data?.length !== batch.length) {
      throw new Error(`Answer ${status}: ${JSON.stringify(document)}`);
    }
    for (const { index, externalId, status: end, errors } of document.data) {
      if (end !== 'rejected') continue;
      rejected += 1;
      for (const { field, message, code } of errors) {
        const where = `row ${sent + index + 1} rejected: ${externalId}: ${field}`;
        console.log(`${where}: ${message} [${code}]`);
      }
    }
    sent += batch.length;
    console.error(`${sent} of ${rows.length} rows answered, ${rejected} rejected`);
  }
  return rejected;
}

/** Every transaction that the filters let through, page after page. */
async function* transactions(filters) {
  const query = new URLSearchParams([['limit', '1000'], ...filters]);
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
    if ((await push(readRows(rest[0]))) > 0) process.exitCode = 3;
  } else if (command === 'list') {
    const filters = rest.map((pair) => pair.split(/=(.*)/s).slice(0, 2));
    for await (const each of transactions(filters)) console.log(JSON.stringify(each));
  } else throw new Error('Usage: transactions.mjs push FILE.ndjson | list [name=value ...]');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
