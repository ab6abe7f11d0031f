/**
 * What was found out about a file stays for as long as its page may be open, for many files at
 * once, so nothing that was read for it may stay.
 */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { loadTables } from '../../../src/files/index.ts';
import { fileOf } from './opened.ts';
import { rowsOf, workbookOf } from './workbooks.ts';

const ROWS = 20_000;
/** Of each row the reader keeps some 50 bytes or more while it reads. */
const MOST_BYTES = ROWS * 8;

const numbers = Array.from({ length: ROWS }, (_, at) => at);
const shared = (at: number) => `<c t="s"><v>${at}</v></c>`;

function makeWorkbook(): Buffer {
  const head = ['Date', 'Description', 'Amount', 'Transaction ID'];
  const rows = numbers.map((at) => ['2026-01-05', shared(2 * at), -1 - at, shared(2 * at + 1)]);
  const texts = numbers.flatMap((at) => [`<t>What was bought ${at}</t>`, `<t>TX-${at}x</t>`]);
  return workbookOf({ sheets: { One: rowsOf([head, ...rows]) }, texts });
}

function makeStatement(): string {
  const payments = numbers.map((at) => {
    return `<STMTTRN><TRNAMT>-${1 + at}<DTPOSTED>20260105<FITID>TX-${at}<NAME>Ann</STMTTRN>\n`;
  });
  return `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKTRANLIST>${payments.join('')}</OFX>`;
}

function makeText(): string {
  const rows = numbers.map((at) => `2026-01-05,What was bought ${at},-${1 + at},TX-${at}x`);
  return ['Date,Description,Amount,Transaction ID', ...rows].join('\n');
}

describe('an inspected file', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const heldBytes = async () => {
    // What a stream held is freed after it: at once, or later on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 20));
    collect();
    return process.memoryUsage().arrayBuffers;
  };
  const inspect = async (make: () => string | Buffer) => {
    const { inspectFile } = await loadTables();
    return inspectFile(fileOf(make()), { answers: [], lastDay: '2026-12-31' });
  };

  for (const make of [makeWorkbook, makeStatement, makeText]) {
    it(`leaves nothing of what was read: ${make.name}`, async () => {
      const before = await heldBytes();
      const inspection = await inspect(make);
      let held = (await heldBytes()) - before;
      for (let tries = 0; tries < 100 && held >= MOST_BYTES; tries += 1) {
        held = (await heldBytes()) - before;
      }
      assert.equal(inspection.check?.rows, ROWS);
      assert.ok(held < MOST_BYTES, `${held} bytes stay`);
    });
  }
});
