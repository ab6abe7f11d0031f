/**
 * What the transactions of each status add up to. The totals of a whole organisation are kept: each
 * write brings them up to date, so that nothing has to be counted when a page is shown.
 */

import type { OrgId } from '../core/ids.ts';
import { STATUSES, type Status } from '../core/transactions.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** What some transactions add up to. */
export interface Totals {
  readonly count: number;
  /** How many of them are of amount 0, of which nothing can be allocated. */
  readonly zeroes: number;
  readonly outMinor: number;
  /** What came in; not above 0. */
  readonly inMinor: number;
  readonly allocatedMinor: number;
}

/** The totals of each status. */
export type StatusTotals = Readonly<Record<Status, Totals>>;

/** What a transaction adds to the totals. */
export interface Counted {
  readonly status: Status;
  readonly amountMinor: number;
  readonly allocatedMinor: number;
}

const NOTHING: Totals = { count: 0, zeroes: 0, outMinor: 0, inMinor: 0, allocatedMinor: 0 };

/** Totals by status to which transactions, or other totals, are added. */
export class Tally {
  readonly byStatus = Object.fromEntries(
    STATUSES.map((status) => [status, { ...NOTHING }]),
  ) as Record<Status, { -readonly [Name in keyof Totals]: number }>;

  /** Adds a transaction, or takes one away with -1. */
  add({ status, amountMinor, allocatedMinor }: Counted, times: 1 | -1): void {
    const totals = this.byStatus[status];
    totals.count += times;
    if (amountMinor === 0) totals.zeroes += times;
    else totals[amountMinor < 0 ? 'inMinor' : 'outMinor'] += times * amountMinor;
    totals.allocatedMinor += times * allocatedMinor;
  }

  /** Adds what was added up before. */
  addTotals(status: Status, more: Totals): void {
    const totals = this.byStatus[status];
    for (const name of NAMES) totals[name] += more[name];
  }

  /** Adds all of it to what is kept. The caller provides the atomic step. */
  keep({ db, organisation }: Access): void {
    for (const [status, totals] of Object.entries(this.byStatus)) {
      const values = NAMES.map((name) => totals[name]);
      if (values.some((value) => value !== 0)) addKept(db).run(organisation.id, status, ...values);
    }
  }
}

const NAMES = Object.keys(NOTHING) as readonly (keyof Totals)[];

/** What all the transactions of the organisation add up to, in the statuses or in all. */
export function readKept(
  { db, organisation }: Access,
  statuses: readonly Status[] = STATUSES,
): StatusTotals {
  const tally = new Tally();
  for (const { status, ...totals } of selectKept(db).all(organisation.id)) {
    if (statuses.includes(status)) tally.addTotals(status, totals);
  }
  return tally.byStatus;
}

/** The sum of the totals of some statuses. */
export function sumTotals(byStatus: StatusTotals, statuses: readonly Status[] = STATUSES): Totals {
  const sum = { ...NOTHING };
  for (const status of statuses) {
    for (const name of NAMES) sum[name] += byStatus[status][name];
  }
  return sum;
}

const addKept = statement<[OrgId, status: string, ...totals: number[]]>(
  `insert into transaction_totals
     (organisation_id, status, transactions, zeroes, out_minor, in_minor, allocated_minor)
   values (?, ?, ?, ?, ?, ?, ?)
   on conflict do update
     set transactions = transactions + excluded.transactions,
         zeroes = zeroes + excluded.zeroes,
         out_minor = out_minor + excluded.out_minor,
         in_minor = in_minor + excluded.in_minor,
         allocated_minor = allocated_minor + excluded.allocated_minor`,
);
const selectKept = statement<[OrgId], Totals & { readonly status: Status }>(
  `select status, transactions as count, zeroes, out_minor as outMinor, in_minor as inMinor,
          allocated_minor as allocatedMinor
     from transaction_totals where organisation_id = ?`,
);
