/**
 * Statements (contract 14): the draft of a project, with live figures, issuing it, withdrawing the
 * newest one, and what has changed since one was issued.
 */

import { createHash } from 'node:crypto';
import type { Actor } from '../core/audit.ts';
import { formatInstant } from '../core/calendar.ts';
import { count } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { formatId, readId } from '../core/ids.ts';
import { CHARACTERS } from '../core/limits.ts';
import { toMajor } from '../core/money.ts';
import { type LineKind, nameLine } from '../core/projects.ts';
import {
  buildStatement,
  canonicalJson,
  type StatementBody,
  type StatementChange,
  type StatementDocument,
  type StatementFacts,
} from '../core/statements.ts';
import type { Access } from '../store/access.ts';
import { lastWriteMs } from '../store/audit.ts';
import * as reports from '../store/statement-items.ts';
import * as store from '../store/statements.ts';
import { clearStages, StatementStage } from '../store/statements.ts';
import { listUsers } from '../store/users.ts';
import { atomically, consistently } from './access.ts';
import { readLine, readProse } from './input.ts';
import { getProject } from './projects.ts';
import {
  type DraftRequest,
  planDraft,
  readFacts,
  readSeries,
  refuseMoved,
  type Series,
} from './statement-drafts.ts';
import { findChangesSince, findRecord } from './statement-items.ts';
import { finish, nextWrite, type Steps, steadily } from './turns.ts';

export interface IssueRequest extends DraftRequest {
  /** The last month, `YYYY-MM`. */
  readonly to: string;
  /** Texts by the identifiers of lines, or by codes that one line of the statement has. */
  readonly reasons?: Readonly<Record<string, string>> | undefined;
  readonly note?: string | undefined;
  /** Issues it although reasons are missing. */
  readonly withoutReasons?: boolean | undefined;
  /** The mark of the figures that were seen: it is refused once they have moved. */
  readonly figures?: string | undefined;
}

/** A statement in a list: its sums to date, and how many transactions have changed since. */
export interface ListedStatement
  extends Pick<
    StatementDocument,
    'number' | 'issue' | 'status' | 'from' | 'to' | 'issuedAt' | 'issuedBy' | 'withdrawn' | 'hash'
  > {
  readonly income: number;
  readonly expenses: number;
  readonly balance: number;
  readonly changed: number | null;
}

/** The issued and withdrawn statements of a project, by number, then issue. */
export function listStatements(access: Access, projectId: string): ListedStatement[] {
  const all = consistently(access, () => finish(takeDocuments(access, projectId)));
  return all.map((document) => {
    const { number, issue, status, from, to, issuedAt, issuedBy, withdrawn, hash } = document;
    return {
      ...{ number, issue, status, from, to },
      income: document.income.toDate,
      expenses: document.expenses.toDate,
      balance: document.balance.toDate,
      ...{ issuedAt, issuedBy, withdrawn, hash },
      changed: document.changedSince?.count ?? null,
    };
  });
}

/** The documents of all statements of a project, in short steps. Refuses with `not_found`. */
export function* takeDocuments(access: Access, projectId: string): Steps<StatementDocument[]> {
  const series = readSeries(access, projectId);
  const documents: StatementDocument[] = [];
  for (const record of series.all) {
    yield;
    documents.push(yield* takeDocument(access, series, record));
  }
  return documents;
}

/** How many statements of a project are issued, and not withdrawn. */
export function countStatements(access: Access, projectId: string): number {
  return store.countIssuedStatements(access, getProject(access, projectId).id);
}

/** The documents of all statements of a project, without what has changed since, for an export. */
export function* walkStatements(
  access: Access,
  projectId: string,
): Generator<
  readonly [Omit<StatementDocument, 'changedSince'>, Iterable<readonly reports.ItemRecord[]>]
> {
  for (const record of readSeries(access, projectId).all) {
    yield [documentOf(access, record), reports.walkItems(access, record.id)];
  }
}

/** A statement by its number: the newest issue, or another one. Refuses with `not_found`. */
export function readStatement(
  access: Access,
  projectId: string,
  wanted: { readonly number: number; readonly issue?: number | undefined },
): Steps<StatementDocument> {
  const series = readSeries(access, projectId);
  return takeDocument(access, series, findRecord(series, wanted));
}

/** The draft with its figures of now. Stores nothing. Refuses with `conflict` without lines. */
export function readStatementDraft(
  access: Access,
  projectId: string,
  request: DraftRequest,
  { nowMs }: Pick<Actor, 'nowMs'>,
): Steps<StatementDocument> {
  return steadily(access, function* () {
    const facts = yield* readFacts(access, planDraft(access, projectId, request, nowMs));
    yield;
    const body = buildStatement(facts);
    refuseEmpty(body);
    return { ...body, ...LIVE };
  });
}

const LIVE = { status: 'draft', withdrawn: null, hash: null, changedSince: null } as const;

/**
 * Issues the next statement: the document, its hash and its items, all of one moment. Refuses with
 * `invalid_input`, or `conflict` if reasons are missing or a month cannot be reported.
 */
export function issueStatement(
  access: Access,
  projectId: string,
  request: IssueRequest,
  actor: Actor,
): StatementDocument {
  return atomically(access, () => finish(issueSteps(access, projectId, request, actor)));
}

/**
 * Issues the next statement in short steps, between which others read and write; its figures are of
 * the moment of the last step. Refuses as `issueStatement` does, and with `conflict` if the project
 * or its statements have changed in between.
 */
export async function issueInTurns(
  access: Access,
  projectId: string,
  request: IssueRequest,
  actor: Actor,
): Promise<StatementDocument> {
  const steps = issueSteps(access, projectId, request, actor);
  for (;;) {
    await nextWrite(access);
    const step = steps.next();
    if (step.done) return step.value;
  }
}

const UNCHANGED = { count: 0, income: 0, expenses: 0, transactions: [] } as const;
const ISSUED = { status: 'issued', withdrawn: null, changedSince: UNCHANGED } as const;

function* issueSteps(
  access: Access,
  projectId: string,
  request: IssueRequest,
  actor: Actor,
): Steps<StatementDocument> {
  const { scope, plan, sinceMs } = consistently(access, () => {
    const sinceMs = lastWriteMs(access) ?? 0;
    return { ...readIssued(access, projectId, request, actor), sinceMs };
  });
  const { id } = plan.project;
  const stage = StatementStage.begin(access, id, { scope, sinceMs });
  try {
    do yield;
    while (clearStages(access, id));
    yield* stage.fill(access);
    for (;;) {
      const stored = atomically(access, () => {
        if (!stage.follow(access)) return undefined;
        const { body, sums, ...ready } = readIssued(access, projectId, request, actor);
        if (JSON.stringify(ready.scope) !== JSON.stringify(scope)) {
          const message = 'It was not issued: its project or another statement has just changed.';
          throw new Failure('conflict', `${message} Look at the draft again.`);
        }
        const build = (stampMs: number) => {
          return { projectId: id, sums, ...sign(access, body, actor, stampMs) };
        };
        return store.storeStatement(access, stage, build, actor);
      });
      if (stored !== undefined) {
        const hash = Buffer.from(stored.hash).toString('hex');
        return { ...JSON.parse(stored.text), ...ISSUED, hash };
      }
      yield;
    }
  } catch (error) {
    if (access.db.inTransaction || !(error instanceof Failure)) throw error;
    stage.leave(access);
    while (clearStages(access, id)) yield;
    throw error;
  }
}
/** What would be issued now. Refuses what cannot be. */
function readIssued(access: Access, projectId: string, request: IssueRequest, { nowMs }: Actor) {
  // Programs without types can omit it.
  if (typeof request.to !== 'string') {
    throw new Failure('invalid_input', 'Give `to`, the last month of the statement: YYYY-MM.');
  }
  const plan = planDraft(access, projectId, request, nowMs);
  const { scope, sums, ...read } = finish(readFacts(access, plan));
  const body = buildStatement(withTexts(read, request));
  if (request.figures !== undefined) refuseMoved(body, request.figures);
  refuseMissing(body, request.withoutReasons ?? false);
  refuseEmpty(body);
  const unchanged = explainUnchanged(body);
  if (unchanged !== undefined) throw new Failure('conflict', unchanged);
  return { plan, scope, body, sums };
}

/** The document with who issued it and when, as it is stored. */
function sign(access: Access, body: StatementBody, { name }: Actor, stampMs: number) {
  const issued = { ...body, issuedAt: formatInstant(stampMs), issuedBy: actorOf(access, name) };
  const text = canonicalJson(issued);
  return { body: issued, text, hash: createHash('sha256').update(text).digest() };
}

/** Which statement to withdraw, and why. */
interface Withdrawal {
  readonly number: number;
  /** Of several with the number, the newest by default. */
  readonly issue?: number | undefined;
  readonly reason: string;
}

/** Withdraws the newest issued statement. Refuses with `conflict`, or `not_found`. */
export function withdrawStatement(
  access: Access,
  projectId: string,
  { reason: given, ...wanted }: Withdrawal,
  actor: Actor,
): StatementDocument {
  const reason = readLine('The reason', given, CHARACTERS.withdrawal);
  return atomically(access, () => {
    const { project, all } = readSeries(access, projectId);
    const record = findRecord({ project, all }, wanted);
    const { number } = record;
    const newest = all.filter(({ withdrawnAtMs }) => withdrawnAtMs === null).at(-1);
    if (record.withdrawnAtMs !== null) {
      const again = newest?.number === number ? ', and issued again' : '';
      throw new Failure('conflict', `Statement ${number} has been withdrawn already${again}.`);
    }
    if (newest !== record) throw new Failure('conflict', explainOlder(newest?.number ?? 0));
    const { issue, body } = record;
    const draft = store.findDraft(access, project.id);
    const reasons = { ...draft?.reasons };
    for (const { budgetLineId, reason: why } of body.lines) {
      if (why !== null) reasons[budgetLineId] = why;
    }
    const { to, withSubProjects } = body;
    const kept = { to, withSubProjects, reasons, note: body.note ?? draft?.note ?? null };
    const withdrawal = { projectId: project.id, statement: record, reason, draft: kept };
    store.storeWithdrawal(access, withdrawal, actor);
    return finish(readStatement(access, projectId, { number, issue }));
  });
}

/** Why a statement cannot be withdrawn after which another one was issued. */
export function explainOlder(newest: number): string {
  return `Statement ${newest} exists. Only the newest statement can be withdrawn.`;
}

/** How the refusal of a statement without reasons begins. */
export const NOT_ISSUED = 'Nothing was issued: ';

function refuseMissing({ unfinished, lines }: StatementBody, isAllowed: boolean): void {
  const missing = new Set(unfinished.reasonsMissing);
  if (isAllowed || missing.size === 0) return;
  const names = lines.filter(({ budgetLineId }) => missing.has(budgetLineId)).map(nameLine);
  const what = count(missing.size, 'line has no reason', 'lines have no reasons');
  throw new Failure('conflict', `${NOT_ISSUED}${what}: ${names.join(', ')}.`);
}

function refuseEmpty({ lines, project }: StatementBody): void {
  if (lines.length > 0) return;
  throw new Failure('conflict', `"${project}" has no budget lines, so it has no statements.`);
}

/** Why there is nothing to issue, as another one of the last month is of changes; or undefined. */
export function explainUnchanged({ from, lines }: StatementBody): string | undefined {
  if (from !== null || lines.some(({ changes }) => changes !== 0)) return undefined;
  return 'All months are reported, and nothing has changed since.';
}

/** The facts, with the texts of a request instead of the draft's. */
function withTexts(facts: StatementFacts, { reasons = {}, note }: IssueRequest): StatementFacts {
  const { lines, head } = facts;
  const read = Object.entries(reasons).map(([key, text]) => {
    const byId = lines.filter(({ budgetLineId }) => budgetLineId === key);
    const found = byId.length > 0 ? byId : lines.filter(({ code }) => code === key);
    const [line, another] = found;
    if (line === undefined || another !== undefined) {
      const why = line === undefined ? 'No line' : 'More than one line';
      throw new Failure('invalid_input', `${why} of the statement is "${key}".`);
    }
    return [line.budgetLineId, readProse(`The reason of "${key}"`, text, CHARACTERS.note)] as const;
  });
  const given =
    note === undefined ? head.note : readProse('The covering note', note, CHARACTERS.coveringNote);
  return {
    ...facts,
    head: { ...head, note: given },
    reasons: { ...facts.reasons, ...Object.fromEntries(read) },
  };
}

/** Who did something: a user as people call them, anyone else by the name of the actor. */
function actorOf(access: Access, actor: string) {
  const user = listUsers(access).find(({ id }) => formatId('usr', id) === actor);
  const name = user === undefined ? actor : (user.name ?? user.email);
  return { id: readId('usr', actor) === undefined ? null : actor, name };
}

function* takeDocument(
  access: Access,
  series: Series,
  record: store.StatementRecord,
): Steps<StatementDocument> {
  const isIssued = record.withdrawnAtMs === null;
  const changes = isIssued ? yield* findChangesSince(access, series, record) : undefined;
  const changedSince = changes === undefined ? null : sumChanges(access, changes);
  return { ...documentOf(access, record), changedSince };
}

/** The document, without what has changed since. */
function documentOf(
  access: Access,
  { body, hash, withdrawnAtMs, withdrawnBy, withdrawnReason }: store.StatementRecord,
): Omit<StatementDocument, 'changedSince'> {
  if (withdrawnAtMs === null) return { ...body, status: 'issued', withdrawn: null, hash };
  const withdrawn = {
    at: formatInstant(withdrawnAtMs),
    by: actorOf(access, withdrawnBy ?? ''),
    reason: withdrawnReason ?? '',
  };
  return { ...body, status: 'withdrawn', withdrawn, hash };
}

function sumChanges({ organisation }: Access, changes: readonly StatementChange[]) {
  const major = (minor: number) => toMajor(minor, organisation.currency.places);
  const sum = (kind: LineKind) =>
    major(changes.reduce((minor, each) => minor + (each.kind === kind ? each.change : 0), 0));
  return {
    count: new Set(changes.map(({ transactionId }) => transactionId)).size,
    income: sum('income'),
    expenses: sum('expense'),
    transactions: changes.map(({ reported, now, change, ...item }) => {
      return { ...item, reported: major(reported), now: major(now), change: major(change) };
    }),
  };
}
