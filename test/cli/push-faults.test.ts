import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Progress } from '../../src/cli/push/progress.ts';
import { rowFile } from '../../src/cli/push/row-files.ts';
import { runPush } from '../../src/cli/push/runner.ts';
import { HEADER, openDesk, Sink } from '../client/desk.ts';
import { clientOf, FastClock, type Fault, openProxy } from '../client/world.ts';
import { Random } from '../core/random.ts';
import { FOREVER_MS, holdTimers } from '../held-timers.ts';

const ROWS = 4000;
const REQUESTS = 8;
/** Fewer in a row than the retries of a client. */
const FAULTS_IN_A_ROW = 4;

const KINDS: readonly Fault[] = [
  'pass',
  'cut before',
  'cut after',
  'half an answer',
  'garbled answer',
  'slow answer',
  'late answer',
  'no answer',
  refuse(429, 'rate_limit_exceeded'),
  refuse(503, 'unavailable'),
  { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>Bad Gateway</h1>' },
];

function refuse(status: number, code: string): Fault {
  const body = JSON.stringify({ code, message: 'Wait.', requestId: 'r', details: [] });
  return { status, headers: { 'content-type': 'application/json', 'retry-after': '3' }, body };
}

/** The result for each line: rejected here, rejected by the service, or accepted. */
function lineOf(line: number): { text: string; isAccepted: boolean } {
  const day = line % 97 === 0 ? '31/01/2026' : '2026-01-31';
  const description = line % 89 === 0 ? ' ' : `Invoice ${line}`;
  const isAccepted = line % 97 !== 0 && line % 89 !== 0;
  return { text: `INV-${line},${day},${description},${line}.25\n`, isAccepted };
}

for (const seed of [1, 2, 3]) {
  test(`8 whatever goes wrong, every row is accounted for once (${seed})`, async (t) => {
    const desk = await openDesk(t);
    const lines = Array.from({ length: ROWS }, (_, index) => ({ line: index + 2 }));
    const rows = lines.map(({ line }) => ({ line, ...lineOf(line) }));
    desk.write('a.csv', HEADER + rows.map(({ text }) => text).join(''));
    const faults = drawFaults(seed);
    const proxy = await openProxy(t, desk.world.url, faults);
    const pass = holdTimers(t);
    proxy.onSilence = () => pass(FOREVER_MS);
    const clock = new FastClock();
    const stderr = new Sink();
    const onInterrupt = () => () => {};
    const io = {
      stdin: process.stdin,
      stdout: new Sink(),
      stderr,
      env: {},
      monotonicMs: () => 0,
      cwd: '',
      onInterrupt,
    };
    const { exitCode, meta } = await runPush({
      file: rowFile('a.csv', { cwd: desk.cwd }),
      sender: clientOf({ ...desk.world, url: proxy.url }, clock, { timeoutMs: FOREVER_MS }),
      dryRun: false,
      rejectedPath: `${desk.cwd}/rejected.csv`,
      progress: new Progress(io, { quiet: false }),
      io,
    });
    assert.equal(exitCode, 3, stderr.text);
    assert.ok(proxy.requests > REQUESTS, 'nothing went wrong');

    const accepted = rows.filter(({ isAccepted }) => isAccepted);
    const rejected = rows.filter(({ isAccepted }) => !isAccepted);
    assert.deepEqual([meta.received, meta.rejected], [ROWS, rejected.length]);
    assert.equal(meta.created + meta.updated, accepted.length);
    const [, ...written] = desk.read('rejected.csv').trimEnd().split('\n');
    assert.deepEqual(
      written.map((text) => Number(text.split(',')[4])),
      rejected.map(({ line }) => line),
    );
    const all = clientOf(desk.world, clock).transactions.iterate();
    const stored: string[] = [];
    for await (const { externalId, date, description, amount } of all) {
      stored.push(`${externalId},${date},${description},${amount}\n`);
    }
    assert.deepEqual(stored.sort(), accepted.map(({ text }) => text).sort());
  });
}

/** Faults of all kinds, in an order that depends on the seed. */
function drawFaults(seed: number): Fault[] {
  const random = new Random(seed);
  let inARow = 0;
  return Array.from({ length: 5 * REQUESTS }, () => {
    const kind = random.pick(KINDS);
    inARow = kind === 'pass' || kind === 'slow answer' ? 0 : inARow + 1;
    if (inARow <= FAULTS_IN_A_ROW) return kind;
    inARow = 0;
    return 'pass';
  });
}
