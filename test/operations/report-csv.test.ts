import assert from 'node:assert/strict';
import { it } from 'node:test';
import { periodsBetween } from '../../src/core/calendar.ts';
import { formatReportCsv } from '../../src/operations/report-csv.ts';

it('a report is written as CSV in pieces of at most 250 entries', () => {
  const periods = periodsBetween('2026-01-01', '2026-12-31', 'monthly');
  const cell = { budgeted: 1, actual: 0, variance: 1 };
  const cells = periods.map(() => cell);
  const total = { budgeted: 12, actual: 0, variance: 12 };
  const line = { id: 1, code: 'A', name: 'Rent', category: null, kind: 'expense' };
  const lines = Array.from({ length: 100 }, () => ({ line, cells, total, outsideActual: 0 }));
  const currency = { code: 'GBP', places: 2 };
  const project = { name: 'Youth', startDate: '2026-01-01', endDate: '2026-12-31' };
  const parts = [{ project, lines }] as unknown as Parameters<typeof formatReportCsv>[1];
  const pieces = [...formatReportCsv(periods, parts, currency)];
  assert.deepEqual(
    pieces.map((piece) => piece.split('\r\n').length - 1),
    [1, 250, 250, 250, 250, 200],
  );
});
