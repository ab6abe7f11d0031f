import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Progress } from '../../src/cli/push/progress.ts';
import { rowFile } from '../../src/cli/push/row-files.ts';
import { runPush } from '../../src/cli/push/runner.ts';
import type { Wait } from '../../src/client/index.ts';
import { counts, csvOf, metaOf, openDesk, Sink, stored } from '../client/desk.ts';
import {
  clientOf,
  closedUrl,
  FastClock,
  type Fault,
  openProxy,
  openStandIn,
  rowsOf,
} from '../client/world.ts';
import { BAD } from './inbox.ts';

const REFUSED: readonly [name: string, faults: Fault[], exitCode: number, says: RegExp][] = [
  ['a revoked key', [refusal(401, 'revoked_api_key')], 4, /revoked_api_key, HTTP 401, req_x/],
  ['a plan without the interface', [refusal(403, 'plan_feature_required')], 4, /HTTP 403/],
  ['a key without the scope', [refusal(403, 'insufficient_scope')], 4, /insufficient_scope/],
  ["a proxy's log-in page", [{ status: 401, body: '<p>' }], 1, /this is not budgetd/],
  [
    'a bug of the service',
    Array.from({ length: 9 }, () => refusal(500, 'internal_error')),
    1,
    /internal_error, HTTP 500/,
  ],
  ['a full disk', Array.from({ length: 9 }, () => refusal(503, 'storage_full')), 1, /storage_full/],
];

function refusal(status: number, code: string): Fault {
  const body = JSON.stringify({ code, message: `It says ${code}.`, requestId: 'x', details: [] });
  const headers = { 'content-type': 'application/json', 'x-request-id': 'req_x' };
  return { status, headers, body };
}

for (const [name, faults, exitCode, says] of REFUSED) {
  test(`8 exit ${exitCode}: ${name}, during the push, with what was accepted`, async (t) => {
    const desk = await openDesk(t);
    desk.write('a.csv', csvOf(600));
    const proxy = await openProxy(t, desk.world.url, ['pass', ...faults]);
    const clock = new FastClock();
    const [stdout, stderr] = [new Sink(), new Sink()];
    const io = {
      stdin: process.stdin,
      stdout,
      stderr,
      env: {},
      monotonicMs: () => 0,
      cwd: desk.cwd,
    };
    const outcome = await runPush({
      file: rowFile('a.csv', { cwd: desk.cwd }),
      sender: clientOf({ ...desk.world, url: proxy.url }, clock),
      dryRun: false,
      rejectedPath: undefined,
      progress: new Progress({ ...io, onInterrupt: () => () => {} }, { quiet: true }),
      io: { onInterrupt: () => () => {} },
    });
    assert.equal(outcome.exitCode, exitCode);
    assert.deepEqual(outcome.meta, counts(500, 500, 0, 0));
    assert.match(stderr.text, says);
    assert.match(
      stderr.text,
      /\. 500 rows answered, up to line 501: 500 created, .* Push it again/,
    );
    assert.equal(stderr.text.split('\n').length, 2);
  });
}

test('8 exit 6: it gave up waiting for the rate limit', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const url = await openStandIn(t, (_, res) => {
    const { headers, body } = refusal(429, 'rate_limit_exceeded') as Extract<
      Fault,
      { status: number }
    >;
    res.writeHead(429, { ...headers, 'retry-after': '3600' }).end(body);
  });
  const ended = await run(['a.csv', '--url', url, '--json']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [6, counts(0, 0, 0, 0)]);
  assert.match(ended.stderr, /Gave up waiting for the rate limit.*\. No rows were confirmed/);
  assert.ok(world);
});

test('8 exit 4 before anything is sent: a text that cannot be a key', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const wrong = `${world.key.slice(0, -1)}${world.key.endsWith('0') ? '1' : '0'}`;
  write('key.txt', `${wrong}\n`);
  const ended = await run(['a.csv', '--url', world.url, '--key-file', 'key.txt', '--json']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [4, counts(0, 0, 0, 0)]);
  assert.match(
    ended.stderr,
    /not contain an API key, or one of its characters is wrong.*invalid_api_key.*Nothing/,
  );
  assert.ok(!ended.stderr.includes(wrong));
  write('key.txt', `${world.key}\r\n`);
  const right = await run(['a.csv', '--url', world.url, '--key-file', 'key.txt'], { env: {} });
  assert.equal(right.exitCode, 0);
});

test('8 a key file can be written by an editor or a shell on Windows', async (t) => {
  const { world, cwd, run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const push = () => run(['a.csv', '--url', world.url, '--key-file', 'key.txt'], { env: {} });
  const text = `\ufeff${world.key}\r\n`;
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le')];
  for (const bytes of [...forms, Buffer.from(text, 'utf16le').swap16()]) {
    writeFileSync(join(cwd, 'key.txt'), bytes);
    const ended = await push();
    assert.equal(ended.exitCode, 0, ended.stderr);
  }
  write('key.txt', '\n');
  const empty = await push();
  assert.equal(empty.exitCode, 4);
  assert.match(empty.stderr, /key\.txt is empty: a key is bdg_live_ followed by 48 characters/);
});

test('8 exit 4: a key that is unknown or revoked', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const [key] = world.service.keys.list(world.organisationId);
  world.service.keys.revoke(world.organisationId, key?.id ?? '');
  const ended = await run(['a.csv', '--url', world.url, '--json']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [4, counts(0, 0, 0, 0)]);
  assert.match(ended.stderr, /revoked_api_key, HTTP 401/);
});

const USAGE: readonly [name: string, args: string[], says: RegExp][] = [
  ['no file', [], /FILE is missing/],
  ['two files', ['a.csv', 'b.csv', '--url', 'http://x'], /Unexpected argument "b\.csv"/],
  ['no address', ['a.csv'], /--url is missing/],
  ['not an address', ['a.csv', '--url', 'localhost'], /is not an address/],
  [
    'a key twice',
    ['a.csv', '--url', 'http://x', '--key', 'a', '--key-file', 'b'],
    /either --key-file or --key/,
  ],
  ['a missing file', ['a.txt', '--url', 'http://x'], /The file .*a\.txt does not exist/],
  [
    'a mapping of JSON',
    ['a.json', '--url', 'http://x', '--map', 'date=x'],
    /--map is only for CSV/,
  ],
  [
    'a delimiter of input',
    ['-', '--url', 'http://x', '--delimiter', ';'],
    /--delimiter is only for CSV/,
  ],
  ['two mapping files', ['a.csv', '--url', 'http://x', '--map', 'a', '--map', 'b'], /one mapping/],
  [
    'the file itself',
    ['a.csv', '--url', 'http://x', '--rejected', 'a.csv'],
    /must not name the input/,
  ],
  ['another form', ['a.csv', '--url', 'http://x', '--rejected', 'a.json'], /written as CSV/],
  ['another form', ['a.json', '--url', 'http://x', '--rejected', 'b.csv'], /written as NDJSON/],
  ['a column', ['a.csv', '--url', 'http://x', '--map', 'date=Day'], /no column "Day"/],
];

for (const [name, args, says] of USAGE) {
  test(`8 exit 2, and the counts of nothing: ${name} (${args.slice(1).join(' ')})`, async (t) => {
    const { run, write } = await openDesk(t);
    write('a.csv', csvOf(2));
    const ended = await run([...args, '--json']);
    assert.equal(ended.exitCode, 2, ended.stderr);
    assert.match(ended.stderr, says);
    assert.match(ended.stderr, /Usage: budgetd push/);
    assert.deepEqual(metaOf(ended), counts(0, 0, 0, 0));
  });
}

test('8 a missing key is wrong usage', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const ended = await run(['a.csv', '--url', world.url], { env: {} });
  assert.equal(ended.exitCode, 2);
  assert.match(ended.stderr, /pass --key-file FILE or set BUDGETD_KEY/);
});

test('8 exit 1: missing or broken files, of which nothing is sent', async (t) => {
  const { world, run, write } = await openDesk(t);
  const broken = `${csvOf(700)}x,2026-01-31,"never closed,1\n`;
  write('broken.csv', broken);
  write('broken.json', JSON.stringify(rowsOf(700)).slice(0, -1));
  for (const [file, says] of [
    ['none.csv', /none\.csv: no such file or folder/],
    ['broken.csv', /broken\.csv: line 702: a value starts with a quotation mark.*Nothing was sent/],
    ['broken.json', /broken\.json: line 1: it is not JSON, or it is cut off/],
  ] as const) {
    const ended = await run([file, '--url', world.url, '--json']);
    assert.equal(ended.exitCode, 1);
    assert.match(ended.stderr, says);
    assert.deepEqual(metaOf(ended), counts(0, 0, 0, 0));
  }
  assert.equal(await stored(world), 0);
});

test('8 exit 1: nothing answers at the URL', async (t) => {
  const { run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const ended = await run(['a.csv', '--url', await closedUrl()]);
  assert.equal(ended.exitCode, 1);
  assert.match(ended.stderr, /Trying again in/);
  assert.match(ended.stderr, /network_error\)\. No rows were confirmed\.\n$/);
});

test('8 exit 1: what was rejected before nothing answered is not left in a file', async (t) => {
  const { run, write, cwd } = await openDesk(t);
  write('a.csv', csvOf(2).replace('\n', `\n${BAD}`));
  const ended = await run(['a.csv', '--url', await closedUrl()]);
  assert.match(ended.stderr, /^Read: 2 rows, .*\.\n1 other row is not valid\.$/m);
  assert.match(ended.stderr, /network_error\)\. No rows were confirmed\.\n$/);
  assert.doesNotMatch(ended.stderr, /rejected rows are in/);
  assert.deepEqual(readdirSync(cwd), ['a.csv']);
});

test('8 exit 130: an interrupt waits for the answer to the running batch', async (t) => {
  const desk = await openDesk(t);
  desk.write('a.csv', csvOf(1700));
  const proxy = await openProxy(t, desk.world.url, [], (requests) => {
    if (requests === 2) for (const interrupt of desk.interrupts) interrupt();
  });
  const ended = await desk.run(['a.csv', '--url', proxy.url, '--json']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [130, counts(1000, 1000, 0, 0)]);
  assert.equal(await stored(desk.world), 1000);
  assert.match(ended.stderr, /Stopping after the current request/);
  assert.match(ended.stderr, /budgetd push: interrupted\. 1,000 rows answered, up to line 1001/);
});

test('8 exit 130 while standard input is waiting', async (t) => {
  const { world, run, interrupts } = await openDesk(t);
  const stdin = new Readable({ read() {} });
  for (const row of rowsOf(501)) stdin.push(`${JSON.stringify(row)}\n`);
  const running = run(['-', '--url', world.url, '--json'], { stdin });
  while ((await stored(world)) < 500) await sleep(10);
  for (const interrupt of interrupts) interrupt();
  const ended = await running;
  assert.equal(ended.exitCode, 130);
  assert.deepEqual(metaOf(ended), counts(500, 500, 0, 0));
});

test('8 waits are shown: one line each in a log, or on the live line of a terminal', async (t) => {
  const { cwd, world, write } = await openDesk(t);
  write('a.csv', csvOf(4));
  for (const isTTY of [false, true]) {
    const limited = refusal(429, 'rate_limit_exceeded') as Extract<Fault, { status: number }>;
    const later = { ...limited, headers: { ...limited.headers, 'retry-after': '42' } };
    const proxy = await openProxy(t, world.url, ['cut after', later]);
    const stderr = new Sink();
    stderr.isTTY = isTTY;
    const io = {
      stdin: process.stdin,
      stdout: new Sink(),
      stderr,
      env: {},
      monotonicMs: () => 0,
      cwd,
    };
    const progress = new Progress({ ...io, onInterrupt: () => () => {} }, { quiet: false });
    const onWait = (wait: Wait) => progress.wait(wait);
    const { exitCode } = await runPush({
      file: rowFile('a.csv', { cwd }),
      sender: clientOf({ ...world, url: proxy.url }, new FastClock(), { onWait }),
      dryRun: false,
      rejectedPath: undefined,
      progress,
      io: { onInterrupt: () => () => {} },
    });
    assert.equal(exitCode, 0);
    assert.match(stderr.text, /No answer from .* Trying again in 0\.\d s\.\n/);
    assert.match(stderr.text, isTTY ? /waiting 42 s for the rate/ : /\nWaiting 42 s for the rate/);
    assert.match(
      stderr.text,
      /1 batch had to be sent again, so some created rows may count as updated/,
    );
  }
});
