/**
 * Every filter as a request, and as the query that you would write by hand for it. A scenario is
 * the same on every file, whatever its size.
 */

import { accountCodeOf, contactOf, externalIdOf } from './rows.ts';
import type { Seed } from './seed.ts';

/** A list with certain filters. */
export interface Scenario {
  readonly name: string;
  readonly list: 'transactions' | 'allocations';
  /** Query parameters, without limit and cursor. */
  readonly query: Readonly<Record<string, string>>;
  readonly order: 'date' | 'updatedAt';
  /** The filter as conditions on `t` (transactions) or `a` (allocations). */
  readonly where: string;
}

/** The record numbers of the identifiers that scenarios use. */
interface ScenarioNumbers {
  readonly project: number;
  readonly smallProject: number;
  readonly budgetLine: number;
}

/** Every scenario for a seeded file. */
export function scenariosFor(seed: Seed, numbers: ScenarioNumbers): Scenario[] {
  return [...plainScenarios(), ...searchScenarios(), ...projectScenarios(seed, numbers)];
}

function plainScenarios(): Scenario[] {
  const contact = contactOf(77);
  const accountCode = accountCodeOf(33);
  const externalId = externalIdOf(5000);
  const since = '2026-01-05T08:00:05Z';
  const sinceMs = Date.parse(since);
  return [
    byDate('no filter', {}, '1'),
    byUpdate('order=updatedAt', {}, '1'),
    byDate(
      'from, to (a year)',
      { from: '2024-01-01', to: '2024-12-31' },
      't.newest_first between -20241231 and -20240101',
    ),
    byDate('status, half of all', { status: 'unallocated' }, `t.status = 'unallocated'`),
    byDate('status, 1%', { status: 'needs_review' }, `t.status = 'needs_review'`),
    byDate(
      'status, three',
      { status: 'unallocated,partially_allocated,needs_review' },
      `t.status in ('unallocated', 'partially_allocated', 'needs_review')`,
    ),
    byDate('provider, 95%', { provider: 'api' }, `t.provider = 'api'`),
    byDate('provider, 4%', { provider: 'csv' }, `t.provider = 'csv'`),
    byDate('provider, 1%', { provider: 'manual' }, `t.provider = 'manual'`),
    byDate('externalId', { externalId }, `t.external_id = '${externalId}'`),
    byDate('accountCode', { accountCode }, `t.account_code = '${accountCode}'`),
    byDate('contact', { contact }, `t.contact = '${contact}'`),
    byUpdate(
      'order=updatedAt, updatedSince',
      { updatedSince: since },
      `t.updated_at >= ${sinceMs}`,
    ),
    byDate('updatedSince by date', { updatedSince: since }, `t.updated_at >= ${sinceMs}`),
    byDate(
      'updatedSince by date, no match',
      { updatedSince: '2100-01-01T00:00:00Z' },
      't.updated_at >= 4102444800000',
    ),
    byUpdate('order=updatedAt, contact', { contact }, `t.contact = '${contact}'`),
    byUpdate('order=updatedAt, status 1%', { status: 'needs_review' }, `t.status = 'needs_review'`),
  ];
}

function searchScenarios(): Scenario[] {
  const contact = contactOf(77);
  return [
    byDate('q, 1 in 8', { q: 'LEAFLETS' }, search('leaflets')),
    byDate('q, 1 in 2,000', { q: 'supplier 0077' }, search('supplier 0077')),
    byDate('q, no match', { q: 'zebra crossing' }, search('zebra crossing')),
    byUpdate('order=updatedAt, q, no match', { q: 'zebra crossing' }, search('zebra crossing')),
    byDate(
      'contact, status',
      { contact, status: 'needs_review' },
      `t.contact = '${contact}' and t.status = 'needs_review'`,
    ),
    byDate(
      'accountCode, provider 1%',
      { accountCode: accountCodeOf(33), provider: 'manual' },
      `t.account_code = '${accountCodeOf(33)}' and t.provider = 'manual'`,
    ),
    byDate(
      'status half, provider 1%',
      { status: 'unallocated', provider: 'manual' },
      `t.status = 'unallocated' and t.provider = 'manual'`,
    ),
  ];
}

function projectScenarios(seed: Seed, numbers: ScenarioNumbers): Scenario[] {
  const { projectId, smallProjectId, budgetLineId } = seed;
  const allocatedTo = (project: number) =>
    `exists (select 1 from allocations a indexed by allocations_by_transaction
       where a.organisation_id = t.organisation_id and a.transaction_id = t.id
         and a.project_id = ${project})`;
  return [
    byDate('projectId, half of all', { projectId }, allocatedTo(numbers.project)),
    byDate(
      'projectId, 1 in 1,000',
      { projectId: smallProjectId },
      allocatedTo(numbers.smallProject),
    ),
    byDate(
      'projectId 1 in 1,000, q no match',
      { projectId: smallProjectId, q: 'zebra crossing' },
      `${allocatedTo(numbers.smallProject)} and ${search('zebra crossing')}`,
    ),
    allocations('allocations', {}, numbers.project, '1'),
    allocations(
      'allocations, from, to',
      { from: '2024-01-01', to: '2024-12-31' },
      numbers.project,
      'a.newest_first between -20241231 and -20240101',
    ),
    allocations(
      'allocations, budgetLineId',
      { budgetLineId },
      numbers.project,
      `a.budget_line_id = ${numbers.budgetLine}`,
    ),
    allocations(
      'allocations, transactionId',
      { transactionId: 'txn_0000000001' },
      numbers.project,
      'a.transaction_id = 1',
    ),
  ];
}

function byDate(name: string, query: Record<string, string>, where: string): Scenario {
  return { name, list: 'transactions', query, order: 'date', where };
}

function byUpdate(name: string, query: Record<string, string>, where: string): Scenario {
  const ordered = { ...query, order: 'updatedAt' };
  return { name, list: 'transactions', query: ordered, order: 'updatedAt', where };
}

function allocations(
  name: string,
  query: Record<string, string>,
  project: number,
  where: string,
): Scenario {
  const both = `a.project_id = ${project} and ${where}`;
  return { name, list: 'allocations', query, order: 'date', where: both };
}

/** `holds` is a function that the process of the limit registers. */
function search(part: string): string {
  return `holds('${part}', t.description, t.contact, t.external_id)`;
}
