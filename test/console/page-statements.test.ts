/** How many statements the pages of an organisation with 50 of everything run. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ROWS as PAGE_ROWS } from '../../src/console/components/transaction-filters.ts';
import { addUser, Browser, openOffice } from './office.ts';
import { countStatements } from './statements.ts';

const ROWS = 50;
const NUMBERS = Array.from({ length: ROWS }, (_, at) => at);

/** Pages, what each has at least once for each row, and the statements it may run. */
const PAGES = [
  ['/', /<a href="\/projects\/prj_\w+">/g, 39],
  ['/projects', /<a href="\/projects\/prj_\w+">/g, 8],
  ['/transactions', /<tr role="row" id="txn_/g, 10],
  ['/rules/run?only=code', /no line claims it|but the project runs/g, 28],
  ['/transactions/by-code/claim?code=7', /<option value="bln_/g, 18],
  ['/review/recoded', /name="do" value="recode"/g, 12],
  ['/activity', /<ul class="changes">/g, 12],
  ['/activity?kind=transactions', /value="Undo"|>Undo</g, 12],
] as const;

it('no page runs a statement for each of its rows', async (t) => {
  const office = await openOffice(t);
  const { service, org } = office;
  const access = service.access(org);
  service.projects.import(
    org,
    NUMBERS.map((at) => ({
      name: `Project ${at}`,
      codes: [`P-${at}`],
      startDate: '2026-01-01',
      endDate: '2026-12-31',
      budgetLines: [
        { name: `Line ${at}`, accountCodes: [`C-${at}`], budget: { '2026-01': 10 } },
        { name: `Grant ${at}`, kind: 'income', budget: { '2026-01': 10 } },
      ],
    })),
  );
  const push = (start: string, codeOf: (at: number) => object) => {
    const rows = NUMBERS.map((at) => ({
      externalId: `${start}-${at}`,
      date: '2026-01-31',
      description: 'Rent',
      amount: 100,
      ...codeOf(at),
    }));
    service.transactions.push(org, rows);
  };
  push('A', (at) => ({ accountCode: `C-${at}`, projectCode: `P-${at}` }));
  await service.transactions.allocateByAccountCode(org);
  push('A', (at) => ({
    accountCode: `C-${(at + 1) % ROWS}`,
    projectCode: `P-${(at + 1) % ROWS}`,
  }));
  push('B', (at) => ({ accountCode: `C-${at}`, projectCode: `P-${at}` }));
  push('C', (at) => ({ accountCode: `C-${at}`, projectCode: `P-${at}`, date: '2025-01-31' }));
  push('D', (at) => ({ accountCode: String(at), projectCode: `P-${at}` }));
  push('E', (at) => ({ accountCode: `C-${at}` }));
  const { data } = service.transactions.list(org, { status: 'unallocated', limit: ROWS });
  for (const { id } of data) service.transactions.exclude(org, id, 'Twice');
  await addUser(office, 'owner');
  const browser = await Browser.of(office, 'owner@example.org');
  // Runs nothing in between.
  await service.finishRules();
  const texts = countStatements(t, access.db);
  for (const [path, mark, limit] of PAGES) {
    texts.length = 0;
    const { text } = await browser.get(path);
    const shown = text.match(mark)?.length ?? 0;
    assert.ok(shown >= PAGE_ROWS, `${path} has ${shown}`);
    assert.ok(texts.length <= limit, `${path} runs ${texts.length}:\n${texts.join('\n')}`);
  }
});
