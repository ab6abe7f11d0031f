/** What was found, as people say it: names instead of signs, and days as the reader writes them. */

import { isCalendarDate } from '../../core/calendar.ts';
import type { Subject } from '../../files/index.ts';
import type { Reader } from '../session/reader.ts';

const DELIMITERS: Readonly<Record<string, string>> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'bar',
};

const ENCODINGS: Readonly<Record<string, string>> = {
  macintosh: 'Macintosh',
  shift_jis: 'Shift_JIS',
  big5: 'Big5',
};

/** What a delimiter is called; others than the usual ones are shown as they are. */
export function nameDelimiter(delimiter: string): string {
  return DELIMITERS[delimiter] ?? delimiter;
}

/** What an encoding is called: `UTF-8`, `Windows-1252`. */
export function nameEncoding(encoding: string): string {
  return ENCODINGS[encoding] ?? encoding.toUpperCase().replace(/^WINDOWS/, 'Windows');
}

/** The value of a finding. */
export function sayValue(subject: Subject | undefined, value: string): string {
  if (subject === 'delimiter') return nameDelimiter(value);
  return subject === 'encoding' ? nameEncoding(value) : value;
}

/** What an answer would read: `line 2: 1 Feb 2016, −1,200.00` of a line, `it is 1 Feb 2016`. */
export function sayDays(text: string, reader: Reader): string {
  return text
    .replace(DAY, (day) => (isCalendarDate(day) ? reader.dayText(day) : day))
    .replace(MINUS, '−');
}

/** Only at the beginning: what follows is as it is in the file. */
const DAY = /(?<=^(?:line \d+: (?:skipped: |rejected: )?|it is ))\d{4}-\d\d-\d\d\b/;
/** Of the amount, which comes before the texts of the file, in quotation marks. */
const MINUS = /(?<=^line \d+: [^"]*, )-(?=\d)/;
