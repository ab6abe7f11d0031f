/** A project's report: budget against actual, in minor units (Spec 4.3). */

import type { Granularity } from '../core/calendar.ts';
import { buildReport, type ReportFiguresByLine } from '../core/report.ts';
import { findReport } from '../store/reports.ts';
import { type Access, missing, numberOf } from './access.ts';

/** A project's report, in minor units. */
export interface ReportRecord extends ReportFiguresByLine {
  /** The record number of the project. */
  readonly projectId: number;
  readonly granularity: Granularity;
  readonly startDate: string;
  readonly endDate: string;
  /** How much of the actual is under review. */
  readonly needsReview: { readonly count: number; readonly amountMinor: number };
}

/** One budget line of a report. */
export type ReportRow = ReportRecord['rows'][number];

/** Budget against actual for one project. Refuses with `not_found`. */
export function getReport(
  { db, organisation }: Access,
  id: string,
  granularity: Granularity = 'monthly',
): ReportRecord {
  const projectId = numberOf('prj', id);
  const stored = findReport(db, organisation.id, projectId);
  if (stored === undefined) throw missing('project', id);
  const { startDate, endDate, needsReview } = stored;
  const { periods, rows, totals } = buildReport(stored, granularity);
  // Object spread is avoided: it took a twelfth of the time of a report.
  return { projectId, granularity, startDate, endDate, periods, rows, totals, needsReview };
}
