/**
 * The folder of backups, those of every night and those made by hand: their names, which of them to
 * remove, and what a killed process left. Files with other names are never touched.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removeUnfinished } from '../database/copies.ts';
import { codeOf } from '../database/sqlite-errors.ts';

/** A backup in the folder, and when it was begun. */
export interface Kept {
  readonly file: string;
  readonly atMs: number;
  readonly isByHand: boolean;
}

/** How the names of both kinds end. */
const ENDS = { nightly: 'Z.db', byHand: 'Z-by-hand.db' } as const;

function endOf(isByHand: boolean): string {
  return isByHand ? ENDS.byHand : ENDS.nightly;
}

export class BackupFolder {
  readonly folder: string;
  readonly #name: string;

  /** Backups of databases with the same name belong in different folders. */
  constructor(folder: string, database: string) {
    this.folder = folder;
    this.#name = basename(database).replace(/\.db$/, '');
  }

  /** Creates the folder if it is missing, readable by its owner alone. */
  create(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** The file for a backup that begins now, such as `budgetd-2026-11-22T02-00-00Z.db`. */
  fileFor(nowMs: number, isByHand = false): string {
    const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
    return join(this.folder, `${this.#name}-${stamp}${endOf(isByHand)}`);
  }

  /**
   * The finished backups, newest first. Those from the future come last: a clock that was wrong
   * must not make them outlive the others.
   */
  list(nowMs: number): Kept[] {
    const kept = this.#names().flatMap((name): Kept[] => {
      return [false, true].flatMap((isByHand) => {
        const atMs = this.#readName(name, isByHand);
        return atMs === undefined ? [] : [{ file: join(this.folder, name), atMs, isByHand }];
      });
    });
    const rank = ({ atMs }: Kept) => (atMs > nowMs ? Number.NEGATIVE_INFINITY : atMs);
    return kept.sort((one, other) => rank(other) - rank(one) || other.atMs - one.atMs);
  }

  /**
   * The newest, or the newest of a kind. Those from the future do not count: the clock was wrong
   * when they were made.
   */
  newest(nowMs: number, kind?: boolean): Kept | undefined {
    return this.list(nowMs).find(({ atMs, isByHand }) => {
      return atMs <= nowMs && (kind ?? isByHand) === isByHand;
    });
  }

  /** Removes all but the newest backups of a kind, of which there is at least one. */
  prune(keep: number, nowMs: number, kind: boolean): void {
    const ofKind = this.list(nowMs).filter(({ isByHand }) => isByHand === kind);
    for (const { file } of ofKind.slice(Math.max(keep, 1))) rmSync(file, { force: true });
  }

  /** Removes what processes that have ended left unfinished. */
  clean(): void {
    removeUnfinished(this.folder, (name) => {
      return [false, true].some((isByHand) => this.#readName(name, isByHand) !== undefined);
    });
  }

  #names(): string[] {
    try {
      const entries = readdirSync(this.folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    } catch (error) {
      // It is created with the first backup.
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** When the backup of a name was begun; undefined for other names. */
  #readName(name: string, isByHand: boolean): number | undefined {
    const end = endOf(isByHand);
    if (!name.startsWith(`${this.#name}-`) || !name.endsWith(end)) return undefined;
    const stamp = name.slice(this.#name.length + 1, -end.length);
    const [, day, hour, minute, second] =
      /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)$/.exec(stamp) ?? [];
    const atMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(atMs) ? undefined : atMs;
  }
}
