/** Shows numbers in messages and tables. */

/** `1 transaction`, `1,200 transactions`. */
export function count(number: number, noun: string, plural?: string): string {
  return `${groupThousands(String(number))} ${nounFor(number, noun, plural)}`;
}

/** The noun, or another word that agrees with a number: `transaction` after 1. */
export function nounFor(number: number, noun: string, plural = `${noun}s`): string {
  return number === 1 ? noun : plural;
}

/** `1,234,567.80` for `1234567.80`. */
export function groupThousands(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** The first names of a list, and how many more there are. */
export function nameSome(names: readonly string[], most = 5): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/**
 * A number of bytes in messages. What is needed is rounded up (`Math.ceil`), because it would
 * otherwise look like what is free.
 */
export function megabytes(bytes: number, round = Math.floor): string {
  return `${round(bytes / 1e6)} MB`;
}
