/** Writes the files of an export: documents of the HTTP interface, and tables for spreadsheets. */

import { resolve } from 'node:path';
import {
  allocationItem,
  auditDocument,
  keyDocument,
  organisationDocument,
  reportDocument,
  transactionItem,
  userDocument,
} from '../../api/documents.ts';
import { formatInstant } from '../../core/calendar.ts';
import { count, groupThousands } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { toMajor } from '../../core/money.ts';
import { turnIncome } from '../../core/projects.ts';
import { RARE } from '../../core/row-members.ts';
import type { Provider } from '../../core/transactions.ts';
import { consistently } from '../../operations/access.ts';
import { listAll } from '../../operations/pages.ts';
import { getProjectPlan, projectFileOf } from '../../operations/project-plans.ts';
import { getReport, listProjects } from '../../operations/projects.ts';
import { REPORT_COLUMNS, walkReportEntries } from '../../operations/report-csv.ts';
import { ruleListDocument } from '../../operations/rules.ts';
import { walkStatements } from '../../operations/statements.ts';
import { rowAgain } from '../../operations/transactions.ts';
import { readBuild } from '../../package-folder.ts';
import type { Access } from '../../store/access.ts';
import { walkAudit } from '../../store/audit.ts';
import { walkTransactions } from '../../store/export.ts';
import { listKeys } from '../../store/keys.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import { readRules } from '../../store/rules.ts';
import { listUsers } from '../../store/users.ts';
import type { Command } from '../command.ts';
import { ExportFolder } from '../export-folder.ts';
import { readPositionals } from '../options.ts';
import { createProgress, printNotes, printResult, printTable } from '../output.ts';

const exportAll: Command = {
  name: 'export',
  summary: 'writes all data of the organisation as CSV and JSON',
  usage: 'DIR',
  details: `
Writes all data of the organisation to the new folder DIR, which only you can
read, also while the service runs. The files are as of one moment, and DIR gets
its name only when they are complete.

CSV is for spreadsheets: text that begins with = + - or @ has an apostrophe in
front. NDJSON has the documents of the HTTP interface, one on each line.
\`projects import\` reads projects.json, and \`push\` reads rows-api.ndjson.

To move to another machine, use \`budgetd backup\`: its copy also has keys,
passwords and the log. Copy the settings and DATABASE-key yourself.

Example: budgetd export harbour-trust-2026`,
  async run(call) {
    const [name] = readPositionals(call, 'DIR');
    const path = resolve(call.io.cwd, name);
    const { access, actor } = await call.openOrganisation();
    const folder = new ExportFolder(path);
    const progress = createProgress(call.io);
    try {
      const { nowMs } = actor();
      const showCount = (each: number) => progress.show(`${count(each, 'transaction')} …`);
      const options = { version: readBuild().version, nowMs, onProgress: showCount };
      consistently(access, () => writeExport(access, folder, options));
      const files = folder.finish();
      progress.end();
      printResult(call, { folder: path, files }, () => {
        printTable(call.io, files, [
          { title: 'File', cell: ({ file }) => file },
          {
            title: 'Entries',
            align: 'right',
            cell: ({ entries }) => groupThousands(String(entries)),
          },
        ]);
        printNotes(call.io, `Wrote ${count(files.length, 'file')} to ${path}.`);
      });
    } finally {
      progress.end();
      folder.close();
    }
  },
};

export const commands = [exportAll];

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
function writeExport(
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
  const rules = readRules(access);
  const ruleList = ruleListDocument(rules, organisation.currency);
  folder.document('rules.json', ruleList, rules.rules.length);
  writeTransactions(access, folder, { projects, onProgress });
  const audit = folder.lines('audit.ndjson');
  for (const entry of walkAudit(access)) audit.add(JSON.stringify(auditDocument(entry)));
}

/** The projects, their lines and reports. Returns the names of the projects by their ids. */
function writeProjects(access: Access, folder: ExportFolder): ReadonlyMap<string, string> {
  const { organisation } = access;
  const { currency } = organisation;
  const projects = listAll((page) => listProjects(access, page));
  const names = new Map(projects.map(({ id, name }) => [formatId('prj', id), name]));
  const plans = projects.map(({ id }) => getProjectPlan(access, formatId('prj', id)));
  const parentOf = ({ parentProjectId }: (typeof projects)[number]) => {
    return names.get(formatId('prj', parentProjectId ?? 0)) ?? null;
  };
  const files = plans.map(({ project, lines }) => {
    const isArchived = project.archivedAtMs !== null;
    const whole = { ...project, isArchived, budgetLines: lines };
    return projectFileOf(whole, parentOf(project), currency);
  });
  folder.document('projects.json', files, files.length);
  const projectTable = folder.table(
    'projects.csv',
    'id name parent startDate endDate funder archived',
  );
  for (const project of projects) {
    const archived = String(project.archivedAtMs !== null);
    const [id, parent, funder] = [
      formatId('prj', project.id),
      parentOf(project),
      project.funderName,
    ];
    projectTable.add({ ...project, id, parent, funder, archived });
  }
  const lines = folder.table(
    'budget-lines.csv',
    'projectId project budgetLineId code name category accountCodes kind',
  );
  for (const { project, lines: own } of plans) {
    const about = { projectId: formatId('prj', project.id), project: project.name };
    for (const line of own) {
      const accountCodes = line.accountCodes.join(' ');
      lines.add({ ...line, ...about, budgetLineId: formatId('bln', line.id), accountCodes });
    }
  }
  const reports = folder.lines('reports.ndjson');
  const table = folder.records('reports.csv', REPORT_COLUMNS);
  for (const project of projects) {
    const report = getReport(access, formatId('prj', project.id));
    reports.add(JSON.stringify(reportDocument(report, organisation).data));
    const parts = [{ project, lines: report.rows }];
    for (const entry of walkReportEntries(report.periods, parts, currency)) table.add(entry);
  }
  writeStatements(access, folder, projects);
  return names;
}

/** The statements, withdrawn ones too, and what each reported of a transaction and a line. */
function writeStatements(access: Access, folder: ExportFolder, projects: readonly ProjectRecord[]) {
  const { places } = access.organisation.currency;
  const statements = folder.lines('statements.ndjson');
  const table = folder.table(
    'statement-items.csv',
    'projectId statement issue column transactionId budgetLineId amount',
  );
  for (const { id } of projects) {
    const projectId = formatId('prj', id);
    for (const [document, items] of walkStatements(access, projectId)) {
      statements.add(JSON.stringify(document));
      const { number: statement, issue, lines } = document;
      const kinds = new Map(lines.map((line) => [line.budgetLineId, line.kind]));
      for (const { isChange, amountMinor, ...item } of [...items].flat()) {
        const budgetLineId = formatId('bln', item.budgetLineId);
        table.add({
          ...{ projectId, statement, issue, budgetLineId },
          column: isChange === 1 ? 'changes' : 'period',
          transactionId: formatId('txn', item.transactionId),
          amount: toMajor(turnIncome(kinds.get(budgetLineId), amountMinor), places),
        });
      }
    }
  }
}

/** The transactions with their allocations, and the rows that they came in as. */
function writeTransactions(
  access: Access,
  folder: ExportFolder,
  {
    projects,
    onProgress,
  }: Pick<ExportOptions, 'onProgress'> & { readonly projects: ReadonlyMap<string, string> },
): void {
  const { organisation } = access;
  const transactions = folder.lines('transactions.ndjson');
  const transactionTable = folder.table(
    'transactions.csv',
    // `import` and `push` read those that are named like fields.
    'id provider externalId date description contact amount currency accountCode status',
    'allocatedAmount reviewPreviousAmount reviewChangedAt excludedAt excludedBy excludedReason',
    'createdAt updatedAt',
    ...RARE,
  );
  const allocations = folder.lines('allocations.ndjson');
  const allocationTable = folder.table(
    'allocations.csv',
    'id transactionId externalId date projectId project budgetLineId lineCode line amount note',
    'createdAt updatedAt rule',
  );
  const rows = new Map<Provider, ReturnType<ExportFolder['lines']>>();
  let written = 0;
  for (const transaction of walkTransactions(access)) {
    const { provider, exclusion } = transaction;
    const data = transactionItem(transaction, organisation);
    const excluded = exclusion && {
      at: formatInstant(exclusion.atMs),
      by: exclusion.by,
      reason: exclusion.reason,
    };
    transactions.add(JSON.stringify({ ...data, exclusion: excluded }));
    transactionTable.add({
      ...data,
      reviewPreviousAmount: data.review?.previousAmount,
      reviewChangedAt: data.review?.changedAt,
      excludedAt: excluded?.at,
      excludedBy: excluded?.by,
      excludedReason: excluded?.reason,
    });
    for (const allocation of transaction.allocations) {
      const share = { ...allocationItem(allocation, organisation), rule: allocation.rule };
      allocations.add(JSON.stringify(share));
      const { externalId, date } = share.transaction;
      const { code: lineCode, name: line } = share.budgetLine;
      const project = projects.get(share.projectId);
      allocationTable.add({ ...share, externalId, date, project, lineCode, line });
    }
    const row = rowAgain(transaction, access);
    if (row !== undefined) {
      const file = rows.get(provider) ?? folder.lines(`rows-${provider}.ndjson`);
      rows.set(provider, file);
      file.add(row);
    }
    written += 1;
    if (written % PROGRESS_TRANSACTIONS === 0) onProgress(written);
  }
}
