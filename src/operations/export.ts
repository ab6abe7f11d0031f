/** Reading everything that an organisation has, for an export, on one snapshot. */

import { toMajor } from '../core/money.ts';
import { tolerancePercentOf } from '../core/projects.ts';
import { readRawData } from '../core/raw-data.ts';
import { STORED_MEMBERS } from '../core/row-members.ts';
import type { Access } from '../store/access.ts';
import type { LinePlan } from '../store/budget-lines.ts';
import type { WholeTransaction } from '../store/export.ts';
import type { ProjectPlan } from './project-plans.ts';

/**
 * The row that pushing or importing again makes this transaction of, as JSON: the last accepted one
 * if it is still known. Undefined if the transaction did not come in as a row.
 */
export function rowOf(
  transaction: WholeTransaction,
  { organisation }: Pick<Access, 'organisation'>,
): string | undefined {
  const { externalId, rawData } = transaction;
  if (externalId === null) return undefined;
  const { places } = organisation.currency;
  const known = rawData && readRawData(rawData, { ...transaction, externalId }, places);
  if (known) return known;
  const members = STORED_MEMBERS.map(({ field, name }) => [
    field,
    field === 'amount' ? toMajor(transaction.amountMinor, places) : transaction[name],
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

/** A project as `projects import` reads it. */
export function projectFileOf(
  { project, lines }: ProjectPlan,
  parentProject: string | null,
  { organisation }: Pick<Access, 'organisation'>,
): Record<string, unknown> {
  const { name, description, startDate, endDate, budgetMode, funderName } = project;
  const { code: currency, places } = organisation.currency;
  const reference = project.funderReference;
  return {
    name,
    description,
    startDate,
    endDate,
    currency,
    budgetMode,
    parentProject,
    funder: funderName === null ? null : { name: funderName, reference },
    codes: project.codes,
    tolerancePercent: tolerancePercentOf(project.toleranceHundredths),
    archived: project.archivedAtMs !== null,
    budgetLines: lines.map(({ id, budget, ...line }) => {
      return { ...line, budget: budgetOf(budget, places) };
    }),
  };
}

function budgetOf(budget: LinePlan['budget'], places: number): unknown {
  if (budget.mode === 'total') return toMajor(budget.totalMinor, places);
  const months = [...budget.byMonth].map(([month, minor]) => [month, toMajor(minor, places)]);
  return Object.fromEntries(months);
}
