import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../../src/cli/advice.ts';
import { FileError } from '../../src/files/problems.ts';
import { readJson, readNdjson } from '../../src/files/reading/json-rows.ts';
import { chunksOf, collect, summary } from './readings.ts';

describe('8 rows of a JSON file', () => {
  const files: readonly [name: string, text: string, found: unknown[]][] = [
    [
      'a list',
      '[\n {"a": 1},\n {"a": 2}, {"a": 3}\n]',
      [
        [2, { a: 1 }],
        [3, { a: 2 }],
        [3, { a: 3 }],
      ],
    ],
    [
      'an object with rows among other members',
      '{"meta": {"rows": [1]},\n"rows":\n[\n{"a":"]}\\"\\\\"},\n\n[[],{}],null, -1.5e3,"x"]}',
      [
        [4, { a: ']}"\\' }],
        [6, [[], {}]],
        [6, null],
        [6, -1500],
        [6, 'x'],
      ],
    ],
    [
      'the last of two members rows',
      '{"rows":[1],\n"rows":[2,\n3]}',
      [
        [2, 2],
        [3, 3],
      ],
    ],
    ['a byte order mark', '\ufeff[1]', [[1, 1]]],
    ['no rows', ' [ ] ', []],
    ['no rows in an object', '{"rows":[]}', []],
    ['1e400, which JSON could not send on', '[{"amount":1e400}]', [[1, ['amount_out_of_range']]]],
    ['what an earlier rejected file said', '[{"a":1,"_rejected":{"line":7}}]', [[1, { a: 1 }]]],
  ];
  for (const [name, text, found] of files) {
    it(name, async () => {
      const reading = await readJson(chunksOf(text));
      assert.equal(reading.total, found.length);
      assert.deepEqual((await collect(reading)).map(summary), found);
    });
  }

  const broken: readonly [name: string, text: string | Buffer, message: RegExp][] = [
    ['cut off', '[\n{"a": 1},\n{"a"', /line 3: it is not JSON, or it is cut off there/],
    ['wrong in the middle', '[\n{"a": 1},\n{a: 1},\n{"a": 2}]', /line 3: it is not JSON/],
    ['NDJSON', '{"a": 1}\n{"a": 2}\n', /name the file \.ndjson/],
    ['no list', '{"row": []}', /must be a list of rows, or an object with a list "rows"/],
    ['rows that are not a list', '{"rows": {}}', /must be a list/],
    ['a number', '1', /must be a list/],
    ['not UTF-8', Buffer.from('[\n"\xe9"]', 'latin1'), /line 2 is not UTF-8/],
    ['empty', '', /line 1: it is not JSON/],
  ];
  for (const [name, text, message] of broken) {
    it(`a file that is ${name} is refused as a whole, with the line`, async () => {
      await assert.rejects(readJson(chunksOf(text)), (error) => {
        assert.ok(error instanceof FileError, String(error));
        assert.match(explain(error), message);
        return true;
      });
    });
  }
});

describe('8 rows of NDJSON', () => {
  it('one row per line; an invalid line is rejected and the others are read', async () => {
    const text =
      '\ufeff{"a":1}\n\n  \r\n{"a":2}\r\n{"a":\n[3]\n{"a":"ü"}\n{"a":5,"_rejected":1}\n{"a"';
    assert.deepEqual((await collect(readNdjson(chunksOf(text)))).map(summary), [
      [1, { a: 1 }],
      [4, { a: 2 }],
      [5, ['invalid_json']],
      [6, [3]],
      [7, { a: 'ü' }],
      [8, { a: 5 }],
      [9, ['invalid_json']],
    ]);
  });

  it('a line that is not UTF-8, and one that is larger than a request', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"\xe9"}\n', 'latin1'),
      Buffer.from(`{"a":"${'x'.repeat(5_000_000)}"}\n{"a":1}\n`),
    ]);
    assert.deepEqual((await collect(readNdjson(chunksOf(bytes, 65_536)))).map(summary), [
      [1, ['invalid_encoding']],
      [2, ['row_too_large']],
      [3, { a: 1 }],
    ]);
  });
});
