/** Files: how much more than splitting a CSV file its inspection and its dry run take. */

import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { paymentOf } from '../bank-files.ts';
import { runScript } from '../children.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { cpuSecondsOf, ratiosOf, type Sample } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

/** A row has about this many bytes. */
const ROW_BYTES = 102;
const ROWS_AT_ONCE = 5_000;

/** Measures a bank's file with a balance and ids, in a process for each reading. */
export async function measureInspecting(lab: Lab): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-bench-'));
  const file = join(folder, 'statement.csv');
  const megabytes = lab.choose(20, 100);
  const rows = Math.round((megabytes * 1e6) / ROW_BYTES);
  try {
    writeStatement(file, rows);
    lab.progress(`reading ${rows} rows of a CSV file`);
    const read = (how: string) => async () => {
      const sample = await runScript<Sample & { rows?: number }>('inspecting', how, file);
      if (sample.rows !== rows) throw new Error(`${how}: ${sample.rows} of ${rows} rows were read`);
      return sample;
    };
    const contenders = [read('inspect'), read('check'), read('papaparse')];
    const [inspect = [], check = [], plain = []] = await takeTurns(contenders, lab.choose(3, 5));
    const finding = (what: string, samples: readonly Sample[], target: number) => {
      const ratio = ratiosOf(samples, plain, cpuSecondsOf);
      const line = `${what} a CSV file of ${megabytes} MB: CPU, ratio to papaparse reading it`;
      return { line, value: ratio.median, unit: '', target, spread: ratio } as const;
    };
    const findings = [
      finding('inspecting', inspect, 4),
      finding('reading and checking every row of', check, 5),
    ];
    return { findings, details: [] };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes rows of three years, oldest first. */
function writeStatement(file: string, rows: number): void {
  let text = 'Date,Description,Counterparty,Amount,Balance,Transaction ID\n';
  let balance = 100_000_000;
  for (let row = 0; row < rows; row += 1) {
    const { day, cents, text: what, contact, id } = paymentOf(row, rows);
    const date = day.split('-').reverse().join('/');
    balance += cents;
    const [amount, after] = [cents, balance].map((each) => (each / 100).toFixed(2));
    text += `${date},"${what}",${contact},${amount},${after},${id}\n`;
    if (row % ROWS_AT_ONCE > 0 && row < rows - 1) continue;
    appendFileSync(file, text);
    text = '';
  }
}
