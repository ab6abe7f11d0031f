/** Views show plain values: they need neither a service nor a request. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { statementTable, totals } from '../../src/console/pages/statement-sheet.ts';
import { Reader } from '../../src/console/session/reader.ts';
import { buildStatement, type StatementDocument } from '../../src/core/statements.ts';
import { textOf } from './desk.ts';

const currency = { code: 'EUR', places: 2 };
const NONE = { budget: 0, budgetToDate: 0, before: 0, period: 0, changes: 0, toDate: 0 };

describe('the figures of a statement', () => {
  const about = { projectId: 'prj_0000000001', project: 'Grant', code: null, category: null };
  const line = (name: string, kind: 'income' | 'expense', figures: Partial<typeof NONE>) => {
    return { ...about, budgetLineId: name, name, kind, figures: { ...NONE, ...figures } };
  };
  const body = buildStatement({
    head: {
      ...{ projectId: about.projectId, project: about.project, number: 1, issue: 1 },
      ...{ from: '2026-01', to: '2026-03', startDate: '2026-01-01', endDate: '2026-03-31' },
      ...{ withSubProjects: false, funder: null, note: null, issuedAt: null, issuedBy: null },
    },
    currency,
    toleranceHundredths: 1000,
    lines: [
      line('Grant', 'income', { budget: 500_000, toDate: 250_000, period: 250_000 }),
      line('<Salary>', 'expense', { budget: 120_050, toDate: 123_456, period: 123_456 }),
    ],
    reasons: {},
    outside: { count: 0, incomeMinor: 0, expensesMinor: 0 },
    unallocated: { count: 0, outMinor: 0, inMinor: 0 },
    underReview: { count: 0, amountMinor: 0 },
  });
  const kept = { withdrawn: null, hash: null, changedSince: null };
  const document: StatementDocument = { ...body, ...kept, status: 'draft' };

  for (const [language, left, spent] of [
    ['en-GB', '−34.06', '1,234.56'],
    ['de-DE', '−34,06', '1.234,56'],
  ] as const) {
    it(`are a table and sums as a reader of ${language} writes numbers`, () => {
      const reader = Reader.of(language, { currency, timeZone: 'Europe/Berlin' });
      const table = statementTable(reader, document, { labelledBy: 'figures' }).text;
      assert.ok(table.includes('&lt;Salary&gt;'));
      assert.ok(textOf(table).includes(left), textOf(table));
      assert.ok(textOf(totals(reader, document).text).includes(spent));
    });
  }
});
