/** Guesses what a mistyped word was meant to be. */

/** The known word that is nearest to the written one, in any case; undefined if none is near. */
export function findNearest(written: string, known: readonly string[]): string | undefined {
  const wanted = written.toLowerCase();
  const begun = known.filter((word) => wanted.length >= 3 && word.toLowerCase().startsWith(wanted));
  if (begun.length === 1) return begun[0];
  let nearest: string | undefined;
  let least = Math.min(3, Math.ceil(wanted.length / 2));
  for (const word of known) {
    const distance = distanceBetween(wanted, word.toLowerCase());
    if (distance < least) {
      nearest = word;
      least = distance;
    }
  }
  return nearest;
}

/** How many letters to add, drop, change, or swap with a neighbour. */
function distanceBetween(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const current = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[line - 1] === to[column - 1];
      const ways = [
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      ];
      if (from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1]) {
        ways.push((beforeLast[column - 2] ?? Infinity) + 1);
      }
      current.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}
