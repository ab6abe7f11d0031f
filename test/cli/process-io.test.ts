import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processIo } from '../../src/cli/process-io.ts';

test('signals within 700 ms are one; the last one ends the process at once', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const exit = t.mock.method(process, 'exit', () => {});
  const heard: string[] = [];
  const forget = processIo().onInterrupt(
    () => heard.push('first'),
    () => heard.push('again'),
  );
  t.after(forget);
  // Under npm one Ctrl-C arrives twice.
  for (const [atMs, signal, expected] of [
    [0, 'SIGINT', ['first']],
    [700, 'SIGINT', ['first']],
    [701, 'SIGTERM', ['first', 'again']],
    [1401, 'SIGINT', ['first', 'again']],
  ] as const) {
    nowMs = atMs;
    process.emit(signal);
    assert.deepEqual(heard, expected);
  }
  assert.equal(exit.mock.callCount(), 0);
  nowMs = 1402;
  assert.throws(() => process.emit('SIGINT'), TypeError);
  assert.deepEqual(exit.mock.calls[0]?.arguments, [130]);
});
