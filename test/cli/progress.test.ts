import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Io } from '../../src/cli/command.ts';
import { createProgress } from '../../src/cli/output.ts';
import { Progress } from '../../src/cli/push/progress.ts';
import { counts, Sink } from '../client/desk.ts';

/** A log, and a clock that the test moves. */
function log() {
  const clock = { ms: 0 };
  const stderr = new Sink();
  const io: Io = {
    stdin: process.stdin,
    stdout: new Sink(),
    stderr,
    env: {},
    cwd: '',
    monotonicMs: () => clock.ms,
    onInterrupt: () => () => {},
  };
  return { clock, io, lines: () => stderr.text.split('\n').slice(0, -1) };
}

test('8 in a log, progress of a push is its first batch, then a line every ten seconds', () => {
  const { clock, io, lines } = log();
  const progress = new Progress(io, { quiet: false });
  progress.expect(100_000);
  for (let second = 0; second <= 60; second += 1) {
    clock.ms = second * 1000;
    progress.batch(counts(second * 500 + 500, second * 500 + 500, 0, 0));
    progress.wait({ reason: 'rate_limit', waitMs: 5000, error: null });
  }
  assert.equal(lines().length, 7);
  assert.match(lines()[0] ?? '', /^500 of 100,000 rows: 500 created/);
  assert.match(lines()[6] ?? '', /^30,500 of 100,000 rows/);
});

test('8 in a log, other progress begins after ten seconds, as in each file of an inbox', () => {
  const { clock, io, lines } = log();
  const file = new Progress(io, { quiet: false, label: 'a.csv' });
  const live = createProgress(io);
  for (const second of [0, 5, 9.9]) {
    clock.ms = second * 1000;
    file.batch(counts(500, 500, 0, 0));
    live.show('working');
  }
  assert.deepEqual(lines(), []);
  clock.ms = 10_000;
  for (let times = 0; times < 3; times += 1) live.show('working');
  file.batch(counts(1000, 1000, 0, 0));
  assert.deepEqual(lines(), ['working', 'a.csv: 1,000 rows: 1,000 created, 0 updated, 0 rejected']);
});
