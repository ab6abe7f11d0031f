import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../src/cli/command.ts';
import { runInbox } from '../../src/cli/push/inbox.ts';
import { putAway } from '../../src/cli/push/inbox-files.ts';
import { findWorstExit } from '../../src/cli/push/runner.ts';
import { RETRY_COUNT } from '../../src/core/retries.ts';
import { OWN_NAMES } from '../../src/files/mapping/mapping.ts';
import { counts, csvOf, HEADER, metaOf, Sink, stored } from '../client/desk.ts';
import { clientOf, closedUrl, FastClock, openProxy, openStandIn, rowsOf } from '../client/world.ts';
import { until } from '../upkeep/until.ts';
import { BAD, openInbox } from './inbox.ts';
import { startProgram } from './program.ts';

test('8 an inbox is pushed oldest first, and each file is moved', async (t) => {
  const { world, drop, push, tree, read } = await openInbox(t);
  drop('z-first.csv', csvOf(3, 'A'));
  drop('some.csv', csvOf(2, 'B') + BAD);
  drop('a-last.csv', csvOf(1, 'A').replace('Invoice 0', 'The newest'));
  drop('none.ndjson', '{"externalId":"n"}\n');
  drop('empty.json', '[]');
  const ended = await push(['--url', world.url]);
  assert.equal(ended.exitCode, 5, ended.stderr);
  assert.equal(ended.stdout, '');
  assert.deepEqual(tree(), [
    'done/a-last.csv',
    'done/empty.json',
    'done/z-first.csv',
    'rejected/none.ndjson',
    'rejected/none.rejected.ndjson',
    'rejected/some.csv',
    'rejected/some.rejected.csv',
  ]);
  assert.match(read('in/rejected/some.rejected.csv'), /^bad,2026-02-30,Never,1,4,invalid_date/m);
  assert.match(read('in/rejected/none.rejected.ndjson'), /"_rejected":\{"line":1,"code":"req/);
  const lines = ended.stderr.split('\n').filter((line) => / Moved to /.test(line));
  assert.deepEqual(lines, [
    'z-first.csv: Done: 3 rows: 3 created, 0 updated, 0 rejected. Moved to done/z-first.csv.',
    'some.csv: Done: 3 rows: 2 created, 0 updated, 1 rejected. Moved to rejected/some.csv. ' +
      'Fix rejected/some.rejected.csv and put it in the inbox.',
    'a-last.csv: Done: 1 row: 0 created, 1 updated, 0 rejected. Moved to done/a-last.csv.',
    'none.ndjson: Done: 1 row: 0 created, 0 updated, 1 rejected. Moved to rejected/none.ndjson. ' +
      'Fix rejected/none.rejected.ndjson and put it in the inbox.',
    'empty.json: The file has no rows: nothing to push. Moved to done/empty.json.',
  ]);
  assert.match(ended.stderr, /^some\.csv: line 4 rejected: date: /m);
  const query = { externalId: 'A-0' };
  const { data } = await clientOf(world, new FastClock()).transactions.list(query);
  assert.equal(data[0]?.description, 'The newest');
});

test('8 --json prints the total counts and each file', async (t) => {
  const { world, drop, push } = await openInbox(t);
  drop('a.csv', csvOf(3, 'A'));
  drop('b.csv', csvOf(2, 'B') + BAD);
  const ended = await push(['--url', world.url, '--json']);
  assert.equal(ended.exitCode, 3);
  const [a, b] = [counts(3, 3, 0, 0), counts(3, 2, 0, 1)];
  const done = { file: 'a.csv', exitCode: 0, meta: a, movedTo: 'done/a.csv', rejectedFile: null };
  const rejected = { movedTo: 'rejected/b.csv', rejectedFile: 'rejected/b.rejected.csv' };
  assert.deepEqual(metaOf(ended), {
    ...counts(6, 5, 0, 1),
    files: [done, { file: 'b.csv', exitCode: 3, meta: b, ...rejected }],
  });
  const again = await push(['--url', world.url, '--json']);
  assert.deepEqual(metaOf(again), { ...counts(0, 0, 0, 0), files: [] });
  assert.deepEqual([again.exitCode, /Nothing to push in .*in\./.test(again.stderr)], [0, true]);
});

test('8 files in done and rejected are never overwritten', async (t) => {
  const { world, drop, push, tree, read } = await openInbox(t);
  for (const round of [1, 2, 3]) {
    drop('a.csv', csvOf(round, 'A'));
    drop('b.csv', csvOf(round, 'B') + BAD);
    assert.equal((await push(['--url', world.url])).exitCode, 3);
  }
  const timed = tree().map((name) => name.replace(/\.\d{8}T\d{6}Z/, '.TIME'));
  assert.equal(timed.length, 9);
  assert.deepEqual(
    new Set(timed.map((name) => name.replace(/-\d+/, ''))),
    new Set([
      'done/a.csv',
      'done/a.TIME.csv',
      'rejected/b.csv',
      'rejected/b.TIME.csv',
      'rejected/b.rejected.csv',
      'rejected/b.TIME.rejected.csv',
    ]),
  );
  assert.equal(read('in/done/a.csv'), csvOf(1, 'A'));
  for (const name of tree().filter((each) => /rejected\/b[^r]*\.csv$/.test(each))) {
    assert.ok(read(`in/${name}`).endsWith(BAD));
    assert.match(read(`in/${name.replace(/\.csv$/, '.rejected.csv')}`), /^bad,/m);
  }
});

test('8 a corrected file of rejected rows can be pushed through the inbox', async (t) => {
  const { world, drop, push, read, tree } = await openInbox(t);
  drop('b.csv', csvOf(2, 'B') + BAD);
  await push(['--url', world.url]);
  drop('b.rejected.csv', read('in/rejected/b.rejected.csv').replace('02-30', '02-28'));
  const ended = await push(['--url', world.url, '--json']);
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.ok(tree().includes('done/b.rejected.csv'));
  assert.equal(await stored(world), 3);
});

test('8 hidden, temporary and special files, and other endings, are ignored', async (t) => {
  const { world, cwd, drop, push, tree } = await openInbox(t);
  const left = ['.hidden.csv', '~$open.csv', 'a.csv.part', 'a.csv.tmp', 'notes.txt'];
  for (const name of left) drop(name, csvOf(1));
  mkdirSync(join(cwd, 'in', 'folder.csv'));
  symlinkSync('notes.txt', join(cwd, 'in', 'link.csv'));
  writeFileSync(Buffer.from(`${cwd}/in/M\xe4rz.csv`, 'latin1'), csvOf(1));
  const ended = await push(['--url', world.url]);
  assert.equal(ended.exitCode, 0);
  assert.deepEqual(tree(), [...left, 'link.csv', 'M\ufffdrz.csv'].sort());
  assert.match(ended.stderr, /^notes\.txt: skipped: push reads only \.csv, .* and \.jsonl\.$/m);
  assert.match(ended.stderr, /^link\.csv: skipped: it is a link or another special file/m);
  assert.match(ended.stderr, /^M.rz\.csv: skipped: its name is not UTF-8\. Rename it\.$/m);
  assert.doesNotMatch(ended.stderr, /hidden|open|folder/);
  assert.equal(await stored(world), 0);
});

test('8 --settle sets how long a file must be unchanged', async (t) => {
  const { world, cwd, run, drop, tree } = await openInbox(t);
  drop('whole.csv', csvOf(1, 'A'));
  drop('growing.csv', csvOf(1, 'B'));
  const path = join(cwd, 'in/growing.csv');
  const writing = setInterval(() => appendFileSync(path, '\n'), 100);
  t.after(() => clearInterval(writing));
  const args = ['--inbox', 'in', '--url', world.url];
  const begunMs = performance.now();
  const ended = await run([...args, '--settle', '1']);
  assert.ok(performance.now() - begunMs >= 990);
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.match(
    ended.stderr,
    /^2 files in .*in\. Waiting 1 s, to skip what is still being written\.\n/,
  );
  assert.match(ended.stderr, /^growing\.csv: skipped until the next run: it is still changing\.$/m);
  assert.deepEqual(tree(), ['done/whole.csv', 'growing.csv']);
  clearInterval(writing);
  assert.equal((await run([...args, '--settle=0'])).exitCode, 0);
  assert.deepEqual(tree(), ['done/growing.csv', 'done/whole.csv']);
});

test('8 a file that changes while it is pushed stays, with a message', async (t) => {
  const { world, cwd, drop, push, tree } = await openInbox(t);
  drop('a.csv', csvOf(3, 'A') + BAD);
  const proxy = await openProxy(t, world.url, [], () => {
    appendFileSync(join(cwd, 'in/a.csv'), 'late,2026-01-31,Late,1\n');
  });
  const ended = await push(['--url', proxy.url, '--json']);
  assert.equal(ended.exitCode, 1);
  assert.match(ended.stderr, /^a\.csv: Done: .* But the file was changed or removed/m);
  assert.deepEqual(
    tree().filter((name) => !name.includes('part')),
    ['a.csv'],
  );
  assert.equal((await push(['--url', world.url])).exitCode, 3);
  assert.deepEqual(tree(), ['rejected/a.csv', 'rejected/a.rejected.csv']);
  assert.equal(await stored(world), 4);
});

test('8 a file that is replaced at the last moment is not moved', async (t) => {
  const { cwd, drop, tree } = await openInbox(t);
  for (const name of ['done', 'rejected']) mkdirSync(join(cwd, 'in', name));
  drop('a.csv', csvOf(3));
  const settled = { name: 'a.csv', size: 1n, mtimeNs: 2n };
  assert.equal(putAway(join(cwd, 'in'), settled), undefined);
  assert.deepEqual(tree(), ['a.csv']);
});

test('8 a file that cannot be pushed stays, and the others are pushed', async (t) => {
  const { world, drop, push, tree } = await openInbox(t);
  drop('broken.csv', `${csvOf(3, 'X')}x,2026-01-31,"never closed,1\n`);
  drop('columns.csv', 'Id,Day\n1,2\n');
  drop('fine.csv', csvOf(3, 'A'));
  const ended = await push(['--url', world.url, '--json']);
  assert.equal(ended.exitCode, 1, ended.stderr);
  assert.match(ended.stderr, /^broken\.csv: line 5: a value starts .*\. Nothing was sent\. It st/m);
  assert.match(ended.stderr, /^columns\.csv: These columns are missing .* It stays in the inbox/m);
  assert.match(
    ended.stderr,
    /A file stayed while newer ones were pushed\. When it is pushed later, its rows replace/,
  );
  assert.deepEqual(tree(), ['broken.csv', 'columns.csv', 'done/fine.csv']);
  const { files } = metaOf(ended) as { files: { exitCode: number }[] };
  assert.deepEqual(
    files.map(({ exitCode }) => exitCode),
    [1, 2, 0],
  );
  assert.equal(await stored(world), 3);
});

test('8 when the service is unavailable, the other files are not tried', async (t) => {
  const { drop, push, tree } = await openInbox(t);
  drop('a.csv', csvOf(3, 'A') + BAD);
  drop('b.csv', csvOf(3, 'B'));
  const ended = await push(['--url', await closedUrl(), '--json']);
  assert.equal(ended.exitCode, 1);
  assert.match(
    ended.stderr,
    /^a\.csv: No answer from .* \(network_error\)\. No rows were confirmed\. /m,
  );
  assert.match(ended.stderr, /^b\.csv: skipped\.$/m);
  assert.deepEqual(tree(), ['a.csv', 'b.csv']);
  const { files } = metaOf(ended) as { files: { exitCode: number | null }[] };
  assert.deepEqual(
    files.map(({ exitCode }) => exitCode),
    [1, null],
  );
});

for (const status of [408, 500, 502, 503, 504]) {
  test(`8 when retries of a ${status} run out, the other files are not tried`, async (t) => {
    const { cwd, drop, tree, world } = await openInbox(t);
    drop('a.csv', csvOf(3, 'A'));
    drop('b.csv', csvOf(3, 'B'));
    const { stdin } = process;
    const rest = { env: {}, cwd, monotonicMs: () => 0, onInterrupt: () => () => {} };
    let requests = 0;
    const url = await openStandIn(t, (_, res) => {
      requests += 1;
      const body = JSON.stringify({ code: 'any', message: 'No.', requestId: 'r', details: [] });
      res.writeHead(status, { 'content-type': 'application/json' }).end(body);
    });
    const ended = await runInbox({
      io: { stdin, stdout: new Sink(), stderr: new Sink(), ...rest },
      folder: join(cwd, 'in'),
      mappingOf: () => Promise.resolve(OWN_NAMES),
      openSender: () => clientOf({ url, key: world.key }, new FastClock()),
      endNow: () => {},
      dryRun: false,
      quiet: true,
      settleMs: 0,
    });
    const exitCodes = ended.files.map(({ exitCode }) => exitCode);
    assert.deepEqual(exitCodes, [EXIT.failed, null]);
    assert.equal(requests, 1 + RETRY_COUNT);
    assert.deepEqual(tree(), ['a.csv', 'b.csv']);
  });
}

test('8 a refused key is exit 4 and moves nothing, before or during a run', async (t) => {
  const { world, drop, push, tree } = await openInbox(t);
  drop('a.csv', csvOf(3, 'A'));
  drop('b.csv', csvOf(3, 'B'));
  const no = await push(['--url', world.url, '--json'], { env: { BUDGETD_KEY: 'nonsense' } });
  assert.equal(no.exitCode, 4);
  assert.deepEqual(metaOf(no), { ...counts(0, 0, 0, 0), files: [] });
  const [key] = world.service.keys.list(world.organisationId);
  const proxy = await openProxy(t, world.url, [], (requests) => {
    if (requests === 2) world.service.keys.revoke(world.organisationId, key?.id ?? '');
  });
  const ended = await push(['--url', proxy.url]);
  assert.equal(ended.exitCode, 4, ended.stderr);
  assert.match(ended.stderr, /^b\.csv: .*revoked_api_key, HTTP 401/m);
  assert.deepEqual(tree(), ['b.csv', 'done/a.csv']);
});

test('8 only one run works at a time; a killed one leaves no lock or partial file', async (t) => {
  const { world, cwd, drop, push, tree, read } = await openInbox(t);
  drop('a.csv', `${HEADER}${BAD}${csvOf(1700, 'A').slice(HEADER.length)}`);
  drop('b.csv', csvOf(10, 'B'));
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const proxy = await openProxy(t, world.url, ['pass', 'pass', 'no answer'], (requests) => {
    if (requests === 3) reach();
  });
  const args = ['push', '--inbox', 'in', '--settle', '0', '--url', proxy.url];
  const first = startProgram(t, args, { cwd, env: { BUDGETD_KEY: world.key } });
  await reached;
  const second = await push(['--url', world.url]);
  assert.equal(second.exitCode, 1);
  assert.match(
    second.stderr,
    /^budgetd: Another push is running in .*in: this one did nothing\.$/m,
  );
  first.process.kill('SIGKILL');
  assert.equal((await first.ended).signal, 'SIGKILL');
  assert.deepEqual(tree(), ['a.csv', 'b.csv', 'rejected/.budgetd.part']);

  const third = await push(['--url', world.url]);
  assert.equal(third.exitCode, 3, third.stderr);
  assert.deepEqual(tree(), ['done/b.csv', 'rejected/a.csv', 'rejected/a.rejected.csv']);
  assert.equal(read('in/rejected/a.rejected.csv').trimEnd().split('\n').length, 2);
  const ids: (string | null)[] = [];
  const all = clientOf(world, new FastClock()).transactions.iterate();
  for await (const { externalId } of all) ids.push(externalId);
  const expected = [...rowsOf(1700, 'A'), ...rowsOf(10, 'B')].map((row) => row.externalId);
  assert.deepEqual(ids.sort(), expected.sort());
});

test('8 an interrupt ends a run after the running request', async (t) => {
  const { world, drop, push, tree, interrupts } = await openInbox(t);
  drop('a.csv', csvOf(1200, 'A'));
  drop('b.csv', csvOf(3, 'B'));
  const proxy = await openProxy(t, world.url, [], (requests) => {
    if (requests === 2) for (const interrupt of interrupts) interrupt();
  });
  const ended = await push(['--url', proxy.url, '--json']);
  assert.equal(ended.exitCode, 130, ended.stderr);
  assert.match(ended.stderr, /^a\.csv: interrupted\. 1,000 rows answered, up to line 1001: /m);
  assert.match(ended.stderr, /^b\.csv: skipped\.$/m);
  assert.deepEqual(tree(), ['a.csv', 'b.csv']);
});

test('8 an interrupt while files settle is exit 130, with nothing pushed', async (t) => {
  const { world, drop, run, tree, interrupts } = await openInbox(t);
  drop('a.csv', csvOf(3));
  const running = run(['--inbox', 'in', '--url', world.url, '--settle', '600', '--json']);
  await until(() => interrupts.length > 0);
  for (const interrupt of interrupts) interrupt();
  const ended = await running;
  assert.equal(ended.exitCode, 130);
  assert.match(
    ended.stderr,
    /^1 file in .*\. Waiting 600 s, .*\.\nInterrupted\. Nothing was pushed\.\n$/,
  );
  assert.deepEqual(tree(), ['a.csv']);
});

test('8 --quiet shows only what needs attention', async (t) => {
  const { world, drop, push } = await openInbox(t);
  drop('a.csv', csvOf(3, 'A'));
  drop('notes.txt', '');
  const quiet = await push(['--url', world.url, '--quiet']);
  assert.deepEqual([quiet.exitCode, quiet.stdout, quiet.stderr], [0, '', '']);
  drop('b.csv', csvOf(2, 'B') + BAD);
  const { stderr } = await push(['--url', world.url, '--quiet']);
  assert.match(stderr, /^b\.csv: line 4 rejected: .*\nb\.csv: Done: .* Moved to rejected\/b\.csv/);
});

test('8 a dry run moves and stores nothing, locally or at the service', async (t) => {
  const { world, cwd, drop, push } = await openInbox(t);
  drop('a.csv', csvOf(3, 'A'));
  drop('b.csv', csvOf(2, 'B') + BAD);
  for (const way of [
    ['--url', world.url],
    ['--currency', 'GBP'],
  ]) {
    const ended = await push([...way, '--dry-run', '--json']);
    assert.equal(ended.exitCode, 3, ended.stderr);
    const { files, ...meta } = metaOf(ended);
    assert.deepEqual(meta, { ...counts(6, 5, 0, 1), dryRun: true });
    assert.deepEqual(readdirSync(join(cwd, 'in')), ['a.csv', 'b.csv']);
  }
  assert.equal(await stored(world), 0);
});

const WRONG: readonly [name: string, args: string[], exitCode: number, says: RegExp][] = [
  ['a file too', ['a.csv', '--inbox', 'in'], 2, /a file or --inbox, not both/],
  [
    '--rejected',
    ['--inbox', 'in', '--rejected', 'x.csv'],
    2,
    /--rejected works only with one file/,
  ],
  ['no number', ['--inbox', 'in', '--settle', 'soon'], 2, /--settle must be a whole number/],
  ['no such folder', ['--inbox=nowhere'], 1, /The inbox .*nowhere is not a folder/],
  ['a file as the folder', ['--inbox=a.csv'], 1, /The inbox .*a\.csv is not a folder/],
  ['a wrong mapping', ['--inbox', 'in', '--map', 'none=x'], 2, /"none" is not a field/],
  ['--settle without it', ['a.csv', '--settle', '1'], 2, /--settle works only with --inbox/],
];

for (const [name, args, exitCode, says] of WRONG) {
  test(`8 exit ${exitCode}: an inbox and ${name}`, async (t) => {
    const { world, run, write } = await openInbox(t);
    write('a.csv', csvOf(1));
    const ended = await run([...args, '--url', world.url]);
    assert.equal(ended.exitCode, exitCode, ended.stderr);
    assert.match(ended.stderr, says);
    assert.equal(await stored(world), 0);
  });
}

test('8 if done is not a folder, the run fails before anything is sent', async (t) => {
  const { world, drop, push, write, tree } = await openInbox(t);
  drop('a.csv', csvOf(1));
  write('in/done', '');
  const ended = await push(['--url', world.url]);
  assert.equal(ended.exitCode, 1);
  assert.match(ended.stderr, /^budgetd: .*in\/done: a file with this name already exists\.$/m);
  assert.deepEqual([await stored(world), tree()], [0, ['a.csv', 'done']]);
});

test('8 the worst exit: interrupted, refused, gave up, failed, usage, all, some, none', () => {
  assert.equal(findWorstExit([]), 0);
  const order = [0, 3, 5, 2, 1, 6, 4, 130];
  for (const [index, worst] of order.entries()) {
    assert.equal(findWorstExit(order.slice(0, index + 1).reverse()), worst);
    assert.equal(findWorstExit(order.slice(0, index + 1)), worst);
  }
});
