/** Tests what is read of files that have what real files have. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { WrittenAnswer } from '../../../src/files/index.ts';
import { opened, pick } from './opened.ts';

export interface Trap {
  readonly what: string;
  readonly file: string | Buffer;
  /** Some members of each row, or the codes of a rejected one. */
  readonly rows: Readonly<Partial<Record<string, readonly unknown[]>>>;
  /** What is said, all in one text. */
  readonly says?: RegExp;
  readonly answers?: readonly WrittenAnswer[];
}

/** Tests files of a format. */
export function describeTraps(format: string, traps: readonly Trap[]): void {
  describe(`18 the traps of ${format}`, () => {
    for (const { what, file, rows: expected, says, answers = [] } of traps) {
      it(what, async () => {
        const { rows, notes, inspection } = await opened(file, ...answers);
        const questions = inspection.questions.map((each) => each.text);
        assert.deepEqual(questions, []);
        const found = Object.keys(expected).map((name) => [name, pick(rows, name)]);
        assert.deepEqual(Object.fromEntries(found), expected);
        const sayings = inspection.table?.sayings.map((each) => `${each.value}: ${each.note}`);
        if (says !== undefined) assert.match([...notes, ...(sayings ?? [])].join(' '), says);
      });
    }
  });
}
