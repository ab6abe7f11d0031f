/** Where a transaction is and where it belongs, which decides its mark. */

import type { OrgId } from '../core/ids.ts';
import type { Coding, Place } from '../core/recoded.ts';
import type { Coded } from '../core/transactions.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { KnownClaims } from './account-codes.ts';

/** Finds it for the transactions of one batch, in which no project changes. */
export function codingFinder(access: Access): (transactionId: number, coded: Coded) => Coding {
  const { db, organisation } = access;
  let known: KnownClaims | undefined;
  return (transactionId, coded) => {
    if (known === undefined) {
      known = new KnownClaims();
      known.refresh(access);
    }
    const { kind, budgetLineIds } = known.claimOf(access, coded);
    return {
      places: selectPlaces(db).all(organisation.id, transactionId),
      budgetLineId: kind === 'claimed' ? budgetLineIds[0] : undefined,
      projectIds: known.ownersOf(coded.projectCode),
    };
  };
}

const selectPlaces = statement<[OrgId, number], Place>(
  `select a.budget_line_id as budgetLineId, a.project_id as projectId,
          p.start_date as startDate, p.end_date as endDate
     from allocations a cross join projects p on p.id = a.project_id
    where a.organisation_id = ? and a.transaction_id = ?`,
);
