/** Which lines statements have reported: what they are called and count as then stays. */

import type { OrgId } from '../core/ids.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** The first statement, not withdrawn, with an item of a line; undefined without one. */
export function findReporting(
  { db, organisation }: Access,
  budgetLineId: number,
): { readonly number: number; readonly project: string } | undefined {
  return selectReporting(db).get(organisation.id, budgetLineId);
}

const selectReporting = statement<[OrgId, number], { number: number; project: string }>(
  `select number, (select name from projects p where p.id = project_id) as project
     from statements where organisation_id = ? and withdrawn_at is null
      and exists (select 1 from statement_items i
                   where i.statement_id = statements.id and i.budget_line_id = ?)
    order by project_id, number limit 1`,
);
