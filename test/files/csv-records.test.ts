import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Papa from 'papaparse';
import { cellOf, isBlank, Splitter } from '../../src/files/reading/csv-records.ts';

/** Pseudo-random whole numbers below a limit, the same in every run. */
function* numbersBelow(limit: number): Generator<number, never> {
  for (let state = 1; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    yield (state >> 8) % limit;
  }
}

describe('8 records', () => {
  it('are those of papaparse, each with its line, whatever is quoted', () => {
    const signs = ['a', 'b', ' ', ',', ',', '"', '"', '\n', '\n', '\r\n', '""', '"x,y"', '"\n"'];
    const random = numbersBelow(signs.length);
    const parser = new Papa.Parser({ delimiter: ',', newline: '\n' });
    let compared = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const parts = Array.from({ length: round % 12 }, () => signs[random.next().value]);
      const text = `${parts.join('')}\n`;
      const plain = text.replaceAll('\r\n', '\n');
      const { data, errors }: Papa.ParseResult<string[]> = parser.parse(plain, 0, true);
      // What a broken quotation mark means is decided elsewhere.
      if (errors.length > 0) continue;
      const splitter = new Splitter(',');
      const records = splitter.split(text);
      assert.deepEqual(
        records.map(({ fields }) => fields),
        data,
        JSON.stringify(text),
      );
      let line = 1;
      for (const record of records) {
        assert.equal(record.line, line, JSON.stringify(text));
        line += record.fields.join('').split('\n').length;
      }
      compared += 1;
    }
    assert.ok(compared > 5_000, `${compared} texts were compared`);
  });

  it('that begin with anything but a letter or a digit can be blank', () => {
    for (const fields of [[''], [' ', '\u00a0'], ['--', ''], ['===='], ['', '\t']]) {
      assert.ok(isBlank(fields), JSON.stringify(fields));
    }
    for (const fields of [['', '0'], ['-'], ['', 'é'], ['_'], ['--', 'a']]) {
      assert.ok(!isBlank(fields), JSON.stringify(fields));
    }
  });

  it('have cells without the white space around them', () => {
    const spaces = ['', ' ', '\t', '\n', '\u00a0', '\u2009', '\ufeff', '\v', '\u007f', '\u0085'];
    for (const before of spaces) {
      for (const behind of spaces) {
        for (const text of ['', 'a', 'é', 'a b', '日', '1.00']) {
          const cell = before + text + behind;
          assert.equal(cellOf([cell], 0), cell.trim(), JSON.stringify(cell));
        }
      }
    }
    assert.equal(cellOf(['a'], 1), '');
    assert.equal(cellOf(['a'], -1), '');
  });
});
