import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { explain } from '../../src/cli/advice.ts';
import { main } from '../../src/cli/main.ts';
import { rowFile } from '../../src/cli/push/row-files.ts';
import { readMapping } from '../../src/files/mapping/mapping-file.ts';
import { readWrittenAmount } from '../../src/files/values/amount-writing.ts';
import { Sink } from '../client/desk.ts';

/** csv inspect on a terminal with typed answers, in a folder with one file. */
function openDesk(t: TestContext, text: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'budgetd-answers-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'a.csv'), text);
  return {
    async type(...typed: string[]) {
      const [stdout, stderr] = [new Sink(), new Sink()];
      const stdin = Readable.from(typed.map((line) => `${line}\n`));
      Object.assign(stdin, { isTTY: true });
      stderr.isTTY = true;
      const io = { stdin, stdout, stderr, env: {}, cwd };
      const exitCode = await main(['csv', 'inspect', 'a.csv'], io);
      return { exitCode, stdout: stdout.text, stderr: stderr.text };
    },
    mapping: () => JSON.parse(readFileSync(join(cwd, 'a.map.json'), 'utf8')),
  };
}

const TWO_BOOKS = 'Date,Details,Amount,Paid out,Paid in\n31/01/2016,Rent,9.00,8.00,\n';

test('8 a choice of two options is one number on a terminal', async (t) => {
  const { type, mapping } = openDesk(t, TWO_BOOKS);
  const ended = await type('1');
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.match(
    ended.stderr,
    /--map "in=Paid in"\n +yes: Paid out is money out\n +line 2: 2016-01-31, 8\.00 money out/,
  );
  assert.deepEqual(mapping().fields.amount, { out: 'Paid out', in: 'Paid in' });
});

test('8 several options can be typed on one line, quoted as in a shell', async (t) => {
  const { type, mapping } = openDesk(t, TWO_BOOKS);
  const ended = await type('--map "out=Paid out" --map in="Paid in"');
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.deepEqual(mapping().fields.amount, { out: 'Paid out', in: 'Paid in' });
});

test('8 a question is asked again if the file contradicts the answer', async (t) => {
  const { type } = openDesk(t, 'Date,Details,Amount\n31/01/2016,Rent,8.00\n');
  const ended = await type('--money-out Debit', '1');
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.match(
    ended.stderr,
    /negative or positive here, not "Debit"\. Answer these questions again/,
  );
});

test('8 a kind of minus that the mapping does not allow is rejected by name', () => {
  for (const [text, says] of [
    ['(8.00)', '"(8.00)" is in brackets. Write -8.00, or use a mapping from `budgetd csv inspect`'],
    ['8.00-', '"8.00-" has its minus at the end. Write -8.00, or use a mapping from'],
  ] as const) {
    const read = readWrittenAmount(text, { decimal: '.', currency: '£' });
    assert.equal('problem' in read && explain(read.problem).startsWith(says), true);
  }
});

test('8 a mapping with notRows needs a file, not a pipe', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-pipe-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, 'a.csv');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const fields = { externalId: 'i', date: 'd', description: 't', amount: 'a' };
  const document = { fields, notRows: [{ begins: 'Total' }] };
  const mapping = await readMapping(document);
  const file = rowFile(pipe, { mapping });
  const opened = assert.rejects(file.open(), /needs a file, not a pipe: the file is read twice/);
  await writeFile(pipe, 'i,d,t,a\n');
  await opened;
  file.close();
});
