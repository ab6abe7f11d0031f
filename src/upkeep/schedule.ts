/** When nightly work is due, in local time. */

/**
 * The last moment, up to now, at which clocks showed a time such as `02:00`. Where the clock jumps
 * over that time it is an hour later; of two such times in one night it is the first.
 */
export function lastMoment(time: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const now = new Date(nowMs);
  const on = (day: number) => {
    return new Date(now.getFullYear(), now.getMonth(), day, hours, minutes).getTime();
  };
  const today = on(now.getDate());
  return today <= nowMs ? today : on(now.getDate() - 1);
}
