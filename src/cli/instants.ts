/** Instants and dates as people read them. */

/** `2026-01-31 12:00` (UTC) of an instant; `-` for none. */
export function showInstant(instant: string | null): string {
  return instant === null ? '-' : instant.slice(0, 16).replace('T', ' ');
}

/** The day of an instant (UTC). */
export function showDay(instant: string): string {
  return instant.slice(0, 10);
}

const MONTHS =
  'January February March April May June July August September October November December';

/** `1 April 2015` for `2015-04-01`. */
export function showDate(date: string): string {
  const month = MONTHS.split(' ')[Number(date.slice(5, 7)) - 1] ?? '';
  return `${Number(date.slice(8, 10))} ${month} ${date.slice(0, 4)}`;
}
