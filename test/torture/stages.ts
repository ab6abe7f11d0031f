/**
 * Batches of transactions that go through stages, each by one act. After whatever was done to the
 * file, all rows of a batch are at the same stage: at that of the last act that was answered, or at
 * that of an act which was begun and not answered.
 */

import { formatId } from '../../src/core/ids.ts';
import { type Db, openDatabase } from '../../src/database/database.ts';
import type { Service } from '../../src/index.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { changeAll } from '../../src/operations/changes.ts';
import { exclusions, reviewEndings } from '../../src/operations/workflow.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';

const BATCH_ROWS = 10;

/** What each stage is, and how the record of a row shows it: status, part allocated, amount. */
const STAGES = ['new', 'unallocated 0 1', 'allocated 1 1', 'needs_review 1 2', 'allocated 2 2'];
STAGES.push('unallocated 0 2', 'excluded 0 2');
const LAST_STAGE = STAGES.length - 1;

/** How far each batch is said to be. */
export interface Said {
  /** The stage of the last act that was answered. */
  readonly done: number;
  /** The stage of the last act that was begun. */
  readonly begun: number;
}

/** Where batches are worked on: an organisation with a project, and its only line. */
export interface Place {
  readonly service: Service;
  readonly org: string;
  readonly line: string;
}

/** Prepares a new database. */
export function foundPlace(service: Service): Place {
  const { id: org } = service.organisations.create({ name: 'Torture', baseCurrency: 'GBP' });
  const dates = { startDate: '2026-01-01', endDate: '2026-12-31' };
  const budgetLines = [{ code: 'A', name: 'Rent' }];
  const [project] = service.projects.import(org, { name: 'P', ...dates, budgetLines });
  return { service, org, line: project?.budgetLines[0]?.budgetLineId ?? '' };
}

/** The rows of a batch, with their first amounts or with twice as much. */
export function rowsOf(batch: number, times: number) {
  return Array.from({ length: BATCH_ROWS }, (_, at) => ({
    externalId: `${batch}/${at}`,
    date: `2026-0${1 + (at % 9)}-15`,
    description: `Row ${at} of ${batch}: ${'x'.repeat(60)}`,
    amount: (at + 1) * times,
    contact: 'Ann',
  }));
}

/** Leads a batch to its next stage in one act. */
export function advance({ service, org, line }: Place, batch: number, stage: number): void {
  const access = service.access(org);
  const ids = () => {
    const select = 'select id from transactions where external_id glob ? order by id';
    return access.db.prepare<[string], number>(select).pluck().all(`${batch}/*`);
  };
  const each = () => ids().map((id) => ({ transactionId: formatId('txn', id) }));
  const whole = [{ budgetLineId: line }];
  const actor = service.actor();
  if (stage === 1) service.transactions.push(org, rowsOf(batch, 1));
  if (stage === 3) service.transactions.push(org, rowsOf(batch, 2));
  const change = () => {
    if (stage === 4) return reviewEndings(access, each().map(rescaled));
    if (stage === 6) return exclusions(access, each().map(excused));
    const shares = stage === 2 ? whole : [];
    return allocations(
      access,
      each().map((one) => ({ ...one, allocations: shares })),
    );
  };
  if (stage !== 1 && stage !== 3) changeAll(access, change(), actor);
}

const rescaled = (one: { transactionId: string }) => ({ ...one, resolution: 'rescale' as const });
const excused = (one: { transactionId: string }) => ({ ...one, reason: 'Private' });

/** Works on batches for ever, and says what it begins and what it has done. */
export function* work(
  place: Place,
  pick: (most: number) => number,
): Generator<{ batch: number; stage: number; act: () => void }> {
  const stages: number[] = [];
  for (;;) {
    const open = [...stages.keys()].filter((batch) => (stages[batch] ?? 0) < LAST_STAGE);
    const at = pick(open.length);
    const batch = at < open.length ? (open[at] ?? 0) : stages.length;
    const stage = (stages[batch] ?? 0) + 1;
    stages[batch] = stage;
    yield { batch, stage, act: () => advance(place, batch, stage) };
  }
}

/** The stages at which the rows of each batch are. */
export function stagesIn(db: Db): Map<number, Map<number, number>> {
  const found = new Map<number, Map<number, number>>();
  const rows = db
    .prepare<[], { id: string; shown: string }>(
      `with rows as (select *, 100 * (1 + substr(external_id, instr(external_id, '/') + 1)) as unit
         from transactions where external_id like '%/%')
       select external_id as id,
         status || ' ' || (allocated_minor / unit) || ' ' || (amount_minor / unit) as shown
         from rows`,
    )
    .all();
  for (const { id, shown } of rows) {
    const batch = Number(id.split('/')[0]);
    const counts = found.get(batch) ?? new Map<number, number>();
    const stage = STAGES.indexOf(shown);
    counts.set(stage, (counts.get(stage) ?? 0) + 1);
    found.set(batch, counts);
  }
  return found;
}

/** What is wrong with a database, by what was said before. `lost`: acts that were answered. */
export interface Verdict {
  readonly problems: readonly string[];
  readonly lost: number;
}

/**
 * Opens a file as the service does, and compares it with what was said. `isNew`: nothing was
 * answered yet, not even that there is a database.
 */
export function judge(file: string, said: ReadonlyMap<number, Said>, isNew = false): Verdict {
  const db = openDatabase({ file, create: isNew, busyTimeoutMs: 1000 });
  try {
    const broken = checkDatabase(db).filter(({ ok }) => !ok);
    const compared = compareStages(db, said);
    return {
      problems: [...broken.map(({ name }) => `does not hold: ${name}`), ...compared.problems],
      lost: compared.lost,
    };
  } finally {
    db.close();
  }
}

/** Compares an open database with what was said. */
export function compareStages(db: Db, said: ReadonlyMap<number, Said>): Verdict {
  const problems: string[] = [];
  let lost = 0;
  const found = stagesIn(db);
  for (const batch of new Set([...found.keys(), ...said.keys()])) {
    const counts = found.get(batch) ?? new Map([[0, BATCH_ROWS]]);
    const [[stage, rows] = [-1, 0]] = counts;
    const { done, begun } = said.get(batch) ?? { done: 0, begun: 0 };
    if (stage < done) lost += 1;
    else if (counts.size > 1 || rows !== BATCH_ROWS || stage > begun) {
      const shown = [...counts].map(([at, count]) => `${count} rows at ${at}`).join(', ');
      problems.push(`batch ${batch}: ${shown}; answered ${done}, begun ${begun}`);
    }
  }
  return { problems, lost };
}
