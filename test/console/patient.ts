/** Pages that never say that work is still going on, however busy the machine is. */

import { Task } from '../../src/console/session/task.ts';
import type { Scope } from '../torture/trial.ts';

/** Longer than any test may take. */
const FOREVER_MS = 3_600_000;

/** Lets pages wait for work, such as reading a file or making a backup, until it is done. */
export function waitForTasks(test: Scope): void {
  const { wait } = Task.prototype;
  Task.prototype.wait = function forever(this: Task<unknown>) {
    return wait.call(this, FOREVER_MS);
  };
  test.after(() => {
    Task.prototype.wait = wait;
  });
}
