/** What statements counted: their items, and the transactions behind a figure. */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { turn } from '../core/projects.ts';
import type { StatementDocument } from '../core/statements.ts';
import * as store from '../store/statements.ts';
import { type Access, consistently, missing, numberOf } from './access.ts';
import { getProject, type ProjectRecord } from './projects.ts';
import { planDraft } from './statement-drafts.ts';
import { scopeOf } from './statement-facts.ts';

/** The columns of a statement whose figures have transactions behind them. */
export type CountedColumn = 'before' | 'period' | 'changes' | 'toDate';

/** A transaction behind a figure, with what was reported of it. */
interface BehindFigure {
  readonly line: StatementDocument['lines'][number];
  readonly items: readonly {
    readonly transactionId: string;
    readonly date: string;
    readonly description: string;
    readonly minor: number;
  }[];
}

/**
 * The items of a statement by transaction, line and column, some at a time; of a draft those of
 * now. Read a draft and its items on one snapshot.
 */
export function walkItems(
  access: Access,
  { projectId, number, issue, status, to, withSubProjects }: StatementDocument,
  { nowMs }: Pick<Actor, 'nowMs'>,
): Iterable<readonly store.ItemRecord[]> {
  if (status === 'draft') {
    const plan = planDraft(access, projectId, { to, withSubProjects }, nowMs);
    return [store.listNewItems(access, scopeOf(access, plan))];
  }
  const project = getProject(access, projectId);
  const all = store.listStatements(access, project.id);
  return store.walkItems(access, findRecord(all, project, { number, issue }).id);
}

/** The transactions behind a figure of an issued statement, newest first; received is positive. */
export function listBehind(
  access: Access,
  { projectId, number, issue, lines }: StatementDocument,
  { budgetLineId, column }: { readonly budgetLineId: string; readonly column: CountedColumn },
): BehindFigure {
  const line = lines.find((each) => each.budgetLineId === budgetLineId);
  if (line === undefined) throw missing('budget line', budgetLineId);
  return consistently(access, () => {
    const project = getProject(access, projectId);
    const all = store.listStatements(access, project.id);
    const own = findRecord(all, project, { number, issue });
    const before = all.filter((each) => each.withdrawnAtMs === null && each.number < number);
    const wanted = [...(column === 'before' || column === 'toDate' ? before : [])];
    if (column !== 'before') wanted.push(own);
    const isChange = column === 'period' ? 0 : column === 'changes' ? 1 : null;
    const ids = wanted.map(({ id }) => id);
    const found = { budgetLineId: numberOf('bln', budgetLineId), isChange } as const;
    const items = store.listReported(access, ids, found).map(({ transactionId, ...item }) => {
      const minor = line.kind === 'income' ? turn(item.minor) : item.minor;
      return { ...item, minor, transactionId: formatId('txn', transactionId) };
    });
    return { line, items };
  });
}

/** The record of a statement: the newest issue, or another one. Refuses with `not_found`. */
export function findRecord(
  all: readonly store.StatementRecord[],
  project: ProjectRecord,
  { number, issue }: { readonly number: number; readonly issue?: number | undefined },
): store.StatementRecord {
  const found = all.filter((each) => each.number === number);
  const record = found.filter((each) => issue === undefined || each.issue === issue).at(-1);
  if (record !== undefined) return record;
  const which = issue === undefined ? '' : `, issue ${issue},`;
  throw new Failure('not_found', `There is no statement ${number}${which} of "${project.name}".`);
}
