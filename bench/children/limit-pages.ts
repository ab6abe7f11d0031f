/** A page with a query written by hand, and its records as JSON. */

import type { Db } from '../../src/database/database.ts';
import type { Scenario } from '../scenarios.ts';

/** Where a page begins. */
export interface Position {
  /** The date (newest first) or the moment, depending on the order of the scenario. */
  readonly key: number;
  readonly id: number;
}

/** A page to read. */
export interface PageRequest {
  readonly scenario: Scenario;
  readonly limit: number;
  readonly after: Position | null;
}

const SELECTS = {
  transactions: `select t.id, t.provider, t.external_id as externalId, t.date, t.description,
      t.contact, t.amount_minor as amount, t.account_code as accountCode, t.status,
      t.allocated_minor as allocatedAmount, t.review_previous_minor as previousAmount,
      t.review_changed_at as changedAt, t.created_at as createdAt, t.updated_at as updatedAt
    from transactions t where t.organisation_id = 1`,
  allocations: `select a.id, a.project_id as projectId, a.budget_line_id as budgetLineId, l.code,
      l.name, a.transaction_id as transactionId, t.provider, t.external_id as externalId, a.date,
      t.description, t.contact, a.amount_minor as amount, a.note, a.created_at as createdAt,
      a.updated_at as updatedAt
    from allocations a join transactions t on t.id = a.transaction_id
    join budget_lines l on l.id = a.budget_line_id where a.organisation_id = 1`,
};

/** Prepares the reader of a page: one or two queries, and JSON. */
export function preparePage(db: Db, { scenario, limit, after }: PageRequest): () => string {
  const { list, where } = scenario;
  const select = `${SELECTS[list]} and ${where}`;
  const { key, id, order } = orderOf(scenario);
  const tail = `order by ${order} limit ${limit}`;
  if (after === null) {
    const statement = db.prepare(`${select} ${tail}`);
    return () => JSON.stringify({ data: statement.all() });
  }
  const same = db.prepare(`${select} and ${key} = ? and ${id} > ? ${tail}`);
  const further = db.prepare(`${select} and ${key} > ? ${tail}`);
  return () => {
    const data = same.all(after.key, after.id);
    if (data.length < limit) data.push(...further.all(after.key).slice(0, limit - data.length));
    return JSON.stringify({ data });
  };
}

/** The record at a share of the list (null if it is empty), and the length of the list. */
export function positionAt(
  db: Db,
  scenario: Scenario,
  share: number,
): { position: Position | null; count: number } {
  const from = SELECTS[scenario.list].slice(SELECTS[scenario.list].indexOf('from '));
  const { key, id, order } = orderOf(scenario);
  const count = Number(db.prepare(`select count(*) ${from} and ${scenario.where}`).pluck().get());
  const position = db
    .prepare<[number], Position>(
      `select ${key} as key, ${id} as id ${from} and ${scenario.where}
        order by ${order} limit 1 offset ?`,
    )
    .get(Math.floor(count * share));
  return { position: position ?? null, count };
}

export function registerSearch(db: Db): void {
  db.function('holds', { varargs: true, deterministic: true }, (part, ...texts) =>
    texts.some((text) => typeof text === 'string' && text.toLowerCase().includes(String(part)))
      ? 1
      : 0,
  );
}

function orderOf({ list, order }: Scenario): { key: string; id: string; order: string } {
  const columns = {
    allocations: ['a.newest_first', 'a.id'],
    // The copy of the id that the index in date order has.
    date: ['t.newest_first', 't.id_copy'],
    updatedAt: ['t.updated_at', 't.id'],
  } as const;
  const [key, id] = columns[list === 'allocations' ? list : order];
  return { key, id, order: `${key}, ${id}` };
}
