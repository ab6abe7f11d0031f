import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { finish, nextTurn, type Steps, takeTurns } from '../../src/operations/turns.ts';

/** Work of three steps, and what happened so far. */
function* work(log: string[], name = ''): Steps<string> {
  for (const step of [1, 2]) {
    log.push(`${name}${step}`);
    yield;
  }
  log.push(`${name}3`);
  return 'done';
}

describe('long work in steps', () => {
  it('all at once', () => {
    const log: string[] = [];
    assert.equal(finish(work(log)), 'done');
    assert.deepEqual(log, ['1', '2', '3']);
  });

  it('the last step of work needs no promise', () => {
    const steps = work([]);
    steps.next();
    steps.next();
    assert.equal(
      takeTurns(steps, () => assert.fail()),
      'done',
    );
  });

  it('however much work there is, each turn of the event loop has one step, in order', async () => {
    const log: string[] = [];
    let isOn = true;
    const tick = () => {
      log.push('-');
      if (isOn) setImmediate(tick);
    };
    setImmediate(tick);
    const names = ['a', 'b', 'c'];
    await Promise.all(names.map((name) => takeTurns(work(log, name), () => {})));
    isOn = false;
    assert.match(log.join(' '), /^a1 b1 c1 (- )+a2 (- )+b2 (- )+c2 (- )+a3 (- )+b3 (- )+c3( -)*$/);
  });

  it('stops when its caller no longer wants it', async () => {
    const log: string[] = [];
    const stopped = takeTurns(work(log), () => {
      throw new Error('gone');
    });
    await assert.rejects(async () => stopped, /gone/);
    await nextTurn();
    assert.deepEqual(log, ['1']);
  });
});
