/** A project's report in the HTTP interface (Spec 4.3). */

import { GRANULARITIES, type Granularity } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { toMajor } from '../core/money.ts';
import { buildReport, type Cell, type ReportFigures } from '../core/report.ts';
import { findReport } from '../store/reports.ts';
import { type Access, notFound, numberOf } from './access.ts';
import type { ReportCell, ReportDocument } from './contract.ts';
import { choice, type Values } from './parameters.ts';

/** The parameters of a report. */
export const REPORT_PARAMETERS = { granularity: choice(GRANULARITIES) };

/** Budget against actual for one project. Refuses with `not_found`. */
export function reportDocument(
  { db, organisation }: Access,
  id: string,
  values: Values<typeof REPORT_PARAMETERS>,
): ReportDocument {
  const granularity: Granularity = values.granularity ?? 'monthly';
  const number = numberOf('prj', id);
  const stored = findReport(db, organisation.id, number);
  if (stored === undefined) throw notFound('project', id);
  const { periods, rows, totals } = buildReport(stored, granularity);
  const { code: currency, places } = organisation.currency;
  const major = (amountMinor: number) => toMajor(amountMinor, places);
  return {
    data: {
      projectId: formatId('prj', number),
      currency,
      granularity,
      startDate: stored.startDate,
      endDate: stored.endDate,
      periods: [...periods],
      rows: rows.map(({ line, ...figures }) => ({
        budgetLineId: formatId('bln', line.id),
        code: line.code,
        name: line.name,
        category: line.category,
        ...toFigures(figures, major),
      })),
      totals: toFigures(totals, major),
      needsReview: {
        count: stored.needsReview.count,
        amount: major(stored.needsReview.amountMinor),
      },
    },
  };
}

type ToMajor = (amountMinor: number) => number;

function toFigures(
  { cells, outsideActual, total }: ReportFigures,
  major: ToMajor,
): { cells: ReportCell[]; outsideActual: number; total: ReportCell } {
  return {
    cells: cells.map((cell) => toCell(cell, major)),
    outsideActual: major(outsideActual),
    total: toCell(total, major),
  };
}

function toCell({ budgeted, actual, variance }: Cell, major: ToMajor): ReportCell {
  return { budgeted: major(budgeted), actual: major(actual), variance: major(variance) };
}
