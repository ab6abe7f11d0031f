/** An organisation with many transactions in every state, for counts and times of pages. */

import { formatId } from '../../src/core/ids.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { changeMany, inSteps } from '../../src/operations/changes.ts';
import { importProjects } from '../../src/operations/projects.ts';
import { runRules } from '../../src/operations/rule-runs.ts';
import { importRules } from '../../src/operations/rules.ts';
import { listTransactions } from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { exclusions } from '../../src/operations/workflow.ts';
import type { Access } from '../../src/store/access.ts';
import type { House } from '../library/house.ts';
import { push } from './desk.ts';

const PROJECTS = 60;
const LINES = 40;
const BATCH = 500;

const two = (number: number) => String(number).padStart(2, '0');

/** Days of 2025 and 2026. */
function dayOf(at: number): string {
  return `${2025 + (at % 2)}-${two(1 + (at % 12))}-${two(1 + ((at * 7) % 28))}`;
}

function rowOf(at: number) {
  const contact = at % 5 === 0 ? null : `Supplier ${at % 700}`;
  const sign = at % 11 === 0 ? -1 : 1;
  return {
    externalId: `N-${at}`,
    date: dayOf(at),
    description: `Invoice ${at % 977} of ${contact ?? 'the bank'}`,
    contact,
    amount: (sign * (100 + ((at * 7919) % 90_000))) / 100,
    // Of ten, seven are claimed; codes of the others are unknown.
    accountCode: at % 10 < 7 ? `C${at % (PROJECTS * LINES)}` : at % 10 === 7 ? null : `X${at % 50}`,
  };
}

function project(name: string, lines: number, codes: boolean, [from, to]: [number, number]) {
  const months = Array.from({ length: 12 * (to - from + 1) }, (_, at) => {
    return `${from + Math.floor(at / 12)}-${two(1 + (at % 12))}`;
  });
  return {
    name,
    startDate: `${from}-01-01`,
    endDate: `${to}-12-31`,
    budgetLines: Array.from({ length: lines }, (_, at) => ({
      code: `${name} ${at}`,
      name: `Line ${at}`,
      category: `Category ${at % 8}`,
      accountCodes: codes ? [`C${Number(name) * LINES + at}`] : [],
      budget: Object.fromEntries(months.map((month) => [month, 100 + at])),
    })),
  };
}

/** Fills it with so many transactions. */
export async function fillLarge(house: House, access: Access, count: number): Promise<void> {
  const { service } = house;
  const actor = service.actor();
  for (let at = 0; at < PROJECTS; at += 1) {
    importProjects(access, project(String(at), LINES, true, [2025, 2026]), actor);
  }
  importProjects(access, project('wide', 200, false, [2024, 2026]), actor);
  importProjects(access, project('long', 2000, false, [2026, 2026]), actor);
  for (let from = 0; from < count; from += BATCH) {
    push(
      house,
      Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => rowOf(from + at)),
    );
  }
  await runRules(access, actor, { onlyByAccountCode: true });
  const idsOf = (contact: string, limit: number) =>
    finish(listTransactions(access, { contact, statuses: ['unallocated'], limit })).items.map(
      ({ id }) => formatId('txn', id),
    );
  const out = inSteps(
    [19, 29, 39].flatMap((at) => idsOf(`Supplier ${at}`, 100)),
    (step) =>
      exclusions(
        access,
        step.map((transactionId) => ({ transactionId, reason: 'x' })),
      ),
  );
  await changeMany(access, out, actor);
  const parts = inSteps(idsOf('Supplier 8', 100), (step) =>
    allocations(
      access,
      step.map((transactionId) => ({
        transactionId,
        allocations: [{ budgetLineId: formatId('bln', 1), amountMinor: 1 }],
      })),
    ),
  );
  await changeMany(access, parts, actor).catch(() => {});
  // Changed and recoded after they were allocated.
  const changed = Array.from({ length: 120 }, (_, at) => ({ ...rowOf(at), amount: 5 }));
  const recoded = Array.from({ length: 80 }, (_, at) => ({
    ...rowOf(500 + at),
    accountCode: 'X1',
  }));
  push(house, changed);
  push(house, recoded);
  const rules = Array.from({ length: 20 }, (_, at) => ({
    name: `Rule ${at}`,
    conditions: { contact: { is: `Supplier ${at * 9}` }, direction: 'out' },
    shares: [
      { line: '0 0', percent: 60 },
      { line: '1 0', rest: true },
    ],
  }));
  importRules(access, rules, actor);
}
