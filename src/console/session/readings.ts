/** Long readings of pages: a few at a time for each user, so that nobody holds up the others. */

import { SESSIONS } from '../../core/limits.ts';
import { ConnectionCut, type Request } from '../../http/message.ts';
import { type Steps, takeTurns } from '../../operations/turns.ts';
import type { Session } from '../../store/sessions.ts';

/** Whose page a reading is for. */
interface Asker {
  readonly request: Pick<Request, 'isGone' | 'method'>;
  readonly session: Pick<Session, 'userId'>;
}

/** The readings of all users, each of whom can have several sessions. */
export class Readings {
  readonly #lines = new Map<number, { running: number; readonly waiting: (() => void)[] }>();

  /**
   * Takes the steps of a reading in turns, once fewer than SESSIONS.readingsAtOnce others of the
   * user run. Throws ConnectionCut, and does no further step, when the browser has disconnected,
   * except for a form: what it has written already is said to whoever sends it again.
   */
  async take<Result>({ request, session: { userId } }: Asker, steps: Steps<Result>) {
    const line = this.#lines.get(userId) ?? { running: 0, waiting: [] };
    this.#lines.set(userId, line);
    if (line.running < SESSIONS.readingsAtOnce) line.running += 1;
    else await new Promise<void>((start) => line.waiting.push(start));
    const stopIfGone = () => {
      if (request.isGone && request.method !== 'POST') throw new ConnectionCut();
    };
    try {
      stopIfGone();
      return await takeTurns(steps, stopIfGone);
    } finally {
      const next = line.waiting.shift();
      if (next === undefined) line.running -= 1;
      else next();
      if (line.running === 0) this.#lines.delete(userId);
    }
  }
}
