/** Reads what rules look at in transactions alone, in two thirds of the time of all of it. */

import type { RuledTransaction } from '../core/rules.ts';
import type { Access } from './access.ts';
import { listColumns, listPage, type Page } from './pages.ts';
import { prepareWalk } from './transaction-walks.ts';
import { COLUMNS, type TransactionPage, type TransactionRecord } from './transactions.ts';

/** What rules look at in a transaction, its state and its last change. */
export interface RuledRecord
  extends RuledTransaction,
    Pick<TransactionRecord, 'id' | 'status' | 'allocatedMinor' | 'updatedAtMs'> {}

/** Which of them to read. */
interface RuledPage extends TransactionPage {
  /** Whether to walk the table as it is stored, whatever the order: see `isBestAsStored`. */
  readonly isAsStored?: boolean | undefined;
}

/** A stretch of the matching transactions. */
export function listRuled(access: Access, page: RuledPage): Page<RuledRecord> {
  const { filters, order, isAsStored, ...wanted } = page;
  const walk = { ...prepareWalk(access, filters, order), ...(isAsStored && AS_STORED) };
  return listPage(
    access.db,
    { ...walk, columns: RULED.text, after: undefined, ...wanted },
    RULED.toItem,
  );
}

const { externalId, reference, bankAccount, createdAtMs, ...ruled } = COLUMNS;
const RULED = listColumns<Omit<RuledRecord, 'id'>>(ruled);

const AS_STORED = {
  from: 'transactions t not indexed',
  key: { sort: 't.organisation_id', id: 't.id' },
  isCovered: false,
} as const;
