/**
 * Kills (SIGKILL): a service over HTTP while programs push and people import, undo, issue a
 * statement and make a backup in the console; upgrades; backups and restores of the command line.
 * What was answered is stored, the rest is whole or not there.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { listUnfinished } from '../../src/database/copies.ts';
import { killBackups, killRestores } from './kill/commands.ts';
import { backingUp, type Deed, Fuse, importing, pushing, stating, undoing } from './kill/deeds.ts';
import { killUpgrades } from './kill/upgrades.ts';
import { inspect, kill as killProcess, openYard, serve, type Yard } from './kill/yard.ts';
import type { Said } from './stages.ts';
import type { Trial } from './trial.ts';

/** A database is used so often, because checking it takes longer the more it has. */
const ROUNDS_EACH = 25;

export async function kill(trial: Trial): Promise<void> {
  const rounds = trial.times(6, 60, 700);
  for (let done = 0; done < rounds; done += ROUNDS_EACH) {
    await killServices(trial, Math.min(ROUNDS_EACH, rounds - done), done);
  }
  const yard = await openYard(trial);
  await killBackups(trial, yard, trial.times(2, 20, 150));
  await killRestores(trial, yard, trial.times(2, 20, 150));
  const home = join(yard.folder, 'upgrades');
  mkdirSync(home);
  const count = trial.times(3, 20, 150);
  const { old, upgraded, problems } = await killUpgrades(home, count);
  trial.count('kills of an upgrade that left the old schema', old);
  trial.count('kills of an upgrade that left the new schema', upgraded);
  for (const problem of problems) trial.problem(`after a killed upgrade: ${problem}`);
}

async function killServices(trial: Trial, rounds: number, first: number): Promise<void> {
  const yard = await openYard(trial);
  mkdirSync(join(yard.folder, 'backups'));
  const said = new Map<number, Said>();
  const deeds: readonly ((tag: string) => Deed)[] = [
    () => pushing(trial, yard, said),
    (tag) => importing(trial, yard, `I${tag}`),
    (tag) => undoing(trial, yard, `U${tag}`),
    () => stating(trial, yard),
    () => pushing(trial, yard, said),
    () => backingUp(trial, yard),
  ];
  for (let round = 0; round < rounds; round += 1) {
    const deed = deeds[(first + round) % deeds.length]?.(String(first + round));
    if (deed !== undefined) await killOnce(trial, yard, deed);
  }
}

/** The process that makes a backup outlives the service that it was made for. */
async function whileCopying(folder: string): Promise<void> {
  const count = () => readdirSync(folder).filter((name) => name.endsWith('.unfinished')).length;
  while (count() > listUnfinished(folder, () => true).length) await setTimeout(5);
}

async function killOnce(trial: Trial, yard: Yard, deed: Deed): Promise<void> {
  const backups = join(yard.folder, 'backups');
  const { url, child } = await serve(yard, ['--backup-dir', backups]);
  const fuse = new Fuse(trial.random, () => child.kill('SIGKILL'));
  try {
    await deed.run(url, fuse);
  } finally {
    await killProcess(child);
  }
  trial.count('kills of a service');
  inspect(trial, yard.database, (db) => deed.verify(db));
  await whileCopying(backups);
  for (const name of readdirSync(backups).filter((each) => each.endsWith('.db'))) {
    inspect(trial, join(backups, name), () => trial.count('backups that a kill left, whole'));
    rmSync(join(backups, name));
  }
}
