/** Reads the workbooks of a statement and a report with SheetJS: they have what documents have. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { read, utils, type WorkBook } from '@e965/xlsx';
import { createService, type ProjectInput } from 'budgetd';

const DAYS = { startDate: '2026-01-01', endDate: '2026-12-31' };
const PROJECT: ProjectInput = {
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
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-workbook-'));
  const database = join(folder, 'a.db');
  const service = await createService({ database, create: true });
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
    const report = service.projects.report(id, project?.id ?? '');
    await service.close();
    compareReport(readReport(database, join(folder, 'report.xlsx')), report);
  } finally {
    await service.close();
    rmSync(folder, { recursive: true });
  }
}

/** The workbook that the command line writes. */
function readReport(database: string, file: string): WorkBook {
  const home = dirname(createRequire(__filename).resolve('budgetd/package.json'));
  const words = ['report', PROJECT.name, '--xlsx', file, '--db', database];
  execFileSync(process.execPath, [join(home, 'bin/budgetd'), ...words], { stdio: 'pipe' });
  return read(readFileSync(file), { cellDates: true });
}

type Service = Awaited<ReturnType<typeof createService>>;

/** Each line has an entry for each month; what is expected of income is positive. */
function compareReport(book: WorkBook, { data }: ReturnType<Service['projects']['report']>): void {
  const [, ...entries] = rowsOf(book, 'Report');
  const wanted = data.rows.flatMap(({ name, kind, cells }) =>
    cells.map(({ budgeted, actual }, at) => {
      const sign = kind === 'income' ? -1 : 1;
      return [name, data.periods[at]?.key, sign * budgeted + 0, sign * actual + 0];
    }),
  );
  assert.deepEqual(
    entries.map((cells) => [cells[2], cells[4], cells[8], cells[9]]),
    wanted,
  );
  assert.deepEqual(entries[0]?.[5], new Date('2026-01-01'));
}

type Issued = ReturnType<Service['statements']['issue']>;

const rowsOf = (book: WorkBook, name: string) =>
  utils.sheet_to_json<unknown[]>(book.Sheets[name] ?? {}, { header: 1, UTC: true });

function compare(book: WorkBook, { lines }: Issued): void {
  assert.deepEqual(book.SheetNames, ['Statement 1', 'Transactions']);
  const rows = rowsOf(book, 'Statement 1').filter(
    ([kind]) => kind === 'Income' || kind === 'Expense',
  );
  assert.deepEqual(
    rows.map((cells) => cells.slice(2, 9)),
    lines.map(({ code, name, budget, before, period, changes, toDate }) => {
      return [code, name, budget, before, period, changes, toDate];
    }),
  );
  assert.deepEqual(
    rowsOf(book, 'Transactions')
      .slice(1)
      .map((cells) => [cells[1], cells[4], cells[5], cells[11]]),
    [PAID, RECEIVED].map(({ date, externalId, description, amount }) => {
      return [new Date(date), externalId, description, Math.abs(amount)];
    }),
  );
}
