/** docs/http.md, the OpenAPI document and the client all follow one table of what to retry. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BudgetdError } from '../src/client/index.ts';
import { RATE_WINDOW_MS, UNAVAILABLE_RETRY_SECONDS } from '../src/core/limits.ts';
import { RETRIES, RETRY_COUNT, RETRY_RULE } from '../src/core/retries.ts';
import { STATUS } from '../src/http/status.ts';
import { DOCUMENT } from './api/example-world.ts';
import { clientOf, FastClock, openStandIn, rowsOf } from './client/world.ts';
import { readText } from './repository.ts';

const RETRIED = RETRIES.flatMap(({ status }) => status ?? []);
/** Every status that the service or a proxy may send, but 200. */
const STATUSES = new Set([...Object.values(STATUS), ...RETRIED, 301, 402, 501, 507]);

describe('what to retry', () => {
  it('has the same table in docs/http.md', () => {
    const lines = RETRIES.map(({ status, means, wait }) => {
      return `| ${status ?? 'no answer'} | ${means} | ${wait} |`;
    });
    const text = readText('docs/http.md');
    assert.ok(text.includes(`|---|---|---|\n${lines.join('\n')}\n\n`), lines.join('\n'));
    assert.ok(text.replaceAll('\n', ' ').includes(RETRY_RULE), RETRY_RULE);
  });

  it('has the same list in the OpenAPI document', () => {
    const { description } = DOCUMENT.info;
    for (const { status, means, wait } of RETRIES) {
      assert.ok(description.includes(`\n- ${status ?? 'No answer'}: ${means}. Wait ${wait}.`));
    }
    assert.ok(description.includes(RETRY_RULE));
  });

  it('has a Retry-After of 1 to 60 seconds, on 503 as on 429', () => {
    const { minimum, maximum } = DOCUMENT.components.headers['Retry-After']?.schema ?? {};
    assert.deepEqual([minimum, maximum], [1, RATE_WINDOW_MS / 1000]);
    assert.ok(UNAVAILABLE_RETRY_SECONDS >= 1 && UNAVAILABLE_RETRY_SECONDS <= 60);
  });

  for (const status of [...STATUSES].sort()) {
    const isRetried = RETRIED.includes(status);
    it(`the client ${isRetried ? 'retries' : 'does not retry'} ${status}`, async (t) => {
      let requests = 0;
      const url = await openStandIn(t, (_, res) => {
        requests += 1;
        const headers = { 'content-type': 'application/json', 'retry-after': '60' };
        const body = { code: 'x', message: 'No.', requestId: 'r', details: [] };
        res.writeHead(status, headers).end(JSON.stringify(body));
      });
      const clock = new FastClock();
      await assert.rejects(clientOf({ url, key: 'k' }, clock).pushBatch(rowsOf(1)), BudgetdError);
      // Waits for the rate limit end after five minutes, not after a number of retries.
      const most = status === 429 ? 6 : RETRY_COUNT + 1;
      assert.equal(requests, isRetried ? most : 1);
      assert.ok(clock.waits.every(({ waitMs }) => waitMs === 60_000));
    });
  }

  it('the client doubles its wait, up to the longest one', async () => {
    const clock = new FastClock();
    const answers = [404];
    const fetch = async () => {
      if (answers.pop() === undefined) throw new TypeError('fetch failed');
      return new Response('{}', { status: 404, headers: { 'content-type': 'application/json' } });
    };
    const client = clientOf({ url: 'http://budget.test', key: 'k' }, clock, { fetch, retries: 9 });
    await assert.rejects(client.projects.list(), { code: 'unexpected_answer' });
    await assert.rejects(client.projects.list(), { code: 'network_error' });
    assert.equal(clock.waits.length, 9);
    for (const [at, { waitMs }] of clock.waits.entries()) {
      assert.ok(waitMs <= Math.min(2 ** at, 30) * 1000, `${at}: ${waitMs} ms`);
    }
  });
});
