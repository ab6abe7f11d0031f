/**
 * Records as documents, with identifiers, major units and RFC 3339 date-times: what the HTTP
 * interface answers, `--json` prints and the library returns.
 */

import type { AuditDetails } from '../core/audit.ts';
import { dateTimeOf, formatInstant } from '../core/calendar.ts';
import type { AmbiguousCode } from '../core/claims.ts';
import type { Currency } from '../core/currencies.ts';
import { formatId } from '../core/ids.ts';
import { toMajor } from '../core/money.ts';
import type { OrganisationRecord } from '../core/organisations.ts';
import type { Cell, ReportFigures, ReportLine } from '../core/report.ts';
import { outsideOf } from '../core/report-lines.ts';
import type { Listing } from '../operations/pages.ts';
import type { ReportRecord } from '../operations/projects.ts';
import { listParts, type RolledUp } from '../operations/roll-up.ts';
import type { RuleSum, RunOutcome } from '../operations/rule-runs.ts';
import type { AllocationRecord } from '../store/allocations.ts';
import type { AuditRecord } from '../store/audit.ts';
import type { KeyRecord } from '../store/keys.ts';
import type { ProjectImport, ProjectRecord } from '../store/projects.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import type { UserRecord } from '../store/users.ts';
import type {
  Allocation,
  Project,
  ReportCell,
  ReportDocument,
  ReportRow as ReportRowDocument,
  Transaction,
} from './contract.ts';

/** A page of a list (contract 1), with each of its items as a document. */
export function listDocument<Found, Item>(
  { items, nextCursor }: Listing<Found>,
  toItem: (record: Found, organisation: OrganisationRecord) => Item,
  organisation: OrganisationRecord,
) {
  return { data: items.map((each) => toItem(each, organisation)), meta: { nextCursor } };
}

/** A transaction, alone or in a page. */
export function transactionItem(
  record: TransactionRecord,
  { currency }: OrganisationRecord,
): Transaction {
  const { review, recoded } = record;
  return {
    id: formatId('txn', record.id),
    provider: record.provider,
    externalId: record.externalId,
    date: record.date,
    description: record.description,
    contact: record.contact,
    amount: toMajor(record.amountMinor, currency.places),
    currency: currency.code,
    accountCode: record.accountCode,
    reference: record.reference,
    bankAccount: record.bankAccount,
    projectCode: record.projectCode,
    status: record.status,
    allocatedAmount: toMajor(record.allocatedMinor, currency.places),
    review: review && {
      reason: 'amount_changed',
      previousAmount: toMajor(review.previousMinor, currency.places),
      changedAt: formatInstant(review.changedAtMs),
    },
    recoded: recoded && {
      accountCode: recoded.accountCode,
      projectCode: recoded.projectCode,
      date: recoded.date,
      changedAt: formatInstant(recoded.changedAtMs),
    },
    createdAt: formatInstant(record.createdAtMs),
    updatedAt: formatInstant(record.updatedAtMs),
  };
}

/** A project, alone or in a page. */
export function projectItem(record: ProjectRecord, { currency }: OrganisationRecord): Project {
  const { parentProjectId, funderName, funderReference } = record;
  return {
    id: formatId('prj', record.id),
    name: record.name,
    description: record.description,
    startDate: dateTimeOf(record.startDate),
    endDate: dateTimeOf(record.endDate),
    currency: currency.code,
    budgetMode: record.budgetMode,
    parentProjectId: parentProjectId === null ? null : formatId('prj', parentProjectId),
    funder: funderName === null ? null : { name: funderName, reference: funderReference },
    codes: [...record.codes],
    createdAt: formatInstant(record.createdAtMs),
    updatedAt: formatInstant(record.updatedAtMs),
  };
}

/** An allocation in a page. */
export function allocationItem(
  record: AllocationRecord,
  { currency }: OrganisationRecord,
): Allocation {
  return {
    id: formatId('alc', record.id),
    projectId: formatId('prj', record.projectId),
    budgetLineId: formatId('bln', record.budgetLineId),
    budgetLine: { code: record.lineCode, name: record.lineName },
    transactionId: formatId('txn', record.transactionId),
    transaction: {
      provider: record.provider,
      externalId: record.externalId,
      date: record.date,
      description: record.description,
      contact: record.contact,
    },
    amount: toMajor(record.amountMinor, currency.places),
    note: record.note,
    createdAt: formatInstant(record.createdAtMs),
    updatedAt: formatInstant(record.updatedAtMs),
  };
}

/** A project's report. */
export function reportDocument(
  report: ReportRecord,
  { currency: { code: currency, places } }: OrganisationRecord,
): ReportDocument {
  const { granularity, startDate, endDate, periods, rows, totals } = report;
  const { needsReview, recoded, unallocated } = report;
  const major = (amountMinor: number) => toMajor(amountMinor, places);
  return {
    data: {
      projectId: formatId('prj', report.projectId),
      currency,
      granularity,
      startDate,
      endDate,
      periods: [...periods],
      rows: rows.map((row) => toReportRow(row, major)),
      totals: toFigures(totals, major),
      needsReview: { count: needsReview.count, amount: major(needsReview.amountMinor) },
      recoded: { count: recoded.count, amount: major(recoded.amountMinor) },
      unallocated: {
        count: unallocated.count,
        out: major(unallocated.outMinor),
        in: major(unallocated.inMinor),
      },
    },
  };
}

/** A report with the projects below: in each row the project, and what has no cell. */
export function rolledUpDocument(rolled: RolledUp, organisation: OrganisationRecord) {
  const { places } = organisation.currency;
  const major = (amountMinor: number) => toMajor(amountMinor, places);
  const { report, totals, needsReview, recoded, unallocated } = rolled;
  const whole = reportDocument(
    { ...report, totals, needsReview, recoded, unallocated, rows: [] },
    organisation,
  );
  const rows = [...listParts(rolled)].flatMap(({ project, lines }) => {
    const about = { projectId: formatId('prj', project.id), project: project.name };
    return lines.map((row) => ({
      ...about,
      ...toReportRow(row, major),
      outsideBudgeted: major(outsideOf(row).budgeted),
    }));
  });
  const outsideBudgeted = major(outsideOf(totals).budgeted);
  const all = { ...whole.data.totals, outsideBudgeted };
  return { data: { ...whole.data, withSubProjects: true, rows, totals: all } };
}

type ToMajor = (amountMinor: number) => number;

function toReportRow({ line, ...figures }: ReportLine, major: ToMajor): ReportRowDocument {
  return {
    budgetLineId: formatId('bln', line.id),
    code: line.code,
    name: line.name,
    category: line.category,
    kind: line.kind,
    accountCodes: [...line.accountCodes],
    ...toFigures(figures, major),
  };
}

function toFigures({ cells, outsideActual, total }: ReportFigures, major: ToMajor) {
  return {
    cells: cells.map((cell) => toCell(cell, major)),
    outsideActual: major(outsideActual),
    total: toCell(total, major),
  };
}

function toCell({ budgeted, actual, variance }: Cell, major: ToMajor): ReportCell {
  return { budgeted: major(budgeted), actual: major(actual), variance: major(variance) };
}

/** The codes that several budget lines claim, so that allocating by account code left them. */
export function ambiguousDocument(codes: readonly AmbiguousCode[]) {
  return codes.map(({ budgetLineIds, ...each }) => {
    return { ...each, budgetLineIds: budgetLineIds.map((id) => formatId('bln', id)) };
  });
}

/** What a run of the rules did (contract 15). */
export function runDocument(outcome: RunOutcome, isDry: boolean, { places }: Currency) {
  const { allocated, ambiguous, unmatched, ambiguousCodes, rules } = outcome;
  const sumOf = ({ transactions, amountMinor }: RuleSum) => {
    return { allocated: transactions, amount: toMajor(amountMinor, places) };
  };
  return {
    ...{ allocated, ambiguous, unmatched },
    ambiguousCodes: ambiguousDocument(ambiguousCodes),
    dryRun: isDry,
    rules: rules.map(({ position, name, lines, ...sum }) => ({
      ...{ position, name },
      ...sumOf(sum),
      lines: [...lines].map(([id, line]) => ({
        budgetLineId: formatId('bln', id),
        ...sumOf(line),
      })),
    })),
  };
}

/** One imported project (contract 8). */
export type ImportedProject = ReturnType<typeof importedDocument>;

/** What an import did with a project. */
export function importedDocument({ id, name, change, lines }: ProjectImport) {
  return {
    projectId: formatId('prj', id),
    name,
    change,
    budgetLines: lines.map((line) => ({
      budgetLineId: formatId('bln', line.id),
      code: line.code,
      name: line.name,
    })),
  };
}

/** An organisation as it is shown. */
export type Organisation = ReturnType<typeof organisationDocument>;

export function organisationDocument(record: OrganisationRecord) {
  const { id, name, currency, plan, timeZone, letterhead, createdAtMs } = record;
  return {
    id: formatId('org', id),
    name,
    baseCurrency: currency.code,
    plan,
    /** The IANA name of the time zone in which people see instants. */
    timeZone,
    /** Lines below the name at the head of printed statements. */
    letterhead,
    createdAt: formatInstant(createdAtMs),
  };
}

/** A user as an organisation sees them. */
export function userDocument(record: UserRecord) {
  const { id, email, name, role, createdAtMs, lastSignInAtMs } = record;
  return {
    userId: formatId('usr', id),
    email,
    name,
    role,
    createdAt: formatInstant(createdAtMs),
    lastSignInAt: instantOrNull(lastSignInAtMs),
    secondFactor: record.secondFactor === 1,
  };
}

/** A key as it is shown, without its text. */
export type Key = ReturnType<typeof keyDocument>;

export function keyDocument(record: KeyRecord) {
  const { id, name, display, scopes, createdBy } = record;
  return {
    id: formatId('key', id),
    name,
    /** The first 6 of its 48 characters. */
    display,
    scopes,
    createdBy,
    createdAt: formatInstant(record.createdAtMs),
    expiresAt: instantOrNull(record.expiresAtMs),
    lastUsedAt: instantOrNull(record.lastUsedAtMs),
    revokedAt: instantOrNull(record.revokedAtMs),
  };
}

function instantOrNull(instantMs: number | null): string | null {
  return instantMs === null ? null : formatInstant(instantMs);
}

/** One entry of the audit log. */
export interface AuditEntry {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  /** The public identifier of what was changed; null for the organisation as a whole. */
  readonly subject: string | null;
  readonly requestId: string | null;
  /** What changed, from what to what; docs/audit.md describes it. */
  readonly details: AuditDetails;
}

/** An entry of the audit log. */
export function auditDocument({ atMs, ...entry }: AuditRecord): AuditEntry {
  return { at: formatInstant(atMs), ...entry };
}
