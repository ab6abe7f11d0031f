/** Every member of a row is wherever people look for it: what no type asks for. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { OPTIONAL_FIELDS, ROW_FIELDS } from '../../src/core/row-members.ts';
import { openDesk, push } from '../console/desk.ts';
import { openOffice } from './office.ts';

const TEXTS = Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, `My ${field}`]));
const ROW = { externalId: 'M', date: '2026-09-30', description: 'x', amount: 1, ...TEXTS };

it('in lists, exports, reports of inspections and the help of push', async (context) => {
  const { terminal } = await openOffice(context);
  writeFileSync(join(terminal.folder, 'a.json'), JSON.stringify([ROW]));
  await terminal.run(['import', 'a.json']);
  const list = await terminal.run(['transactions', 'list'], { columns: 400 });
  await terminal.run(['export', 'out']);
  const table = readFileSync(join(terminal.folder, 'out/transactions.csv'), 'utf8');
  const help = await terminal.run(['push', '--help']);
  writeFileSync(join(terminal.folder, 'a.csv'), 'Date,Details,Amount\n2026-09-30,Tea,-1\n');
  const inspected = await terminal.run(['csv', 'inspect', 'a.csv', '--json']);
  for (const [field, text] of Object.entries(TEXTS)) {
    assert.ok(list.stdout.includes(text), `transactions list: ${field}`);
    assert.ok(table.includes(text), `export: ${field}`);
    assert.ok(inspected.stdout.includes(`"${field}"`), `csv inspect: ${field}`);
  }
  for (const field of ROW_FIELDS) assert.ok(help.stdout.includes(field), `push --help: ${field}`);
});

it('in the panel and the history of a transaction', async (test) => {
  const desk = await openDesk(test);
  push(desk, [{ ...ROW, externalId: 'INV-1' }]);
  const { text } = await desk.browser.get(`/transactions?open=${formatId('txn', 1)}`);
  for (const [field, own] of Object.entries(TEXTS)) {
    assert.ok(text.split(own).length > 2, `${field}: in the panel, and in its history`);
  }
});
