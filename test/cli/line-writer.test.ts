import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { LineWriter } from '../../src/cli/line-writer.ts';
import { until } from '../upkeep/until.ts';

/** A pipe that takes `room` bytes, and then as many as it is given. */
class Pipe {
  text = '';
  calls = 0;
  code = 'EAGAIN';
  room: number;

  constructor(room: number) {
    this.room = room;
  }

  write(bytes: Uint8Array): number {
    this.calls += 1;
    const taken = Math.min(this.room, bytes.length);
    if (taken === 0) throw Object.assign(new Error('no room'), { code: this.code });
    this.room -= taken;
    this.text += Buffer.from(bytes.subarray(0, taken)).toString('latin1');
    return taken;
  }
}

function open(room: number) {
  const pipe = new Pipe(room);
  const lineForDropped = (count: number) => `(${count} dropped)`;
  return { pipe, lines: new LineWriter({ write: (bytes) => pipe.write(bytes), lineForDropped }) };
}

test('the lines of one turn of the event loop are one write', async () => {
  const { pipe, lines } = open(1e6);
  for (const line of ['a', 'b', 'c']) lines.add(line);
  assert.equal(pipe.text, '');
  await nextTurn();
  assert.deepEqual([pipe.text, pipe.calls], ['a\nb\nc\n', 1]);
  await lines.close();
});

test('a full pipe gets the rest of its lines, whole and in order, once it has room', async () => {
  const { pipe, lines } = open(5);
  for (const line of ['first', 'second']) lines.add(line);
  await nextTurn();
  assert.equal(pipe.text, 'first');
  lines.add('third');
  pipe.room = 1e6;
  await until(() => pipe.text === 'first\nsecond\nthird\n');
  await lines.close();
});

test('beyond a limit lines are dropped, counted, and told of where they are missing', async () => {
  const { pipe, lines } = open(0);
  const line = 'x'.repeat(1023);
  for (let at = 0; at < 1024; at += 1) lines.add(line);
  await nextTurn();
  for (let at = 0; at < 3; at += 1) lines.add(line);
  assert.equal(lines.dropped, 3);
  pipe.room = Number.POSITIVE_INFINITY;
  await until(() => pipe.text.endsWith(' dropped)\n'));
  lines.add('later');
  await nextTurn();
  assert.equal(pipe.text.slice(-19), '\n(3 dropped)\nlater\n');
  assert.equal(pipe.text.length, 1024 * 1024 + '(3 dropped)\nlater\n'.length);
  await lines.close();
});

test('close waits a second for a slow reader, and not for one that has gone', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  for (const [code, least, most] of [
    // The writer tries by itself, too, perhaps once more when the time is over.
    ['EAGAIN', 10, 11],
    ['EPIPE', 1, 1],
  ] as const) {
    const { pipe, lines } = open(0);
    pipe.code = code;
    // Each try takes a tenth of a second.
    const write = pipe.write.bind(pipe);
    pipe.write = (bytes) => {
      nowMs += 100;
      return write(bytes);
    };
    lines.add('a');
    await lines.close();
    assert.ok(pipe.calls >= least && pipe.calls <= most, `${code}: ${pipe.calls}`);
  }
});

test('the exit of the process writes what is left', async () => {
  const { pipe, lines } = open(1e6);
  const others = process.rawListeners('exit').slice(0, -1);
  lines.add('last');
  const [own] = process.rawListeners('exit').filter((each) => !others.includes(each));
  own?.call(process);
  assert.equal(pipe.text, 'last\n');
  await lines.close();
  assert.deepEqual(process.rawListeners('exit'), others);
});
