/** The page of what has changed since a statement, and its files. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { allocate } from '../../src/operations/allocations.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { issueStatement } from '../../src/operations/statements.ts';
import { openDesk, textOf } from './desk.ts';

it('14 a part that went to another line is called that, on the page and in files', async (test) => {
  const { browser, access, service } = await openDesk(test);
  const [rent, heat] = [formatId('bln', 1), formatId('bln', 2)];
  const give = (amounts: readonly (readonly [line: string, minor: number])[]) => {
    const allocations = amounts.map(([budgetLineId, amountMinor]) => {
      return { budgetLineId, amountMinor };
    });
    allocate(access, { transactionId: formatId('txn', 1), allocations }, service.actor());
  };
  give([[rent, 10_000]]);
  const project = formatId('prj', 1);
  issueStatement(access, project, { to: '2026-01' }, service.actor());
  give([
    [rent, 6_000],
    [heat, 4_000],
  ]);
  const { text } = await browser.get(`/projects/${project}/statements/1/changed`);
  const said = textOf(text);
  assert.match(said, /To another line [^·]*? A Rent 100\.00 60\.00 −40\.00/);
  assert.match(said, /From another line [^·]*? B Heat 0\.00 40\.00 \+40\.00/);
  const links = [...text.matchAll(/class="button" href="([^"]*)"/g)];
  const [xlsx = '', csv = ''] = links.map(([, href = '']) => href);
  assert.deepEqual((await browser.get(csv)).text.trim().split('\r\n'), [
    'date,transactionId,description,kind,code,line,currency,reported,now,change',
    '2026-01-01,txn_0000000001,Hall hire,expense,A,Rent,GBP,100.00,60.00,-40.00',
    '2026-01-01,txn_0000000001,Hall hire,expense,B,Heat,GBP,0.00,40.00,40.00',
  ]);
  const book = await browser.get(xlsx);
  const named = '"Changed since statement 1.xlsx"';
  assert.ok(book.headers.get('content-disposition')?.includes(named));
  assert.ok(book.text.startsWith('PK'));
});

it('14 what only a change of the project took out is said to be that', async (test) => {
  const { browser, access, service } = await openDesk(test);
  const allocations = [{ budgetLineId: formatId('bln', 1) }];
  allocate(access, { transactionId: formatId('txn', 1), allocations }, service.actor());
  const project = formatId('prj', 1);
  issueStatement(access, project, { to: '2026-01' }, service.actor());
  const budgetLines = [{ code: 'A', name: 'Rent' }];
  const later = { name: 'Youth work', startDate: '2026-01-02', endDate: '2026-12-31', budgetLines };
  importProjects(access, later, service.actor());
  const { text } = await browser.get(`/projects/${project}/statements/1/changed`);
  assert.match(
    textOf(text),
    /Counts no longer by a change of the project A Rent 100\.00 – −100\.00/,
  );
});
