/** Words of the commands in messages. */

/**
 * A word, quoted for a shell where needed: in double quotation marks, which Windows reads too,
 * unless a shell replaces something in them.
 */
export function quoted(word: string): string {
  if (/^[\p{L}\p{N}_.,:/@%+-][\p{L}\p{N}_.,:/@%+=#-]*$/u.test(word)) return word;
  const isChanged = /["$`!]|\\(?:\\|$)/.test(word);
  return isChanged ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`;
}
