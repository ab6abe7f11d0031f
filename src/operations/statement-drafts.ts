/** The draft of a statement (contract 14): what it covers, and what people write into it. */

import { createHash } from 'node:crypto';
import type { Actor } from '../core/audit.ts';
import { monthOf, nextMonth } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { CHARACTERS } from '../core/limits.ts';
import { nameLine } from '../core/projects.ts';
import type { StatementBody } from '../core/statements.ts';
import { dayIn } from '../core/time-zones.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/statements.ts';
import { readProse } from './input.ts';
import { getProject } from './projects.ts';
import { readFacts, readSeries } from './statement-facts.ts';
import { finish } from './turns.ts';

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
  const number = store.countStatements(access, id) + 1;
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
  if (first <= to && to <= last) return to;
  const months = first === last ? first : `a month from ${first} to ${last}`;
  throw new Failure('conflict', `The statement can end with ${months}, not with ${to}.`);
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const [before, at] = number === 1 ? [year - 1, 12] : [year, number - 1];
  return `${before}-${String(at).padStart(2, '0')}`;
}
