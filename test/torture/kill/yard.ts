/** A database with a key, a user who is signed in, and a service that is started and killed. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/database/database.ts';
import type { Db } from '../../../src/database/driver.ts';
import { createService } from '../../../src/index.ts';
import { createSession } from '../../../src/operations/sessions.ts';
import { addUser } from '../../../src/store/users.ts';
import { checkDatabase } from '../../../src/upkeep/check.ts';
import { programWith } from '../../cli/program.ts';
import { NO_PASSWORD } from '../../console/furnish.ts';
import { Browser } from '../../console/office.ts';
import { foundPlace } from '../stages.ts';
import type { Trial } from '../trial.ts';

/** Where a service is killed. */
export interface Yard {
  readonly folder: string;
  readonly database: string;
  readonly key: string;
  readonly projectId: string;
  /** A browser in which an owner is signed in. */
  browse(url: string): Browser;
}

/** Makes one, which is removed after the trial. */
export async function openYard(trial: Trial): Promise<Yard> {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-kill-'));
  trial.after(() => rmSync(folder, { recursive: true }));
  const database = join(folder, 'budgetd.db');
  const service = await createService({ database, create: true });
  const { org } = foundPlace(service);
  const scopes = ['transactions:write'] as const;
  const { key } = service.keys.create(org, { name: 'pusher', scopes });
  const owner = { email: 'owner@example.org', name: null, role: 'owner' } as const;
  const { user } = addUser(
    service.access(org),
    { ...owner, password: NO_PASSWORD },
    service.actor(),
  );
  const token = createSession(service.source, { userId: user.id, agent: null }, Date.now());
  const [project] = service.projects.list(org).data;
  await service.close();
  return {
    ...{ folder, database, key, projectId: project?.id ?? '' },
    browse(url) {
      const browser = new Browser({ url });
      browser.cookies.set('budgetd', token ?? '');
      return browser;
    },
  };
}

/** A service in a process of its own. */
export interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts `budgetd serve`. */
export async function serve(
  { folder, database }: Yard,
  more: readonly string[] = [],
): Promise<Server> {
  const args = ['serve', '--db', database, '--port', '0', '--json', ...more];
  const child = spawn(...programWith(args), { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`serve ended with ${code}`);
  });
  ended.catch(() => {});
  const [line] = await Promise.race([once(child.stdout, 'data'), ended]);
  return { url: JSON.parse(String(line)).url, child };
}

/** Kills a process, and waits until it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Opens a database as the next service does, checks it, and looks at it. */
export function inspect(trial: Trial, file: string, look: (db: Db) => void): void {
  try {
    const db = openDatabase({ file, create: false, busyTimeoutMs: 5000 });
    const broken = checkDatabase(db).filter(({ ok }) => !ok);
    for (const { name } of broken) trial.problem(`does not hold after a kill: ${name}`);
    look(db);
    db.close();
  } catch (error) {
    trial.problem(`after a kill: ${error}`);
  }
}

/** The number that a query finds. */
export function countIn(db: Db, query: string, ...values: string[]): number {
  return Number(
    db
      .prepare<string[], number>(query)
      .pluck()
      .get(...values),
  );
}
