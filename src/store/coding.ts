/** Where a transaction is and where it belongs, which decides its mark; and writing the marks. */

import type { OrgId } from '../core/ids.ts';
import { type Coding, type Place, writeRecoded } from '../core/recoded.ts';
import type { Coded } from '../core/transactions.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { KnownClaims } from './account-codes.ts';
import type { KnownTransaction } from './push-known.ts';

/** Finds it for the transactions of one batch, in which no project changes. */
export function codingFinder(access: Access): (transactionId: number, coded: Coded) => Coding {
  const { db, organisation } = access;
  let known: KnownClaims | undefined;
  let projects: { readonly id: number; readonly codes: readonly string[] }[] | undefined;
  return (transactionId, coded) => {
    projects ??= selectCoded(db)
      .all(organisation.id)
      .map(({ id, codes }) => ({ id, codes: JSON.parse(codes) }));
    const { projectCode } = coded;
    const having = projects.filter(({ codes }) => codes.some((code) => code === projectCode));
    if (known === undefined) {
      known = new KnownClaims();
      known.refresh(access);
    }
    const { kind, budgetLineIds } = known.claimOf(access, coded);
    return {
      places: selectPlaces(db).all(organisation.id, transactionId),
      budgetLineId: kind === 'claimed' ? budgetLineIds[0] : undefined,
      projectIds: projects.length === 0 ? undefined : new Set(having.map(({ id }) => id)),
    };
  };
}

// Archived ones too.
const selectCoded = statement<[OrgId], { id: number; codes: string }>(
  `select id, codes from projects where organisation_id = ? and codes <> '[]'`,
);
const selectPlaces = statement<[OrgId, number], Place>(
  `select a.budget_line_id as budgetLineId, a.project_id as projectId,
          p.start_date as startDate, p.end_date as endDate
     from allocations a cross join projects p on p.id = a.project_id
    where a.organisation_id = ? and a.transaction_id = ?`,
);

/** Writes the marks that a batch has changed. The update of each row adds them to its hash. */
export function writeMarks({ db }: Access, known: Iterable<KnownTransaction>): void {
  const marks: (readonly [id: number, recoded: string | null])[] = [];
  for (const { id, before, recoded } of known) {
    const isChanged = before !== null && before.recoded !== recoded;
    if (isChanged) marks.push([id, recoded && writeRecoded(recoded)]);
  }
  if (marks.length > 0) updateMarks(db).run(JSON.stringify(marks));
}

const updateMarks = statement<[marks: string]>(
  `update transactions set recoded = j.value ->> 1 from json_each(?) j
    where transactions.id = j.value ->> 0`,
);
