/**
 * The files of an export. Those with one JSON document on each line have the documents of the HTTP
 * interface; the tables have the same for spreadsheets.
 */

import {
  allocationList,
  auditDocument,
  keyDocument,
  organisationDocument,
  reportDocument,
  transactionDocument,
  userDocument,
} from '../api/documents.ts';
import { formatInstant } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { toMajor } from '../core/money.ts';
import type { Provider } from '../core/transactions.ts';
import type { Access } from '../operations/access.ts';
import type { AllocationRecord } from '../operations/allocations.ts';
import {
  projectFileOf,
  rowOf,
  type WholeTransaction,
  walkAudit,
  walkTransactions,
} from '../operations/export.ts';
import { listKeys } from '../operations/keys.ts';
import { listAll } from '../operations/pages.ts';
import { getProjectPlan, type LinePlan } from '../operations/project-plans.ts';
import { getReport, listProjects, type ProjectRecord } from '../operations/projects.ts';
import { listReportEntries, REPORT_COLUMNS } from '../operations/report-csv.ts';
import { listUsers } from '../operations/users.ts';
import type { Columns, ExportFolder } from './export-folder.ts';

/** Transactions between two calls of `onProgress`. */
const PROGRESS_TRANSACTIONS = 10_000;

/** What an export says about itself. */
interface ExportOptions {
  /** Of budgetd. */
  readonly version: string;
  readonly nowMs: number;
  /** Called from time to time with the number of transactions written. */
  readonly onProgress: (transactions: number) => void;
}

/** Writes everything that the organisation has. Call it on one snapshot. */
export function writeExport(
  access: Access,
  folder: ExportFolder,
  { version, nowMs, onProgress }: ExportOptions,
): void {
  const { organisation } = access;
  const exported = { exportedAt: formatInstant(nowMs), exportedBy: `budgetd ${version}` };
  folder.document('organisation.json', { ...organisationDocument(organisation), ...exported });
  const keys = listKeys(access).map(keyDocument);
  folder.document('keys.json', keys, keys.length);
  const users = listUsers(access).map(userDocument);
  folder.document('users.json', users, users.length);
  const projects = writeProjects(access, folder);
  writeTransactions(access, folder, { projects, onProgress });
  const audit = folder.lines('audit.ndjson');
  for (const entry of walkAudit(access)) audit.add(JSON.stringify(auditDocument(entry)));
}

/** The projects, their lines and reports. Returns the names of the projects. */
function writeProjects(access: Access, folder: ExportFolder): ReadonlyMap<number, string> {
  const { organisation } = access;
  const { currency } = organisation;
  const projects = listAll((page) => listProjects(access, page));
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const plans = projects.map(({ id }) => getProjectPlan(access, formatId('prj', id)));
  const files = plans.map((plan) => {
    return projectFileOf(plan, names.get(plan.project.parentProjectId ?? 0) ?? null, access);
  });
  folder.document('projects.json', files, files.length);
  const projectTable = folder.table('projects.csv', projectColumns(names));
  for (const project of projects) projectTable.add(project);
  const lines = folder.table('budget-lines.csv', LINE_COLUMNS);
  for (const { project, lines: own } of plans) {
    for (const line of own) lines.add({ project, line });
  }
  const reports = folder.lines('reports.ndjson');
  const table = folder.records('reports.csv', REPORT_COLUMNS);
  for (const { id, name } of projects) {
    const report = getReport(access, formatId('prj', id));
    reports.add(JSON.stringify(reportDocument(report, organisation).data));
    const part = { project: name, lines: report.rows };
    for (const entry of listReportEntries(report.periods, part, currency)) table.add(entry);
  }
  return names;
}

function projectColumns(names: ReadonlyMap<number, string>): Columns<ProjectRecord> {
  return {
    id: ({ id }) => formatId('prj', id),
    name: ({ name }) => name,
    parent: ({ parentProjectId }) => names.get(parentProjectId ?? 0) ?? null,
    startDate: ({ startDate }) => startDate,
    endDate: ({ endDate }) => endDate,
    funder: ({ funderName }) => funderName,
    archived: ({ archivedAtMs }) => String(archivedAtMs !== null),
  };
}

const LINE_COLUMNS: Columns<{ project: ProjectRecord; line: LinePlan }> = {
  projectId: ({ project }) => formatId('prj', project.id),
  project: ({ project }) => project.name,
  budgetLineId: ({ line }) => formatId('bln', line.id),
  code: ({ line }) => line.code,
  name: ({ line }) => line.name,
  category: ({ line }) => line.category,
  accountCodes: ({ line }) => line.accountCodes.join(' '),
};

interface Progress {
  readonly projects: ReadonlyMap<number, string>;
  readonly onProgress: (transactions: number) => void;
}

/** The transactions with their allocations, and the rows that they came in as. */
function writeTransactions(
  access: Access,
  folder: ExportFolder,
  { projects, onProgress }: Progress,
): void {
  const { organisation } = access;
  const { places } = organisation.currency;
  const transactions = folder.lines('transactions.ndjson');
  const transactionTable = folder.table('transactions.csv', transactionColumns(organisation));
  const allocations = folder.lines('allocations.ndjson');
  const allocationTable = folder.table('allocations.csv', allocationColumns(places, projects));
  const rows = new Map<Provider, ReturnType<ExportFolder['lines']>>();
  let written = 0;
  for (const transaction of walkTransactions(access)) {
    const { provider, exclusion } = transaction;
    const { data } = transactionDocument(transaction, organisation);
    const excluded = exclusion && {
      at: formatInstant(exclusion.atMs),
      by: exclusion.by,
      reason: exclusion.reason,
    };
    transactions.add(JSON.stringify({ ...data, exclusion: excluded }));
    transactionTable.add(transaction);
    const shares = { items: transaction.allocations, nextCursor: null };
    for (const share of allocationList(shares, organisation).data) {
      allocations.add(JSON.stringify(share));
    }
    for (const share of transaction.allocations) allocationTable.add(share);
    const row = rowOf(transaction, access);
    if (row !== undefined) {
      const file = rows.get(provider) ?? folder.lines(`rows-${provider}.ndjson`);
      rows.set(provider, file);
      file.add(row);
    }
    written += 1;
    if (written % PROGRESS_TRANSACTIONS === 0) onProgress(written);
  }
}

/** `import` and `push` read those that are named like fields. */
function transactionColumns({ currency }: Access['organisation']): Columns<WholeTransaction> {
  const major = (amountMinor: number | undefined) => {
    return amountMinor === undefined ? null : toMajor(amountMinor, currency.places);
  };
  const instant = (atMs: number | undefined) => (atMs === undefined ? null : formatInstant(atMs));
  return {
    id: ({ id }) => formatId('txn', id),
    provider: ({ provider }) => provider,
    externalId: ({ externalId }) => externalId,
    date: ({ date }) => date,
    description: ({ description }) => description,
    contact: ({ contact }) => contact,
    amount: ({ amountMinor }) => major(amountMinor),
    currency: () => currency.code,
    accountCode: ({ accountCode }) => accountCode,
    status: ({ status }) => status,
    allocatedAmount: ({ allocatedMinor }) => major(allocatedMinor),
    reviewPreviousAmount: ({ review }) => major(review?.previousMinor),
    reviewChangedAt: ({ review }) => instant(review?.changedAtMs),
    excludedAt: ({ exclusion }) => instant(exclusion?.atMs),
    excludedBy: ({ exclusion }) => exclusion?.by ?? null,
    excludedReason: ({ exclusion }) => exclusion?.reason ?? null,
    createdAt: ({ createdAtMs }) => formatInstant(createdAtMs),
    updatedAt: ({ updatedAtMs }) => formatInstant(updatedAtMs),
    reference: ({ reference }) => reference,
    bankAccount: ({ bankAccount }) => bankAccount,
    projectCode: ({ projectCode }) => projectCode,
  };
}

function allocationColumns(
  places: number,
  projects: ReadonlyMap<number, string>,
): Columns<AllocationRecord> {
  return {
    id: ({ id }) => formatId('alc', id),
    transactionId: ({ transactionId }) => formatId('txn', transactionId),
    externalId: ({ externalId }) => externalId,
    date: ({ date }) => date,
    projectId: ({ projectId }) => formatId('prj', projectId),
    project: ({ projectId }) => projects.get(projectId) ?? null,
    budgetLineId: ({ budgetLineId }) => formatId('bln', budgetLineId),
    lineCode: ({ lineCode }) => lineCode,
    line: ({ lineName }) => lineName,
    amount: ({ amountMinor }) => toMajor(amountMinor, places),
    note: ({ note }) => note,
    createdAt: ({ createdAtMs }) => formatInstant(createdAtMs),
    updatedAt: ({ updatedAtMs }) => formatInstant(updatedAtMs),
  };
}
