/** Time zones, by their IANA names: how instants are shown, and which day is today. */

const DAY_PARTS = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
const DAY_MS = 86_400_000;
const QUARTER_HOUR_MS = 15 * 60_000;
/** No zone is further ahead of UTC. */
const FURTHEST_MS = 14 * 3_600_000;

/** The time zone of a new organisation. */
export const USUAL_TIME_ZONE = 'UTC';

/** The names of all time zones that this Node knows, `UTC` first. */
export function listTimeZones(): string[] {
  return [...new Set([USUAL_TIME_ZONE, ...Intl.supportedValuesOf('timeZone')])];
}

/** Whether a text names a time zone; also one of its older names, such as `Asia/Calcutta`. */
export function isTimeZone(name: string): boolean {
  // Without Intl, whose first use takes longer than all else that a new organisation needs.
  if (name === USUAL_TIME_ZONE) return true;
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(name)) return false;
  try {
    daysIn(name);
    return true;
  } catch {
    return false;
  }
}

/** The calendar date, `YYYY-MM-DD`, of an instant in a time zone. */
export function dayIn(timeZone: string, instantMs: number): string {
  if (timeZone === USUAL_TIME_ZONE) return new Date(instantMs).toISOString().slice(0, 10);
  return daysIn(timeZone).format(instantMs);
}

/** The instants at which a calendar date begins and ends in a time zone. */
export function boundsOfDay(timeZone: string, date: string): [startMs: number, endMs: number] {
  const next = new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10);
  return [startOfDay(timeZone, date), startOfDay(timeZone, next)];
}

function startOfDay(timeZone: string, date: string): number {
  let instantMs = Date.parse(date) - FURTHEST_MS;
  while (dayIn(timeZone, instantMs) < date) instantMs += QUARTER_HOUR_MS;
  return instantMs;
}

/** Swedish dates are `YYYY-MM-DD`. */
function daysIn(timeZone: string): Intl.DateTimeFormat {
  let days = formats.get(timeZone);
  if (days === undefined) {
    days = new Intl.DateTimeFormat('sv-SE', { ...DAY_PARTS, timeZone });
    formats.set(timeZone, days);
  }
  return days;
}

const formats = new Map<string, Intl.DateTimeFormat>();
