/** A council's year, reported by quarter, where the last payments of each quarter come late. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StatementDocument } from '../../src/core/statements.ts';
import { Terminal } from '../cli/terminal.ts';
import { OXFORD_PAYMENTS, OXFORD_PROJECT } from '../oxford.ts';
import { readText } from '../repository.ts';

const QUARTERS = ['2015-06', '2015-09', '2015-12', '2016-03'];
const PROJECT = 'prj_0000000001';

test('14 the year by quarter has the figures of docs/statements.md, to the penny', async (t) => {
  const terminal = new Terminal(t);
  const run = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await terminal.run(args);
    assert.equal(exitCode, 0, stderr);
    return stdout;
  };
  const show = async (...args: string[]): Promise<StatementDocument> => {
    return JSON.parse(await run('statements', ...args, '--json'));
  };
  await run('init', '--name', 'Oxford', '--currency', 'GBP');
  await run('projects', 'import', OXFORD_PROJECT);
  const bring = async (name: string, lines: readonly string[], mapping: string) => {
    writeFileSync(join(terminal.folder, name), lines.join('\n'), 'latin1');
    await run('import', name, '--map', mapping, '--quiet');
    await run('allocate', '--by-account-code');
  };
  const issue = (to: string) => show('issue', PROJECT, '--to', to, '--without-reasons');
  const found: string[] = [];
  for (const [at, [path, mapping]] of OXFORD_PAYMENTS.entries()) {
    const [head = '', ...rows] = readFileSync(path, 'latin1').trimEnd().split('\n');
    const onTime = rows.length - Math.floor(rows.length / 20);
    await bring('on-time.csv', [head, ...rows.slice(0, onTime)], mapping);
    const document = await issue(QUARTERS[at] ?? '');
    await bring('late.csv', [head, ...rows.slice(onTime)], mapping);
    const { changedSince, ...frozen } = await show('show', PROJECT, `${at + 1}`);
    assert.deepEqual({ ...frozen, changedSince: document.changedSince }, document);
    assert.equal(document.changedSince?.count, 0);
    found.push(entryOf({ ...document, changedSince }));
  }
  found.push(entryOf(await issue('2016-03')));
  const text = readText('docs/statements.md');
  assert.deepEqual(
    found.filter((entry) => !text.includes(entry)),
    [],
  );
  await run('check');
});

/** The entry of a statement in the table of the document. */
function entryOf({ number, from, to, expenses, changedSince }: StatementDocument): string {
  const { before, period, changes, toDate } = expenses;
  const { count, expenses: since } = changedSince ?? { count: 0, expenses: 0 };
  const months = from === null ? `up to ${to}` : `${from} to ${to}`;
  const figures = [before, period, changes, toDate].map(inPounds);
  return `| ${[number, months, ...figures, `${count}: ${inPounds(since)}`].join(' | ')} |`;
}

function inPounds(amount: number): string {
  return amount.toLocaleString('en-GB', { minimumFractionDigits: 2 });
}
