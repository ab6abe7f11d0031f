/**
 * The draft of a statement (contract 14): what it covers, what people write into it, its lines with
 * their figures, and what is unfinished.
 */

import { createHash } from 'node:crypto';
import type { Actor } from '../core/audit.ts';
import { cutToMonths, daysInMonth, isMonth, monthOf, nextMonth } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { CHARACTERS } from '../core/limits.ts';
import { fromMajor } from '../core/money.ts';
import { kindsOf, type LineKind, nameLine, turn, turnIncome } from '../core/projects.ts';
import type { ReportFigures } from '../core/report.ts';
import { linesOfKind } from '../core/report-lines.ts';
import type { CountedLine, StatementBody, StatementFacts } from '../core/statements.ts';
import { dayIn } from '../core/time-zones.ts';
import type { Access } from '../store/access.ts';
import type { ProjectRecord } from '../store/projects.ts';
import { countMarked } from '../store/reports.ts';
import { sumOutside } from '../store/statement-items.ts';
import type { CountedDays, ItemScope } from '../store/statement-walks.ts';
import type { ItemSums } from '../store/statements.ts';
import * as store from '../store/statements.ts';
import { sumUnallocated } from '../store/totals.ts';
import { numberOf } from './access.ts';
import { readProse } from './input.ts';
import { getProject } from './projects.ts';
import { listBelow, listParts, type RolledUp, takeRolledUp } from './roll-up.ts';
import { finish, type Steps } from './turns.ts';

/** What a draft can be given before it is issued or shown. */
export interface DraftRequest {
  /** The last month, `YYYY-MM`; absent: the stored draft's, else the last that is over. */
  readonly to?: string | undefined;
  readonly withSubProjects?: boolean | undefined;
}

/** What a person writes into the draft of a statement. */
interface WrittenDraft {
  readonly to: string;
  readonly withSubProjects: boolean;
  /** By the identifiers of lines; a blank one is removed. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Blank for none. */
  readonly note: string;
  /** The mark of the draft that the person saw. */
  readonly seen: string;
}

/** A mark of the draft, which is another one once someone has saved, issued or withdrawn it. */
export function markDraft(access: Access, projectId: string): string {
  const { id } = getProject(access, projectId);
  const draft = store.findDraft(access, id);
  const number = store.countIssuedStatements(access, id) + 1;
  return `${number} ${digestOf(JSON.stringify(draft ?? null))}`;
}

/** The number in such a mark: that of the statement of which the draft was. */
export function numberIn(mark: string): number {
  return Number.parseInt(mark, 10);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** A mark of the figures of a draft, which is another one once they have moved. */
export function markFigures(document: StatementBody): string {
  const { from, to, lines, unfinished, outside } = document;
  const figures = lines.map(({ reason: _, ...line }) => line);
  const { reasonsMissing: __, ...open } = unfinished;
  return digestOf(JSON.stringify({ from, to, figures, open, outside }));
}

/** Refuses with `conflict` if the figures of a draft have another mark than when they were seen. */
export function refuseMoved(document: StatementBody, seen: string): void {
  if (markFigures(document) === seen) return;
  const message = 'It was not issued: its figures have changed since you opened it.';
  throw new Failure('conflict', `${message} Look at them below.`);
}

/**
 * Stores the draft of a project. Refuses with `invalid_input`, with a detail for the `note` or the
 * line, or `conflict` if someone else has saved, issued or withdrawn it since. The caller is in a
 * step.
 */
export function saveStatementDraft(
  access: Access,
  projectId: string,
  written: WrittenDraft,
  actor: Actor,
): void {
  const { to, withSubProjects, seen } = written;
  refuseStale(markDraft(access, projectId), seen);
  const project = getProject(access, projectId);
  const plan = planDraft(access, projectId, { to, withSubProjects }, actor.nowMs);
  const { lines: sums } = finish(readFacts(access, plan));
  const lines = new Map(sums.map((line) => [line.budgetLineId, line]));
  const reasons: Record<string, string> = { ...plan.reasons };
  for (const [id, text] of Object.entries(written.reasons)) {
    const line = lines.get(id);
    if (line === undefined) continue;
    if (text.trim() === '') delete reasons[id];
    else reasons[id] = readProse(`The reason of ${nameLine(line)}`, text, CHARACTERS.note, id);
  }
  const blank = written.note.trim() === '';
  const note = blank
    ? null
    : readProse('The covering note', written.note, CHARACTERS.coveringNote, 'note');
  const draft = { to: plan.to, withSubProjects, reasons, note };
  store.storeDraft(access, project.id, draft, actor);
}

function refuseStale(mark: string, seen: string): void {
  if (mark === seen) return;
  const [now, before] = [numberIn(mark), numberIn(seen)];
  if (now === before) {
    const message = 'Someone else saved this draft while you were writing. Yours was not saved.';
    throw new Failure('conflict', message);
  }
  const what = now > before ? `${before} was issued` : `${now} was withdrawn`;
  const message = `Statement ${what} while you were writing. Your texts are below, not saved.`;
  throw new Failure('conflict', message);
}

/** The draft with what the request asks for. */
export function planDraft(
  access: Access,
  projectId: string,
  { to, withSubProjects }: DraftRequest,
  nowMs: number,
) {
  const { project, all } = readSeries(access, projectId);
  const issued = all.filter(({ withdrawnAtMs }) => withdrawnAtMs === null);
  const before = issued.at(-1);
  const draft = store.findDraft(access, project.id);
  const number = (before?.number ?? 0) + 1;
  const issue = all.filter((each) => each.number === number).length + 1;
  const end = monthOf(project.endDate);
  const isOver = before !== undefined && before.body.to >= end;
  const next = before === undefined ? monthOf(project.startDate) : nextMonth(before.body.to);
  const from = isOver ? null : next;
  const plan = {
    project,
    number,
    issue,
    issued,
    from,
    withSubProjects:
      withSubProjects ?? draft?.withSubProjects ?? before?.body.withSubProjects ?? false,
    reasons: draft?.reasons ?? {},
    note: draft?.note ?? null,
  };
  if (from === null)
    return { ...plan, to: readTo(to, [before?.body.to ?? end, before?.body.to ?? end]) };
  const present = monthOf(dayIn(access.organisation.timeZone, nowMs));
  const over = monthBefore(present);
  const first = from <= present ? from : end;
  const usual = over < from ? first : over > end ? end : over;
  const canBe = (month: string) => month === end || (from <= month && month <= present);
  const kept = draft?.to != null && canBe(draft.to) ? draft.to : usual;
  const last = readTo(to ?? kept, [from, end]);
  if (canBe(last)) return { ...plan, to: last };
  throw new Failure('conflict', `${last} has not begun, so it cannot be reported yet.`);
}

/** The month, if it can be the last one. */
function readTo(to: string | undefined, [first, last]: readonly [string, string]): string {
  if (to === undefined) return last;
  if (!isMonth(to)) {
    throw new Failure('invalid_input', `"${to}" is not a month. Write it as YYYY-MM.`);
  }
  if (first <= to && to <= last) return to;
  const months = first === last ? first : `a month from ${first} to ${last}`;
  throw new Failure('conflict', `The statement can end with ${months}, not with ${to}.`);
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const [before, at] = number === 1 ? [year - 1, 12] : [year, number - 1];
  return `${before}-${String(at).padStart(2, '0')}`;
}

/** A project with its statements, by number, then issue. */
export interface Series {
  readonly project: ProjectRecord;
  readonly all: readonly store.StatementRecord[];
}

/** Refuses with `not_found`. */
export function readSeries(access: Access, projectId: string): Series {
  const project = getProject(access, projectId);
  return { project, all: store.listStatementRecords(access, project.id) };
}

/** A statement that is being made. */
interface DraftPlan extends ScopePlan {
  readonly number: number;
  readonly issue: number;
  /** By the identifiers of lines. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly note: string | null;
}

/** What a statement covers, and the earlier ones of its series, without withdrawn ones. */
interface ScopePlan {
  readonly project: ProjectRecord;
  /** Its first month; null if it reports changes alone. */
  readonly from: string | null;
  readonly to: string;
  readonly withSubProjects: boolean;
  readonly issued: readonly store.StatementRecord[];
}

/** The facts of a draft, as they are now, and what its items are taken from. */
interface DraftFacts extends StatementFacts {
  readonly scope: ItemScope;
  /** What its items must add up to. */
  readonly sums: ItemSums;
}

/** The facts of a draft, in short steps. Read them on one snapshot. */
export function* readFacts(access: Access, plan: DraftPlan): Steps<DraftFacts> {
  const { project, number, issue, from, to, withSubProjects, reasons, note } = plan;
  const { funderName, funderReference: reference } = project;
  const whole = yield* takeRolledUp(access, formatId('prj', project.id), { withSubProjects });
  yield;
  const below = whole.below.map((part) => part.project);
  const projects = [project, ...below];
  const days = cutToMonths(project, { from: from ?? undefined, to });
  const period = from === null ? NO_DAYS : { from: days.startDate, to: days.endDate };
  const numbers = projects.map(({ id }) => id);
  const codes = projects.flatMap((each) => each.codes);
  const counted = countedDays(project, below);
  const lines = countLines(access, plan, whole);
  yield;
  return {
    sums: sumsOf(lines),
    scope: cutScope(plan, counted),
    head: {
      projectId: formatId('prj', project.id),
      project: project.name,
      number,
      issue,
      from,
      to,
      startDate: from === null ? null : days.startDate,
      endDate: days.endDate,
      withSubProjects,
      funder: funderName === null ? null : { name: funderName, reference },
      note,
      issuedAt: null,
      issuedBy: null,
    },
    currency: access.organisation.currency,
    toleranceHundredths: project.toleranceHundredths,
    lines,
    reasons,
    outside: sumOutside(access, counted),
    unallocated: sumUnallocated(access, { ...period, codes }),
    underReview: countMarked(access, numbers, period).needsReview,
  };
}

/** A period in which nothing can lie: it begins after its end. */
const NO_DAYS = { from: '9999-12-31', to: '0000-01-01' };

/** The lines, income first in each project, then what was reported and is elsewhere now. */
function countLines(access: Access, plan: DraftPlan, whole: RolledUp): CountedLine[] {
  const { places } = access.organisation.currency;
  const { from, to, issued } = plan;
  const reported = new Map(issued.at(-1)?.body.lines.map((line) => [line.budgetLineId, line]));
  const beforeOf = (id: string, kind: LineKind) => {
    const { toDate = 0, kind: before = kind } = reported.get(id) ?? {};
    const minor = fromMajor(toDate, places);
    return before === kind ? minor : turn(minor);
  };
  const { periods } = whole.report;
  const sumUntil = ({ cells }: ReportFigures, first: string, name: 'actual' | 'budgeted') =>
    cells.reduce((sum, cell, at) => {
      const month = periods[at]?.key ?? '';
      return first <= month && month <= to ? sum + cell[name] : sum;
    }, 0);
  const lines = [...listParts(whole)].flatMap(({ project, lines: rows }) => {
    const kinds = kindsOf(rows.map(({ line }) => line));
    return kinds.flatMap((kind) => {
      return linesOfKind(rows, kind).map((row): CountedLine => {
        const { id, code, name, category } = row.line;
        const budgetLineId = formatId('bln', id);
        const before = beforeOf(budgetLineId, kind);
        const period = from === null ? 0 : sumUntil(row, from, 'actual');
        const toDate = sumUntil(row, '', 'actual');
        const changes = toDate - before - period;
        const budgetToDate = sumUntil(row, '', 'budgeted');
        return {
          ...{ projectId: formatId('prj', project.id), project: project.name },
          ...{ budgetLineId, code, name, category, kind },
          figures: { budget: row.total.budgeted, before, period, changes, toDate, budgetToDate },
        };
      });
    });
  });
  const known = new Set(lines.map(({ budgetLineId }) => budgetLineId));
  const gone = [...reported.values()].filter(({ budgetLineId, toDate }) => {
    return toDate !== 0 && !known.has(budgetLineId);
  });
  return [
    ...lines,
    ...gone.map(({ projectId, project, budgetLineId, code, name, category, kind }) => {
      const before = beforeOf(budgetLineId, kind);
      const zeros = { budget: 0, period: 0, toDate: 0, budgetToDate: 0 };
      const names = { projectId, project, budgetLineId, code, name, category, kind };
      return { ...names, figures: { ...zeros, before, changes: -before } };
    }),
  ];
}

/** The days of each project that count: its own, in the months of the one above. */
function countedDays(project: ProjectRecord, below: readonly ProjectRecord[]): CountedDays[] {
  const months = { from: monthOf(project.startDate), to: monthOf(project.endDate) };
  return [project, ...below].map((each) => {
    const { startDate: from, endDate: to } = cutToMonths(each, months);
    return { id: each.id, from, to };
  });
}

/** What the items of a statement are taken from. */
export function scopeOf(access: Access, plan: ScopePlan): ItemScope {
  const { project, withSubProjects } = plan;
  const below = withSubProjects ? listBelow(access, project) : [];
  return cutScope(plan, countedDays(project, below));
}

function cutScope({ from, to, issued }: ScopePlan, days: readonly CountedDays[]): ItemScope {
  const end = `${to}-${daysInMonth(to)}`;
  return {
    projects: days.map((each) => ({ ...each, to: each.to < end ? each.to : end })),
    startDate: from === null ? null : `${from}-01`,
    earlier: issued.map(({ id }) => id),
  };
}

/** With the sign of money. */
function sumsOf(lines: readonly CountedLine[]): ItemSums {
  const sums = lines.map(({ budgetLineId, kind, figures: { period, changes } }) => {
    const minor = [turnIncome(kind, period), turnIncome(kind, changes)] as const;
    return [numberOf('bln', budgetLineId), minor] as const;
  });
  return new Map(sums);
}
