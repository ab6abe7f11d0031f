/** Long readings of pages: a few at a time for each session, so that nobody holds up the others. */

import { READINGS_AT_ONCE } from '../../core/limits.ts';
import { ConnectionCut, type Request } from '../../http/message.ts';
import type { Session } from '../../operations/sessions.ts';
import { type Steps, takeTurns } from '../../operations/turns.ts';

/** Whose page a reading is for. */
interface Asker {
  readonly request: Pick<Request, 'isGone'>;
  readonly session: Pick<Session, 'id'>;
}

/** The readings of all sessions. */
export class Readings {
  readonly #lines = new Map<Session['id'], { running: number; readonly waiting: (() => void)[] }>();

  /**
   * Takes the steps of a reading in turns, once fewer than READINGS_AT_ONCE others of the session
   * run. Throws ConnectionCut, and does no further step, when the browser has disconnected.
   */
  async take<Result>({ request, session: { id } }: Asker, steps: Steps<Result>): Promise<Result> {
    const line = this.#lines.get(id) ?? { running: 0, waiting: [] };
    this.#lines.set(id, line);
    if (line.running < READINGS_AT_ONCE) line.running += 1;
    else await new Promise<void>((start) => line.waiting.push(start));
    const stopIfGone = () => {
      if (request.isGone) throw new ConnectionCut();
    };
    try {
      stopIfGone();
      return await takeTurns(steps, stopIfGone);
    } finally {
      const next = line.waiting.shift();
      if (next === undefined) line.running -= 1;
      else next();
      if (line.running === 0) this.#lines.delete(id);
    }
  }
}
