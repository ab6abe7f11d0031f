/** What statements counted: their items, and the transactions behind a figure. */

import type { Actor } from '../core/audit.ts';
import { daysInMonth, holds, monthOf } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId, readId } from '../core/ids.ts';
import { type LineKind, type nameLine, turnIncome } from '../core/projects.ts';
import type { StatementChange, StatementDocument } from '../core/statements.ts';
import type { Access } from '../store/access.ts';
import type { AllocationRecord } from '../store/allocations.ts';
import * as reports from '../store/statement-items.ts';
import type { StatementRecord } from '../store/statements.ts';
import { consistently, missing, numberOf } from './access.ts';
import { mapBudgetLines } from './budget-lines.ts';
import { getProject } from './projects.ts';
import { planDraft, readSeries, type Series, scopeOf } from './statement-drafts.ts';
import { type Steps, steadily } from './turns.ts';

/** The columns of a statement whose figures have transactions behind them. */
export type CountedColumn = 'before' | 'period' | 'changes' | 'toDate';

interface BehindFigure {
  readonly line: StatementDocument['lines'][number];
  readonly count: number;
  readonly minor: number;
  readonly items: readonly {
    readonly transactionId: string;
    readonly date: string;
    readonly description: string;
    readonly minor: number;
  }[];
}

/** The time at which a draft is looked at. */
type Clock = Pick<Actor, 'nowMs'>;

/** A long statement is read in steps so often while others write; then in one, which takes long. */
const TRIES = 5;

type ReadStatement = () => Steps<StatementDocument>;

/** A statement, or a draft as it is now, with its items: all of one moment, read in steps. */
export function readWithItems(access: Access, read: ReadStatement, actor: Clock) {
  const take = function* () {
    const document = yield* read();
    return { document, items: yield* itemSteps(access, document, actor) };
  };
  return steadily(access, take, TRIES);
}

/** A statement, or a draft as it is now, with its changes to earlier periods, in steps. */
export function readWithChanges(access: Access, read: ReadStatement, actor: Clock) {
  const take = function* () {
    const document = yield* read();
    yield;
    return { document, changes: yield* changeSteps(access, document, actor) };
  };
  return steadily(access, take, TRIES);
}

function* changeSteps(
  access: Access,
  document: StatementDocument,
  actor: Clock,
): Steps<readonly StatementChange[]> {
  const { projectId, number, issue, status, withSubProjects } = document;
  if (number === 1) return [];
  const series = readSeries(access, projectId);
  if (status !== 'draft') {
    const { id } = findRecord(series, { number, issue });
    return listChanges(access, document, yield* reports.readChanges(access, id));
  }
  const record = series.all.filter(({ withdrawnAtMs }) => withdrawnAtMs === null).at(-1);
  if (record?.body.withSubProjects === withSubProjects) {
    return yield* findChangesSince(access, series, record);
  }
  const items = [...(yield* itemSteps(access, document, actor))].flat();
  const changed = items.filter(({ isChange }) => isChange === 1);
  return listChanges(access, document, changed);
}

/** What is counted otherwise now than a statement and those before it have reported, in steps. */
export function* findChangesSince(
  access: Access,
  { project, all }: Series,
  record: StatementRecord,
): Steps<readonly StatementChange[]> {
  const { to, withSubProjects, number, issuedAt, lines } = record.body;
  const issued = all.filter((each) => each.withdrawnAtMs === null && each.number <= number);
  const scope = scopeOf(access, { project, from: null, to, withSubProjects, issued });
  const issuedAtMs = Date.parse(issuedAt ?? '');
  const end = `${to}-${daysInMonth(to)}`;
  const ids = new Set(scope.projects.map(({ id }) => formatId('prj', id)));
  // Then only what was changed since can be counted otherwise.
  const isSame =
    lines.every(({ projectId }) => ids.has(projectId)) &&
    !reports.haveDaysMoved(access, scope, { sinceMs: issuedAtMs, end });
  const changed = yield* reports.findChanged(access, scope, isSame ? issuedAtMs : undefined);
  return changed.map(({ kind, reportedMinor, nowMinor, ...item }) =>
    changeOf(item, kind, reportedMinor, nowMinor),
  );
}

/** What was reported, as people read amounts: received is positive. */
function changeOf(
  item: Pick<reports.ItemRecord, 'transactionId' | 'budgetLineId' | 'date' | 'description'>,
  kind: LineKind,
  reportedMinor: number,
  nowMinor: number,
): StatementChange {
  const { date, description } = item;
  const [reported, now] = [turnIncome(kind, reportedMinor), turnIncome(kind, nowMinor)];
  const transactionId = formatId('txn', item.transactionId);
  const budgetLineId = formatId('bln', item.budgetLineId);
  const change = now - reported;
  return { transactionId, date, description, budgetLineId, kind, reported, now, change };
}

/** The items by transaction, line and column, some at a time; of a draft those of now. */
function* itemSteps(
  access: Access,
  { projectId, number, issue, status, to, withSubProjects }: StatementDocument,
  { nowMs }: Clock,
): Steps<Iterable<readonly reports.ItemRecord[]>> {
  if (status === 'draft') {
    yield;
    const plan = planDraft(access, projectId, { to, withSubProjects }, nowMs);
    return yield* reports.readNewItems(access, scopeOf(access, plan));
  }
  const { id } = findRecord(readSeries(access, projectId), { number, issue });
  return reports.walkItems(access, id);
}

/**
 * The transactions behind a figure of an issued statement, in short steps: how many they are, their
 * sum, and the newest `most` of them; received is positive.
 */
export function* findBehind(
  access: Access,
  { projectId, number, issue, lines }: StatementDocument,
  {
    budgetLineId,
    column,
    most,
  }: { readonly budgetLineId: string; readonly column: CountedColumn; readonly most: number },
): Steps<BehindFigure> {
  const line = lines.find((each) => each.budgetLineId === budgetLineId);
  if (line === undefined) throw missing('budget line', budgetLineId);
  const series = readSeries(access, projectId);
  const own = findRecord(series, { number, issue });
  const before = standingBefore(series, own.body);
  const wanted = [...(column === 'before' || column === 'toDate' ? before : [])];
  if (column !== 'before') wanted.push(own);
  const isChange = column === 'period' ? 0 : column === 'changes' ? 1 : null;
  const ids = wanted.map(({ id }) => id);
  const asked = { budgetLineId: numberOf('bln', budgetLineId), isChange, most } as const;
  const { count, sumMinor, newest } = yield* reports.findReported(access, ids, asked);
  const items = newest.map(({ transactionId, minor, ...item }) => {
    const id = formatId('txn', transactionId);
    return { ...item, minor: turnIncome(line.kind, minor), transactionId: id };
  });
  return { line, count, minor: turnIncome(line.kind, sumMinor), items };
}

/** The statements before another one that were not withdrawn when that one was issued. */
function standingBefore(
  { all }: Series,
  { number, issuedAt }: Pick<StatementDocument, 'number' | 'issuedAt'>,
): StatementRecord[] {
  const atMs = issuedAt === null ? Number.POSITIVE_INFINITY : Date.parse(issuedAt);
  return all.filter(({ body, withdrawnAtMs }) => {
    const isBefore = body.number < number && Date.parse(body.issuedAt ?? '') <= atMs;
    return isBefore && (withdrawnAtMs === null || withdrawnAtMs > atMs);
  });
}

/** The changes to earlier periods of a statement, from its items. */
function listChanges(
  access: Access,
  { projectId, number, issuedAt, lines }: StatementDocument,
  changed: readonly reports.ItemRecord[],
): StatementChange[] {
  const before = standingBefore(readSeries(access, projectId), { number, issuedAt });
  const ids = before.map(({ id }) => id);
  const keyOf = (item: Pick<reports.ItemRecord, 'transactionId' | 'budgetLineId'>) =>
    `${item.transactionId} ${item.budgetLineId}`;
  const transactions = [...new Set(changed.map(({ transactionId }) => transactionId))];
  const earlier = new Map(
    reports.sumReported(access, ids, transactions).map((each) => [keyOf(each), each.amountMinor]),
  );
  const kinds = new Map(lines.map(({ budgetLineId, kind }) => [budgetLineId, kind]));
  return changed.map((item) => {
    const kind = kinds.get(formatId('bln', item.budgetLineId)) ?? 'expense';
    const reportedMinor = earlier.get(keyOf(item)) ?? 0;
    return changeOf(item, kind, reportedMinor, reportedMinor + item.amountMinor);
  });
}

/** The organisation's name and the lines below it on paper: as they were at issue. */
export function letterheadOf(
  access: Access,
  { projectId, status, ...wanted }: StatementDocument,
): readonly string[] {
  const { name, letterhead } = access.organisation;
  const text =
    status === 'draft'
      ? `${name}\n${letterhead}`
      : findRecord(readSeries(access, projectId), wanted).letterhead;
  return text.split('\n').filter((line) => line !== '');
}

/** The record of a statement: the newest issue, or another one. Refuses with `not_found`. */
export function findRecord(
  { project, all }: Series,
  { number, issue }: { readonly number: number; readonly issue?: number | undefined },
): StatementRecord {
  const found = all.filter((each) => each.number === number);
  const record = found.filter((each) => issue === undefined || each.issue === issue).at(-1);
  if (record !== undefined) return record;
  const which = issue === undefined ? '' : `, issue ${issue},`;
  throw new Failure('not_found', `There is no statement ${number}${which} of "${project.name}".`);
}

/** What statements reported of a transaction, or would have, with its allocations of now. */
export function listReportedTransactions(
  access: Access,
  { id, date }: { readonly id: number; readonly date: string },
  allocations: readonly AllocationRecord[],
) {
  return consistently(access, () => {
    const found = reports.listTransactionReports(access, id);
    const all = [...found, ...allocations];
    const ids = all.map(({ projectId }) => projectId);
    const lineIds = all.map(({ budgetLineId }) => budgetLineId);
    const lines = mapBudgetLines(access, lineIds);
    const read = (budgetLineId: number, minor: number) =>
      turnIncome(lines.get(budgetLineId)?.kind, minor);
    return [...new Set(ids)].flatMap((projectId) => {
      const last = reports.findLastStatement(access, projectId);
      if (last === undefined) return [];
      const project = getProject(access, formatId('prj', projectId));
      const own = found.filter((each) => each.projectId === projectId);
      const reported = new Set(own.map(({ budgetLineId }) => budgetLineId));
      const isCounted = holds(project, date) && monthOf(date) <= last.to;
      const counted = allocations.filter((each) => {
        return isCounted && (each.projectId === projectId || reported.has(each.budgetLineId));
      });
      const reportedMinor = own.reduce((sum, each) => sum + read(each.budgetLineId, each.minor), 0);
      const nowMinor = counted.reduce(
        (sum, each) => sum + read(each.budgetLineId, each.amountMinor),
        0,
      );
      if (own.length === 0 && nowMinor === 0) return [];
      const number = own.length === 0 ? undefined : Math.max(...own.map((each) => each.number));
      return [{ project, number, last: last.number, reportedMinor, nowMinor }];
    });
  });
}

/** How many of these days are in months that the project of a line has reported, by project. */
export function countReportedDays(
  access: Access,
  changes: readonly { readonly date: string; readonly projectIds: readonly number[] }[],
): { readonly count: number; readonly statements: ReadonlyMap<number, number> } {
  const last = new Map<number, ReturnType<typeof reports.findLastStatement>>();
  for (const id of new Set(changes.flatMap(({ projectIds }) => projectIds))) {
    last.set(id, reports.findLastStatement(access, id));
  }
  const statements = new Map<number, number>();
  const isReported = ({ date, projectIds }: (typeof changes)[number]) => {
    const those = projectIds.filter((id) => monthOf(date) <= (last.get(id)?.to ?? ''));
    for (const id of those) statements.set(id, last.get(id)?.number ?? 0);
    return those.length > 0;
  };
  return { count: changes.filter(isReported).length, statements };
}

type NamedLine = Parameters<typeof nameLine>[0];

/** The lines of a statement by their identifiers, with those that have changes and came later. */
export function mapChangedLines(
  access: Access,
  { lines, changedSince }: StatementDocument,
): ReadonlyMap<string, NamedLine> {
  const named = new Map<string, NamedLine>(lines.map((line) => [line.budgetLineId, line]));
  const later = changedSince?.transactions.flatMap(({ budgetLineId }) => {
    return named.has(budgetLineId) ? [] : (readId('bln', budgetLineId) ?? []);
  });
  for (const [id, line] of mapBudgetLines(access, later ?? []))
    named.set(formatId('bln', id), line);
  return named;
}
