import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { counts, csvOf, openDesk, stored } from '../client/desk.ts';
import { type Fault, openProxy } from '../client/world.ts';
import { type Program, startProgram } from './program.ts';

/** The program pushes 1,700 rows; `onRequest` hears of each request before it is answered. */
async function startPush(
  t: TestContext,
  faults: readonly Fault[],
  onRequest: (requests: number, program: Program) => void,
) {
  const desk = await openDesk(t);
  desk.write('a.csv', csvOf(1700));
  let program: Program | undefined;
  const proxy = await openProxy(t, desk.world.url, faults, (requests) => {
    if (program !== undefined) onRequest(requests, program);
  });
  const args = ['push', 'a.csv', '--url', proxy.url, '--json'];
  program = startProgram(t, args, { cwd: desk.cwd, env: { BUDGETD_KEY: desk.world.key } });
  return { ...desk, proxy, ended: program.ended };
}

/** Resolves once the program has written this to standard error. */
function untilSaid({ process: { stderr } }: Program, words: string): Promise<void> {
  let text = '';
  return new Promise((resolve) => {
    stderr?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes(words)) resolve();
    });
  });
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`8 ${signal}: push waits for the answer to the running batch, and says so`, async (t) => {
    let said: Promise<void> | undefined;
    const wait = async (text: string) => {
      await said;
      return text;
    };
    const { ended, world } = await startPush(t, ['pass', wait], (requests, program) => {
      if (requests !== 2) return;
      said = untilSaid(program, 'Stopping');
      program.process.kill(signal);
    });
    const { exitCode, stdout, stderr } = await ended;
    assert.equal(exitCode, 130, stderr);
    assert.deepEqual(JSON.parse(stdout), counts(1000, 1000, 0, 0));
    assert.match(
      stderr,
      /^Stopping after the current request\. Press Ctrl-C again to stop immediately\.$/m,
    );
    const end = 'budgetd push: interrupted. 1,000 rows answered, up to line 1001: 1,000 created';
    assert.ok(stderr.includes(`\n${end}, 0 updated, 0 rejected. Push it again: `), stderr);
    assert.equal(await stored(world), 1000);
  });
}

test('8 Ctrl-C ends a wait for the rate limit at once', async (t) => {
  const body = '{"code":"rate_limit_exceeded","message":"Wait.","requestId":"r","details":[]}';
  const headers = { 'content-type': 'application/json', 'retry-after': '60' };
  const { ended } = await startPush(
    t,
    ['pass', { status: 429, headers, body }],
    async (requests, program) => {
      if (requests !== 2) return;
      await untilSaid(program, 'Waiting 60 s');
      program.process.kill('SIGINT');
    },
  );
  const { exitCode, stdout, stderr } = await ended;
  assert.equal(exitCode, 130, stderr);
  assert.deepEqual(JSON.parse(stdout), counts(500, 500, 0, 0));
  assert.match(stderr, /^Waiting 60 s for the rate limit\.$/m);
});

test('8 a second Ctrl-C stops waiting for an answer', async (t) => {
  const { ended } = await startPush(t, ['pass', 'no answer'], async (requests, program) => {
    if (requests !== 2) return;
    program.process.kill('SIGINT');
    await untilSaid(program, 'Press Ctrl-C again');
    // Two signals within 700 ms count as one.
    await sleep(1000);
    program.process.kill('SIGINT');
  });
  const { exitCode, signal, stdout, stderr } = await ended;
  assert.deepEqual([exitCode, signal], [130, null], stderr);
  assert.deepEqual(JSON.parse(stdout), counts(500, 500, 0, 0));
  assert.match(stderr, /^budgetd push: interrupted\. 500 rows answered, up to line 501/m);
});
