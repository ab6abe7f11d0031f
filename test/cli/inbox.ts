/** A folder for `budgetd push --inbox`, and a running service. */

import { mkdirSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openDesk } from '../client/desk.ts';

const LOCK = '.budgetd-lock';

/** A desk with a folder `in`; each file in it gets an age. */
export async function openInbox(t: TestContext) {
  const desk = await openDesk(t);
  mkdirSync(join(desk.cwd, 'in'));
  let ageSeconds = 1000;
  /** Each file is younger than the one before it. */
  const drop = (name: string, text: string) => {
    desk.write(`in/${name}`, text);
    ageSeconds -= 1;
    const then = Date.now() / 1000 - ageSeconds;
    utimesSync(join(desk.cwd, 'in', name), then, then);
  };
  /** Pushes the files at once. */
  const push = (args: string[], io = {}) => {
    return desk.run(['--inbox', 'in', '--settle', '0', ...args], io);
  };
  /** Every file in the folder except the lock, by path. */
  const tree = (folder = 'in'): string[] =>
    readdirSync(join(desk.cwd, folder), { withFileTypes: true })
      .flatMap((entry) => {
        const path = `${folder}/${entry.name}`;
        return entry.isDirectory() ? tree(path) : [path.slice('in/'.length)];
      })
      .filter((name) => name !== LOCK)
      .sort();
  return { ...desk, drop, push, tree };
}

/** A row with a date that does not exist. */
export const BAD = 'bad,2026-02-30,Never,1\n';
