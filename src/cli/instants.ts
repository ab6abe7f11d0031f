/** Human-readable instants. */

/** An instant as `2026-01-31 12:00` (UTC); `-` for null. */
export function showInstant(instant: string | null): string {
  return instant === null ? '-' : instant.slice(0, 16).replace('T', ' ');
}

/** The date of an instant (UTC). */
export function showDay(instant: string): string {
  return instant.slice(0, 10);
}
