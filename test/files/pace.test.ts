/** A service inspects an upload without holding up its other work. */

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { BalanceTrial } from '../../src/files/inspection/balances.ts';
import { inspectCsv } from '../../src/files/inspection/inspect.ts';
import { readAnswers } from '../../src/files/inspection/written-answers.ts';
import { forEach, paced, pause } from '../../src/files/pace.ts';
import { LAST_DAY } from './inspection/dialects/reading.ts';

/** Counts the turns of the event loop until the test ends. */
function startTicker(t: TestContext) {
  const ticker = { turns: 0 };
  let isOn = true;
  const tick = () => {
    ticker.turns += 1;
    if (isOn) setImmediate(tick);
  };
  setImmediate(tick);
  t.after(() => {
    isOn = false;
  });
  return ticker;
}

/** A clock that only moves when the test moves it. */
function stopClock(t: TestContext) {
  const clock = { ms: 1_000_000 };
  t.mock.method(performance, 'now', () => clock.ms);
  return clock;
}

/** An upload that arrives as one piece of memory, so reading it never waits. */
function inspectUpload(lines: readonly string[]) {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const source = {
    name: 'upload.csv',
    async *open() {
      yield bytes;
    },
  };
  const answers = readAnswers([{ name: 'money-out', value: 'negative' }]);
  return inspectCsv(source, { answers, lastDay: LAST_DAY });
}

/** Rows whose order of day and month only the last ones show. */
function listPayments(count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const day = String(Math.ceil(((at + 1) * 28) / count)).padStart(2, '0');
    return `${day}/01/2016,Payment ${at},-${at + 1}.50`;
  });
}

describe('8 a file is read to its end for its encoding, and once more for all else', () => {
  const columns = 'Date,Details,Amount';
  const totals = 'Total,,-8.00';
  const files: readonly [name: string, lines: readonly string[], readings: number][] = [
    ['a short file, which its beginning is', [columns, ...listPayments(1000)], 3],
    ['a long file, whose format the first rows do not show', [columns, ...listPayments(5000)], 2],
    ['a long file with lines that are not rows', [columns, ...listPayments(5000), totals], 3],
  ];
  for (const [name, lines, expected] of files) {
    it(name, async () => {
      const bytes = Buffer.from(`${lines.join('\n')}\n`);
      let readings = 0;
      const source = {
        name: 'upload.csv',
        async *open() {
          for (let at = 0; at < bytes.length; at += 4096) yield bytes.subarray(at, at + 4096);
          readings += 1;
        },
      };
      const answers = readAnswers([{ name: 'money-out', value: 'negative' }]);
      const { questions, check } = await inspectCsv(source, { answers, lastDay: LAST_DAY });
      assert.deepEqual(questions, []);
      assert.equal(check?.rows, lines.filter((line) => /^\d/.test(line)).length);
      assert.equal(readings, expected);
    });
  }
});

describe('8 inspecting lets the rest of the process run', () => {
  it('records are handled for a few milliseconds at a time', async (t) => {
    const clock = stopClock(t);
    await pause();
    const ticker = startTicker(t);
    const handled: number[] = [];
    for await (const _ of paced(Array.from({ length: 30 }))) {
      handled[ticker.turns] = (handled[ticker.turns] ?? 0) + 1;
      clock.ms += 1;
    }
    assert.deepEqual(handled.filter(Boolean), Array(10).fill(3));
  });

  it('a record with many columns takes several turns', async (t) => {
    const clock = stopClock(t);
    await pause();
    const ticker = startTicker(t);
    const handled: number[] = [];
    await forEach(Array.from({ length: 640 }), () => {
      handled[ticker.turns] = (handled[ticker.turns] ?? 0) + 1;
      clock.ms += 1 / 32;
    });
    assert.deepEqual(handled.filter(Boolean), Array(5).fill(128));
  });

  it('every reading of an upload in memory pauses', async (t) => {
    const rows = listPayments(4000);
    const clock = stopClock(t);
    // Each look at the clock takes a millisecond, whatever the speed of the machine.
    t.mock.method(performance, 'now', () => {
      clock.ms += 1;
      return clock.ms;
    });
    const ticker = startTicker(t);
    const { check, questions } = await inspectUpload(['Date,Details,Amount', ...rows]);
    assert.deepEqual([questions, check?.rows], [[], 4000]);
    // One for each of the first 2000 rows, and one for each 16 of all rows in each reading.
    const [looks, looksPerTurn] = [2000 + (2 * 4000) / 16, 3];
    assert.ok(ticker.turns > looks / looksPerTurn, `${ticker.turns} turns`);
  });

  it('a thousand columns are inspected, and no more', async () => {
    const inspectColumns = (count: number) => {
      const names = Array.from({ length: count - 3 }, (_, at) => `Column ${at}`);
      const cells = names.map(() => 'x');
      return inspectUpload([
        ['Date', 'Details', 'Amount', ...names].join(','),
        ['31/01/2016', 'Rent', '-8.00', ...cells].join(','),
        ['30/01/2016', 'Gift', '5.00', ...cells].join(','),
      ]);
    };
    const { check } = await inspectColumns(1000);
    assert.deepEqual([check?.moneyOut.rows, check?.moneyIn.rows], [1, 1]);
    await assert.rejects(inspectColumns(1001), {
      name: 'FileError',
      message: 'it has 1,001 columns, more than 1000. Delete what is not needed.',
    });
  });

  it('a hundred columns of amounts are not compared each with each other', async (t) => {
    const compared = t.mock.method(BalanceTrial.prototype, 'add');
    const columns = Array.from({ length: 100 }, (_, at) => at);
    const rows = Array.from({ length: 20 }, (_, row) => {
      return ['31/01/2016', `Rent ${row}`, ...columns.map((at) => `${row}.${at + 10}`)].join(',');
    });
    const names = columns.map((at) => `Amount ${at}`).join(',');
    const { questions } = await inspectUpload([`Date,Details,${names}`, ...rows]);
    assert.deepEqual(
      questions.map(({ kind }) => kind),
      ['amount'],
    );
    const calls = compared.mock.callCount();
    assert.ok(calls < 10 * rows.length * columns.length, `${calls} comparisons`);
  });

  const tooLong: readonly [name: string, text: string, says: RegExp][] = [
    ['a line', 'x'.repeat(300_000), /a line of more than 256 KiB/],
    [
      'a quoted value',
      `"${'x y\n'.repeat(100_000)}"`,
      /^line 2: a value starts with a quotation mark/,
    ],
  ];
  for (const [name, text, says] of tooLong) {
    it(`${name} that is too long for one turn is refused`, async () => {
      const lines = ['Date,Details,Amount', `31/01/2016,${text},-8.00`, '30/01/2016,Gift,5.00'];
      await assert.rejects(inspectUpload(lines), { name: 'FileError', message: says });
    });
  }
});
