/**
 * What of the transactions of each day is not allocated, by project code, so that a report does not
 * add up transactions (decision 0004). Everything that writes transactions counts them here.
 */

import type { OrgId } from '../core/ids.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { type Counted, Tally } from './totals.ts';

/** Of how many transactions something is not allocated, and how much; both amounts positive. */
export interface Unallocated {
  readonly count: number;
  readonly outMinor: number;
  readonly inMinor: number;
}

/** Which of them to add up. */
interface UnallocatedFilter {
  readonly from: string;
  readonly to: string;
  /** Leaves out those whose project code other projects have, and this list has not. */
  readonly codes: readonly string[];
}

/** What is not allocated of the transactions of some days, apart from that of other projects. */
export function sumUnallocated({ db, organisation }: Access, filter: UnallocatedFilter) {
  const { codes, ...days } = filter;
  const values = { ...days, orgId: organisation.id, codes: JSON.stringify(codes) };
  return selectSum(db).get(values) ?? { count: 0, outMinor: 0, inMinor: 0 };
}

const selectSum = statement<[SqlRecord], Unallocated>(
  `select coalesce(sum(transactions), 0) as count, coalesce(sum(out_minor), 0) as outMinor,
          coalesce(sum(in_minor), 0) as inMinor
     from unallocated
    where organisation_id = @orgId and date between @from and @to
      and project_code not in (
          select value from projects join json_each(codes) where organisation_id = @orgId
          except select value from json_each(@codes))`,
);

/** What the kept totals need of a transaction. */
export interface KeptTransaction extends Counted {
  readonly date: string;
  readonly projectCode: string | null;
}

/** What one write changes in the totals that are kept, by status and by day. */
export class KeptChange {
  readonly #byStatus = new Tally();
  readonly #byDay = new Map<string, [date: string, code: string, ...sums: number[]]>();

  /** Adds a transaction as it is after the write, or takes it away, as it was before, with -1. */
  add(transaction: KeptTransaction, times: 1 | -1): void {
    this.#byStatus.add(transaction, times);
    const { date, projectCode, status, amountMinor, allocatedMinor } = transaction;
    const isOpen = status === 'unallocated' || status === 'partially_allocated';
    if (!isOpen || amountMinor === 0) return;
    const key = date + (projectCode ?? '');
    const [, , count = 0, out = 0, income = 0] = this.#byDay.get(key) ?? [];
    const rest = times * (amountMinor - allocatedMinor);
    const sums = amountMinor > 0 ? [out + rest, income] : [out, income - rest];
    this.#byDay.set(key, [date, projectCode ?? '', count + times, ...sums]);
  }

  /** Writes all of it. The caller provides the atomic step. */
  write(access: Access): void {
    this.#byStatus.keep(access);
    const changed = [...this.#byDay.values()].filter(([, , ...sums]) => sums.some(Boolean));
    if (changed.length === 0) return;
    addSums(access.db).run(access.organisation.id, JSON.stringify(changed));
  }
}

const addSums = statement<[OrgId, sums: string]>(
  `insert into unallocated
   select ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4
     from json_each(?) where true
   on conflict do update set transactions = transactions + excluded.transactions,
                             out_minor = out_minor + excluded.out_minor,
                             in_minor = in_minor + excluded.in_minor`,
);
