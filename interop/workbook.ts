/** Reads the workbook of a statement with SheetJS, which finds what the document has. */

import assert from 'node:assert/strict';
import { read, utils, type WorkBook } from '@e965/xlsx';
import { createService } from 'budgetd';

const DAYS = { startDate: '2026-01-01', endDate: '2026-12-31' };
const PROJECT = {
  name: 'Youth',
  ...DAYS,
  budgetLines: [
    { name: '=1+1', code: '0042', budget: { '2026-01': 100.1 } },
    { name: 'Grant', code: 'G', kind: 'income', budget: { '2026-01': 90 } },
  ],
};
const PAID = { externalId: '+1', date: '2026-01-02', description: '@x', amount: 40.07 };
const RECEIVED = { externalId: 'G-1', date: '2026-01-31', description: 'Grant', amount: -90 };

export async function readWorkbook(): Promise<void> {
  const service = await createService({ database: ':memory:' });
  try {
    service.seed({
      projects: [PROJECT],
      transactions: [PAID, RECEIVED],
      allocations: { [PAID.externalId]: '0042', [RECEIVED.externalId]: 'G' },
    });
    const [organisation] = service.organisations.list();
    const id = organisation?.id ?? '';
    const [project] = service.projects.list(id).data;
    const wanted = { to: '2026-01', reasons: { '0042': 'Late' } };
    const issued = service.statements.issue(id, project?.id ?? '', wanted);
    const bytes = await service.statements.xlsx(id, project?.id ?? '', { number: issued.number });
    compare(read(bytes, { cellDates: true }), issued);
  } finally {
    await service.close();
  }
}

type Issued = ReturnType<Awaited<ReturnType<typeof createService>>['statements']['issue']>;

function compare(book: WorkBook, { lines }: Issued): void {
  assert.deepEqual(book.SheetNames, ['Statement 1', 'Transactions']);
  const rowsOf = (name: string) =>
    utils.sheet_to_json<unknown[]>(book.Sheets[name] ?? {}, { header: 1, UTC: true });
  const rows = rowsOf('Statement 1').filter(([kind]) => kind === 'Income' || kind === 'Expense');
  assert.deepEqual(
    rows.map((cells) => cells.slice(2, 9)),
    lines.map(({ code, name, budget, before, period, changes, toDate }) => {
      return [code, name, budget, before, period, changes, toDate];
    }),
  );
  assert.deepEqual(
    rowsOf('Transactions')
      .slice(1)
      .map((cells) => [cells[1], cells[4], cells[5], cells[11]]),
    [PAID, RECEIVED].map(({ date, externalId, description, amount }) => {
      return [new Date(date), externalId, description, Math.abs(amount)];
    }),
  );
}
