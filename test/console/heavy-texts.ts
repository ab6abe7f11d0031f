/** Long texts that take a careless program time with the square of their length, or worse. */

/** A part that is repeated, and what comes before and after it. */
export type Trap = readonly [before: string, part: string, after: string];

/** By what they are made of. */
export const TRAPS: Readonly<Record<string, Trap>> = {
  'one letter': ['', 'a', ''],
  'letters that grow in another case': ['', 'İßﬀΣ', ''],
  'marks in the wrong order': ['a', '\u0301\u0323', ''],
  'marks of one kind before one of another': ['a', '\u0301', '\u0323'],
  'ligatures of many letters': ['', 'ﷺ', ''],
  'families of emoji': ['', '👩‍👩‍👧', '🇬'],
  quotes: ['"', '"', ''],
  'quotes and apostrophes': ['', '"\'', '"'],
  'open brackets': ['', '(', ''],
  backslashes: ['"', '\\', ''],
  spaces: ['a', ' ', 'b'],
  'spaces of other kinds': ['', '\u00a0\u2003', 'x'],
  'tabs and line ends': ['a', '\t\r\n', 'b'],
  zeros: ['', '0', 'x'],
  'digits and dots': ['', '1.', 'x'],
  'digits and commas': ['', '1,', '.'],
  'groups of digits': ['1', ',000', 'x'],
  'minus signs': ['', '-', 'x'],
  'parts of dates': ['', '2026-01-', 'x'],
  'currency signs': ['', '€$£', '5'],
  'rows of currency signs': ['', `2026-01-03,Power,${'€'.repeat(200)}5.25\n`, ''],
  'percent signs': ['', '%', ''],
  'at signs': ['a', '@a.', ''],
  'words before a control character': ['', 'a ', '\u0001'],
  'all separators': ['', ';,\t|', ''],
  'equals signs and ampersands': ['', '=&', ''],
  tags: ['', '<a b="', ''],
  'names of prototypes': ['', '__proto__.', ''],
  slashes: ['/', '/', 'x'],
  'a language of many parts': ['en', '-x', ''],
};

/** A heavy text whose size is at most so large; its characters are measured by `sizeOf`. */
export function heavyText(trap: string, size: number, sizeOf: (text: string) => number): string {
  const [before = '', part = '', after = ''] = TRAPS[trap] ?? [];
  const count = Math.floor((size - sizeOf(before) - sizeOf(after)) / sizeOf(part));
  return before + part.repeat(Math.max(count, 0)) + after;
}
