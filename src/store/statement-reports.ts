/** What issued statements reported, without withdrawn ones: of a line, and of a transaction. */

import type { OrgId } from '../core/ids.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** What statements reported of a transaction for one line. */
interface ReportedItem {
  readonly transactionId: number;
  readonly date: string;
  readonly description: string;
  readonly minor: number;
}

/** What some statements reported of a line, newest first: all of it, or that of one column. */
export function listReported(
  { db, organisation }: Access,
  statementIds: readonly number[],
  { budgetLineId, isChange }: { readonly budgetLineId: number; readonly isChange: 0 | 1 | null },
): ReportedItem[] {
  const ids = JSON.stringify(statementIds);
  return selectReported(db).all({ ids, orgId: organisation.id, budgetLineId, isChange });
}

const selectReported = statement<[SqlRecord], ReportedItem>(
  `select i.transaction_id as transactionId, t.date, t.description, i.minor
     from (select i.transaction_id, sum(i.amount_minor) as minor
             from json_each(@ids) s
            cross join statement_items i on i.statement_id = s.value
            where i.budget_line_id = @budgetLineId
              and (@isChange is null or i.is_change = @isChange)
            group by i.transaction_id having sum(i.amount_minor) <> 0) i
    cross join transactions t on t.id = i.transaction_id
    where t.organisation_id = @orgId order by t.date desc, i.transaction_id`,
);

/** What statements of a project reported of a transaction and a line; the newest that did. */
interface TransactionReport {
  readonly projectId: number;
  readonly budgetLineId: number;
  readonly number: number;
  readonly minor: number;
}

/** What was reported of a transaction. */
export function listTransactionReports(
  { db, organisation }: Access,
  transactionId: number,
): TransactionReport[] {
  return selectReports(db).all({ orgId: organisation.id, transactionId });
}

/** The documents of statements are before the column that is asked for, so it is read last. */
const selectReports = statement<[SqlRecord], TransactionReport>(
  `select s.project_id as projectId, i.budget_line_id as budgetLineId, max(s.number) as number,
          sum(i.amount_minor) as minor
     from statements s indexed by sqlite_autoindex_statements_1
    cross join statement_items i on i.statement_id = s.id and i.transaction_id = @transactionId
    cross join statements w on w.id = s.id and w.withdrawn_at is null
    where s.organisation_id = @orgId
    group by s.project_id, i.budget_line_id having sum(i.amount_minor) <> 0`,
);

/** The number of the newest issued statement of a project, and the month with which it ends. */
export function findLastStatement(
  { db, organisation }: Access,
  projectId: number,
): { readonly number: number; readonly to: string } | undefined {
  return selectLast(db).get(organisation.id, projectId);
}

const selectLast = statement<[OrgId, number], { number: number; to: string }>(
  `select number, document ->> '$.to' as "to" from statements
    where organisation_id = ? and project_id = ? and withdrawn_at is null
    order by number desc limit 1`,
);
