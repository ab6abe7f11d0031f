import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Repetition, TextNumbers } from '../../src/files/reading/text-numbers.ts';

it('a number for each of 200,000 similar texts, in 43 bytes for each', () => {
  const before = process.memoryUsage().arrayBuffers;
  const numbers = new TextNumbers();
  const texts = 200_000;
  const textOf = (n: number) => `Rent 2016, part ${n % 1000}, no. ${n}`;
  for (let n = 0; n < texts; n += 1) {
    assert.equal(numbers.get(textOf(n)), undefined);
    numbers.set(textOf(n), n);
  }
  for (let n = 0; n < texts; n += 1) assert.equal(numbers.get(textOf(n)), n);
  numbers.set(textOf(7), 2 ** 32 - 1);
  assert.deepEqual([numbers.get(textOf(7)), numbers.size], [2 ** 32 - 1, texts]);
  globalThis.gc?.();
  // The smaller tables that it grew out of may not be collected yet.
  assert.ok(process.memoryUsage().arrayBuffers - before < 2 * 43 * texts);
});

describe('ids in order', () => {
  const repetitionOf = (ids: readonly string[], mayBeOrdered = true) => {
    const repetition = new Repetition(mayBeOrdered);
    for (const [at, id] of ids.entries()) {
      const isAgain = repetition.add(id, at + 2);
      if (isAgain !== false) return { at, isAgain };
    }
    return undefined;
  };
  const up = Array.from({ length: 3000 }, (_, at) => `TX${at}`);

  it('never repeat, up or down, with or without zeros before them', () => {
    assert.equal(repetitionOf(up), undefined);
    assert.equal(repetitionOf([...up].reverse()), undefined);
    assert.equal(repetitionOf(up.map((id) => id.padStart(9, '0'))), undefined);
  });

  it('are read once more if the order ends after the first thousand', () => {
    assert.deepEqual(repetitionOf([...up, 'TX7']), { at: 3000, isAgain: undefined });
    assert.deepEqual(repetitionOf([...up, 'TX2999']), { at: 3000, isAgain: undefined });
    assert.deepEqual(repetitionOf([...up, 'TX7'], false), { at: 3000, isAgain: true });
  });

  it('and without an order are compared at once', () => {
    assert.deepEqual(repetitionOf(['b', 'a', 'c', 'a']), { at: 3, isAgain: true });
    assert.deepEqual(repetitionOf(['a', 'a']), { at: 1, isAgain: true });
  });
});
