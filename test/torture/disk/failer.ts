/**
 * A process whose disk fails: it makes the same acts again and again on a new copy of a database,
 * and each time the n-th call of a kind fails. Prints what it found as JSON.
 * `failer.js FOLDER SEED STEP MOST`: of every STEP calls one fails, and at most MOST of a kind.
 */

import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../../src/core/failures.ts';
import { storageFailure } from '../../../src/database/sqlite-errors.ts';
import { createService, type Service } from '../../../src/index.ts';
import { backUp } from '../../../src/upkeep/backups.ts';
import { Random } from '../../core/random.ts';
import { advance, foundPlace, judge, type Said } from '../stages.ts';
import { failAt, failNoMore, KINDS, type Kind } from './shim.ts';

const [parent = '', seed, step, most] = process.argv.slice(2);
const random = new Random(Number(seed));
const [EIO, ENOSPC] = [5, 28];
const BATCHES = 3;
const STAGES = 6;

const template = join(parent, 'template.db');
const first = await createService({ database: template, create: true });
const { org, line } = foundPlace(first);
await first.close();

const problems: string[] = [];
const counts: Record<string, number> = {};
const count = (name: string, by = 1) => {
  counts[name] = (counts[name] ?? 0) + by;
};

/** Does something that may fail, as everything does on such a disk. Whether it was done. */
async function attempt(where: string, act: () => unknown): Promise<boolean> {
  try {
    await act();
    return true;
  } catch (error) {
    const isSaid = error instanceof Failure || storageFailure(error) !== undefined;
    const code = Object(error).code ?? String(error);
    if (!isSaid && !/^(SQLITE_IOERR|SQLITE_CANTOPEN|EIO|ENOSPC)/.test(code)) {
      problems.push(`${where}: ${error instanceof Error ? error.stack : error}`);
    }
    count(`acts refused: ${isSaid ? 'as a failure of the storage' : 'as an error of the disk'}`);
    return false;
  }
}

/** Works on the database while a call fails. Whether it did: there were so many. */
async function fail(kind: Kind, nth: number, how: { errno: number; stays: boolean }) {
  const folder = join(parent, 'files');
  mkdirSync(folder);
  const database = join(folder, 'budgetd.db');
  copyFileSync(template, database);
  const name = `${kind} ${nth}, error ${how.errno}${how.stays ? ' and on' : ''}`;
  const said = new Map<number, Said>();
  const open: Service[] = [];
  failAt(kind, nth, how);
  await attempt(`${name}, open`, async () => open.push(await createService({ database })));
  const [service] = open;
  const backup = `${database}.copy`;
  let isBackedUp = false;
  for (let turn = 0; service !== undefined && turn < BATCHES * STAGES; turn += 1) {
    const batch = turn % BATCHES;
    const { done = 0 } = said.get(batch) ?? {};
    said.set(batch, { done, begun: done + 1 });
    const act = () => advance({ service, org, line }, batch, done + 1);
    if (await attempt(`${name}, act`, act)) said.set(batch, { done: done + 1, begun: done + 1 });
    // What a refused act was may be there all the same: it is not tried again.
    else said.set(batch, { done, begun: done + 1 });
    if (turn === 6) {
      await attempt(`${name}, checkpoint`, () => service.source.db.pragma('wal_checkpoint'));
      isBackedUp = await attempt(`${name}, backup`, () => backUp(database, backup));
    }
    if (turn === 9) await attempt(`${name}, checkpoint`, () => checkpoint(service));
  }
  const hasFailed = failNoMore();
  if (hasFailed) await recover(name, service, database);
  if (service !== undefined) await attempt(`${name}, close`, () => service.close());
  const held = new Map([...said].map(([batch, { begun }]) => [batch, { done: 0, begun }]));
  if (isBackedUp) look(`${name}, its backup`, backup, held);
  else if (existsSync(backup)) look(`${name}, the backup that failed`, backup, held);
  look(name, database, said);
  rmSync(folder, { recursive: true });
  return hasFailed;
}

function checkpoint(service: Service): void {
  service.source.db.pragma('wal_checkpoint(truncate)');
}

/** When the disk is well again, the service writes again; without one, a new one does. */
async function recover(name: string, running: Service | undefined, database: string) {
  const service = running ?? (await createService({ database }));
  try {
    service.transactions.push(org, [
      { externalId: 'after', date: '2026-01-31', description: 'After', amount: 1 },
    ]);
  } catch (error) {
    problems.push(`${name}: nothing can be written afterwards: ${error}`);
  }
  if (running === undefined) await service.close();
}

function look(name: string, file: string, said: ReadonlyMap<number, Said>): void {
  try {
    const verdict = judge(file, said);
    for (const problem of verdict.problems) problems.push(`${name}: ${problem}`);
    if (verdict.lost > 0) problems.push(`${name}: ${verdict.lost} acts are lost`);
  } catch (error) {
    problems.push(`${name}: ${error}`);
  }
}

for (const kind of KINDS) {
  for (let nth = random.whole(1, Number(step)); ; nth += Number(step)) {
    const errno = kind === 'short' || random.once(2) ? ENOSPC : EIO;
    if (!(await fail(kind, nth, { errno, stays: random.once(2) }))) break;
    count(`failed calls: ${kind}`);
    if ((counts[`failed calls: ${kind}`] ?? 0) >= Number(most)) break;
  }
}
process.stdout.write(JSON.stringify({ counts, problems }));
