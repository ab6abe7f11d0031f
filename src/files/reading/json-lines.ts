/** Finds the line and the text of each row in a JSON document, which `JSON.parse` loses. */

/** One element of a list, as written in the file. */
export interface Element {
  /** The line on which it begins. */
  readonly line: number;
  readonly text: string;
}

/**
 * The elements of the document, if it is a list, or of its member `rows` (the last one if it is
 * repeated). The text must be valid JSON. Its signs are compared as numbers, which is faster.
 */
export function findElements(text: string): Element[] {
  let elements: Element[] = [];
  let line = 1;
  let depth = 0;
  /** The last string outside the rows: before a bracket, the name of a member. */
  let name = '';
  /** The depth of the rows while they are read. */
  let rowsDepth: number | undefined;
  let begin: { readonly at: number; readonly line: number } | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === NEWLINE) line += 1;
    if (sign <= SPACE) continue;
    const isEnd = sign === COMMA || sign === CLOSE_LIST || sign === CLOSE_OBJECT;
    if (depth === rowsDepth) {
      if (!isEnd) begin ??= { at, line };
      else if (begin !== undefined) {
        elements.push({ line: begin.line, text: text.slice(begin.at, at).trimEnd() });
        begin = undefined;
      }
    }
    if (sign === QUOTE) {
      const start = at;
      at = findQuote(text, at);
      if (depth === 1 && rowsDepth === undefined) name = text.slice(start, at + 1);
    } else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth += 1;
      const isRows = depth === 1 || (depth === 2 && name !== '' && JSON.parse(name) === 'rows');
      if (sign === OPEN_LIST && rowsDepth === undefined && isRows) {
        rowsDepth = depth;
        elements = [];
      }
    } else if (isEnd && sign !== COMMA) {
      if (depth === rowsDepth) rowsDepth = undefined;
      depth -= 1;
    }
  }
  return elements;
}

/** The closing quotation mark of the string that begins here. */
function findQuote(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const [NEWLINE, SPACE, QUOTE, COMMA, BACKSLASH] = [10, 32, 34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];
