/**
 * Runs 200 rules over a seeded file, with the library, and then a plain loop over a lean file with
 * the same transactions, in one process: `allocating.js FILE ORGANISATION LEAN WATCHED`. The loop
 * reads each transaction, matches it with the same rules and writes the same allocations. How long
 * the steps take is measured on another copy, because watching them takes CPU all the time.
 */

import { createService } from '../../src/index.ts';
import { openLean } from '../lean.ts';
import { RULES, type RuleInput, rulesProject } from '../rules.ts';
import { readCpuSeconds } from './answering.ts';

/** What a run took. */
export interface RunTaken {
  readonly allocated: number;
  readonly cpuSeconds: number;
  readonly loopAllocated: number;
  readonly loopCpuSeconds: number;
  /** How long each step of the run blocked the event loop, in milliseconds. */
  readonly heldMs: readonly number[];
}

const [, , file = '', organisationId = '', lean = '', watched = ''] = process.argv;
const ours = await run(file);
const loop = runLoop();
const taken: RunTaken = {
  ...ours,
  heldMs: await watch(watched),
  loopAllocated: loop.allocated,
  loopCpuSeconds: loop.cpuSeconds,
};
process.stdout.write(JSON.stringify(taken));

async function run(
  database: string,
  onStart: () => void = () => {},
): Promise<{ allocated: number; cpuSeconds: number }> {
  const service = await createService({ database });
  service.projects.import(organisationId, [rulesProject()]);
  service.rules.import(organisationId, { automatic: false, byAccountCode: false, rules: RULES });
  onStart();
  const cpuSeconds = readCpuSeconds();
  const { allocated } = await service.rules.run(organisationId);
  const taken = { allocated, cpuSeconds: readCpuSeconds() - cpuSeconds };
  await service.close();
  return taken;
}

/** Turns as other requests would: one that waited for a step took as long as the step. */
async function watch(database: string): Promise<readonly number[]> {
  const heldMs: number[] = [];
  let lastMs = Number.NaN;
  let next: NodeJS.Immediate | undefined;
  const turn = () => {
    const nowMs = performance.now();
    if (nowMs - lastMs >= 1) heldMs.push(nowMs - lastMs);
    lastMs = nowMs;
    next = setImmediate(turn);
  };
  await run(database, turn);
  clearImmediate(next);
  return heldMs;
}

/** A transaction as the loop reads it. */
interface Read {
  readonly id: number;
  readonly date: string;
  readonly code: string | null;
  readonly minor: number;
}

function runLoop(): { allocated: number; cpuSeconds: number } {
  const db = openLean(lean);
  db.exec(`create table allocations (
    id integer primary key, organisation_id integer not null, budget_line integer not null,
    transaction_id integer not null, date text not null, amount_minor integer not null,
    note text, created_at integer not null, updated_at integer not null, rule text) strict;
    create index allocations_by_line on allocations (organisation_id, budget_line, date desc);
    create index allocations_by_transaction on allocations (organisation_id, transaction_id)`);
  const select = db.prepare<[number], Read>(
    `select id, date, account_code as code, amount_minor as minor from transactions
      where +organisation_id = 1 and id > ? and status = 'unallocated' order by id limit 200`,
  );
  const insert = db.prepare(
    `insert into allocations (organisation_id, budget_line, transaction_id, date, amount_minor,
       created_at, updated_at, rule) values (1, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.prepare(
    `update transactions set status = 'allocated', allocated_minor = amount_minor, updated_at = ?
      where id = ?`,
  );
  let allocated = 0;
  const take = db.transaction((after: number): number | undefined => {
    const read = select.all(after);
    const nowMs = Date.now();
    for (const { id, date, code, minor } of read) {
      const rule = RULES.find((each) => fits(each, code, minor));
      if (rule === undefined) continue;
      let rest = minor;
      for (const [at, { line, percent }] of rule.shares.entries()) {
        const isLast = at === rule.shares.length - 1;
        const share = isLast ? rest : Math.round((minor * (percent ?? 0)) / 100);
        rest -= share;
        insert.run(Number(line), id, date, share, nowMs, nowMs, rule.name);
      }
      update.run(nowMs, id);
      allocated += 1;
    }
    return read.at(-1)?.id;
  });
  const cpuSeconds = readCpuSeconds();
  for (let after: number | undefined = 0; after !== undefined; ) after = take.immediate(after);
  const taken = { allocated, cpuSeconds: readCpuSeconds() - cpuSeconds };
  db.close();
  return taken;
}

function fits({ conditions }: RuleInput, code: string | null, minor: number): boolean {
  const { direction } = conditions;
  if (direction !== undefined && minor > 0 !== (direction === 'out')) return false;
  return code === conditions.accountCode.is;
}
