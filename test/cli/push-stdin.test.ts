import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { rowStream } from '../../src/cli/push/row-files.ts';
import { collect, summary } from '../files/readings.ts';

describe('8 standard input is JSON when it begins with [ or {"rows", else NDJSON', () => {
  const inputs: readonly [text: string, found: unknown[]][] = [
    ['[{"a":1}]', [[1, { a: 1 }]]],
    ['\ufeff \n [\n{"a":1}]', [[3, { a: 1 }]]],
    ['{"rows":[{"a":1}]}', [[1, { a: 1 }]]],
    ['{ "rows": [{"a":1}]}', [[1, { a: 1 }]]],
    ['{"a":1}', [[1, { a: 1 }]]],
    [
      '{"a":1}\n{"a":2}\n',
      [
        [1, { a: 1 }],
        [2, { a: 2 }],
      ],
    ],
    ['', []],
    ['\n', []],
  ];
  for (const [text, found] of inputs) {
    it(JSON.stringify(text), async () => {
      for (const chunks of [[...text], [text], [Buffer.from(text)]]) {
        const file = rowStream(Readable.from(chunks, { objectMode: true }));
        assert.deepEqual((await collect(await file.open())).map(summary), found);
      }
    });
  }
});
