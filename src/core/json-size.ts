/** Measures JSON without parsing it. */

/**
 * The deepest nesting of brackets, and an upper bound of the number of values: brackets and commas
 * outside strings. One pass without recursion, because a parser would already have built everything
 * before it could reject it.
 */
export function measureJson(bytes: Uint8Array): { depth: number; values: number } {
  const { length } = bytes;
  let open = 0;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < length && bytes[at] !== QUOTE) {
        at += bytes[at] === BACKSLASH ? 2 : 1;
      }
    } else if (byte === COMMA) {
      values += 1;
    } else if (byte === 0x5b || byte === 0x7b) {
      open += 1;
      values += 1;
      if (open > depth) depth = open;
    } else if (byte === 0x5d || byte === 0x7d) {
      open -= 1;
    }
  }
  return { depth, values };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
