/** A project's allocations in the HTTP interface (Spec 4.4). */

import { formatInstant } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { PAGE_ITEMS_DEFAULT } from '../core/limits.ts';
import { toMajor } from '../core/money.ts';
import { type AllocationRecord, listAllocations } from '../store/allocations.ts';
import { findProject } from '../store/projects.ts';
import { type Access, listDocument, notFound, numberOf } from './access.ts';
import type { Allocation, AllocationList } from './contract.ts';
import { bindingOf, readCursor } from './cursors.ts';
import { calendarDate, identifier, limit, text, type Values } from './parameters.ts';

/** The parameters of the list of allocations. */
export const ALLOCATION_PARAMETERS = {
  from: calendarDate,
  to: calendarDate,
  budgetLineId: identifier('bln'),
  transactionId: identifier('txn'),
  limit,
  cursor: text,
};

/** A page of a project's allocations, newest transaction date first, then by id. */
export function allocationList(
  { db, organisation }: Access,
  id: string,
  values: Values<typeof ALLOCATION_PARAMETERS>,
): AllocationList {
  const projectId = numberOf('prj', id);
  const { limit: items = PAGE_ITEMS_DEFAULT, cursor, ...filters } = values;
  const binding = bindingOf('allocations', organisation.id, { projectId, ...filters });
  const after = readCursor(binding, 'date', cursor);
  if (findProject(db, organisation.id, projectId) === undefined) throw notFound('project', id);
  const page = listAllocations(db, organisation.id, {
    projectId,
    ...filters,
    after,
    limit: items,
  });
  const { places } = organisation.currency;
  return listDocument(page, binding, (record) => toAllocation(record, places));
}

function toAllocation(record: AllocationRecord, places: number): Allocation {
  return {
    id: formatId('alc', record.id),
    projectId: formatId('prj', record.projectId),
    budgetLineId: formatId('bln', record.budgetLineId),
    budgetLine: { code: record.lineCode, name: record.lineName },
    transactionId: formatId('txn', record.transactionId),
    transaction: {
      provider: record.provider,
      externalId: record.externalId,
      date: record.date,
      description: record.description,
      contact: record.contact,
    },
    amount: toMajor(record.amountMinor, places),
    note: record.note,
    createdAt: formatInstant(record.createdAtMs),
    updatedAt: formatInstant(record.updatedAtMs),
  };
}
