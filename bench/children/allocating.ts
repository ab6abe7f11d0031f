/**
 * Allocates every unallocated transaction of a seeded file by account code, with the library:
 * `allocating.js FILE ORGANISATION`. Prints how long each step blocked the event loop.
 */

import { createService } from '../../src/index.ts';
import { ACCOUNT_CODES, accountCodeOf } from '../rows.ts';
import { MONTHS } from '../stored.ts';
import { readCpuSeconds } from './answering.ts';

/** What the steps took. */
export interface AllocationSteps {
  readonly allocated: number;
  readonly cpuSeconds: number;
  /** How long each step blocked the event loop, in milliseconds. */
  readonly heldMs: readonly number[];
}

const [, , file = '', organisationId = ''] = process.argv;
const service = await createService({ database: file });
service.projects.import(organisationId, [
  {
    name: 'By account code',
    startDate: '2023-01-01',
    endDate: '2025-12-31',
    currency: 'GBP',
    budgetMode: 'monthly',
    budgetLines: Array.from({ length: ACCOUNT_CODES }, (_, number) => ({
      code: accountCodeOf(number),
      name: `Account code ${number}`,
      accountCodes: [accountCodeOf(number)],
      budget: Object.fromEntries(MONTHS.map((month) => [month, 1000])),
    })),
  },
]);

const heldMs: number[] = [];
let stepped = false;
let lastMs = performance.now();

/** Turns as other requests would: a turn that waited for a step took as long as the step. */
function turn(): void {
  const nowMs = performance.now();
  if (stepped) heldMs.push(nowMs - lastMs);
  stepped = false;
  lastMs = nowMs;
  next = setImmediate(turn);
}

let next = setImmediate(turn);
const cpuSeconds = readCpuSeconds();
const { allocated } = await service.transactions.allocateByAccountCode(organisationId, () => {
  stepped = true;
});
const steps: AllocationSteps = { allocated, cpuSeconds: readCpuSeconds() - cpuSeconds, heldMs };
clearImmediate(next);
await service.close();
process.stdout.write(JSON.stringify(steps));
