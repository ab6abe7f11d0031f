import { importedDocument, listDocument, projectItem } from '../../api/documents.ts';
import { toFilter } from '../../api/filters.ts';
import { PARAMETERS } from '../../api/parameters.ts';
import { count, nameSome, nounFor } from '../../core/counts.ts';
import { formatId } from '../../core/ids.ts';
import { linesOfKind } from '../../core/report-lines.ts';
import { cleanText } from '../../core/text-width.ts';
import * as operations from '../../operations/projects.ts';
import type { Access } from '../../store/access.ts';
import { listSharedCodes } from '../../store/account-codes.ts';
import type { ProjectImport, ProjectRecord } from '../../store/projects.ts';
import { amountColumn } from '../amounts.ts';
import type { Call, Command } from '../command.ts';
import { asUsage } from '../errors.ts';
import { showDay, showInstant } from '../instants.ts';
import { importFile } from '../json-file.ts';
import { nextPageOf, readFilters } from '../listing.ts';
import { findProjectId, lookUpProject } from '../lookup.ts';
import { readPositionals } from '../options.ts';
import { printLines, printNotes, printResult, printTable } from '../output.ts';
import type { ListColumn } from '../table.ts';

const importProjects: Command = {
  name: 'projects import',
  summary: 'creates or updates projects and their budget lines',
  usage: 'FILE.json',
  details: `FILE.json contains a project or a list of projects; - reads standard input.
A project with the same name is updated. If anything is wrong, nothing is
imported.

 { "name": "Youth work 2026", "startDate": "2026-01-01",
   "endDate": "2026-12-31", "budgetMode": "monthly",
   "funder": { "name": "The Lottery", "reference": "YW-26" }, "codes": ["YOU"],
   "budgetLines": [ { "code": "RENT", "name": "Rent", "accountCodes": ["7100"],
                      "budget": { "2026-01": 1200, "2026-02": 1200 } } ] }

With budgetMode total each line has one amount: "budget": 20000. Optional:
description, currency, parentProject (a name), codes (what finance systems call
the project; a row's projectCode is compared with them), archived (true or
false; without it a project stays as it is), and the category of a line.`,
  async run(call) {
    const { access, actor } = await call.openOrganisation();
    const imported = await importFile(call, (document) =>
      operations.importProjects(access, document, actor()),
    );
    warnOfShared(call, access, imported);
    const documents = imported.map(importedDocument).map(({ change, ...project }) => project);
    printResult(call, documents, () => printImported(call, access, imported));
  },
};

/** Warned pairs of projects: more would only repeat the same cause. */
const SHOWN_PAIRS = 20;

/** Warns of projects whose lines claim the same account codes on the same days. */
function warnOfShared({ io }: Call, access: Access, imported: readonly ProjectImport[]): void {
  const ids = imported.map(({ id }) => id);
  const pairs = listSharedCodes(access, ids);
  for (const { projects, accountCodes, projectCodes } of pairs.slice(0, SHOWN_PAIRS)) {
    const [one, two] = projects.map((name) => `"${cleanText(name)}"`);
    const codes = nameSome(accountCodes.map(cleanText));
    const all = `${nounFor(accountCodes.length, 'account code')} ${codes}`;
    const shared = `lines of ${one} and ${two} claim ${all}`;
    printNotes(io, `Warning: ${shared} on the same days. ${howToTell(projectCodes)}`);
  }
  const rest = pairs.length - SHOWN_PAIRS;
  if (rest > 0) printNotes(io, `Warning: so do ${count(rest, 'more pair')} of projects.`);
}

/** What to do about it; for projects that share project codes, what is wrong with these. */
function howToTell(shared: readonly string[]): string {
  const result = 'Payments with such a code are not allocated by account code.';
  if (shared.length === 0) return `${result} Give both projects "codes" to tell them apart.`;
  const codes = `${nounFor(shared.length, 'project code')} ${nameSome(shared.map(cleanText))}`;
  return `Both have the ${codes}. ${result}`;
}

/** The action and the budget of expenses of each project, one on a line. */
function printImported({ io }: Call, access: Access, imported: readonly ProjectImport[]): void {
  const { currency } = access.organisation;
  const budgetOf = ({ id }: ProjectImport) => {
    const report = operations.getReport(access, formatId('prj', id), { granularity: 'quarterly' });
    const expenses = linesOfKind(report.rows, 'expense');
    return expenses.reduce((sum, { total }) => sum + total.budgeted, 0);
  };
  printTable(io, imported, [
    { title: 'Id', cell: ({ id }) => formatId('prj', id) },
    { title: 'Project', min: 12, cell: ({ name }) => name },
    { title: 'Change', cell: ({ change }) => change },
    { title: 'Lines', align: 'right', cell: ({ lines }) => String(lines.length) },
    amountColumn(`Budget ${currency.code}`, currency, budgetOf),
  ]);
  const changes = ['created', 'updated', 'unchanged'].flatMap((change) => {
    const number = imported.filter((each) => each.change === change).length;
    return number === 0 ? [] : [`${number} ${change}`];
  });
  printNotes(io, `${count(imported.length, 'project')}: ${changes.join(', ')}.`);
}

const listProjects: Command = {
  name: 'projects list',
  summary: 'lists the projects',
  usage: '[--parent-project-id P] [--updated-since T] [--limit N] [--cursor C]',
  details: `
  --parent-project-id P   only children of this project, by id or name
  --updated-since T       changed since, such as 2026-01-31T12:00:00Z
  --limit N               projects per page, 1 to 1000 (default 100)
  --cursor C              the next page; each page prints the next cursor`,
  async run(call) {
    const filter = toFilter(readFilters(call, PARAMETERS.ProjectQuery));
    const { access } = await call.openOrganisation();
    const parentProjectId = filter.parentProjectId && findProjectId(access, filter.parentProjectId);
    const list = asUsage(() => operations.listProjects(access, { ...filter, parentProjectId }));
    printResult(call, listDocument(list, projectItem, access.organisation), () => {
      const none = 'No projects. Import some with `budgetd projects import FILE.json`.';
      printTable(call.io, list.items, PROJECT_COLUMNS, { none });
      printNotes(call.io, ...nextPageOf(call, 'projects list', list));
    });
  },
};

const PROJECT_COLUMNS: readonly ListColumn<ProjectRecord>[] = [
  { title: 'Id', cell: ({ id }) => formatId('prj', id) },
  { title: 'Project', min: 20, cell: ({ name }) => name },
  { title: 'From', cell: ({ startDate }) => startDate },
  { title: 'To', cell: ({ endDate }) => endDate },
  { title: 'Mode', rank: 3, cell: ({ budgetMode }) => budgetMode },
  { title: 'Archived', rank: 1, cell: ({ archivedAtMs: at }) => (at === null ? '' : showDay(at)) },
  { title: 'Funder', min: 12, rank: 4, cell: ({ funderName }) => funderName ?? '' },
  { title: 'Reference', min: 9, rank: 5, cell: ({ funderReference }) => funderReference ?? '' },
  { title: 'Codes', min: 8, rank: 6, cell: ({ codes }) => codes.join(', ') },
  { title: 'Part of', rank: 2, cell: ({ parentProjectId: id }) => (id ? formatId('prj', id) : '') },
];

const showProject: Command = {
  name: 'projects show',
  summary: 'shows a project and its budget lines',
  usage: 'PROJECT',
  details: 'PROJECT is the id or the exact name of a project.',
  async run(call) {
    const [wanted] = readPositionals(call, 'PROJECT');
    const { access } = await call.openOrganisation();
    printProject(call, access, lookUpProject(access, wanted));
  },
};

/** Prints a project: the document with `--json`, otherwise its facts and its budget lines. */
function printProject(call: Call, access: Access, project: ProjectRecord): void {
  const { organisation } = access;
  const { currency } = organisation;
  printResult(call, { data: projectItem(project, organisation) }, () => {
    const { io } = call;
    const { id, name, startDate, endDate, budgetMode, funderName, funderReference } = project;
    const { description, codes, parentProjectId, archivedAtMs } = project;
    const funder = [funderName, funderReference].filter((each) => each !== null).join(', ');
    const facts = [
      `${name} (${formatId('prj', id)})`,
      `${startDate} to ${endDate}, budget ${budgetMode}`,
      description,
      funder && `Funder: ${funder}`,
      codes.length > 0 && `Codes: ${codes.join(', ')}`,
      parentProjectId !== null && `Part of ${formatId('prj', parentProjectId)}`,
      archivedAtMs !== null && `Archived ${showInstant(archivedAtMs)} UTC`,
    ];
    printLines(io, ...facts.flatMap((fact) => (fact ? [cleanText(fact)] : [])));
    const { rows } = operations.getReport(access, formatId('prj', id));
    const columns: readonly ListColumn<(typeof rows)[number]>[] = [
      { title: 'Id', cell: ({ line }) => formatId('bln', line.id) },
      { title: 'Code', min: 5, cell: ({ line }) => line.code ?? '' },
      { title: 'Line', min: 14, cell: ({ line }) => line.name },
      amountColumn(`Budget ${currency.code}`, currency, ({ total }) => Math.abs(total.budgeted)),
      { title: 'Account codes', min: 8, cell: ({ line }) => line.accountCodes.join(', ') },
      { title: 'Kind', rank: 1, cell: ({ line }) => line.kind },
      { title: 'Category', min: 8, rank: 2, cell: ({ line }) => line.category ?? '' },
    ];
    if (rows.length > 0) printTable(io, rows, columns);
  });
}

/** A command that archives a project, or brings it back. */
function archiving(word: 'archive' | 'unarchive'): Command {
  const isArchived = word === 'archive';
  return {
    name: `projects ${word}`,
    summary: isArchived
      ? 'ends work on a project; its allocations stay'
      : 'makes an archived project usable again',
    usage: 'PROJECT',
    details: isArchived
      ? 'You can no longer allocate to its lines, and they claim no codes.\nNothing is removed.'
      : 'You can allocate to its lines again.',
    async run(call) {
      const [wanted] = readPositionals(call, 'PROJECT');
      const { access, actor } = await call.openOrganisation();
      const change = { id: findProjectId(access, wanted), isArchived };
      const project = operations.archiveProject(access, change, actor());
      printResult(call, { data: projectItem(project, access.organisation) }, () => {
        const state = isArchived ? 'archived' : 'in use again';
        printLines(call.io, `${cleanText(project.name)} is ${state}.`);
      });
    },
  };
}

const removeProject: Command = {
  name: 'projects remove',
  summary: 'removes a project that has no allocations',
  usage: 'PROJECT',
  details: `Its budget lines go too. A project with allocations, statements, rules or
projects below it stays: \`budgetd projects archive\` ends work on it.`,
  async run(call) {
    const [wanted] = readPositionals(call, 'PROJECT');
    const { access, actor } = await call.openOrganisation();
    const projectId = findProjectId(access, wanted);
    const { name } = operations.removeProject(access, projectId, actor());
    printResult(call, { projectId }, `Removed ${cleanText(name)}.`);
  },
};

export const commands = [
  importProjects,
  listProjects,
  showProject,
  archiving('archive'),
  archiving('unarchive'),
  removeProject,
];
