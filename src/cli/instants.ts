/** Human-readable instants, in UTC. */

import { formatInstant } from '../core/calendar.ts';

/** An instant as `2026-01-31 12:00`; `-` for null. */
export function showInstant(instantMs: number | null): string {
  return instantMs === null ? '-' : formatInstant(instantMs).slice(0, 16).replace('T', ' ');
}

/** The date of an instant. */
export function showDay(instantMs: number): string {
  return formatInstant(instantMs).slice(0, 10);
}
